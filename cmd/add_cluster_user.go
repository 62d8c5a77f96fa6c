package cmd

import (
	"regexp"

	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

type addClusterUserOptions struct {
	cluster         string
	users           []string
	role            *gateway.Role
	principalType   *gateway.PrincipalType
	dataSourceTypes []string
	change          changeFlags
}

func (a *app) addClusterUser() *cobra.Command {
	var o addClusterUserOptions
	c := &cobra.Command{
		Use:   "add-cluster-user CLUSTER USER... --role ROLE",
		Short: "Give users a role on a gateway cluster",
		Long: `Give users, groups or applications a role on a gateway cluster. An admin manages
the cluster; a connection creator makes data sources on it, of the types that
--allowed-data-source-types names or of any; the one with reshare may pass that
on. An admin has no such types. A user is named by user principal name or by
object id, and has one role: to give another, take the first away with
remove-cluster-user. Mirrors Add-DataGatewayClusterUser.`,
		Example: `  gatepool add-cluster-user finance admin@contoso.example --role admin
  gatepool add-cluster-user finance analyst@contoso.example --role connection-creator --allowed-data-source-types Sql,Oracle
  gatepool add-cluster-user finance 'Finance analysts' --principal-type group --role connection-creator-with-reshare`,
		Args: arguments(2, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.cluster, o.users = args[0], args[1:]
			return a.runAddClusterUser(o)
		},
	}
	addEnum(c, &o.role, "role", "what the users may do")
	addEnum(c, &o.principalType, "principal-type", "user, group or app (default user)")
	c.Flags().StringSliceVar(&o.dataSourceTypes, "allowed-data-source-types", nil, "data source types that a connection creator may create, such as Sql,Oracle (default any)")
	completeFlag(c, "allowed-data-source-types", dataSourceTypes())
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runAddClusterUser(o addClusterUserOptions) error {
	switch {
	case o.role == nil:
		return usagef("add-cluster-user needs --role admin, connection-creator or connection-creator-with-reshare").withHint("gatepool add-cluster-user --help")
	case *o.role == gateway.Admin && len(o.dataSourceTypes) > 0:
		return usagef("--allowed-data-source-types is for connection creators: an admin may create any")
	}
	for i, text := range o.dataSourceTypes {
		o.dataSourceTypes[i] = dataSourceType(text)
	}
	var t targets
	var added []string
	err := a.change(o.change, "", func(tx *state.Tx) error {
		added = []string{o.cluster}
		c, err := tx.Cluster(o.cluster)
		if err != nil {
			return err
		}
		return clusterUsers(c).add(&t, o.users, func(name string) (gateway.User, error) {
			added = append(added, name)
			u := gateway.User{Principal: name, PrincipalType: "User", Role: *o.role, DataSourceTypes: o.dataSourceTypes}
			if isGUID(name) {
				u.ID = name
			}
			set(&u.PrincipalType, o.principalType)
			return u, nil
		})
	})
	if err != nil {
		return err
	}
	if o.change.passThru && !o.change.whatIf {
		if err := a.runGetClusterUser(added); err != nil {
			return err
		}
	}
	return t.err()
}

// isGUID reports whether a user is named by object id.
func isGUID(s string) bool {
	return regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(s)
}
