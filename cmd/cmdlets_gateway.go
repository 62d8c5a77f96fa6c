package cmd

import "slices"

// gatewayCmdlets are those of the DataGateway module. Its cmdlets take no
// -WhatIf; the commands do.
func gatewayCmdlets() []cmdlet {
	cluster := argument(1, "GatewayClusterId", "Cluster", "Id").must()
	source := argument(2, "GatewayClusterDatasourceId", "DatasourceId", "Datasource").must()
	user := argument(2, "PrincipalObjectId", "User").must()
	recoveryKey := each(leftOut, takesValue, secretKept, "RecoveryKey")[0].must()
	overwrite := each(leftOut, isSwitch, "remove the other first", "OverwriteExistingGateway")[0]
	return []cmdlet{
		{"Get-DataGatewayCluster", "get-cluster", slices.Concat([]parameter{argument(1, "GatewayClusterId", "Cluster", "Id")}, tenant())},
		{"Get-DataGatewayClusterStatus", "get-cluster-status", slices.Concat([]parameter{cluster}, tenant())},
		{"Set-DataGatewayCluster", "set-cluster", slices.Concat([]parameter{
			cluster,
			option("Name", "name"),
			option("Department", "department"),
			option("Description", "description"),
			option("ContactInformation", "contact-information"),
			boolean("AllowCloudDatasourceRefresh", "allow-cloud-datasource-refresh"),
			boolean("AllowCustomConnectors", "allow-custom-connectors"),
			option("LoadBalancingSelectorType", "load-balancing-selector-type"),
		}, tenant())},
		{"Add-DataGatewayCluster", "new-cluster", slices.Concat([]parameter{
			argument(1, "GatewayName", "Name").must(), recoveryKey, overwrite,
		}, tenant())},
		{"Remove-DataGatewayCluster", "remove-cluster", slices.Concat([]parameter{cluster}, tenant())},

		{"Add-DataGatewayClusterMember", "add-member", slices.Concat([]parameter{
			cluster, argument(2, "GatewayName", "Name").must(), recoveryKey, overwrite,
		}, tenant())},
		{"Remove-DataGatewayClusterMember", "remove-member", slices.Concat([]parameter{
			cluster, argument(2, "MemberGatewayId").must(),
		}, tenant())},

		{"Add-DataGatewayClusterUser", "add-cluster-user", slices.Concat([]parameter{
			cluster, user,
			option("Role", "role").must(),
			option("AllowedDataSourceTypes", "allowed-data-source-types").where(map[string]string{"$null": ""}),
		}, tenant())},
		{"Remove-DataGatewayClusterUser", "remove-cluster-user", slices.Concat([]parameter{cluster, user}, tenant())},

		{"Get-DataGatewayClusterDatasource", "get-datasource", slices.Concat([]parameter{
			cluster, argument(2, "GatewayClusterDatasourceId", "DatasourceId", "Datasource"),
		}, tenant())},
		{"Set-DataGatewayClusterDatasource", "set-datasource", slices.Concat([]parameter{
			cluster, source, option("DatasourceName", "datasource-name"),
		}, unkept("Annotation", "SingleSignOnType"), tenant())},
		{"Remove-DataGatewayClusterDatasource", "remove-datasource", slices.Concat([]parameter{cluster, source}, tenant())},

		{"Get-DataGatewayClusterDatasourceUser", "get-datasource-user", slices.Concat([]parameter{cluster, source}, tenant())},
		{"Get-DataGatewayClusterDatasourceUsers", "get-datasource-user", slices.Concat([]parameter{cluster, source}, tenant())},
		{"Add-DataGatewayClusterDatasourceUser", "add-datasource-user", slices.Concat([]parameter{
			cluster, source,
			option("DatasourceUserAccessRight", "datasource-user-access-right").must(),
			argument(3, "UserEmailAddress", "User", "EmailAddress"),
			argument(3, "Identifier"),
		}, tenant())},
		{"Remove-DataGatewayClusterDatasourceUser", "remove-datasource-user", slices.Concat([]parameter{
			cluster, source, argument(3, "UserId", "UserEmailAddress", "EmailAddress", "PrincipalObjectId", "User").must(),
		}, tenant())},
	}
}

// tenant are the parameters that say where in the service to look.
func tenant() []parameter { return each(ignored, takesValue, "", "Scope", "RegionKey") }

// oldGatewayCmdlets are those of OnPremisesDataGatewayHAMgmt, the older module.
func oldGatewayCmdlets() []cmdlet {
	cluster := argument(1, "ClusterObjectId").must()
	gateway := argument(2, "GatewayObjectId").must()
	return []cmdlet{
		{"Get-OnPremisesDataGatewayClusters", "get-cluster", nil},
		{"Get-OnPremisesDataClusterGateways", "get-member", []parameter{cluster}},
		{"Get-OnPremisesDataGatewayStatus", "get-member", []parameter{cluster, gateway}},
		{"Set-OnPremisesDataGateway", "set-member", slices.Concat([]parameter{
			cluster, gateway,
			option("MemberStatus", "member-status"),
			option("Name", "name"),
		}, unkept("GatewayContactInformation"))},
		{"Set-OnPremisesDataGatewayCluster", "set-cluster", []parameter{
			cluster,
			option("Name", "name"),
			option("Description", "description"),
			option("LoadBalancingType", "load-balancing-selector-type").where(map[string]string{"0": "Failover", "1": "Random"}),
		}},
		{"Remove-OnPremisesDataGateway", "remove-member", []parameter{cluster, gateway}},
	}
}
