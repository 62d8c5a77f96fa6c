package exchange

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// The generators draw from few names and ids, so that wish and fact share some.

var words = rapid.SampledFrom([]string{"", "a", "O'Brien", "x;y", "två ord", "-n", `{"a":1}`, "a,b"})

func pick[T any](t *rapid.T, label string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, label)
}

func drawTime(t *rapid.T) time.Time {
	return pick(t, "time", time.Time{}, time.Date(2026, 3, 2, 7, 58, 10, 123456700, time.UTC), time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
}

// names are some of them, in some order, each once.
func names(t *rapid.T, all ...string) []string {
	return rapid.Permutation(all).Draw(t, "names")[:rapid.IntRange(0, len(all)).Draw(t, "count")]
}

// ids gives each of n things an id of its own or none.
func ids(t *rapid.T, n int) []string {
	list := rapid.Permutation([]string{"id1", "id2", "id3", "id4"}).Draw(t, "ids")[:n]
	for i := range list {
		if rapid.Bool().Draw(t, "no id") {
			list[i] = ""
		}
	}
	return list
}

func drawPool(t *rapid.T, name string) *hostpool.Pool {
	p := &hostpool.Pool{
		Name:                          name,
		ResourceGroup:                 pick(t, "group", "", "rg1", "rg 2"),
		Location:                      pick(t, "location", "", "westeurope"),
		FriendlyName:                  words.Draw(t, "friendlyName"),
		Description:                   words.Draw(t, "description"),
		HostPoolType:                  hostpool.Type(rapid.SampledFrom(hostpool.Type("").Values()).Draw(t, "type")),
		LoadBalancerType:              hostpool.LoadBalancerType(rapid.SampledFrom(hostpool.LoadBalancerType("").Values()).Draw(t, "algorithm")),
		MaxSessionLimit:               pick(t, "limit", 0, 1, 12, 999999),
		PersonalDesktopAssignmentType: pick(t, "assignment", "", hostpool.Automatic, hostpool.Direct),
		StartVMOnConnect:              rapid.Bool().Draw(t, "start"),
		ValidationEnvironment:         rapid.Bool().Draw(t, "validation"),
		PreferredAppGroupType:         pick[hostpool.PreferredAppGroup](t, "group", "", "Desktop", "RailApplications"),
		Tags:                          pick(t, "tags", nil, map[string]string{"k": "v"}, map[string]string{"k": "w", "token": "a"}),
	}
	if p.ResourceGroup != "" && rapid.Bool().Draw(t, "has id") {
		p.ID = "/subscriptions/s/resourceGroups/" + p.ResourceGroup + "/providers/Microsoft.DesktopVirtualization/hostPools/" + name
	}
	for _, name := range names(t, "h1", "h2", "h3.contoso.example") {
		p.SessionHosts = append(p.SessionHosts, drawHost(t, name))
	}
	return p
}

func drawHost(t *rapid.T, name string) hostpool.Host {
	h := hostpool.Host{
		Name:              name,
		Status:            hostpool.Status(rapid.SampledFrom(hostpool.Status("").Values()).Draw(t, "status")),
		AllowNewSession:   rapid.Bool().Draw(t, "allow"),
		AssignedUser:      pick(t, "assigned", "", "a@contoso.example"),
		FriendlyName:      words.Draw(t, "friendlyName"),
		AgentVersion:      pick(t, "agent", "", "1.0.1"),
		OSVersion:         pick(t, "os", "", "10.0.1"),
		LastHeartBeat:     drawTime(t),
		UpdateState:       pick[hostpool.UpdateState](t, "update", "", "Succeeded"),
		ResourceID:        pick(t, "vm", "", "/subscriptions/s/vm"),
		AnonymousSessions: pick(t, "anonymous", 0, 3),
	}
	list := ids(t, rapid.IntRange(0, 3).Draw(t, "sessions"))
	for i, user := range rapid.Permutation([]string{"u1", "u2", "u3"}).Draw(t, "users")[:len(list)] {
		h.Sessions = append(h.Sessions, hostpool.Session{ID: list[i], User: user,
			State:           hostpool.SessionState(rapid.SampledFrom(hostpool.SessionState("").Values()).Draw(t, "state")),
			Created:         drawTime(t),
			ApplicationType: pick[hostpool.ApplicationType](t, "app", "", "Desktop"),
		})
	}
	return h
}

func drawCluster(t *rapid.T, name, id string) *gateway.Cluster {
	c := &gateway.Cluster{
		Name: name, ID: id,
		Description: words.Draw(t, "description"), Department: words.Draw(t, "department"), Contact: words.Draw(t, "contact"),
		Region:                      pick(t, "region", "", "West Europe"),
		LoadBalancing:               gateway.LoadBalancing(rapid.SampledFrom(gateway.LoadBalancing("").Values()).Draw(t, "mode")),
		AllowCloudDatasourceRefresh: rapid.Bool().Draw(t, "cloud"), AllowCustomConnectors: rapid.Bool().Draw(t, "custom"),
	}
	members := names(t, "gw1", "gw2", "gw3")
	list := ids(t, len(members))
	for i, name := range members {
		c.Members = append(c.Members, gateway.Member{Name: name, ID: list[i],
			Machine: pick(t, "machine", "", "PC"), Status: pick(t, "status", gateway.Online, gateway.Offline), Enabled: rapid.Bool().Draw(t, "enabled"),
			Version: pick(t, "version", "", "3000.1.1", "3000.2.2"), ExpiryDate: drawTime(t)})
	}
	users := names(t, "u1", "u2", "u3")
	list = ids(t, len(users))
	for i, name := range users {
		c.Users = append(c.Users, gateway.User{Principal: name, ID: list[i], PrincipalType: pick[gateway.PrincipalType](t, "type", "User", "Group"),
			Role: pick(t, "role", gateway.Admin, gateway.ConnectionCreator), DataSourceTypes: pick(t, "types", nil, []string{"Sql", "File"})})
	}
	sources := names(t, "d1", "d2")
	list = ids(t, len(sources))
	for i, name := range sources {
		d := gateway.DataSource{Name: name, ID: list[i], Type: pick(t, "type", "", "Sql"), Connection: pick(t, "connection", "", "s;d", "s", `\\file\share`)}
		for _, user := range names(t, "u1", "u2") {
			d.Users = append(d.Users, gateway.DataSourceUser{Principal: user, Right: pick[gateway.Right](t, "right", "Read", "ReadOverrideEffectiveIdentity")})
		}
		c.DataSources = append(c.DataSources, d)
	}
	return c
}

func drawSnapshot(t *rapid.T) Snapshot {
	var s Snapshot
	for _, name := range names(t, "p1", "p2") {
		s.Pools = append(s.Pools, drawPool(t, name))
	}
	clusters := names(t, "c1", "c2")
	list := ids(t, len(clusters))
	for i, name := range clusters {
		if list[i] != "" { // a cluster's id is its primary's, if any member has it
			list[i] = "cluster-" + list[i]
		}
		s.Clusters = append(s.Clusters, drawCluster(t, name, list[i]))
	}
	return s
}

// canonical is a snapshot as text in which what does not count does not show: the
// order of things other than the primary, nil and empty, no limit and the
// greatest.
func canonical(s Snapshot) string {
	s = s.clone()
	slices.SortFunc(s.Pools, func(a, b *hostpool.Pool) int { return strings.Compare(a.Name, b.Name) })
	for _, p := range s.Pools {
		p.MaxSessionLimit = p.SessionLimit()
		slices.SortFunc(p.SessionHosts, func(a, b hostpool.Host) int { return strings.Compare(a.Name, b.Name) })
		p.SessionHosts = append([]hostpool.Host{}, p.SessionHosts...)
		for i := range p.SessionHosts {
			p.SessionHosts[i].Sessions = sorted(p.SessionHosts[i].Sessions)
		}
	}
	slices.SortFunc(s.Clusters, func(a, b *gateway.Cluster) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range s.Clusters {
		if len(c.Members) > 1 {
			slices.SortFunc(c.Members[1:], func(a, b gateway.Member) int { return strings.Compare(a.Name, b.Name) })
		}
		c.Members = append([]gateway.Member{}, c.Members...)
		slices.SortFunc(c.Users, func(a, b gateway.User) int { return strings.Compare(a.Principal, b.Principal) })
		slices.SortFunc(c.DataSources, func(a, b gateway.DataSource) int { return strings.Compare(a.Name, b.Name) })
		for i := range c.DataSources {
			slices.SortFunc(c.DataSources[i].Users, func(a, b gateway.DataSourceUser) int { return strings.Compare(a.Principal, b.Principal) })
		}
	}
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func TestApplyingTheDifferencesGivesTheWish(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wish, fact := drawSnapshot(t), drawSnapshot(t)
		before := canonical(fact)
		got := canonical(Apply(fact, Compare(wish, fact)))
		if want := canonical(wish); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if canonical(fact) != before {
			t.Error("the fact itself has changed")
		}
	})
}

func TestAStateEqualsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSnapshot(t)
		if differences := Compare(s, s.clone()); len(differences) > 0 {
			t.Errorf("%+v", differences)
		}
	})
}

// exported is what all of a snapshot's own exports say, read back.
func exported(t *rapid.T, s Snapshot) *Export {
	var exports []*Export
	read := func(data []byte, err error) {
		if err != nil {
			t.Fatal(err)
		}
		e, err := Read(data, "own export")
		if err != nil {
			t.Fatalf("%v in\n%s", err, data)
		}
		if len(e.Notes)+len(e.DroppedSecrets) > 0 {
			t.Errorf("notes %q and secrets %q about\n%s", e.Notes, e.DroppedSecrets, data)
		}
		exports = append(exports, e)
	}
	read(ARMPools(s.Pools))
	for _, p := range s.Pools {
		read(ARMPool(p))
	}
	if rapid.Bool().Draw(t, "one list for all pools") {
		read(ARMHosts(s.Pools...))
		read(ARMSessions(s.Pools...))
	} else {
		for _, p := range s.Pools {
			read(ARMHosts(p))
			read(ARMSessions(p))
		}
	}
	read(GatewayClusters(s.Clusters))
	return Join(exports...)
}

func TestOwnExportIsNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSnapshot(t)
		if differences := Compare(s, Live(s, exported(t, s))); len(differences) > 0 {
			t.Errorf("%+v", differences)
		}
	})
}

// TestOwnExportReadBack builds everything from the exports alone.
func TestOwnExportReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSnapshot(t)
		for _, c := range s.Clusters {
			if c.LoadBalancing == gateway.RoundRobin { // the service has no such word
				c.LoadBalancing = gateway.Failover
			}
		}
		got, want := canonical(Live(Snapshot{}, exported(t, s))), canonical(s)
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

func TestCompare(t *testing.T) {
	pool := func(change func(*hostpool.Pool)) Snapshot {
		p := &hostpool.Pool{Name: "hp", ResourceGroup: "rg", MaxSessionLimit: 12, SessionHosts: []hostpool.Host{
			{Name: "h", AllowNewSession: true, Sessions: []hostpool.Session{{ID: "1", User: "u"}, {ID: "2", User: "v"}}}}}
		change(p)
		return Snapshot{Pools: []*hostpool.Pool{p}}
	}
	cluster := func(change func(*gateway.Cluster)) Snapshot {
		c := &gateway.Cluster{Name: "fin", ID: "c", Members: []gateway.Member{{Name: "a", ID: "c"}, {Name: "b", ID: "m"}}, Users: []gateway.User{{Principal: "u", ID: "i"}}}
		change(c)
		return Snapshot{Clusters: []*gateway.Cluster{c}}
	}
	samePool, sameCluster := func(*hostpool.Pool) {}, func(*gateway.Cluster) {}
	for _, tt := range []struct {
		name       string
		wish, fact Snapshot
		want       string // one difference a line
	}{
		{"names in another case, sessions in another order", pool(samePool), pool(func(p *hostpool.Pool) {
			p.Name, p.ResourceGroup = "HP", "RG"
			p.SessionHosts[0].Name = "H"
			slices.Reverse(p.SessionHosts[0].Sessions)
		}), ""},
		{"no limit and the greatest", pool(func(p *hostpool.Pool) { p.MaxSessionLimit = 0 }), pool(func(p *hostpool.Pool) { p.MaxSessionLimit = 999999 }), ""},
		{"a property", pool(samePool), pool(func(p *hostpool.Pool) { p.MaxSessionLimit = 14 }), `HostPool hp Changed maxSessionLimit 12 14`},
		{"runtime", pool(samePool), pool(func(p *hostpool.Pool) { p.SessionHosts[0].Status = "Shutdown"; p.SessionHosts[0].AnonymousSessions = 1 }),
			"SessionHost hp/h Changed status \"\" \"Shutdown\" runtime\nSessionHost hp/h Changed anonymousSessions 0 1 runtime"},
		{"what the wish leaves open", pool(samePool), pool(func(p *hostpool.Pool) { p.Location, p.ResourceGroup = "x", "other" }),
			"HostPool hp Changed resourceGroup \"rg\" \"other\"\nHostPool hp Changed location \"\" \"x\" runtime"},
		{"missing and extra", pool(func(p *hostpool.Pool) { p.SessionHosts = []hostpool.Host{{Name: "i"}} }), pool(func(p *hostpool.Pool) { p.SessionHosts[0].Sessions = nil }),
			"SessionHost hp/i Missing\nSessionHost hp/h Extra"},
		{"a member renamed", cluster(sameCluster), cluster(func(c *gateway.Cluster) { c.Members[1].Name = "z" }), `Member fin/z Changed name "b" "z"`},
		{"another primary", cluster(sameCluster), cluster(func(c *gateway.Cluster) { slices.Reverse(c.Members) }), `Cluster fin Changed primary "a" "b"`},
		{"a cluster renamed, a user gone", cluster(sameCluster), cluster(func(c *gateway.Cluster) { c.Name, c.Users = "new", nil }),
			"Cluster new Changed name \"fin\" \"new\"\nClusterUser new/u Missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for _, d := range Compare(tt.wish, tt.fact) {
				line := string(d.Kind) + " " + strings.Join(d.Path, "/") + " " + string(d.Change)
				if d.Change == Changed {
					w, _ := json.Marshal(d.Wish)
					f, _ := json.Marshal(d.Fact)
					line += " " + d.Property + " " + string(w) + " " + string(f)
				}
				if d.Runtime {
					line += " runtime"
				}
				lines = append(lines, line)
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestLive(t *testing.T) {
	wish := Snapshot{
		Pools: []*hostpool.Pool{
			{Name: "a", ResourceGroup: "rg", SessionHosts: []hostpool.Host{{Name: "h"}, {Name: "i"}}},
			{Name: "b", ResourceGroup: "RG"}, {Name: "c", ResourceGroup: "elsewhere"},
		},
		Clusters: []*gateway.Cluster{{Name: "x", ID: "1", Members: []gateway.Member{{Name: "m", ID: "1"}, {Name: "n", ID: "2"}}, Users: []gateway.User{{Principal: "u", ID: "u"}}}, {Name: "y", ID: "2"}},
	}
	const pool = `{"name":"a","hostPoolType":"","resourceGroup":"rg"}`
	for _, tt := range []struct {
		name, input string
		want        string // what is missing or extra
	}{
		{"a list of pools", "[" + pool + "]", "Missing b"},
		{"one pool", pool, ""},
		{"a pool that is cut off a list", `{"value":[` + pool + `],"nextLink":"more"}`, ""},
		{"a list of hosts", `[{"name":"a/H","allowNewSession":false},{"name":"a/new","allowNewSession":true}]`, "Missing a/i, Extra a/new"},
		{"a list of hosts that is cut off", `{"value":[{"name":"a/h","allowNewSession":false}],"nextLink":"more"}`, ""},
		{"one host", `{"name":"a/h","allowNewSession":false}`, ""},
		{"hosts of a pool that is not wished for", `[{"name":"z/h","allowNewSession":true}]`, "Extra z"},
		{"a list of clusters", `[{"id":"1","name":"x","memberGateways":[{"id":"1","name":"m"}],"permissions":[{"id":"v","role":"Admin"}]}]`, "Missing x/n, Missing x/u, Extra x/v, Missing y"},
		{"a cluster without its members", `{"id":"1","name":"x","dataSourceIds":[]}`, ""},
		{"members by themselves", `[{"id":"3","name":"o","version":"1","clusterId":"1"}]`, "Extra x/o"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, err := Read([]byte(tt.input), "f")
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, d := range Compare(wish, Live(wish, e)) {
				if d.Change != Changed {
					found = append(found, string(d.Change)+" "+strings.Join(d.Path, "/"))
				}
			}
			if got := strings.Join(found, ", "); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
