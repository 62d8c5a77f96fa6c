package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// utf16Bytes is a text as Windows PowerShell's > writes it.
func utf16Bytes(s string, bigEndian bool) []byte {
	var b bytes.Buffer
	for _, u := range append([]uint16{0xFEFF}, utf16.Encode([]rune(s))...) {
		if bigEndian {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.Bytes()
}

func TestEncodings(t *testing.T) {
	const file = "ps-Get-AzWvdSessionHost.constructed.json"
	plain := strings.ReplaceAll(string(sample(t, file)), "\n", "\r\n")
	want := show(t, read(t, file))
	for name, data := range map[string][]byte{
		"UTF-8 with a byte-order mark": []byte("\uFEFF" + plain),
		"UTF-16 LE":                    utf16Bytes(plain, false),
		"UTF-16 BE":                    utf16Bytes(plain, true),
	} {
		e, err := Read(data, file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := show(t, e); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestForms is what the samples do not show: one input and the facts it gives.
func TestForms(t *testing.T) {
	for _, tt := range []struct{ name, input, want string }{
		{"one PowerShell result is an object", `{"Name":"hp/h1","AllowNewSession":false,"Session":4,"Status":"Shutdown","LastHeartBeat":"\/Date(1750877763840)\/"}`,
			`host of hp name="h1" status="Shutdown" allowNewSession=false lastHeartBeat="2025-06-25T18:56:03.84Z" anonymousSessions=4`},
		{"dates of Windows PowerShell with an offset", `{"Name":"hp/h1","AllowNewSession":true,"LastHeartBeat":"/Date(1750877763840+0200)/"}`,
			`host of hp name="h1" allowNewSession=true lastHeartBeat="2025-06-25T18:56:03.84Z"`},
		{"dates wrapped by Get-Date's display", `{"Name":"hp/h1","AllowNewSession":true,"LastHeartBeat":{"value":"\/Date(1750877763840)\/","DisplayHint":2,"DateTime":"Wednesday"}}`,
			`host of hp name="h1" allowNewSession=true lastHeartBeat="2025-06-25T18:56:03.84Z"`},
		{"deep conversions wrap arrays", `{"value":[{"Name":"hp/h1","AllowNewSession":{"IsPresent":true}}],"Count":1}`,
			`host of hp name="h1" allowNewSession=true`},
		{"enumerations of another process", `{"Name":"hp/h1","AllowNewSession":true,"Status":{"value":2,"Value":"Shutdown"}}`,
			`host of hp name="h1" status="Shutdown" allowNewSession=true`},
		{"enumerations as numbers", `{"Name":"hp","HostPoolType":1,"LoadBalancerType":1}`,
			`pool name="hp" hostPoolType="Pooled" loadBalancerType="DepthFirst"
note f:1:29: hostPoolType 1 read as Pooled: numbers are taken to count from 0 in the order of the service's API description
note f:1:50: loadBalancerType 1 read as DepthFirst: numbers are taken to count from 0 in the order of the service's API description`},
		{"no limit and the greatest", `[{"name":"a","hostPoolType":"Pooled","maxSessionLimit":0},{"name":"b","hostPoolType":"pooled","maxSessionLimit":999999}]`,
			`pool name="a" hostPoolType="Pooled" maxSessionLimit=0
pool name="b" hostPoolType="Pooled" maxSessionLimit=999999`},
		{"tags", `{"name":"a","hostPoolType":"Pooled","tags":{"team":"x","password":"y"}}`,
			`pool name="a" hostPoolType="Pooled" tags={"password":"y","team":"x"}`},
		{"tags of an older module", `{"name":"a","hostPoolType":"Pooled","Tag":{"Count":1,"AdditionalProperties":{"k":"v"}}}`,
			`pool name="a" hostPoolType="Pooled" tags={"k":"v"}`},
		{"what a thing is, by its id", `[{"name":"p","id":"/subscriptions/s/resourceGroups/g/providers/x/hostPools/p"},{"name":"3","userPrincipalName":"u","id":"/subscriptions/s/resourceGroups/g/providers/x/hostPools/p/sessionHosts/h/userSessions/3"}]`,
			`pool name="p" resourceGroup="g" id="/subscriptions/s/resourceGroups/g/providers/x/hostPools/p"
session of p/h id="3" user="u"`},
		{"tags that PowerShell's depth cut off", `{"name":"a","hostPoolType":"Pooled","Tag":"Microsoft.Azure.PowerShell.TrackedResourceTags"}`,
			`pool name="a" hostPoolType="Pooled"
note f:1:43: tags left out: they are printed as "Microsoft.Azure.PowerShell.TrackedResourceTags"`},
		{"null is empty text, and no limit known", `{"name":"a","hostPoolType":"Pooled","maxSessionLimit":null,"startVMOnConnect":null,"friendlyName":null,"tags":null,"location":null}`,
			`pool name="a" location="" friendlyName="" hostPoolType="Pooled" tags=null`},
		{"a type with an unusual case and no type", `[{"name":"vm","id":"/SUBSCRIPTIONS/s/ResourceGroups/RG/providers/x/HOSTPOOLS/HP/SessionHosts/vm","properties":{"sessions":2}}]`,
			`host of HP name="vm" anonymousSessions=2`},
		{"new words of the service", `[{"name":"hp/h","allowNewSession":true,"status":"Hibernated","updateState":"Odd"},{"name":"hp/h/1","userPrincipalName":"u","sessionState":"Ghost","applicationType":"Odd"}]`,
			`host of hp name="h" status="Unavailable" allowNewSession=true
session of hp/h id="1" user="u" state="Unknown"
note f:1:49: unknown status "Hibernated" read as Unavailable
note f:1:76: unknown updateState "Odd" left out
note f:1:139: unknown state "Ghost" read as Unknown
note f:1:165: unknown applicationType "Odd" left out`},
		{"a session without a user principal name", `{"name":"hp/h/1","userPrincipalName":"","sessionState":"Active","activeDirectoryUserName":"DOM\\u"}`,
			`session of hp/h id="1" user="DOM\\u" state="Active"`},
		{"one object a line", "{\"name\":\"hp/a\",\"allowNewSession\":true}\n{\"name\":\"hp/b\",\"allowNewSession\":true}\n",
			`host of hp name="a" allowNewSession=true
host of hp name="b" allowNewSession=true`},
		{"files put together", `{"value":[{"name":"hp/a","allowNewSession":true}],"nextLink":null}{"value":[{"name":"hp/b","allowNewSession":true}]}`,
			`host of hp name="a" allowNewSession=true
host of hp name="b" allowNewSession=true`},
		{"nothing in a list", `{"value":[],"nextLink":null}`, ``},
		{"Export-Csv", "#TYPE Selected.Thing\r\n\"Name\",\"AllowNewSession\",\"Session\",\"Status\",\"AssignedUser\"\r\n\"hp/a\",\"False\",\"3\",\"Available\",\"\"\r\n",
			`host of hp name="a" status="Available" allowNewSession=false assignedUser="" anonymousSessions=3`},
		{"Export-Csv -UseCulture", "\"Name\";\"AllowNewSession\";\"FriendlyName\"\n\"hp/a\";\"True\";\"a; b, c\"\n",
			`host of hp name="a" allowNewSession=true friendlyName="a; b, c"`},
		{"sessions from CSV", "HostPoolName,SessionHostName,Id,UserPrincipalName,SessionState,CreateTime\nhp,h,,u@x.example,Disconnected,2026-01-02 03:04:05\n",
			`session of hp/h user="u@x.example" state="Disconnected" created="2026-01-02T03:04:05Z"`},
		{"older module's clusters", `[{"objectId":"c1","name":"Fin","loadBalancingType":"Random","gateways":"[{\"gatewayObjectId\":\"m2\",\"gatewayName\":\"B\",\"isAnchorGateway\":false,\"gatewayStatus\":\"Unreachable\",\"gatewayClusterStatus\":\"None\"},{\"gatewayObjectId\":\"m1\",\"gatewayName\":\"A\",\"isAnchorGateway\":true,\"gatewayStatus\":\"Live\",\"gatewayClusterStatus\":\"Enabled\"}]","permission":"[{\"id\":\"u1\",\"role\":\"Admin\",\"principalType\":\"User\"}]"}]`,
			`cluster name="Fin" id="c1" loadBalancing="Random"
member of c1 name="B" id="m2" status="Offline" enabled=false
primary of c1 name="A" id="m1" status="Online" enabled=true
user u1 id="u1" principalType="User" role="Admin"`},
		{"older module's members", `{"gatewayId":0,"gatewayObjectId":"m1","gatewayName":"A","isAnchorGateway":true,"gatewayStatus":"Live","gatewayVersion":"3000.1.1","gatewayMachine":"PC","gatewayClusterStatus":"None"}`,
			`primary of  name="A" id="m1" machine="PC" status="Online" enabled=false version="3000.1.1"`},
		{"load balancing settings", `[{"id":"1","name":"a","dataSourceIds":[],"loadBalancingSettings":"{\"selector\":0}"},{"id":"2","name":"b","dataSourceIds":[],"loadBalancingSettings":null},{"id":"3","name":"c","dataSourceIds":[],"loadBalancingSettings":{"selector":1}}]`,
			`cluster name="a" id="1" loadBalancing="Failover"
cluster name="b" id="2" loadBalancing="Failover"
cluster name="c" id="3" loadBalancing="Random"`},
		{"a mode by number", `{"id":"1","name":"a","dataSourceIds":[],"loadBalancingType":1}`,
			`cluster name="a" id="1" loadBalancing="Random"`},
		{"data source types by number", `{"id":"1","name":"a","dataSourceIds":[],"permissions":{"id":"u","role":0,"allowedDataSources":[0,1]}}`,
			`cluster name="a" id="1"
user u id="u" role="Admin"
note f:1:72: role 0 read as Admin: numbers are taken to count from 0 in the order of the service's API description
note f:1:96: data source types left out: they are printed as 0`},
		{"data sources in odd shapes", `[{"id":"1","datasourceType":"File","connectionDetails":{"path":"\\\\nas\\f"}},{"id":"2","datasourceType":"X","datasourceName":"x","connectionDetails":"{\"connectionString\":\"pwd=s3cret\"}"}]`,
			`data source of  id="1" type="File" connection="\\\\nas\\f"
data source of  name="x" id="2" type="X"
note f:1:151: connection details left out: no server, path or url in them`},
		{"permissions with names", `{"id":"1","name":"a","memberGateways":[],"permissions":[{"id":"u1","principalType":"Group","role":"ConnectionCreator","principalDisplayName":"Team","principalEmail":null,"allowedDataSourceTypes":["Sql","File"]},{"id":"u2","principalType":"Odd","role":"Admin","principalEmail":"x@y.example","allowedDataSourceTypes":null}]}`,
			`cluster name="a" id="1"
user Team principal="Team" id="u1" principalType="Group" role="ConnectionCreator" dataSourceTypes=["Sql","File"]
user x@y.example principal="x@y.example" id="u2" role="Admin"
note f:1:239: unknown principalType "Odd" left out`},
		{"data sources", `{"Id":"d","ClusterId":"c","DatasourceType":"Web","DatasourceName":"n","ConnectionDetails":"{\"url\":\"https://u:p@x.example/a?sig=s3cret\"}","Key":"s3cret","CredentialDetails":{"credentials":"s3cret"},"DatasourceUsers":[{"identifier":"u","datasourceAccessRight":"ReadOverrideEffectiveIdentity"},{"identifier":"v","datasourceAccessRight":"None"}]}`,
			`data source of c name="n" id="d" type="Web" connection="https://x.example/a" users=[{"principal":"u","right":"ReadOverrideEffectiveIdentity"}]
dropped f:1:148: key of a data source
dropped f:1:177: credentials
dropped f:1:91: user or query of a data source's URL`},
		{"secrets in annotations", `{"id":"1","name":"a","memberGateways":[{"id":"1","name":"m","annotation":"{\"gatewayWitnessString\":\"s3cret\",\"gatewaySalt\":\"s3cret\",\"gatewayDepartment\":\"IT\"}"}]}`,
			`cluster name="a" id="1" department="IT"
primary of 1 name="m" id="1"
dropped f:1:74: witness string of the recovery key
dropped f:1:74: salt of the recovery key`},
		{"first API version", `{"value":[{"id":"1","gatewayId":0,"name":"G","type":"Resource","gatewayAnnotation":"{\"gatewayContactInformation\":[\"a@b.example\",\"c\"]}","publicKey":{"exponent":"e","modulus":"m"}},{"id":"2","name":"P","type":"Personal","publicKey":{}}]}`,
			`cluster name="G" id="1" contact="a@b.example, c"
note f:1:186: gateway of type Personal left out: only clusters of on-premises gateways are kept`},
		{"script: nodes", "ClusterId,ClusterName,NodeId,NodeName,ServerName,Status,Version,VersionStatus,State\n1,Fin,1,A,PC1,Live,3000.1.1,,Enabled\n1,Fin,2,B,PC2,None,3000.1.1,,\n",
			`cluster name="Fin" id="1"
primary of 1 name="A" id="1" machine="PC1" status="Online" enabled=true version="3000.1.1"
member of 1 name="B" id="2" machine="PC2" status="Offline" version="3000.1.1"`},
		{"script: members", "Id,Name,Status,Version,State,VersionStatus\n1,A,Live,3000.1.1,Enabled,\n",
			`member of  name="A" id="1" status="Online" enabled=true version="3000.1.1"`},
		{"script: primaries", "PrimaryId,PrimaryName,PrimaryDescription,PrimaryType,MemberStatus,MemberVersion,MemberUpgradeState\n1,Fin,Money,Resource,Live,3000.1.1,\n",
			`cluster name="Fin" id="1" description="Money"
note f:2:1: members left out: the row does not name them`},
		{"script: regions", "ClusterID,ClusterName,MemberGateways,GatewayMachines,ClusterStatus,VersionStatus,GatewayVersion\n1,Fin,2,PC,Live,,3000.1.1\n",
			`cluster name="Fin" id="1"
note f:2:1: members left out: the row does not name them`},
		{"script: export", "clusterId,clusterName,type,cloudDatasourceRefresh,customConnectors,version,status,versionStatus,contactInformation,machine,nodeId\n1,Fin,Resource,True,False,3000.1.1,Live,,me,PC,1\n",
			`cluster name="Fin" id="1" contact="me" allowCloudDatasourceRefresh=true allowCustomConnectors=false
primary of 1 id="1" machine="PC" status="Online" version="3000.1.1"`},
		{"script: older module", "gatewayId,gatewayObjectId,gatewayName,isAnchorGateway,gatewayStatus,gatewayVersion,gatewayUpgradeState,gatewayClusterStatus,gatewayMachine\n0,1,A,True,Live,3000.1.1,,Enabled,PC\n",
			`primary of  name="A" id="1" machine="PC" status="Online" enabled=true version="3000.1.1"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, err := Read([]byte(tt.input), "f")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSuffix(show(t, e), "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if strings.Contains(fmt.Sprintf("%+v", e), "s3cret") {
				t.Error("a secret is kept")
			}
		})
	}
}

func TestFormatErrors(t *testing.T) {
	for _, tt := range []struct{ name, input, want string }{
		{"nothing", " \n", "f:1:1: expected " + expectedExport + ", found an empty file"},
		{"text", "hello", `f:1:1: expected JSON, or a CSV header of two columns or more, found "hello"`},
		{"UTF-16 without a mark", "[\x00", "f: expected UTF-8 text, or UTF-16 with a byte-order mark, found NUL bytes"},
		{"cut off", "[\n{\"a\":1,", "f:2:8: expected the rest of the JSON, found the end of the file"},
		{"no JSON", "[\n  {\"a\" 1}]", "f:2:8: expected JSON, found invalid character '1' after object key"},
		{"a name twice", `{"name":"a","name":"b"}`, `f:1:13: expected each name once in an object, found "name" a second time`},
		{"a wrong limit", "{\"name\":\"é\", \"hostPoolType\":\"Pooled\",\n \"maxSessionLimit\":\"ten\"}", `f:2:20: expected a whole number from 0 to 999999 for maxSessionLimit, found "ten"`},
		{"a limit out of range", `{"name":"a","hostPoolType":"Pooled","maxSessionLimit":1000000}`, `f:1:55: expected a whole number from 0 to 999999 for maxSessionLimit, found 1000000`},
		{"a negative limit", `{"name":"a","hostPoolType":"Pooled","maxSessionLimit":-1}`, `f:1:55: expected a whole number from 0 to 999999 for maxSessionLimit, found -1`},
		{"an unknown algorithm", `{"name":"a","loadBalancerType":"RoundRobin"}`, `f:1:32: expected BreadthFirst, DepthFirst, Persistent or MultiplePersistent for loadBalancerType, found "RoundRobin"`},
		{"an unknown number", `{"name":"a","loadBalancerType":4}`, `f:1:32: expected BreadthFirst, DepthFirst, Persistent or MultiplePersistent, or their numbers 0 to 3, for loadBalancerType, found 4`},
		{"an unknown selector", `{"id":"1","name":"a","dataSourceIds":[],"loadBalancingSettings":"{\"selector\":2}"}`, `f:1:65: expected Failover or Random, or their numbers 0 to 1, for loadBalancing, found 2`},
		{"an enumeration that PowerShell prints empty", `{"name":"a","loadBalancerType":{}}`, `f:1:32: expected BreadthFirst, DepthFirst, Persistent or MultiplePersistent for loadBalancerType (if PowerShell printed it so, print its ToString(), or use az or REST), found an empty object`},
		{"an unknown role", `{"id":"1","name":"a","permissions":[{"id":"u","role":"Owner"}],"dataSourceIds":[]}`, `f:1:54: expected Admin, ConnectionCreator or ConnectionCreatorWithReshare for role, found "Owner"`},
		{"members that PowerShell's depth cut off", `{"Id":"1","Name":"a","MemberGateways":["System.Object"]}`, `f:1:40: expected an object for each of members (ConvertTo-Json needs -Depth 5 to print them), found "System.Object"`},
		{"a time that is none", `{"name":"hp/a","allowNewSession":true,"lastHeartBeat":"yesterday"}`, `f:1:55: expected a time such as 2026-11-29T08:00:00Z for lastHeartBeat, found "yesterday"`},
		{"a time beyond all years", `{"name":"hp/a","allowNewSession":true,"lastHeartBeat":"/Date(999999999999999)/"}`, `f:1:55: expected a time such as 2026-11-29T08:00:00Z for lastHeartBeat, found "/Date(999999999999999)/"`},
		{"text that is none", `{"name":["a"],"hostPoolType":"Pooled"}`, `f:1:9: expected text for name, found a list of 1`},
		{"settings that are none", `{"id":"1","name":"a","dataSourceIds":[],"loadBalancingSettings":"random"}`, `f:1:65: expected load balancing settings such as {"selector":1}, found "random"`},
		{"a session of nobody", `{"name":"p/h/1","userPrincipalName":null,"sessionState":"Active"}`, `f:1:1: expected a userPrincipalName in a user session, found none`},
		{"a session in too few parts", `{"name":"h/1","userPrincipalName":"u","sessionState":"Active"}`, `f:1:1: expected a user session's name, as pool/host/id or the id, found "h/1"`},
		{"a boolean that is none", `{"name":"hp/a","allowNewSession":"maybe"}`, `f:1:34: expected true or false for allowNewSession, found "maybe"`},
		{"no name", `{"name":"","hostPoolType":"Pooled"}`, `f:1:1: expected the name of a host pool, found none`},
		{"a name in too many parts", `{"name":"a/b/c","allowNewSession":true}`, `f:1:1: expected a session host's name, as pool/host or plain, found "b/c"`},
		{"the second of two", `[{"name":"hp/a","allowNewSession":true},{"x":1}]`, `f:1:41: expected ` + expectedExport + `, found an object with x`},
		{"a CSV row that is too long", "#TYPE x\nName,AllowNewSession\nhp/a,True\nhp/b,True,1\n", `f:4:1: expected 2 values as in the header, found 3`},
		{"a CSV value", "#TYPE x\nName,AllowNewSession\nhp/a,Yes\n", `f:3:6: expected true or false for allowNewSession, found "Yes"`},
		{"a CSV quote", "Name,AllowNewSession\nhp/a,\"Tr\"ue\n", `f:2:9: expected CSV, found extraneous or missing " in quoted-field`},
		{"a CSV column twice", "Name,name,AllowNewSession\n", `f:1:1: expected each column once, found a second "name"`},
		{"only a #TYPE line", "#TYPE x", `f:1:8: expected a header line after #TYPE, found the end of the file`},
		{"control characters stay out of messages", "{\"name\":\"a\",\"loadBalancerType\":\"\\u001b[31m" + strings.Repeat("x", 80) + "\"}",
			`f:1:32: expected BreadthFirst, DepthFirst, Persistent or MultiplePersistent for loadBalancerType, found "\x1b[31mxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read([]byte(tt.input), "f")
			var format *FormatError
			if !errors.As(err, &format) {
				t.Fatalf("error %v, want a FormatError", err)
			}
			if err.Error() != tt.want {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
		})
	}
}

// TestHostileInput is what would cost a naive reader its stack, its time or its
// memory.
func TestHostileInput(t *testing.T) {
	var keys strings.Builder
	keys.WriteString("{")
	for i := range 300_000 {
		fmt.Fprintf(&keys, "\"k%d\":0,", i)
	}
	nested := `{"name":"a","hostPoolType":"Pooled","memberGateways":` + strings.Repeat("[", 100_000)
	for _, tt := range []struct{ name, input, want string }{
		{"deep", strings.Repeat("[", 100_000), "at most 64 nested lists and objects"},
		{"deep inside", nested, "at most 64 nested lists and objects"},
		{"deep in a text", `{"id":"1","name":"a","memberGateways":"` + strings.Repeat("[", 100_000) + `"}`, "JSON for members (ConvertTo-Json needs -Depth 5 to print them)"},
		{"wide", keys.String(), "at most 2000 names in an object"},
		{"many columns", strings.Repeat("a,", 300_000) + "b\n", "at most 2000 columns"},
		{"big", strings.Repeat(" ", MaxSize+1), "at most 128 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			_, err := Read([]byte(tt.input), "f")
			var format *FormatError
			if !errors.As(err, &format) || format.Expected != tt.want {
				t.Errorf("error %v, want a FormatError that expected %s", err, tt.want)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestTooManyValues(t *testing.T) {
	s := &source{name: "f", text: []byte("[1,[2],{\"a\":3}]")} // with the lists and the object, six values; names are none
	if _, err := parseBounded(s, 6); err != nil {
		t.Errorf("six values: %v", err)
	}
	_, err := parseBounded(s, 5)
	if want := "f:1:13: expected at most 5 values, found more"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
