package cmd

import (
	"strconv"

	"github.com/spf13/cobra"

	"gatepool/pkg/advice"
	"gatepool/pkg/gateway"
	"gatepool/pkg/output"
	"gatepool/state"
)

func (a *app) getCluster() *cobra.Command {
	return &cobra.Command{
		Use:   "get-cluster [CLUSTER...]",
		Short: "List gateway clusters",
		Long: `List gateway clusters, not their members. Active members are those that are
enabled and online. Names may be cut short with the wildcards *, ? and [ab], and
an id is as good as a name. Mirrors Get-DataGatewayCluster and
Get-OnPremisesDataGatewayClusters.`,
		Example: `  gatepool get-cluster
  gatepool get-cluster 'fin*' -o json
  gatepool get-cluster finance -o wide`,
		RunE: func(_ *cobra.Command, args []string) error { return a.runGetCluster(args) },
	}
}

// clusterRow is a cluster as it is listed: its own properties without its
// members, users and data sources, and how many there are.
type clusterRow struct {
	*gateway.Cluster
	Members         *struct{} `json:"members,omitempty"` // these hide the cluster's own
	Users           *struct{} `json:"users,omitempty"`
	DataSources     *struct{} `json:"dataSources,omitempty"`
	PrimaryMember   string    `json:"primaryMember"`
	MemberCount     int       `json:"memberCount"`
	ActiveMembers   int       `json:"activeMembers"`
	UserCount       int       `json:"userCount"`
	DataSourceCount int       `json:"dataSourceCount"`
	Warnings        []string  `json:"warnings"`
}

func (a *app) runGetCluster(names []string) error {
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	clusters, missing, err := chooseClusters(s, names)
	if err != nil {
		return err
	}
	if err := a.printClusters(clusters); err != nil {
		return err
	}
	a.warnOfClusters(clusters)
	return combine(missing, len(names))
}

func (a *app) printClusters(clusters []*gateway.Cluster) error {
	rows := make([]clusterRow, len(clusters))
	for i, c := range clusters {
		rows[i] = a.clusterRow(c)
	}
	return print(a, rows, clusterColumns())
}

func (a *app) warnOfClusters(clusters []*gateway.Cluster) {
	for _, c := range clusters {
		a.warn(a.clusterWarnings(c))
	}
}

// clusterWarnings are about what the state alone says: a list of clusters reads
// no configuration files.
func (a *app) clusterWarnings(c *gateway.Cluster) []string {
	return advice.Summarise(advice.Cluster(c, nil, advice.Options{Now: a.now()}))
}

func (a *app) clusterRow(c *gateway.Cluster) clusterRow {
	r := clusterRow{Cluster: c, MemberCount: len(c.Members), UserCount: len(c.Users), DataSourceCount: len(c.DataSources), Warnings: a.clusterWarnings(c)}
	if primary := c.Primary(); primary != nil {
		r.PrimaryMember = primary.Name
	}
	for _, m := range c.Members {
		if m.Enabled && m.Status == gateway.Online {
			r.ActiveMembers++
		}
	}
	return r
}

func clusterColumns() []output.Column[clusterRow] {
	return []output.Column[clusterRow]{
		{Name: "name", Value: func(r clusterRow) string { return r.Name }},
		{Name: "loadBalancing", Value: func(r clusterRow) string { return string(r.LoadBalancing) }},
		{Name: "memberCount", Header: "MEMBERS", Value: func(r clusterRow) string { return strconv.Itoa(r.MemberCount) }, Right: true},
		{Name: "activeMembers", Header: "ACTIVE", Value: func(r clusterRow) string { return strconv.Itoa(r.ActiveMembers) }, Right: true, Style: func(r clusterRow) output.Style {
			if r.ActiveMembers == 0 {
				return output.Bad
			}
			return output.Plain
		}},
		{Name: "primaryMember", Header: "PRIMARY", Value: func(r clusterRow) string { return r.PrimaryMember }},
		{Name: "userCount", Header: "USERS", Value: func(r clusterRow) string { return strconv.Itoa(r.UserCount) }, Wide: true, Right: true},
		{Name: "dataSourceCount", Header: "DATA SOURCES", Value: func(r clusterRow) string { return strconv.Itoa(r.DataSourceCount) }, Wide: true, Right: true},
		{Name: "roundRobinNext", Value: func(r clusterRow) string { return r.RoundRobinNext }, Wide: true},
		{Name: "allowCloudDatasourceRefresh", Value: func(r clusterRow) string { return strconv.FormatBool(r.AllowCloudDatasourceRefresh) }, Wide: true},
		{Name: "allowCustomConnectors", Value: func(r clusterRow) string { return strconv.FormatBool(r.AllowCustomConnectors) }, Wide: true},
		{Name: "department", Value: func(r clusterRow) string { return r.Department }, Wide: true},
		{Name: "contact", Value: func(r clusterRow) string { return r.Contact }, Wide: true},
		{Name: "region", Value: func(r clusterRow) string { return r.Region }, Wide: true},
		{Name: "id", Value: func(r clusterRow) string { return r.ID }, Wide: true},
		{Name: "description", Value: func(r clusterRow) string { return r.Description }, Wide: true},
	}
}
