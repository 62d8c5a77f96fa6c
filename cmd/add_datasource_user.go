package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

type addDatasourceUserOptions struct {
	cluster, dataSource string
	users               []string
	right               *gateway.Right
	change              changeFlags
}

func (a *app) addDatasourceUser() *cobra.Command {
	var o addDatasourceUserOptions
	c := &cobra.Command{
		Use:   "add-datasource-user CLUSTER DATASOURCE USER...",
		Short: "Let users use a data source",
		Long: `Let users use a data source of a gateway cluster: read it, or read it and override
the effective identity. To give another right, take the first away with
remove-datasource-user. Mirrors Add-DataGatewayClusterDatasourceUser, which has
no default for the right; here it is read.`,
		Example: `  gatepool add-datasource-user finance sales alice@contoso.example
  gatepool add-datasource-user finance sales app@contoso.example --datasource-user-access-right read-override-effective-identity
  gatepool add-datasource-user finance sales alice@contoso.example --right read --what-if`,
		Args: arguments(3, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.cluster, o.dataSource, o.users = args[0], args[1], args[2:]
			return a.runAddDatasourceUser(o)
		},
	}
	addEnum(c, &o.right, "datasource-user-access-right", "what the users may do (also --right; default read)")
	sameAs(c, "right", "datasource-user-access-right")
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runAddDatasourceUser(o addDatasourceUserOptions) error {
	var t targets
	var added []string
	err := a.change(o.change, "", func(tx *state.Tx) error {
		added = []string{o.cluster, o.dataSource}
		l, err := dataSourceUsersOf(tx, o.cluster, o.dataSource)
		if err != nil {
			return err
		}
		return l.add(&t, o.users, func(name string) (gateway.DataSourceUser, error) {
			added = append(added, name)
			u := gateway.DataSourceUser{Principal: name, Right: "Read"}
			set(&u.Right, o.right)
			return u, nil
		})
	})
	if err != nil {
		return err
	}
	if o.change.passThru && !o.change.whatIf {
		if err := a.runGetDatasourceUser(added); err != nil {
			return err
		}
	}
	return t.err()
}

// dataSourceUsersOf are the users of one data source, to be changed.
func dataSourceUsersOf(tx *state.Tx, cluster, dataSource string) (items[gateway.DataSourceUser], error) {
	c, err := tx.Cluster(cluster)
	if err != nil {
		return items[gateway.DataSourceUser]{}, err
	}
	d, err := dataSources(c).one(dataSource)
	if err != nil {
		return items[gateway.DataSourceUser]{}, err
	}
	return dataSourceUsers(c, d), nil
}
