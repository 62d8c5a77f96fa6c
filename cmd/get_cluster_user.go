package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/pkg/output"
)

func (a *app) getClusterUser() *cobra.Command {
	return &cobra.Command{
		Use:   "get-cluster-user [CLUSTER [USER...]]",
		Short: "List users of gateway clusters",
		Long: `List who may administer a cluster or create connections through it, of one cluster
or of all. An object id is as good as a name.`,
		Example: `  gatepool get-cluster-user finance
  gatepool get-cluster-user finance dba@contoso.example -o json
  gatepool get-cluster-user '*' '*@contoso.example'`,
		RunE: func(_ *cobra.Command, args []string) error { return a.runGetClusterUser(args) },
	}
}

// clusterUserRow is a user of a cluster as it is listed.
type clusterUserRow struct {
	Name    string `json:"name"` // the principal
	Cluster string `json:"cluster"`
	gateway.User
	DataSourceTypes []string `json:"dataSourceTypes"`
}

func (a *app) runGetClusterUser(args []string) error {
	return listItems(a, args, clusterUsers, func(c *gateway.Cluster, u gateway.User) clusterUserRow {
		return clusterUserRow{Name: u.Principal, Cluster: c.Name, User: u, DataSourceTypes: append([]string{}, u.DataSourceTypes...)}
	}, []output.Column[clusterUserRow]{
		{Name: "name", Value: func(r clusterUserRow) string { return r.Name }},
		{Name: "cluster", Value: func(r clusterUserRow) string { return r.Cluster }},
		{Name: "role", Value: func(r clusterUserRow) string { return string(r.Role) }},
		{Name: "principalType", Value: func(r clusterUserRow) string { return string(r.PrincipalType) }},
		{Name: "dataSourceTypes", Value: func(r clusterUserRow) string { return strings.Join(r.DataSourceTypes, ", ") }, Wide: true},
		{Name: "id", Value: func(r clusterUserRow) string { return r.ID }, Wide: true},
	})
}
