package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

type removeDatasourceUserOptions struct {
	cluster, dataSource string
	users               []string
	change              changeFlags
}

func (a *app) removeDatasourceUser() *cobra.Command {
	var o removeDatasourceUserOptions
	c := &cobra.Command{
		Use:   "remove-datasource-user CLUSTER DATASOURCE USER...",
		Short: "Take users' rights on a data source away",
		Long: `Take users' rights on a data source of a gateway cluster away. Asks on a terminal;
elsewhere it needs --force. Mirrors Remove-DataGatewayClusterDatasourceUser.`,
		Example: `  gatepool remove-datasource-user finance sales analyst@contoso.example
  gatepool remove-datasource-user finance sales analyst@contoso.example --what-if
  gatepool remove-datasource-user finance sales '*@fabrikam.example' --force`,
		Args: arguments(3, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.cluster, o.dataSource, o.users = args[0], args[1], args[2:]
			return a.runRemoveDatasourceUser(o)
		},
	}
	o.change.add(c)
	return c
}

func (a *app) runRemoveDatasourceUser(o removeDatasourceUserOptions) error {
	return removeItems(a, o.change, "data source "+o.dataSource, o.users, func(tx *state.Tx) (items[gateway.DataSourceUser], error) {
		return dataSourceUsersOf(tx, o.cluster, o.dataSource)
	})
}
