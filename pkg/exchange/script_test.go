package exchange

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

func scriptOf(shell Shell, wish, fact Snapshot, removals bool) []string {
	return Script(shell, Compare(wish, fact), ScriptOptions{Wish: wish, Fact: fact, Removals: removals})
}

func onePool(p hostpool.Pool) Snapshot      { return Snapshot{Pools: []*hostpool.Pool{&p}} }
func oneCluster(c gateway.Cluster) Snapshot { return Snapshot{Clusters: []*gateway.Cluster{&c}} }

func TestScript(t *testing.T) {
	live := hostpool.Pool{Name: "hp", ResourceGroup: "rg", HostPoolType: hostpool.Pooled, LoadBalancerType: hostpool.BreadthFirst, StartVMOnConnect: true,
		SessionHosts: []hostpool.Host{{Name: "h1", AllowNewSession: true}, {Name: "h2"}, {Name: "h3", AllowNewSession: true}}}
	wish := live
	wish.LoadBalancerType, wish.MaxSessionLimit, wish.StartVMOnConnect, wish.Description, wish.Tags = hostpool.DepthFirst, 12, false, "it's", map[string]string{"b": "2", "a": "1"}
	wish.SessionHosts = []hostpool.Host{{Name: "h1", Status: hostpool.Shutdown}, {Name: "h2", AllowNewSession: true, AssignedUser: "u@contoso.example"}, {Name: "new"}}
	fresh := hostpool.Pool{Name: "new", ResourceGroup: "rg", Location: "eu", HostPoolType: hostpool.Personal, LoadBalancerType: hostpool.MultiplePersistent, PersonalDesktopAssignmentType: hostpool.Direct,
		StartVMOnConnect: true, SessionHosts: []hostpool.Host{{Name: "h"}}}
	breadth := fresh
	breadth.HostPoolType, breadth.LoadBalancerType, breadth.PersonalDesktopAssignmentType, breadth.SessionHosts = hostpool.Pooled, hostpool.BreadthFirst, "", nil
	liveCluster := gateway.Cluster{Name: "fin", ID: "c", LoadBalancing: gateway.Failover,
		Members:     []gateway.Member{{Name: "a", ID: "c", Enabled: true, Version: "1"}, {Name: "b", ID: "m", Enabled: true}, {Name: "x", ID: "n"}},
		Users:       []gateway.User{{Principal: "old", ID: "u9", Role: gateway.Admin}, {Principal: "role", ID: "u3", Role: gateway.Admin}},
		DataSources: []gateway.DataSource{{Name: "s", ID: "d", Users: []gateway.DataSourceUser{{Principal: "p", Right: "Read"}}}, {Name: "gone", ID: "e"}}}
	wishCluster := gateway.Cluster{Name: "Finance", ID: "c", LoadBalancing: gateway.Random, AllowCustomConnectors: true, Region: "EU",
		Members: []gateway.Member{{Name: "a", ID: "c", Enabled: true, Version: "2"}, {Name: "b", ID: "m"}, {Name: "y"}},
		Users: []gateway.User{{Principal: "u@contoso.example", PrincipalType: "User", Role: gateway.ConnectionCreator, DataSourceTypes: []string{"Sql", "File"}},
			{Principal: "team", PrincipalType: "Group", Role: gateway.Admin, DataSourceTypes: []string{"Sql"}}, {Principal: "role", ID: "u3", Role: gateway.ConnectionCreator}},
		DataSources: []gateway.DataSource{{Name: "s2", ID: "d", Users: []gateway.DataSourceUser{{Principal: "q", Right: "Read"}}}, {Name: "more"}}}
	roundRobin, noID := liveCluster, liveCluster
	roundRobin.LoadBalancing, noID.ID = gateway.RoundRobin, ""
	noGroup := live
	noGroup.ResourceGroup = ""

	for _, tt := range []struct {
		name       string
		shell      Shell
		wish, fact Snapshot
		removals   bool
		want       string
	}{
		{"nothing to do", PowerShell, onePool(live), onePool(live), true, ""},
		{"a pool: drain, change, resume", PowerShell, onePool(wish), onePool(live), false, `
Update-AzWvdSessionHost -HostPoolName 'hp' -ResourceGroupName 'rg' -Name 'h1' -AllowNewSession:$false
Update-AzWvdHostPool -Name 'hp' -ResourceGroupName 'rg' -Description 'it''s' -LoadBalancerType 'DepthFirst' -MaxSessionLimit 12 -StartVMOnConnect:$false -Tag @{'a' = '1'; 'b' = '2'}
Update-AzWvdSessionHost -HostPoolName 'hp' -ResourceGroupName 'rg' -Name 'h2' -AssignedUser 'u@contoso.example' -Force
# SessionHost "hp/new": joins the pool when its agent is registered with a token of the pool
Update-AzWvdSessionHost -HostPoolName 'hp' -ResourceGroupName 'rg' -Name 'h2' -AllowNewSession:$true
# SessionHost "hp/h3": is not in the state; it is removed only with --include-removals`},
		{"a pool back, with removals", PowerShell, onePool(live), onePool(wish), true, `
Update-AzWvdSessionHost -HostPoolName 'hp' -ResourceGroupName 'rg' -Name 'h2' -AllowNewSession:$false
if (Get-AzWvdSessionHost -HostPoolName 'hp' -ResourceGroupName 'rg' -Name 'new' -ErrorAction SilentlyContinue) { Update-AzWvdSessionHost -HostPoolName 'hp' -ResourceGroupName 'rg' -Name 'new' -AllowNewSession:$false }
Update-AzWvdHostPool -Name 'hp' -ResourceGroupName 'rg' -Description '' -LoadBalancerType 'BreadthFirst' -MaxSessionLimit 999999 -StartVMOnConnect:$true -Tag @{}
Update-AzWvdSessionHost -HostPoolName 'hp' -ResourceGroupName 'rg' -Name 'h2' -AssignedUser '' -Force
# SessionHost "hp/h3": joins the pool when its agent is registered with a token of the pool
Update-AzWvdSessionHost -HostPoolName 'hp' -ResourceGroupName 'rg' -Name 'h1' -AllowNewSession:$true
if (Get-AzWvdSessionHost -HostPoolName 'hp' -ResourceGroupName 'rg' -Name 'new' -ErrorAction SilentlyContinue) { Remove-AzWvdSessionHost -HostPoolName 'hp' -ResourceGroupName 'rg' -Name 'new' }`},
		{"the same with az", Az, onePool(wish), onePool(live), true, `
az desktopvirtualization hostpool update --name='hp' --resource-group='rg' --description='it'\''s' --load-balancer-type='DepthFirst' --max-session-limit=12 --start-vm-on-connect=false --tags 'a=1' 'b=2'
# SessionHost "hp/h1": az has no command for session hosts; Update-AzWvdSessionHost or Remove-AzWvdSessionHost has
# SessionHost "hp/h2": az has no command for session hosts; Update-AzWvdSessionHost or Remove-AzWvdSessionHost has
# SessionHost "hp/new": az has no command for session hosts; Update-AzWvdSessionHost or Remove-AzWvdSessionHost has
# SessionHost "hp/h3": az has no command for session hosts; Update-AzWvdSessionHost or Remove-AzWvdSessionHost has`},
		{"a new pool", PowerShell, onePool(fresh), Snapshot{}, false, `
if (-not (Get-AzWvdHostPool -Name 'new' -ResourceGroupName 'rg' -ErrorAction SilentlyContinue)) { New-AzWvdHostPool -Name 'new' -ResourceGroupName 'rg' -Location 'eu' -HostPoolType 'Personal' -LoadBalancerType 'MultiplePersistent' -PreferredAppGroupType 'Desktop' -MaxSessionLimit 999999 -PersonalDesktopAssignmentType 'Direct' -StartVMOnConnect:$true }
# SessionHost "new/h": joins the pool when its agent is registered with a token of the pool`},
		{"a new pool that az does not know", Az, onePool(fresh), Snapshot{}, false, `
# HostPool "new": az does not know MultiplePersistent; New-AzWvdHostPool can`},
		{"a new pool with az", Az, onePool(breadth), Snapshot{}, false, `
az desktopvirtualization hostpool show --name='new' --resource-group='rg' >/dev/null 2>&1 || az desktopvirtualization hostpool create --name='new' --resource-group='rg' --location='eu' --host-pool-type='Pooled' --load-balancer-type='BreadthFirst' --preferred-app-group-type='Desktop' --max-session-limit=999999 --start-vm-on-connect=true`},
		{"a new pool of which too little is known", PowerShell, onePool(hostpool.Pool{Name: "p"}), Snapshot{}, false, `
# HostPool "p": not created because its resourceGroup or location is not known; set them in the state`},
		{"an extra pool", PowerShell, Snapshot{}, onePool(live), false, `
# HostPool "hp": is not in the state; it is removed only with --include-removals`},
		{"an extra pool goes", PowerShell, Snapshot{}, onePool(live), true, `
if (Get-AzWvdHostPool -Name 'hp' -ResourceGroupName 'rg' -ErrorAction SilentlyContinue) { Remove-AzWvdHostPool -Name 'hp' -ResourceGroupName 'rg' -Force }`},
		{"an extra pool goes with az", Az, Snapshot{}, onePool(live), true, `
if az desktopvirtualization hostpool show --name='hp' --resource-group='rg' >/dev/null 2>&1; then az desktopvirtualization hostpool delete --name='hp' --resource-group='rg' --force=true --yes; fi`},
		{"an unknown resource group", PowerShell, onePool(hostpool.Pool{Name: "hp", MaxSessionLimit: 3}), onePool(hostpool.Pool{Name: "hp"}), false, `
# HostPool "hp": left out because the resourceGroup of the pool is not known; set it in the state`},
		{"a resource group that only the wish knows", PowerShell, onePool(hostpool.Pool{Name: "hp", ResourceGroup: "rg", MaxSessionLimit: 3}), onePool(hostpool.Pool{Name: "hp"}), false, `
# HostPool "hp": resourceGroup of a pool cannot be changed; a new pool can have it
Update-AzWvdHostPool -Name 'hp' -ResourceGroupName 'rg' -MaxSessionLimit 3`},
		{"a value that az would read from a file", Az, onePool(hostpool.Pool{Name: "hp", ResourceGroup: "rg", Description: "@/etc/passwd"}), onePool(hostpool.Pool{Name: "hp", ResourceGroup: "rg"}), false, `
# HostPool "hp": az takes "@/etc/passwd" for the name of a file; Update-AzWvdHostPool can`},
		{"a tag that az would read from a file", Az, onePool(hostpool.Pool{Name: "hp", ResourceGroup: "rg", Tags: map[string]string{"a": "@x"}}), onePool(hostpool.Pool{Name: "hp", ResourceGroup: "rg"}), false, `
# HostPool "hp": az cannot take the tag "a" as it is; Update-AzWvdHostPool can`},
		{"a cluster", PowerShell, oneCluster(wishCluster), oneCluster(liveCluster), true, `
Set-OnPremisesDataGateway -ClusterObjectId 'c' -GatewayObjectId 'm' -MemberStatus None
# Cluster "fin": region cannot be changed from here
Set-DataGatewayCluster -GatewayClusterId 'c' -Name 'Finance' -LoadBalancingSelectorType 'Random' -AllowCustomConnectors $true
# Member "fin/a": Update-DataGatewayClusterMember updates it to another version
# Member "fin/y": Add-DataGatewayClusterMember adds it, on its own machine and with the recovery key
if ((Get-DataGatewayCluster -GatewayClusterId 'c').Permissions.Id -notcontains (Get-AzADUser -UserPrincipalName 'u@contoso.example').Id) { Add-DataGatewayClusterUser -GatewayClusterId 'c' -PrincipalObjectId (Get-AzADUser -UserPrincipalName 'u@contoso.example').Id -Role 'ConnectionCreator' -AllowedDataSourceTypes 'Sql', 'File' }
if ((Get-DataGatewayCluster -GatewayClusterId 'c').Permissions.Id -notcontains (Get-AzADGroup -DisplayName 'team').Id) { Add-DataGatewayClusterUser -GatewayClusterId 'c' -PrincipalObjectId (Get-AzADGroup -DisplayName 'team').Id -Role 'Admin' }
# ClusterUser "fin/role": another role needs Remove-DataGatewayClusterUser and then Add-DataGatewayClusterUser
Set-DataGatewayClusterDatasource -GatewayClusterId 'c' -GatewayClusterDatasourceId 'd' -DatasourceName 's2'
Add-DataGatewayClusterDatasourceUser -GatewayClusterId 'c' -GatewayClusterDatasourceId 'd' -DatasourceUserAccessRight 'Read' -UserEmailAddress 'q'
# DataSource "fin/more": make it where its credentials can be given
Remove-DataGatewayClusterMember -GatewayClusterId 'c' -MemberGatewayId 'n'
Remove-DataGatewayClusterUser -GatewayClusterId 'c' -PrincipalObjectId 'u9'
Remove-DataGatewayClusterDatasourceUser -GatewayClusterId 'c' -GatewayClusterDatasourceId 'd' -UserId 'p'
Remove-DataGatewayClusterDatasource -GatewayClusterId 'c' -GatewayClusterDatasourceId 'e'`},
		{"failover and round robin are one to the service", PowerShell, oneCluster(roundRobin), oneCluster(liveCluster), false, ""},
		{"a new cluster", PowerShell, oneCluster(liveCluster), Snapshot{}, false, `
# Cluster "fin": Add-DataGatewayCluster makes it, on the machine of its first member and with a recovery key`},
		{"an extra cluster goes", PowerShell, Snapshot{}, oneCluster(liveCluster), true, `
Remove-DataGatewayCluster -GatewayClusterId 'c'`},
		{"an unknown cluster id", PowerShell, oneCluster(gateway.Cluster{Name: "f", Contact: "me"}), oneCluster(gateway.Cluster{Name: "f"}), false, `
# Cluster "f": left out because the id of the cluster is not known; import it first`},
		{"clusters with az", Az, oneCluster(gateway.Cluster{Name: "f", Contact: "me"}), oneCluster(gateway.Cluster{Name: "f"}), false, `
# Cluster "f": az has no command for gateways; the DataGateway cmdlets have`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(scriptOf(tt.shell, tt.wish, tt.fact, tt.removals), "\n")
			if want := strings.TrimPrefix(tt.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestScriptsAreSafe has hostile texts everywhere: nothing is removed unasked, no
// line holds a hidden character, and what is outside of quotes never depends on
// the texts.
func TestScriptsAreSafe(t *testing.T) {
	hostileText := rapid.OneOf(rapid.SampledFrom(hostile[1:]), rapid.StringN(1, 5, -1))
	rapid.Check(t, func(t *rapid.T) {
		wish, fact := drawSnapshot(t), drawSnapshot(t)
		evil := hostileText.Draw(t, "evil")
		for _, s := range []Snapshot{wish, fact} {
			for _, p := range s.Pools {
				p.ResourceGroup, p.Location, p.Tags = evil, evil, map[string]string{evil: evil}
				for i := range p.SessionHosts {
					p.SessionHosts[i].Name += evil
				}
			}
			for _, c := range s.Clusters {
				c.Name += evil
			}
		}
		for _, p := range wish.Pools {
			p.Description = evil
		}
		for _, c := range wish.Clusters {
			c.Description = evil
		}
		for _, shell := range []Shell{PowerShell, Az} {
			for _, line := range scriptOf(shell, wish, fact, false) {
				if comment := strings.HasPrefix(line, "# "); comment && strings.ContainsFunc(line, hidden) {
					t.Errorf("%q has a hidden character", line)
				} else if !comment && slices.ContainsFunc([]string{"Remove-", "hostpool delete"}, func(s string) bool { return strings.HasPrefix(line, s) || strings.Contains(line, "{ "+s) }) {
					t.Errorf("%q removes", line)
				} else if shell == PowerShell && strings.ContainsFunc(line, hidden) {
					t.Errorf("%q has a hidden character", line)
				}
			}
		}
	})
}
