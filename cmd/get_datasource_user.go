package cmd

import (
	"cmp"

	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/pkg/output"
	"gatepool/state"
)

func (a *app) getDatasourceUser() *cobra.Command {
	return &cobra.Command{
		Use:   "get-datasource-user CLUSTER [DATASOURCE [USER...]]",
		Short: "List users of data sources",
		Long: `List who may use a data source, or each of a cluster's data sources. An object id
that a user of the cluster has is as good as a name. Mirrors
Get-DataGatewayClusterDatasourceUser.`,
		Example: `  gatepool get-datasource-user finance
  gatepool get-datasource-user finance sales
  gatepool get-datasource-user finance sales '*@contoso.example' -o json`,
		Args: arguments(1, -1),
		RunE: func(_ *cobra.Command, args []string) error { return a.runGetDatasourceUser(args) },
	}
}

// dataSourceUserRow is a user of a data source as it is listed.
type dataSourceUserRow struct {
	Name       string `json:"name"` // the principal
	Cluster    string `json:"cluster"`
	DataSource string `json:"dataSource"`
	gateway.DataSourceUser
}

func (a *app) runGetDatasourceUser(args []string) error {
	var users []string
	if len(args) > 2 {
		args, users = args[:2], args[2:]
	}
	var rows []dataSourceUserRow
	var lacking lacking
	failed, err := a.eachChosen(args, func(_ *state.Snapshot, c *gateway.Cluster, names []string) ([]error, error) {
		chosen, errs := dataSources(c).choose(names)
		for _, i := range chosen {
			d := &c.DataSources[i]
			found, missing := dataSourceUsers(c, d).choose(users)
			lacking.note(missing)
			for _, j := range found {
				rows = append(rows, dataSourceUserRow{Name: d.Users[j].Principal, Cluster: c.Name, DataSource: d.Name, DataSourceUser: d.Users[j]})
			}
		}
		return errs, nil
	})
	if err != nil {
		return err
	}
	err = print(a, rows, []output.Column[dataSourceUserRow]{
		{Name: "name", Value: func(r dataSourceUserRow) string { return r.Name }},
		{Name: "cluster", Value: func(r dataSourceUserRow) string { return r.Cluster }},
		{Name: "dataSource", Value: func(r dataSourceUserRow) string { return r.DataSource }},
		{Name: "right", Value: func(r dataSourceUserRow) string { return string(r.Right) }},
	})
	if err != nil {
		return err
	}
	return cmp.Or(failed, combine(lacking.everywhere(), len(users)))
}
