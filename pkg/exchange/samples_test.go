package exchange

import (
	"errors"
	"strings"
	"testing"
)

// exports are the samples that Read takes, and what it makes of them: one fact a
// line, with the properties that are known.
var exports = []struct{ file, want string }{
	{"SYNTHETIC-gatewayClusters-all-observed-fields.json", `
cluster name="cluster" id="b3497368-4fc0-409f-a338-827b3b7a6f1c" contact="admin@contoso.example" loadBalancing="Random" allowCloudDatasourceRefresh=true allowCustomConnectors=false
primary of b3497368-4fc0-409f-a338-827b3b7a6f1c name="gateway1" id="b3497368-4fc0-409f-a338-827b3b7a6f1c" machine="GW-HOST-01" status="Online" enabled=true version="3000.322.5" expiryDate="2027-01-01T00:00:00Z"
member of b3497368-4fc0-409f-a338-827b3b7a6f1c name="gateway2" id="64c574b7-86c6-4560-b710-40ac18990804" machine="GW-HOST-02" version="3000.302.7" expiryDate="2026-07-01T00:00:00Z"
user 490f8a04-abb8-4015-abe6-7d361b9135b3 id="490f8a04-abb8-4015-abe6-7d361b9135b3" principalType="User" role="Admin" dataSourceTypes=null
note 48:21: unknown status "<unverified>" of a gateway member left out
note 57:20: unknown state "<unverified>" of a gateway member left out
`},
	{"arm-hostpool-get.live-shape-2025-10-10.json", `
pool name="hp-depth" resourceGroup="rg-contoso-avd" location="westus2" id="/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/rg-contoso-avd/providers/Microsoft.DesktopVirtualization/hostpools/hp-depth" friendlyName="fri" description="des" hostPoolType="Pooled" loadBalancerType="DepthFirst" maxSessionLimit=5 personalDesktopAssignmentType="" startVMOnConnect=false validationEnvironment=false preferredAppGroupType="Desktop" tags=null
`},
	{"arm-hostpools-list.swagger-2024-04-03.json", `
pool name="hostPool1" resourceGroup="resourceGroup1" location="centralus" id="/subscriptions/daefabc0-95b4-48b3-b645-8a753a63c4fa/resourceGroups/resourceGroup1/providers/Microsoft.DesktopVirtualization/hostPools/hostPool1" friendlyName="friendly" description="des1" hostPoolType="Pooled" loadBalancerType="BreadthFirst" maxSessionLimit=999999 personalDesktopAssignmentType="Automatic" startVMOnConnect=false preferredAppGroupType="Desktop" tags={"key1":"value1","key2":"value2"}
pool name="hostPool2" resourceGroup="resourceGroup1" location="centralus" id="/subscriptions/daefabc0-95b4-48b3-b645-8a753a63c4fa/resourceGroups/resourceGroup1/providers/Microsoft.DesktopVirtualization/hostPools/hostPool2" friendlyName="friendly" description="des1" hostPoolType="Pooled" loadBalancerType="BreadthFirst" maxSessionLimit=999999 personalDesktopAssignmentType="Automatic" startVMOnConnect=false preferredAppGroupType="Desktop" tags={"key1":"value1","key2":"value2"}
dropped 33:20: registration token (and 1 more)
dropped 39:40: key vault path of the SSO client secret (and 1 more)
`},
	{"arm-sessionhosts-list.live-shape-2025-03-01-preview.json", `
host of hp-live name="vm-0" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/vm-0" anonymousSessions=0
`},
	{"arm-usersessions-list-by-hostpool.live-shape-2025-03-01-preview.json", `
session of hp-live/vm-0 id="3" user="bob@contoso.example" state="Disconnected" created="2023-12-21T15:40:08.15Z" applicationType="Desktop"
session of hp-live/vm-0 id="5" user="carol@contoso.example" state="Disconnected" created="2023-12-21T17:34:55.17Z" applicationType="Desktop"
session of hp-live/vm-0 id="2" user="alice@contoso.example" state="Disconnected" created="2023-12-21T15:35:55.68Z" applicationType="Desktop"
`},
	{"arm-usersessions-list.swagger-2024-04-03.json", `
session of hostPool1/sessionHost1.microsoft.com id="1" user="user1@microsoft.com" state="Active" created="2008-09-22T14:01:54.9571247Z" applicationType="Desktop"
session of hostPool1/sessionHost1.microsoft.com id="2" user="user1@microsoft.com" state="Active" created="2008-09-22T14:01:54.9571247Z" applicationType="Desktop"
`},
	{"az-desktopvirtualization-hostpool-list.constructed.json", `
pool name="hp-depth" resourceGroup="rg-contoso-avd" location="westus2" id="/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/rg-contoso-avd/providers/Microsoft.DesktopVirtualization/hostpools/hp-depth" friendlyName="fri" description="des" hostPoolType="Pooled" loadBalancerType="DepthFirst" maxSessionLimit=5 personalDesktopAssignmentType="" startVMOnConnect=false validationEnvironment=false preferredAppGroupType="Desktop" tags=null
pool name="hp-breadth" resourceGroup="rg-contoso-avd" location="westus2" id="/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/rg-contoso-avd/providers/Microsoft.DesktopVirtualization/hostpools/hp-breadth" friendlyName="fri" description="des" hostPoolType="Pooled" loadBalancerType="BreadthFirst" maxSessionLimit=999999 personalDesktopAssignmentType="" startVMOnConnect=false validationEnvironment=false preferredAppGroupType="Desktop" tags=null
`},
	{"fabric-list-gateway-members.learn-sample.json", `
member of  name="ContosoPrimaryMemberGateway" id="8e41c4dd-a382-4937-9bf3-695ab881f7c2" enabled=true version="3000.1.1"
member of  name="ContosoSecondaryMemberGateway" id="5d225cda-42d5-43d3-bc40-218f746e1d58" enabled=false version="3000.1.1"
`},
	{"fabric-list-gateways.learn-sample.json", `
cluster name="ContosoOnPremisesGateway" id="8e41c4dd-a382-4937-9bf3-695ab881f7c2" loadBalancing="Random" allowCloudDatasourceRefresh=true allowCustomConnectors=true
note 17:5: gateway of type OnPremisesPersonal left out: only clusters of on-premises gateways are kept
`},
	{"fixture-docs-nine-hosts.arm-shape.json", `
host of hp-nine name="host1.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/host1" anonymousSessions=11
host of hp-nine name="host2.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/host2" anonymousSessions=12
host of hp-nine name="host3.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/host3" anonymousSessions=13
host of hp-nine name="host4.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/host4" anonymousSessions=14
host of hp-nine name="host5.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/host5" anonymousSessions=15
host of hp-nine name="host6.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/host6" anonymousSessions=16
host of hp-nine name="host7.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/host7" anonymousSessions=17
host of hp-nine name="host8.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/host8" anonymousSessions=18
host of hp-nine name="host9.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/host9" anonymousSessions=19
`},
	{"ps-Get-AzWvdHostPool.constructed.json", `
pool name="hp-pooled" resourceGroup="rg-contoso-avd" location="eastus" id="/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/rg-contoso-avd/providers/Microsoft.DesktopVirtualization/hostpools/hp-pooled" friendlyName="" description="" hostPoolType="Pooled" loadBalancerType="BreadthFirst" maxSessionLimit=5 personalDesktopAssignmentType="" startVMOnConnect=false validationEnvironment=false preferredAppGroupType="Desktop" tags=null
pool name="hp-personal" resourceGroup="rg-contoso-avd" location="eastus" id="/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/rg-contoso-avd/providers/Microsoft.DesktopVirtualization/hostpools/hp-personal" friendlyName="" description="" hostPoolType="Personal" loadBalancerType="Persistent" maxSessionLimit=999999 personalDesktopAssignmentType="Automatic" startVMOnConnect=false validationEnvironment=false preferredAppGroupType="Desktop" tags=null
`},
	{"ps-Get-AzWvdSessionHost.constructed.json", `
host of hp-pooled name="avd-0.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/avd-0" anonymousSessions=3
host of hp-pooled name="avd-1.contoso.example" status="Available" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/avd-1" anonymousSessions=5
host of hp-pooled name="avd-2.contoso.example" status="Available" allowNewSession=false assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/avd-2" anonymousSessions=1
host of hp-pooled name="avd-3.contoso.example" status="Shutdown" allowNewSession=true assignedUser="" friendlyName="" agentVersion="1.0.11814.0" osVersion="10.0.19045.5965" lastHeartBeat="2025-06-25T18:56:03.84Z" updateState="Succeeded" resourceId="/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-contoso-avd/providers/Microsoft.Compute/virtualMachines/avd-3" anonymousSessions=0
`},
	{"ps-Get-AzWvdUserSession.constructed.json", `
session of hp-pooled/avd-0.contoso.example id="2" user="alice@contoso.example" state="Active" created="2023-12-21T15:35:55.68Z" applicationType="Desktop"
session of hp-pooled/avd-0.contoso.example id="3" user="bob@contoso.example" state="Disconnected" created="2023-12-21T15:40:08.15Z" applicationType="Desktop"
session of hp-pooled/avd-0.contoso.example id="5" user="carol@contoso.example" state="Active" created="2023-12-21T17:34:55.17Z" applicationType="Desktop"
`},
	{"v1-gateway-get-learn.json", `
cluster name="My_Sample_Gateway" id="1f69e798-5852-4fdd-ab01-33bb14b6e934"
`},
	{"v2-cluster-datasources.json", `
data source of b3497368-4fc0-409f-a338-827b3b7a6f1c name="testserver\\testdatabase" id="64c574b7-86c6-4560-b710-40ac18990804" type="AnalysisServices" connection="testserver\\testdatabase;testdatasource"
`},
	{"v2-datasource-users.json", `
data source user principal="user@example.com" right="Read"
`},
	{"v2-gatewayCluster-entity.json", `
cluster name="cluster" id="b3497368-4fc0-409f-a338-827b3b7a6f1c"
primary of b3497368-4fc0-409f-a338-827b3b7a6f1c name="gateway1" id="b3497368-4fc0-409f-a338-827b3b7a6f1c" version="3000.0.0"
user 490f8a04-abb8-4015-abe6-7d361b9135b3 id="490f8a04-abb8-4015-abe6-7d361b9135b3" principalType="User" role="Admin" dataSourceTypes=null
`},
	{"v2-gatewayClusters-list.json", `
cluster name="cluster" id="b3497368-4fc0-409f-a338-827b3b7a6f1c"
primary of b3497368-4fc0-409f-a338-827b3b7a6f1c name="gateway1" id="b3497368-4fc0-409f-a338-827b3b7a6f1c" version="3000.0.0"
user 490f8a04-abb8-4015-abe6-7d361b9135b3 id="490f8a04-abb8-4015-abe6-7d361b9135b3" principalType="User" role="Admin" dataSourceTypes=null
`},
}

func TestReadSamples(t *testing.T) {
	for _, tt := range exports {
		t.Run(tt.file, func(t *testing.T) {
			got := strings.ReplaceAll(show(t, read(t, tt.file)), tt.file+":", "")
			if want := strings.TrimPrefix(tt.want, "\n"); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestReadSamplesThatAreNone(t *testing.T) {
	for _, tt := range []struct {
		file         string
		line, column int
		found        string
	}{
		{"CONSTRUCTED.QueryExecutionReport_GW01_2022-10-05T172412.log.csv", 1, 1, `CSV with the columns GatewayObjectId, RequestId, DataSource, QueryTrackingId, QueryExecutionEndTimeUTC, QueryExecutionDuration(ms), …`},
		{"CONSTRUCTED.SystemCounterAggregationReport_GW01_2026-01-05T120000.log.csv", 1, 1, `CSV with the columns GatewayObjectId, AggregationStartTimeUTC, AggregationEndTimeUTC, CounterName, Max, Min, …`},
		{"arm-scalingplan-get.swagger-2024-04-03.json", 1, 1, `a resource of type "Microsoft.DesktopVirtualization/scalingPlans"`},
		{"available-updates-ladder-2026-07-21.json", 2, 3, `"3000.322.5"`},
		{"csv-headers-used-by-public-scripts.csv", 1, 1, `CSV with the columns source, header`},
		{"fixture-docs-autoscale-rampup.csv", 1, 1, `CSV with the columns sessions, availableHosts, maxSessionLimit, capacity, usedPct, thresholdPct, …`},
		{"fixture-docs-nine-hosts.expected.json", 1, 1, `an object with source, breadthFirst, note`},
		{"hamgmt-PATCH-cluster-loadbalancing-request.json", 1, 1, `an object with loadBalancingSettings`},
		{"hamgmt-PATCH-gateway-disable-request.json", 1, 1, `an object with clusterMemberStatus`},
		{"header.ConcurrentOperationAggregationReport.csv", 1, 1, `CSV with the columns GatewayObjectId, AggregationStartTimeUTC, AggregationEndTimeUTC, CounterName, Max, Min, …`},
		{"header.OpenConnectionReport.csv", 1, 1, `CSV with the columns GatewayObjectId, RequestId, DataSource, OpenConnectionStartTimeUTC, OpenConnectionTrackingId, ProviderName, …`},
		{"header.QueryExecutionAggregationReport.csv", 1, 1, `CSV with the columns GatewayObjectId, AggregationStartTimeUTC, AggregationEndTimeUTC, DataSource, Success, AverageQueryExecutionDuration(ms), …`},
		{"header.QueryExecutionReport.csv", 1, 1, `CSV with the columns GatewayObjectId, RequestId, DataSource, QueryTrackingId, QueryExecutionEndTimeUTC, QueryExecutionDuration(ms), …`},
		{"header.QueryStartReport.v7.csv", 1, 1, `CSV with the columns GatewayObjectId, RequestId, DataSource, QueryTrackingId, QueryExecutionStartTimeUTC, QueryType, …`},
		{"header.QueryStartReport.v8.csv", 1, 1, `CSV with the columns GatewayObjectId, RequestId, DataSource, QueryTrackingId, QueryExecutionStartTimeUTC, QueryType, …`},
		{"header.QueryStreamingReport.csv", 1, 1, `CSV with the columns GatewayObjectId, RequestId, DataSource, QueryTrackingId, StreamingStartTimeUTC, SpoolingDiskReadingDuration(ms), …`},
		{"header.SystemCounterAggregationReport.csv", 1, 1, `CSV with the columns GatewayObjectId, AggregationStartTimeUTC, AggregationEndTimeUTC, CounterName, Max, Min, …`},
		{"loganalytics-query-result.wvdconnections.synthetic.json", 1, 1, `an object with tables`},
		{"unifiedgateway-cluster.loadBalancingSettings.constructed.json", 1, 1, `an object with loadBalancingSettings`},
		{"v1-datasource-status-unreachable-learn.json", 1, 1, `an error that a service answered: "DM_GWPipeline_Client_GatewayUnreachable"`},
		{"v2-PATCH-gatewayCluster-request.json", 1, 1, `an object with name, department, description, contactInformation, allowCloudDatasourceRefresh, allowCustomConnectors, …`},
		{"v2-POST-gatewayInstallers-request.json", 1, 1, `an object with ids, operation, gatewayType`},
		{"v2-POST-gatewayPolicy-request.json", 1, 1, `an object with resourceGatewayInstallPolicy, personalGatewayInstallPolicy`},
		{"v2-POST-permissions-request.json", 1, 1, `an object with id, allowedDataSourceTypes, role`},
		{"v2-gatewayCluster-status.json", 1, 1, `an object with @odata.context, clusterStatus, gatewayStaticCapabilities, gatewayVersion, gatewayUpgradeState`},
		{"v2-gatewayInstallers.json", 4, 5, `an object with id, type`},
		{"v2-gatewayPolicy.json", 1, 1, `an object with @odata.context, id, policy`},
		{"wvdcheckpoints.synthetic.csv", 1, 1, `CSV with the columns TimeGenerated, Name, Source, ActivityType, CorrelationId, UserName, …`},
		{"wvdcheckpoints.synthetic.json", 2, 3, `an object with TimeGenerated, Name, Source, ActivityType, CorrelationId, UserName, …`},
		{"wvdconnections.synthetic.csv", 1, 1, `CSV with the columns TimeGenerated, State, CorrelationId, UserName, ConnectionType, ClientOS, …`},
		{"wvdconnections.synthetic.json", 2, 3, `an object with TimeGenerated, State, CorrelationId, UserName, ConnectionType, ClientOS, …`},
		{"wvderrors.synthetic.csv", 1, 1, `CSV with the columns TimeGenerated, CorrelationId, UserName, ActivityType, Source, Code, …`},
	} {
		t.Run(tt.file, func(t *testing.T) {
			_, err := Read(sample(t, tt.file), tt.file)
			var format *FormatError
			if !errors.As(err, &format) {
				t.Fatalf("error %v, want a FormatError", err)
			}
			if format.File != tt.file || format.Line != tt.line || format.Column != tt.column || format.Found != tt.found {
				t.Errorf("got  %s:%d:%d found %s\nwant %s:%d:%d found %s", format.File, format.Line, format.Column, format.Found, tt.file, tt.line, tt.column, tt.found)
			}
		})
	}
}
