package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/state"
)

// liveOptions are the exports of the real services that a command holds against
// the state.
type liveOptions struct {
	files   []string
	pool    *string
	cluster *string
}

func (o *liveOptions) add(c *cobra.Command) {
	c.Flags().Var(&flagValue{kind: "FILE", set: func(text string) error {
		o.files = append(o.files, text)
		return nil
	}}, "live", "export of the live service, - for standard input; more files may follow, or more --live")
	addText(c, &o.pool, "hostpool-name", "the pool, where an export does not say")
	sameAs(c, "hostpool", "hostpool-name")
	addText(c, &o.cluster, "gateway-cluster-id", "the cluster, by name or id, where an export does not say")
	sameAs(c, "cluster", "gateway-cluster-id")
}

// takeFiles takes the files behind --live FILE, which are arguments to cobra.
func (o *liveOptions) takeFiles(args []string) error {
	if len(args) > 0 && len(o.files) == 0 {
		return usagef("%q is no argument here: exports follow --live", args[0]).withHint("write --live %s", args[0])
	}
	o.files = append(o.files, args...)
	return nil
}

// fact is what the exports make of the wish: the wish itself, changed where they
// say otherwise.
func (o *liveOptions) fact(a *app, s *state.Snapshot, wish exchange.Snapshot) (exchange.Snapshot, error) {
	export, err := a.readExports(o.files)
	if err != nil {
		return exchange.Snapshot{}, err
	}
	if o.pool != nil {
		export.AssumePool(*o.pool)
	}
	if o.cluster != nil {
		c, err := s.Cluster(*o.cluster)
		if err != nil {
			return exchange.Snapshot{}, err
		}
		if c.ID == "" {
			return exchange.Snapshot{}, conflictf(c.Name, "cluster %s has no id in the state, so the export cannot be told to be about it", c.Name).
				withHint("import the cluster itself first: gatepool import-cluster FILE")
		}
		export.AssumeCluster(c.ID)
	}
	if err := saysWhose(export); err != nil {
		return exchange.Snapshot{}, err
	}
	var warnings []string
	for _, secret := range export.DroppedSecrets {
		warnings = append(warnings, "not looked at: "+secret)
	}
	warnings = append(warnings, export.Notes...)
	if !export.Complete() {
		warnings = append(warnings, "the list goes on: the export has a link to a next page that was not given ("+export.NextLink+"); what it lacks may be there")
	}
	if n := len(export.DataSourceUsers); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%s not compared: the export does not say whose they are", count(n, "data source user")))
	}
	a.warn(warnings)
	return exchange.Live(wish, export), nil
}

// saysWhose refuses an export whose hosts or members could be anybody's.
func saysWhose(e *exchange.Export) error {
	for _, h := range e.Hosts {
		if h.Pool == "" {
			return usagef("the export does not say of which host pool %s is", h.Host.Name).withHint("add --hostpool-name POOL")
		}
	}
	for _, s := range e.Sessions {
		if s.Pool == "" {
			return usagef("the export does not say of which host pool the session of %s is", s.Session.User).withHint("add --hostpool-name POOL")
		}
	}
	for _, m := range e.Members {
		if m.ClusterID == "" {
			return usagef("the export does not say of which cluster %s is", m.Member.Name).withHint("add --gateway-cluster-id CLUSTER")
		}
	}
	for _, d := range e.DataSources {
		if d.ClusterID == "" {
			return usagef("the export does not say of which cluster data source %s is", d.DataSource.Name).withHint("add --gateway-cluster-id CLUSTER")
		}
	}
	return nil
}

// everything is all that a state holds.
func everything(s *state.Snapshot) (exchange.Snapshot, error) {
	all := func(string) bool { return true }
	pools, err := s.Pools(all)
	if err != nil {
		return exchange.Snapshot{}, err
	}
	clusters, err := s.Clusters(all)
	return exchange.Snapshot{Pools: pools, Clusters: clusters}, err
}
