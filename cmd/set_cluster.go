package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

type setClusterOptions struct {
	names    []string
	newName  *string
	settings clusterSettings
	change   changeFlags
}

func (a *app) setCluster() *cobra.Command {
	var o setClusterOptions
	c := &cobra.Command{
		Use:   "set-cluster CLUSTER...",
		Short: "Change settings of a gateway cluster",
		Long: `Change settings of gateway clusters. What no flag names stays as it is; an empty
text takes a setting away. They are settings of the cluster, not of a member:
see set-member. Mirrors Set-DataGatewayCluster.`,
		Example: `  gatepool set-cluster finance --department Finance --contact-information dba@contoso.example
  gatepool set-cluster finance --allow-custom-connectors --what-if
  gatepool set-cluster finance --name finance-eu`,
		Args: arguments(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.names = args
			return a.runSetCluster(o)
		},
	}
	addText(c, &o.newName, "name", "new name (also --new-name)")
	sameAs(c, "new-name", "name")
	o.settings.add(c)
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runSetCluster(o setClusterOptions) error {
	if o.newName != nil {
		if len(o.names) > 1 {
			return usagef("--name is for one cluster, and these are %d", len(o.names))
		}
		if err := checkName("cluster", *o.newName); err != nil {
			return err
		}
	}
	return a.changeClusters(o.names, o.change, func(c *gateway.Cluster) {
		set(&c.Name, o.newName)
		o.settings.apply(c)
	})
}

// changeClusters runs a command that changes settings of clusters.
func (a *app) changeClusters(names []string, f changeFlags, apply func(*gateway.Cluster)) error {
	var t targets
	var changed []*gateway.Cluster
	err := a.change(f, "", func(tx *state.Tx) error {
		changed = nil
		return t.each(expand(names, tx.Names(state.Cluster)), func(name string) error {
			c, err := tx.Cluster(name)
			if err != nil {
				return err
			}
			changed = append(changed, c)
			apply(c)
			return nil
		})
	})
	if err != nil {
		return err
	}
	if f.passThru && !f.whatIf {
		if err := a.printClusters(changed); err != nil {
			return err
		}
	}
	a.warnOfClusters(changed)
	return t.err()
}

// clusterSettings are the settings of a cluster that new-cluster and
// set-cluster take. Those not given are nil.
type clusterSettings struct {
	loadBalancing    *gateway.LoadBalancing
	description      *string
	department       *string
	contact          *string
	cloudRefresh     *bool
	customConnectors *bool
}

func (s *clusterSettings) add(c *cobra.Command) {
	addText(c, &s.description, "description", "free text")
	addText(c, &s.department, "department", "department that owns the cluster")
	addText(c, &s.contact, "contact-information", "whom to ask")
	addBool(c, &s.cloudRefresh, "allow-cloud-datasource-refresh", "cloud data sources may be refreshed through the cluster")
	addBool(c, &s.customConnectors, "allow-custom-connectors", "custom connectors may be used")
	addEnum(c, &s.loadBalancing, "load-balancing-selector-type", "which member a request goes to; see set-cluster-loadbalancing")
}

func (s *clusterSettings) apply(c *gateway.Cluster) {
	set(&c.LoadBalancing, s.loadBalancing)
	set(&c.Description, s.description)
	set(&c.Department, s.department)
	set(&c.Contact, s.contact)
	set(&c.AllowCloudDatasourceRefresh, s.cloudRefresh)
	set(&c.AllowCustomConnectors, s.customConnectors)
}
