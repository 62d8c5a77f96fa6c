package cmd

// clusterCommands are about gateway clusters, their members, users and data sources.
func clusterCommands() []command {
	return []command{
		{"get-cluster", (*app).getCluster},
		{"new-cluster", (*app).newCluster},
		{"set-cluster", (*app).setCluster},
		{"set-cluster-loadbalancing", (*app).setClusterLoadbalancing},
		{"remove-cluster", (*app).removeCluster},
		{"get-cluster-status", (*app).getClusterStatus},
		{"get-member", (*app).getMember},
		{"add-member", (*app).addMember},
		{"set-member", (*app).setMember},
		{"enable-member", (*app).enableMember},
		{"disable-member", (*app).disableMember},
		{"remove-member", (*app).removeMember},
		{"get-cluster-user", (*app).getClusterUser},
		{"add-cluster-user", (*app).addClusterUser},
		{"remove-cluster-user", (*app).removeClusterUser},
		{"get-datasource", (*app).getDatasource},
		{"add-datasource", (*app).addDatasource},
		{"set-datasource", (*app).setDatasource},
		{"remove-datasource", (*app).removeDatasource},
		{"get-datasource-user", (*app).getDatasourceUser},
		{"add-datasource-user", (*app).addDatasourceUser},
		{"remove-datasource-user", (*app).removeDatasourceUser},
	}
}
