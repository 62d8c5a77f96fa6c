package cmd

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The members of oddFleet's first cluster.
const (
	oddFirst = `  - name: GW-1
    id: "c1"
    enabled: true   # yes
    version: 3000.1.2
    counters: [{from: 2026-11-29T08:00:00Z, to: 2026-11-29T08:05:00Z, cpu: 41.5, memory: 70}] # one
`
	oddSecond = `  # the second
  - {name: 'GW-2', id: m2, version: "3000.1.2", status: Online}
`
	oddThird = `  # the third
  - name: GW-3
    id: m3
    # as its logs say, the newest first
    counters:
      - {from: "2026-11-29T08:05:00Z", to: '2026-11-29T08:10:00Z', cpu: 42}

      # first
      - from: 2026-11-29T08:00:00Z
        to: 2026-11-29T08:05:00Z
        cpu: 41.50   # busy
        memory: 70
    limits: {cpu: 80, memory: 80}
`
)

// oddFleet is the documents of a state file that holds what exports know, valid
// and as people may write it: every kind of item in block and in flow, quoted and
// plain, at its default and without it, with comments above, behind and below it.
var oddFleet = []string{`# Contoso   
# the whole of it

kind: HostPool          # pools first
apiVersion: gatepool/v1
name: "hp-eu"
resourceGroup: rg-eu
location: 'westeurope'
# as the portal shows it
id: "/subscriptions/s1/resourceGroups/rg-eu/providers/Microsoft.DesktopVirtualization/hostPools/hp-eu"
friendlyName:   Europe # shown
description: |
  two
  lines

maxSessionLimit: 12     # agreed
# not yet
startVMOnConnect: false
tags: {owner: it, "cost center": '12'}   # of the tenant
sessionHosts:
# the hosts
- name: avd-0   
  # why it is here
  status: 'Available'
  agentVersion: "1.0.1"   # old
  lastHeartBeat: "2026-11-29T08:00:00Z"
  sessions: [{user: alice@x, id: "1", state: Active}, {state: Disconnected, id: "2", user: 'bob@x'}] # two
  # behind the sessions

- {name: avd-1, status: Shutdown, allowNewSession: false, agentVersion: 1.0.1} # spare
-
  # on lines of its own
  name: avd-2
  sessions:
  # hers
  - user: carol@x
    id: '7'
    created: 2026-11-29T09:00:00+01:00   # in the morning

  - {user: dan@x, id: "8"}
  anonymousSessions: 2
  # behind the last one
validationEnvironment: true
`, `kind: HostPool
apiVersion: gatepool/v1
name: hp-dev
hostPoolType: Personal
loadBalancerType: Persistent
personalDesktopAssignmentType: Direct
tags:
  # whose
  owner: it

  "cost center": "7"
sessionHosts: [
  {name: dev-0, assignedUser: "alice@x", allowNewSession: true}, # hers
  {name: dev-1, assignedUser: bob@x, allowNewSession: true,
   status: Available} # spare
]   # all of them
`, `# the gateways
kind: Cluster
apiVersion: gatepool/v1
name: finance
id: c1
description:   "old"   # why
loadBalancing: Failover
allowCloudDatasourceRefresh: true
members:

` + oddFirst + oddSecond + "\n" + oddThird + `users:
  - {principal: dba@x, id: u1, role: Admin}   # the one
  - principal: "ann@x"
    id: u2
    # for now
    role: ConnectionCreator
    dataSourceTypes: [Sql]
dataSources:
  - name: sales
    id: d1
    type: "Sql"
    connection: sql01;sales   # soon sql02
    users:
    - principal: ann@x
      right: Read
  - {name: hr, id: d2, type: Sql, users: [{principal: dba@x, right: Read}]}
`, `kind: Cluster
apiVersion: gatepool/v1
name: it
id: c2
loadBalancing: RoundRobin
members: [{name: GW-8, id: c2, enabled: true}, {name: GW-9, id: m9, status: Offline, enabled: false}, {name: GW-7, id: m7}]
# the end
`}

// Exports that say what oddFleet says, each in another tool's form.
const (
	armPools = `{"value": [
{"name": "hp-eu", "type": "Microsoft.DesktopVirtualization/hostpools", "location": "westeurope", "tags": {"owner": "it", "cost center": "12"},
 "id": "/subscriptions/s1/resourceGroups/rg-eu/providers/Microsoft.DesktopVirtualization/hostPools/hp-eu",
 "properties": {"friendlyName": "Europe", "description": "two\nlines\n", "hostPoolType": "Pooled", "loadBalancerType": "BreadthFirst", "maxSessionLimit": 12,
  "personalDesktopAssignmentType": null, "startVMOnConnect": false, "validationEnvironment": true}},
{"name": "hp-dev", "type": "Microsoft.DesktopVirtualization/hostpools", "tags": {"owner": "it", "cost center": "7"},
 "properties": {"friendlyName": null, "hostPoolType": "Personal", "loadBalancerType": "Persistent", "personalDesktopAssignmentType": "Direct"}}
], "nextLink": null}`

	csvPools = `"Name","HostPoolType","LoadBalancerType","MaxSessionLimit"
"hp-eu","Pooled","BreadthFirst","12"
"hp-dev","Personal","Persistent",""
`

	armHosts = `{"value": [
{"name": "hp-eu/avd-0", "properties": {"allowNewSession": true, "status": "Available", "agentVersion": "1.0.1", "lastHeartBeat": "2026-11-29T08:00:00.0000000Z", "sessions": 2, "assignedUser": null}},
{"name": "hp-eu/avd-1", "properties": {"allowNewSession": false, "status": "Shutdown", "agentVersion": "1.0.1", "sessions": 0, "assignedUser": ""}},
{"name": "hp-eu/avd-2", "properties": {"allowNewSession": true, "status": "Available", "friendlyName": null, "sessions": 4}}
]}`

	csvHosts = `Name;AllowNewSession;AssignedUser;Status
dev-0;True;alice@x;Available
dev-1;True;bob@x;Available
`

	psSessions = `[
{"Name": "hp-eu/avd-0/1", "UserPrincipalName": "alice@x", "SessionState": "Active"},
{"Name": "hp-eu/avd-0/2", "UserPrincipalName": "bob@x", "SessionState": "Disconnected"},
{"Name": "hp-eu/avd-2/7", "UserPrincipalName": "carol@x", "SessionState": "Active", "CreateTime": "2026-11-29T08:00:00Z"},
{"Name": "hp-eu/avd-2/8", "UserPrincipalName": "dan@x", "SessionState": "Active", "CreateTime": null}
]`

	restClusters = `{"value": [
{"id": "c1", "name": "finance", "description": "old", "type": "Resource", "loadBalancingSettings": "{\"selector\":0}",
 "options": {"CloudDatasourceRefresh": true, "CustomConnectors": false},
 "permissions": [
  {"id": "u1", "principalEmail": "dba@x", "principalType": "User", "role": "Admin", "allowedDataSourceTypes": []},
  {"id": "u2", "principalEmail": "ann@x", "principalType": "User", "role": "ConnectionCreator", "allowedDataSourceTypes": ["Sql"]}],
 "memberGateways": [
  {"id": "c1", "name": "GW-1", "status": "Live", "version": "3000.1.2", "clusterId": "c1", "state": "Enabled"},
  {"id": "m2", "name": "GW-2", "status": "Live", "version": "3000.1.2", "clusterId": "c1", "state": "Enabled"},
  {"id": "m3", "name": "GW-3", "status": "Live", "clusterId": "c1", "state": "Enabled"}],
 "datasources": [
  {"id": "d1", "clusterId": "c1", "datasourceType": "Sql", "connectionDetails": "{\"server\":\"sql01\",\"database\":\"sales\"}", "datasourceName": "sales",
   "users": [{"identifier": "ann@x", "datasourceAccessRight": "Read"}]},
  {"id": "d2", "clusterId": "c1", "datasourceType": "Sql", "datasourceName": "hr",
   "users": [{"identifier": "dba@x", "datasourceAccessRight": "Read"}]}]},
{"id": "c2", "name": "it", "type": "Resource", "loadBalancingSettings": null, "permissions": [],
 "memberGateways": [
  {"id": "c2", "name": "GW-8", "status": "Live", "state": "Enabled"},
  {"id": "m9", "name": "GW-9", "status": "None", "state": "None"},
  {"id": "m7", "name": "GW-7", "status": "Live", "state": "Enabled"}]}
]}`

	fabricMembers = `[
{"id": "c1", "displayName": "GW-1", "version": "3000.1.2", "enabled": true},
{"id": "m2", "displayName": "gw-2", "version": "3000.1.2", "enabled": true}
]`

	olderMembers = `[
{"gatewayObjectId": "c1", "gatewayName": "GW-1", "isAnchorGateway": true, "gatewayStatus": "Live", "clusterMemberStatus": "Enabled"},
{"gatewayObjectId": "m2", "gatewayName": "GW-2", "isAnchorGateway": false, "gatewayStatus": "Live", "clusterMemberStatus": "Enabled"},
{"gatewayObjectId": "m3", "gatewayName": "GW-3", "isAnchorGateway": false, "gatewayStatus": "Live", "clusterMemberStatus": "Enabled"}
]`

	otherMembers = `[{"gatewayObjectId": "m9", "gatewayName": "GW-9", "isAnchorGateway": false, "gatewayStatus": "Unreachable", "clusterMemberStatus": "None"}]`

	restSources = `{"value": [{"id": "d2", "clusterId": "c1", "datasourceType": "Sql", "datasourceName": "hr"}]}`

	restSourceUsers = `{"value": [{"emailAddress": "ann@x", "datasourceAccessRight": "Read"}]}`

	counterLog = `GatewayObjectId,AggregationStartTimeUTC,AggregationEndTimeUTC,CounterName,Max,Min,Average
c1,2026-11-29T08:00:00.0000000Z,2026-11-29T08:05:00.0000000Z,SystemCPUPercent,99,1,41.5
c1,2026-11-29T08:00:00.0000000Z,2026-11-29T08:05:00.0000000Z,SystemMEMUsedPercent,99,1,70
m3,2026-11-29T08:00:00.0000000Z,2026-11-29T08:05:00.0000000Z,SystemCPUPercent,99,1,41.5
m3,2026-11-29T08:00:00.0000000Z,2026-11-29T08:05:00.0000000Z,SystemMEMUsedPercent,99,1,70
m3,2026-11-29T08:05:00.0000000Z,2026-11-29T08:10:00.0000000Z,SystemCPUPercent,99,1,42
`
)

// A fleetEdit is an import into oddFleet, what it changes there, and what undoes
// it.
type fleetEdit struct {
	name    string
	command string
	export  string   // what oddFleet says already; "": the command takes no file
	with    []string // what is replaced in the export: old, new, old, new...
	becomes []string // what that replaces in oddFleet; a document takes the place of "" at the end
	undo    string   // a command, or again; "" where nothing gives the file's own words back
}

// again undoes an import by importing the export as it was.
const again = "import again"

func fleetEdits() []fleetEdit {
	type is = []string
	const ofFinance, ofSales, ofDev = "import-cluster --gateway-cluster-id finance", "import-cluster --gateway-cluster-id finance --datasource sales", "import-host --hostpool-name hp-dev"
	const sessionOf = `", "SessionState": "Active"}`
	return []fleetEdit{
		{"nothing new", "import-hostpool", armPools, nil, nil, ""},
		{"nothing new in a table", "import-hostpool", csvPools, nil, nil, ""},
		{"a limit", "import-hostpool", armPools, is{`"maxSessionLimit": 12`, `"maxSessionLimit": 14`}, is{"Limit: 12 ", "Limit: 14 "}, again},
		{"a limit in a table", "import-hostpool", csvPools, is{`"12"`, `"14"`}, is{"Limit: 12 ", "Limit: 14 "}, again},
		{"quotes that come to be needed", "import-hostpool", armPools, is{`"Europe"`, `"Europe: #1"`}, is{":   Europe # shown", `:   "Europe: #1" # shown`}, again},
		{"quotes in quotes", "import-hostpool", armPools, is{`"location": "westeurope"`, `"location": "north'europe"`}, is{"'westeurope'", "'north''europe'"}, again},
		{"two numbers and words, one new", "import-hostpool", armPools,
			is{`"BreadthFirst", "maxSessionLimit": 12`, `"DepthFirst", "maxSessionLimit": 9`},
			is{"  lines\n\nmaxSessionLimit: 12 ", "  lines\nloadBalancerType: DepthFirst\n\nmaxSessionLimit: 9 "}, ""},
		{"a text that goes", "import-hostpool", armPools, is{`"Europe"`, "null"}, is{"friendlyName:   Europe # shown\n", ""}, ""},
		{"a text of lines", "import-hostpool", armPools, is{`"two\nlines\n"`, `"three\nmore\nlines\n"`}, is{"  two\n  lines\n", "  three\n  more\n  lines\n"}, again},
		{"two switches below comments", "import-hostpool", armPools,
			is{`"startVMOnConnect": false, "validationEnvironment": true`, `"startVMOnConnect": true, "validationEnvironment": false`},
			is{"Connect: false", "Connect: true", "Environment: true", "Environment: false"}, again},
		{"a tag in flow", "import-hostpool", armPools, is{`"cost center": "12"`, `"cost center": "it's 13"`}, is{"'12'}", "'it''s 13'}"}, again},
		{"a new tag in flow", "import-hostpool", armPools, is{`"cost center": "12"`, `"cost center": "12", "env": "prod"`}, is{"'12'}", "'12', env: prod}"}, again},
		{"two tags in block, one new", "import-hostpool", armPools, is{`"cost center": "7"`, `"cost center": "8", "env": "prod"`},
			is{`"cost center": "7"` + "\n", `"cost center": "8"` + "\n  env: prod\n"}, again},
		{"an assignment", "import-hostpool", armPools, is{`"Direct"`, `"Automatic"`}, is{"Direct", "Automatic"}, again},
		{"a new pool", "import-hostpool", csvPools, is{`"hp-dev",`, `"hp-uk","Pooled","DepthFirst","9"` + "\n" + `"hp-dev",`},
			is{"", "kind: HostPool\napiVersion: gatepool/v1\nname: hp-uk\nhostPoolType: Pooled\nloadBalancerType: DepthFirst\nmaxSessionLimit: 9\n"}, "remove-hostpool hp-uk --force"},
		{"a limit and a new pool", "import-hostpool", csvPools, is{`"12"`, `"14"` + "\n" + `"hp-uk","Pooled","BreadthFirst",""`},
			is{"Limit: 12 ", "Limit: 14 ", "", "kind: HostPool\napiVersion: gatepool/v1\nname: hp-uk\nhostPoolType: Pooled\nloadBalancerType: BreadthFirst\n"}, ""},

		{"nothing new", "import-host", armHosts, nil, nil, ""},
		{"nothing new in a table", ofDev, csvHosts, nil, nil, ""},
		{"names in other letters", "import-host", armHosts, is{"hp-eu/avd-0", "HP-EU/AVD-0"}, nil, ""},
		{"a status in quotes", "import-host", armHosts, is{`"Available", "agentVersion"`, `"NoHeartbeat", "agentVersion"`}, is{"'Available'", "'NoHeartbeat'"}, again},
		{"a version and a time in quotes", "import-host", armHosts, is{`"1.0.1", "lastHeartBeat": "2026-11-29T08:00`, `"1.0.2", "lastHeartBeat": "2026-11-29T08:10`},
			is{`"1.0.1"   # old`, `"1.0.2"   # old`, `lastHeartBeat: "2026-11-29T08:00`, `lastHeartBeat: "2026-11-29T08:10`}, again},
		{"two defaults that others leave out, in flow", "import-host", armHosts, is{`false, "status": "Shutdown"`, `true, "status": "Available"`},
			is{"{name: avd-1, status: Shutdown, allowNewSession: false, ", "{name: avd-1, "}, again},
		{"two new properties in flow", "import-host", armHosts, is{`"sessions": 0, "assignedUser": ""`, `"sessions": 3, "assignedUser": "eve@x"`},
			is{"false, agentVersion: 1.0.1}", "false, assignedUser: eve@x, agentVersion: 1.0.1, anonymousSessions: 3}"}, again},
		{"two new properties in block", "import-host", armHosts, is{`true, "status": "Available", "friendlyName": null`, `false, "status": "Available", "friendlyName": "two"`},
			is{"  name: avd-2\n", "  name: avd-2\n  allowNewSession: false\n  friendlyName: two\n"}, again},
		{"sessions that nobody knows yet", "import-host", armHosts, is{`"sessions": 2`, `"sessions": 5`}, is{"] # two\n", "] # two\n  anonymousSessions: 3\n"}, again},
		{"one session less that nobody knows", "import-host", armHosts, is{`"sessions": 4`, `"sessions": 3`}, is{"anonymousSessions: 2", "anonymousSessions: 1"}, again},
		{"a user in quotes and a drain", ofDev, csvHosts, is{"dev-0;True;alice@x", "dev-0;False;ann@x"}, is{`"alice@x", allowNewSession: true`, `"ann@x", allowNewSession: false`}, again},
		{"a user that goes", ofDev, csvHosts, is{"bob@x", ""}, is{", assignedUser: bob@x", ""}, ""},
		{"a status on another line", ofDev, csvHosts, is{"bob@x;Available", "bob@x;Shutdown"}, is{"   status: Available}", "   status: Shutdown}"}, again},
		{"a new host behind others", "import-host", armHosts, is{`"sessions": 4}}`, `"sessions": 4}}, {"name": "hp-eu/avd-3", "properties": {"allowNewSession": true, "sessions": 1}}`},
			is{"  anonymousSessions: 2\n", "  anonymousSessions: 2\n- name: avd-3\n  status: Available\n  allowNewSession: true\n  anonymousSessions: 1\n"}, "remove-host hp-eu avd-3 --force"},
		{"a new host in flow", ofDev, csvHosts, is{"dev-1;", "dev-2;False;;Available\ndev-1;"},
			is{"   status: Available} # spare\n", "   status: Available}, # spare\n  {name: dev-2, status: Available, allowNewSession: false}\n"}, "remove-host hp-dev dev-2 --force"},
		{"a changed host and a new one", "import-host", armHosts, is{`"sessions": 4}}`, `"sessions": 5}}, {"name": "hp-eu/avd-3", "properties": {"allowNewSession": true}}`},
			is{"  anonymousSessions: 2\n", "  anonymousSessions: 3\n- name: avd-3\n  status: Available\n  allowNewSession: true\n"}, ""},

		{"nothing new", "import-session", psSessions, nil, nil, ""},
		{"names in other letters", "import-session", psSessions, is{"hp-eu/avd-0/1", "HP-EU/AVD-0/1", "hp-eu/avd-2/8", "hp-EU/avd-2/8"}, nil, ""},
		{"a state in flow", "import-session", psSessions, is{"alice@x" + sessionOf, `alice@x", "SessionState": "Pending"}`}, is{"state: Active}", "state: Pending}"}, again},
		{"a state and a new property in flow", "import-session", psSessions, is{`"Disconnected"`, `"Active", "ApplicationType": "Desktop"`}, is{"{state: Disconnected, ", "{state: Active, applicationType: Desktop, "}, ""},
		{"a default becomes another state in flow", "import-session", psSessions, is{`dan@x", "SessionState": "Active"`, `dan@x", "SessionState": "LogOff"`}, is{"{user: dan@x, ", "{user: dan@x, state: LogOff, "}, again},
		{"a time and a new state in block", "import-session", psSessions, is{`"Active", "CreateTime": "2026-11-29T08:00`, `"Disconnected", "CreateTime": "2026-11-29T08:30`},
			is{"carol@x\n    id: '7'\n    created: 2026-11-29T09:00:00+01:00 ", "carol@x\n    state: Disconnected\n    id: '7'\n    created: 2026-11-29T08:30:00Z "}, ""},
		{"a new session in flow", "import-session", psSessions, is{`{"Name": "hp-eu/avd-2/7"`, `{"Name": "hp-eu/avd-0/3", "UserPrincipalName": "eve@x` + sessionOf + `, {"Name": "hp-eu/avd-2/7"`},
			is{"'bob@x'}]", `'bob@x'}, {id: "3", user: eve@x, state: Active}]`}, again},
		{"a new session of a host without", "import-session", psSessions, is{`{"Name": "hp-eu/avd-2/7"`, `{"Name": "hp-eu/avd-1/1", "UserPrincipalName": "eve@x` + sessionOf + `, {"Name": "hp-eu/avd-2/7"`},
			is{"1.0.1} # spare", `1.0.1, sessions: [{id: "1", user: eve@x, state: Active}]} # spare`}, again},
		{"a new session in block takes over one that nobody knew", "import-session", psSessions, is{`{"Name": "hp-eu/avd-2/7"`, `{"Name": "hp-eu/avd-2/9", "UserPrincipalName": "eve@x` + sessionOf + `, {"Name": "hp-eu/avd-2/7"`},
			is{"{user: dan@x, id: \"8\"}\n  anonymousSessions: 2", "{user: dan@x, id: \"8\"}\n  - {id: \"9\", user: eve@x, state: Active}\n  anonymousSessions: 1"}, ""},
		{"a session in flow ends", "import-session", psSessions, is{`{"Name": "hp-eu/avd-0/2", "UserPrincipalName": "bob@x", "SessionState": "Disconnected"},` + "\n", ""},
			is{`, {state: Disconnected, id: "2", user: 'bob@x'}`, ""}, ""},
		{"a session in block ends", "import-session", psSessions, is{`{"Name": "hp-eu/avd-2/7", "UserPrincipalName": "carol@x", "SessionState": "Active", "CreateTime": "2026-11-29T08:00:00Z"},` + "\n", ""},
			is{"  - user: carol@x\n    id: '7'\n    created: 2026-11-29T09:00:00+01:00   # in the morning\n", ""}, ""},
		{"one session changes, one ends and one begins", "import-session", psSessions, is{"alice@x" + sessionOf, `alice@x", "SessionState": "Pending"}`, `avd-0/2", "UserPrincipalName": "bob@x", "SessionState": "Disconnected"`, `avd-0/3", "UserPrincipalName": "eve@x", "SessionState": "Active"`},
			is{`state: Active}, {state: Disconnected, id: "2", user: 'bob@x'}`, `state: Pending}, {id: "3", user: eve@x, state: Active}`}, ""},
		{"all sessions end", "import-session --hostpool-name hp-eu", psSessions, is{psSessions, "[]"},
			is{`[{user: alice@x, id: "1", state: Active}, {state: Disconnected, id: "2", user: 'bob@x'}]`, "[]",
				"  sessions:\n  # hers\n  - user: carol@x\n    id: '7'\n    created: 2026-11-29T09:00:00+01:00   # in the morning\n\n  - {user: dan@x, id: \"8\"}\n", "  sessions: []\n  # hers\n\n"}, ""},

		{"nothing new", "import-cluster", restClusters, nil, nil, ""},
		{"a text in quotes", "import-cluster", restClusters, is{`"description": "old"`, `"description": "new: \"text\""`}, is{`"old"   # why`, `"new: \"text\""   # why`}, again},
		{"another name by its id", "import-cluster", restClusters, is{`"name": "finance"`, `"name": "money"`}, is{"name: finance", "name: money"}, again},
		{"a mode and a new switch", "import-cluster", restClusters, is{`{\"selector\":0}`, `{\"selector\":1}`, `"CustomConnectors": false`, `"CustomConnectors": true`},
			is{": Failover\nallowCloudDatasourceRefresh: true\n", ": Random\nallowCloudDatasourceRefresh: true\nallowCustomConnectors: true\n"}, again},
		{"two new texts", "import-cluster", restClusters, is{`"name": "it", `, `"name": "it", "region": "North Europe", "contactInformation": "ann@x", `},
			is{"id: c2\n", "id: c2\ncontact: ann@x\nregion: North Europe\n"}, ""},
		{"a new cluster", "import-cluster", restClusters, is{`{"id": "c2", "name": "it"`, `{"id": "c3", "name": "hr", "type": "Resource", "memberGateways": []}, {"id": "c2", "name": "it"`},
			is{"", "kind: Cluster\napiVersion: gatepool/v1\nname: hr\nid: c3\nloadBalancing: Failover\n"}, "remove-cluster hr --force"},
		{"a member in block, one property new", "import-cluster", restClusters, is{`"GW-1", "status": "Live", "version": "3000.1.2", "clusterId": "c1", "state": "Enabled"`, `"GW-1", "status": "None", "version": "3000.2.4", "clusterId": "c1", "state": "None"`},
			is{"    enabled: true   # yes\n    version: 3000.1.2\n", "    status: Offline\n    enabled: false   # yes\n    version: 3000.2.4\n"}, again},
		{"a member in flow, with another name by its id", "import-cluster", restClusters, is{`"GW-2", "status": "Live", "version": "3000.1.2", "clusterId": "c1", "state": "Enabled"`, `"GW-12", "status": "None", "version": "3000.2.4", "clusterId": "c1", "state": "None"`},
			is{`{name: 'GW-2', id: m2, version: "3000.1.2", status: Online}`, `{name: 'GW-12', id: m2, version: "3000.2.4", status: Offline, enabled: false}`}, again},
		{"two members with other names by their ids", "import-cluster", restClusters, is{`"GW-1"`, `"GW-11"`, `"GW-2"`, `"GW-12"`}, is{"GW-1\n", "GW-11\n", "'GW-2'", "'GW-12'"}, again},
		{"a new member in block", "import-cluster", restClusters, is{`{"id": "m3"`, `{"id": "m4", "name": "GW-4", "status": "Live", "version": "3000.1.2", "state": "Enabled"}, {"id": "m3"`},
			is{oddThird, oddThird + "  - name: GW-4\n    id: m4\n    status: Online\n    enabled: true\n    version: 3000.1.2\n"}, "remove-member finance GW-4 --force"},
		{"a new member in flow", "import-cluster", restClusters, is{`{"id": "m9"`, `{"id": "m6", "name": "GW-6", "status": "Live", "state": "None"}, {"id": "m9"`},
			is{"id: m7}", "id: m7}, {name: GW-6, id: m6, status: Online, enabled: false}"}, "remove-member it GW-6 --force"},
		{"a role and a type", "import-cluster", restClusters, is{`"ConnectionCreator", "allowedDataSourceTypes": ["Sql"]`, `"ConnectionCreatorWithReshare", "allowedDataSourceTypes": ["Sql", "Web"]`},
			is{"role: ConnectionCreator\n    dataSourceTypes: [Sql]", "role: ConnectionCreatorWithReshare\n    dataSourceTypes: [Sql, Web]"}, again},
		{"a user with another name by the id", "import-cluster", restClusters, is{`"principalEmail": "dba@x"`, `"principalEmail": "dbas@x"`}, is{"dba@x, id: u1", "dbas@x, id: u1"}, again},
		{"a new user", "import-cluster", restClusters, is{`{"id": "u2"`, `{"id": "u3", "principalEmail": "eve@x", "principalType": "Group", "role": "Admin"}, {"id": "u2"`},
			is{"Types: [Sql]\n", "Types: [Sql]\n  - principal: eve@x\n    id: u3\n    principalType: Group\n    role: Admin\n"}, "remove-cluster-user finance eve@x --force"},
		{"a connection", "import-cluster", restClusters, is{"sql01", "sql02"}, is{"sql01;sales", "sql02;sales"}, again},
		{"the right of a data source's only user, in flow", "import-cluster", restClusters, is{`dba@x", "datasourceAccessRight": "Read"`, `dba@x", "datasourceAccessRight": "ReadOverrideEffectiveIdentity"`},
			is{"dba@x, right: Read}", "dba@x, right: ReadOverrideEffectiveIdentity}"}, again},

		{"nothing new among members", ofFinance, fabricMembers, nil, nil, ""},
		{"nothing new among members with a primary", "import-cluster --gateway-cluster-id c1", olderMembers, nil, nil, ""},
		{"nothing new among data sources", "import-cluster", restSources, nil, nil, ""},
		{"nothing new among users of one", ofSales, restSourceUsers, nil, nil, ""},
		{"a switch and a version in block", ofFinance, fabricMembers, is{`"3000.1.2", "enabled": true},`, `"3000.2.4", "enabled": false},`},
			is{"    enabled: true   # yes\n    version: 3000.1.2\n", "    enabled: false   # yes\n    version: 3000.2.4\n"}, again},
		{"another primary", ofFinance, olderMembers, is{`"GW-1", "isAnchorGateway": true`, `"GW-1", "isAnchorGateway": false`, `"GW-2", "isAnchorGateway": false`, `"GW-2", "isAnchorGateway": true`},
			is{oddFirst + oddSecond, oddSecond + oddFirst}, again},
		{"another primary from behind a blank line", ofFinance, olderMembers, is{`"GW-1", "isAnchorGateway": true`, `"GW-1", "isAnchorGateway": false`, `"GW-3", "isAnchorGateway": false`, `"GW-3", "isAnchorGateway": true`},
			is{oddFirst + oddSecond + "\n" + oddThird, oddThird + oddFirst + "\n" + oddSecond}, ""},
		{"another primary that changes too, in flow", "import-cluster --gateway-cluster-id it", otherMembers, is{`false, "gatewayStatus": "Unreachable", "clusterMemberStatus": "None"`, `true, "gatewayStatus": "Live", "clusterMemberStatus": "Enabled"`},
			is{"{name: GW-8, id: c2, enabled: true}, {name: GW-9, id: m9, status: Offline, enabled: false}", "{name: GW-9, id: m9}, {name: GW-8, id: c2, enabled: true}"}, ""},
		{"a new data source", ofFinance, restSources, is{`"id": "d2"`, `"id": "d3"`, `"hr"`, `"web"`}, is{"right: Read}]}\n", "right: Read}]}\n  - {name: web, id: d3, type: Sql}\n"}, "remove-datasource finance web --force"},
		{"the right of a data source's only user, in block", ofSales, restSourceUsers, is{`"Read"`, `"ReadOverrideEffectiveIdentity"`}, is{"      right: Read\n", "      right: ReadOverrideEffectiveIdentity\n"}, again},
		{"a new user of a data source, in block", ofSales, restSourceUsers, is{"ann@x", "eve@x"}, is{"      right: Read\n", "      right: Read\n    - principal: eve@x\n      right: Read\n"}, "remove-datasource-user finance sales eve@x --force"},
		{"a new user of a data source, in flow", "import-cluster --gateway-cluster-id finance --datasource d2", restSourceUsers, is{"ann@x", "eve@x"}, is{"right: Read}]}", "right: Read}, {principal: eve@x, right: Read}]}"}, "remove-datasource-user finance hr eve@x --force"},

		{"nothing new", "import-counter", counterLog, nil, nil, ""},
		{"two numbers in flow", "import-counter", counterLog, is{"PUPercent,99,1,41.5\nc1", "PUPercent,99,1,43\nc1", "70\nm3,2026-11-29T08:00:00.0000000Z,2026-11-29T08:05:00.0000000Z,SystemCPU", "71.25\nm3,2026-11-29T08:00:00.0000000Z,2026-11-29T08:05:00.0000000Z,SystemCPU"},
			is{"cpu: 41.5, memory: 70}", "cpu: 43, memory: 71.25}"}, again},
		{"a number in block", "import-counter", counterLog, is{"PUPercent,99,1,41.5\nm3", "PUPercent,99,1,43\nm3"}, is{"cpu: 41.50 ", "cpu: 43 "}, ""},
		{"a new sample in block", "import-counter", counterLog, is{"1,42\n", "1,42\nm3,2026-11-29T08:10:00Z,2026-11-29T08:15:00Z,SystemCPUPercent,99,1,44\n"},
			is{"        memory: 70\n", "        memory: 70\n      - from: 2026-11-29T08:10:00Z\n        to: 2026-11-29T08:15:00Z\n        cpu: 44\n"}, ""},
		{"a new sample in flow", "import-counter", counterLog, is{"m3,2026-11-29T08:05:00.0000000Z,", "c1,2026-11-29T08:05:00.0000000Z,"},
			is{"memory: 70}]", "memory: 70}, {from: 2026-11-29T08:05:00Z, to: 2026-11-29T08:10:00Z, cpu: 42}]"}, ""},
		{"a first sample", "import-counter", counterLog, is{"m3,2026-11-29T08:05:00.0000000Z,", "m2,2026-11-29T08:05:00.0000000Z,"},
			is{`"3000.1.2", status: Online}`, `"3000.1.2", counters: [{from: 2026-11-29T08:05:00Z, to: 2026-11-29T08:10:00Z, cpu: 42}], status: Online}`}, ""},
		{"a new sample and an old one that goes", "import-counter --keep 5m", counterLog, is{"1,42\n", "1,42\nm3,2026-11-29T08:10:00Z,2026-11-29T08:15:00Z,SystemCPUPercent,99,1,44\n"},
			is{"      - from: 2026-11-29T08:00:00Z\n        to: 2026-11-29T08:05:00Z\n        cpu: 41.50   # busy\n        memory: 70\n", "",
				"cpu: 42}\n", "cpu: 42}\n      - {from: 2026-11-29T08:10:00Z, to: 2026-11-29T08:15:00Z, cpu: 44}\n"}, ""},

		{"whose turn it is", "connect --cluster it", "", nil, is{": RoundRobin\n", ": RoundRobin\nroundRobinNext: GW-9\n"}, ""},
	}
}

// fleetForms are ways to write a state file of oddFleet's documents. Each turns
// them into a file, with what is added to it at the end.
func fleetForms() map[string]func(docs []string, added string) string {
	file := func(docs []string, added string) string {
		if added != "" {
			docs = append(slices.Clone(docs), added)
		}
		return strings.Join(docs, "---\n")
	}
	forms := map[string]func([]string, string) string{
		"as it is":          file,
		"CRLF":              func(docs []string, added string) string { return strings.ReplaceAll(file(docs, added), "\n", "\r\n") },
		"byte-order mark":   func(docs []string, added string) string { return "\uFEFF" + file(docs, added) },
		"no final line end": func(docs []string, added string) string { return strings.TrimSuffix(file(docs, added), "\n") },
	}
	// Each of the other documents at the end, where the last line of what it ends
	// with is not ended.
	for i := 1; i < len(oddFleet); i++ {
		forms["document "+strconv.Itoa(i)+" last"] = func(docs []string, added string) string {
			return forms["no final line end"](slices.Concat(docs[i:], docs[:i]), added)
		}
	}
	return forms
}

// Every import touches the lines of what the export says anew and no other byte,
// however the file is written. When there is nothing new nothing is written, and
// the export from before, or the command that takes away what an import brought,
// gives the file back.
func TestEveryImportEditsOnlyWhatItMeansTo(t *testing.T) {
	for name, form := range fleetForms() {
		for _, e := range fleetEdits() {
			t.Run(name+"/"+e.command+"/"+e.name, func(t *testing.T) {
				export := filepath.Join(t.TempDir(), "export")
				args := strings.Fields(e.command)
				if e.export != "" {
					writeFile(t, export, replaced(t, []string{e.export}, e.with)[0])
					args = append(args, export)
				}
				docs, added := e.becomes, ""
				if i := slices.Index(docs, ""); i >= 0 && i%2 == 0 {
					docs, added = docs[:i], docs[i+1]
				}
				before, want := form(oddFleet, ""), form(replaced(t, oddFleet, docs), added)

				path := filepath.Join(t.TempDir(), "gatepool.yaml")
				writeFile(t, path, before)
				if want == before {
					untouchedBy(t, path, args)
					return
				}
				if after := editedBy(t, path, args); after != want {
					t.Fatalf("the file is\n%q\nwant\n%q", after, want)
				}
				switch e.undo {
				case "":
					return
				case again:
					writeFile(t, export, e.export)
				default:
					args = strings.Fields(e.undo)
				}
				if undone := editedBy(t, path, args); undone != before {
					t.Errorf("undone by %s the file is\n%q\nwant\n%q", e.undo, undone, before)
				}
			})
		}
	}
}

// What export-json prints is what the file says: importing it writes nothing.
func TestImportingWhatIsExportedWritesNothing(t *testing.T) {
	files := map[string]string{"odd state": oddState}
	for name, form := range fleetForms() {
		files[name] = form(oddFleet, "")
	}
	for name, content := range files {
		for kind, command := range map[string]string{"host-pool": "import-hostpool", "session-host": "import-host", "user-session": "import-session", "cluster": "import-cluster"} {
			t.Run(name+"/"+command, func(t *testing.T) {
				path, export := filepath.Join(t.TempDir(), "gatepool.yaml"), filepath.Join(t.TempDir(), "export")
				writeFile(t, path, content)
				var stdout, stderr bytes.Buffer
				if code := Main([]string{"export-json", "--kind", kind, "--state", path}, strings.NewReader(""), &stdout, &stderr); code != exitOK {
					t.Fatalf("export-json: exit code %d: %s", code, &stderr)
				}
				writeFile(t, export, stdout.String())
				untouchedBy(t, path, []string{command, export})
			})
		}
	}
}

// untouchedBy runs a command on a state file and demands that it writes neither
// the file, be it the same bytes, nor a backup.
func untouchedBy(t *testing.T, path string, args []string) {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	long := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	was, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if after := editedBy(t, path, args); after != string(before) {
		t.Errorf("the file is\n%q\nwas\n%q", after, before)
	}
	if is, err := os.Stat(path); err != nil || !os.SameFile(is, was) || !is.ModTime().Equal(long) {
		t.Errorf("the file was written anew (%v)", err)
	}
	if _, err := os.Stat(path + ".bak"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a backup (%v)", err)
	}
}

// replaced gives texts with each old one of the pairs, which stands once in them,
// replaced by its new one.
func replaced(t *testing.T, texts, pairs []string) []string {
	t.Helper()
	texts = slices.Clone(texts)
	for i := 0; i < len(pairs); i += 2 {
		found := 0
		for j, text := range texts {
			found += strings.Count(text, pairs[i])
			texts[j] = strings.Replace(text, pairs[i], pairs[i+1], 1)
		}
		if found != 1 {
			t.Fatalf("%q stands %d times in the text", pairs[i], found)
		}
	}
	return texts
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
