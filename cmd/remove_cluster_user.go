package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

type removeClusterUserOptions struct {
	cluster string
	users   []string
	change  changeFlags
}

func (a *app) removeClusterUser() *cobra.Command {
	var o removeClusterUserOptions
	c := &cobra.Command{
		Use:   "remove-cluster-user CLUSTER USER...",
		Short: "Take users' roles on a gateway cluster away",
		Long: `Take users' roles on a gateway cluster away. What they may do with its data
sources is another matter: see remove-datasource-user. Asks on a terminal;
elsewhere it needs --force. Mirrors Remove-DataGatewayClusterUser.`,
		Example: `  gatepool remove-cluster-user finance dba@contoso.example
  gatepool remove-cluster-user finance dba@contoso.example --what-if
  gatepool remove-cluster-user finance '*@fabrikam.example' --force`,
		Args: arguments(2, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.cluster, o.users = args[0], args[1:]
			return a.runRemoveClusterUser(o)
		},
	}
	o.change.add(c)
	return c
}

func (a *app) runRemoveClusterUser(o removeClusterUserOptions) error {
	return removeItems(a, o.change, o.cluster, o.users, func(tx *state.Tx) (items[gateway.User], error) {
		c, err := tx.Cluster(o.cluster)
		if err != nil {
			return items[gateway.User]{}, err
		}
		return clusterUsers(c), nil
	})
}
