package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/pkg/gateway"
	"gatepool/state"
)

type importClusterOptions struct {
	importOptions
	cluster    *string
	dataSource *string
}

func (a *app) importCluster() *cobra.Command {
	var o importClusterOptions
	c := &cobra.Command{
		Use:   "import-cluster FILE...",
		Short: "Read gateway clusters that other tools print",
		Long: `Read gateway clusters with their members, users and data sources into the state
file, merging by id and name; see import-hostpool. Read are the v2
gatewayClusters list or entity, Fabric gateways and members, PowerShell
ConvertTo-Json, the older OnPremisesDataGatewayHAMgmt output, and CSV. A list of
members or data sources that does not say whose they are needs
--gateway-cluster-id.`,
		Example: `  Get-DataGatewayCluster | ConvertTo-Json -Depth 5 | gatepool import-cluster -
  gatepool import-cluster gatewayclusters.json
  gatepool import-cluster members.json --gateway-cluster-id finance`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.files = args
			return a.runImport(o.importOptions, func(im *importer, tx *state.Tx) error { return im.mergeClusters(tx, o) })
		},
	}
	addText(c, &o.cluster, "gateway-cluster-id", "the cluster, by name or id, where the export does not say")
	sameAs(c, "cluster", "gateway-cluster-id")
	addText(c, &o.dataSource, "datasource", "the data source that a list of users is about")
	o.add(c)
	return c
}

func (im *importer) mergeClusters(tx *state.Tx, o importClusterOptions) error {
	e := im.export
	if len(e.Clusters)+len(e.Members)+len(e.DataSources)+len(e.DataSourceUsers) == 0 && !im.empty() {
		return im.nothing("gateway clusters", o.files)
	}
	for _, f := range e.Clusters {
		c, err := im.cluster(tx, f.Cluster.ID, f.Cluster.Name)
		if err != nil {
			return err
		}
		exchange.MergeCluster(c, f)
	}
	for _, f := range e.Members {
		c, err := im.clusterOf(tx, f.ClusterID, o.cluster)
		if err != nil {
			return err
		}
		exchange.MergeMember(c, f)
	}
	for _, f := range e.DataSources {
		c, err := im.clusterOf(tx, f.ClusterID, o.cluster)
		if err != nil {
			return err
		}
		exchange.MergeDataSource(c, f)
	}
	if len(e.DataSourceUsers) == 0 {
		return nil
	}
	if o.cluster == nil || o.dataSource == nil {
		return usagef("the export lists users of a data source and does not say which").withHint("add --gateway-cluster-id CLUSTER --datasource NAME")
	}
	c, err := tx.Cluster(*o.cluster)
	if err != nil {
		return err
	}
	for i := range c.DataSources {
		if d := &c.DataSources[i]; strings.EqualFold(d.Name, *o.dataSource) || d.ID != "" && strings.EqualFold(d.ID, *o.dataSource) {
			exchange.MergeDataSourceUsers(d, e.DataSourceUsers)
			return nil
		}
	}
	return notFoundf(*o.dataSource, "data source %q is not in cluster %s", *o.dataSource, c.Name)
}

// cluster returns the cluster with that id or name, made if the state lacks it.
func (im *importer) cluster(tx *state.Tx, id, name string) (*gateway.Cluster, error) {
	if id != "" {
		if c, err := tx.Cluster(id); err == nil {
			return c, nil
		}
	}
	c, err := tx.Cluster(name)
	var missing *state.NotFoundError
	switch {
	case errors.As(err, &missing):
		made := exchange.NewCluster(name)
		return &made, tx.AddCluster(&made)
	case err != nil:
		return nil, err
	case id != "" && c.ID != "" && !strings.EqualFold(c.ID, id):
		return nil, conflictf(name, "cluster %s has id %s in the state and %s in the export: these are two clusters of one name", name, c.ID, id).
			withHint("give the one in the state another name: gatepool set-cluster %s --name NEW", name)
	}
	return c, nil
}

// clusterOf is the cluster that a fact belongs to: the one that the command
// names, or else the one whose id the fact names.
func (im *importer) clusterOf(tx *state.Tx, id string, option *string) (*gateway.Cluster, error) {
	switch {
	case option != nil:
		return tx.Cluster(*option)
	case id == "":
		return nil, usagef("the export does not say which cluster it is about").withHint("add --gateway-cluster-id CLUSTER")
	}
	c, err := tx.Cluster(id)
	if err != nil {
		return nil, fmt.Errorf("%w: import the cluster itself first, or name one with --gateway-cluster-id", err)
	}
	return c, nil
}
