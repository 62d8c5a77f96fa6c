package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

type removeDatasourceOptions struct {
	cluster     string
	dataSources []string
	change      changeFlags
}

func (a *app) removeDatasource() *cobra.Command {
	var o removeDatasourceOptions
	c := &cobra.Command{
		Use:   "remove-datasource CLUSTER DATASOURCE...",
		Short: "Take data sources out of a gateway cluster",
		Long: `Take data sources out of a gateway cluster, with their users. Asks on a terminal;
elsewhere it needs --force. Mirrors Remove-DataGatewayClusterDatasource.`,
		Example: `  gatepool remove-datasource finance sales
  gatepool remove-datasource finance sales --what-if
  gatepool remove-datasource finance 'test-*' --force`,
		Args: arguments(2, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.cluster, o.dataSources = args[0], args[1:]
			return a.runRemoveDatasource(o)
		},
	}
	o.change.add(c)
	return c
}

func (a *app) runRemoveDatasource(o removeDatasourceOptions) error {
	return removeItems(a, o.change, o.cluster, o.dataSources, func(tx *state.Tx) (items[gateway.DataSource], error) {
		c, err := tx.Cluster(o.cluster)
		if err != nil {
			return items[gateway.DataSource]{}, err
		}
		return dataSources(c), nil
	})
}
