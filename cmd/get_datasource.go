package cmd

import (
	"strconv"

	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/pkg/output"
)

func (a *app) getDatasource() *cobra.Command {
	return &cobra.Command{
		Use:   "get-datasource [CLUSTER [DATASOURCE...]]",
		Short: "List data sources of gateway clusters",
		Long: `List the data sources of a cluster, or of all clusters. Their users are counted;
get-datasource-user lists them. Mirrors Get-DataGatewayClusterDatasource.`,
		Example: `  gatepool get-datasource finance
  gatepool get-datasource finance sales -o json
  gatepool get-datasource '*' 's*' -o wide`,
		RunE: func(_ *cobra.Command, args []string) error { return a.runGetDatasource(args) },
	}
}

// dataSourceRow is a data source as it is listed.
type dataSourceRow struct {
	Cluster string `json:"cluster"`
	gateway.DataSource
	Users     *struct{} `json:"users,omitempty"` // hides the data source's own list
	UserCount int       `json:"userCount"`
}

func (a *app) runGetDatasource(args []string) error {
	return listItems(a, args, dataSources, func(c *gateway.Cluster, d gateway.DataSource) dataSourceRow {
		return dataSourceRow{Cluster: c.Name, DataSource: d, UserCount: len(d.Users)}
	}, []output.Column[dataSourceRow]{
		{Name: "name", Value: func(r dataSourceRow) string { return r.Name }},
		{Name: "cluster", Value: func(r dataSourceRow) string { return r.Cluster }},
		{Name: "type", Value: func(r dataSourceRow) string { return r.Type }},
		{Name: "connection", Value: func(r dataSourceRow) string { return r.Connection }},
		{Name: "userCount", Value: func(r dataSourceRow) string { return strconv.Itoa(r.UserCount) }, Right: true},
		{Name: "id", Value: func(r dataSourceRow) string { return r.ID }, Wide: true},
	})
}
