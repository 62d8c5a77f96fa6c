package exchange

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// merged is a snapshot after an import of everything in an export, as text.
func merged(t *testing.T, s *Snapshot, e *Export) string {
	t.Helper()
	*s = Live(*s, e)
	for _, m := range e.Members {
		MergeMember(s.Clusters[0], m)
	}
	for _, u := range e.DataSourceUsers {
		d := gateway.DataSource{Name: "d"}
		MergeDataSourceUsers(&d, []gateway.DataSourceUser{u, u})
		if len(d.Users) != 1 {
			t.Errorf("users of a data source after the same twice: %v", d.Users)
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSamplesImportTwice(t *testing.T) {
	for _, tt := range exports {
		t.Run(tt.file, func(t *testing.T) {
			s := Snapshot{Clusters: []*gateway.Cluster{{Name: "other", ID: "other"}}}
			first := merged(t, &s, read(t, tt.file))
			if second := merged(t, &s, read(t, tt.file)); second != first {
				t.Errorf("first\n%s\nsecond\n%s", first, second)
			}
		})
	}
}

// hosts and sessions are exports of one pool, hp, with the host h.
func hostsExport(t *testing.T, count int) *Export {
	t.Helper()
	text, err := json.Marshal(map[string]any{"value": []any{map[string]any{"name": "hp/h", "allowNewSession": true, "sessions": count}}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Read(text, "hosts")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// sessionsExport lists sessions given as host/id/user.
func sessionsExport(t *testing.T, sessions ...string) *Export {
	t.Helper()
	list := []any{}
	for _, s := range sessions {
		parts := strings.Split(s, "/")
		list = append(list, map[string]any{"name": "hp/" + parts[0] + "/" + parts[1], "userPrincipalName": parts[2], "sessionState": "Active"})
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Read(text, "sessions")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// seats shows a host as its users and the number of anonymous sessions.
func seats(h *hostpool.Host) string {
	users := ""
	for _, s := range h.Sessions {
		users += s.ID + s.User + " "
	}
	return users + "+" + string(rune('0'+h.AnonymousSessions))
}

func TestCountsAndSessions(t *testing.T) {
	type step struct {
		hosts    int // of an export of hosts, if sessions is nil
		sessions []string
		want     string
	}
	for _, tt := range []struct {
		name  string
		steps []step
	}{
		{"hosts, then sessions", []step{{hosts: 3, want: "+3"}, {sessions: []string{"h/1/a", "h/2/b"}, want: "1a 2b +1"}, {hosts: 3, want: "1a 2b +1"}, {sessions: []string{"h/1/a", "h/2/b"}, want: "1a 2b +1"}}},
		{"sessions, then hosts", []step{{sessions: []string{"h/1/a", "h/2/b"}, want: "1a 2b +0"}, {hosts: 3, want: "1a 2b +1"}, {sessions: []string{"h/1/a", "h/2/b"}, want: "1a 2b +1"}, {hosts: 3, want: "1a 2b +1"}}},
		{"a count that is behind the names", []step{{sessions: []string{"h/1/a", "h/2/b"}, want: "1a 2b +0"}, {hosts: 0, want: "1a 2b +0"}}},
		{"a session ends", []step{{hosts: 2, want: "+2"}, {sessions: []string{"h/1/a", "h/2/b"}, want: "1a 2b +0"}, {sessions: []string{"h/2/b"}, want: "2b +0"}, {hosts: 1, want: "2b +0"}}},
		{"another takes its place", []step{{hosts: 3, want: "+3"}, {sessions: []string{"h/1/a", "h/2/b"}, want: "1a 2b +1"}, {sessions: []string{"h/2/b", "h/3/c"}, want: "2b 3c +0"}}},
		{"an id in another case is the same", []step{{sessions: []string{"h/x/a"}, want: "xa +0"}, {sessions: []string{"H/X/A"}, want: "XA +0"}}},
		{"one user twice", []step{{sessions: []string{"h/1/a", "h/2/a"}, want: "1a 2a +0"}, {sessions: []string{"h/1/a", "h/2/a"}, want: "1a 2a +0"}}},
		{"a list of another host", []step{{sessions: []string{"h/1/a"}, want: "1a +0"}, {sessions: []string{"i/1/b"}, want: "1a +0"}}},
		{"a list of the pool without this host", []step{{sessions: []string{"h/1/a"}, want: "1a +0"}, {sessions: []string{"i/1/b", "j/1/c"}, want: "+0"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := NewPool("hp")
			for i, step := range tt.steps {
				if step.sessions != nil {
					MergeSessions(&p, sessionsExport(t, step.sessions...), false)
				} else {
					MergeHost(&p, hostsExport(t, step.hosts).Hosts[0])
				}
				if got := seats(p.Host("h")); got != step.want {
					t.Fatalf("step %d: %s, want %s", i+1, got, step.want)
				}
			}
		})
	}
}

func TestMergeSessions(t *testing.T) {
	pool := func() hostpool.Pool {
		p := NewPool("hp")
		p.SessionHosts = []hostpool.Host{
			{Name: "h", Sessions: []hostpool.Session{{User: "A", State: hostpool.SessionDisconnected}, {ID: "7", User: "b"}}},
			{Name: "i", Sessions: []hostpool.Session{{ID: "1", User: "c"}}},
		}
		return p
	}
	t.Run("a session without an id is found by its user", func(t *testing.T) {
		p := pool()
		MergeSessions(&p, sessionsExport(t, "h/3/a", "h/7/b"), false)
		if got := seats(p.Host("h")); got != "3a 7b +0" {
			t.Error(got)
		}
	})
	t.Run("the whole list of the pool", func(t *testing.T) {
		p := pool()
		MergeSessions(&p, sessionsExport(t), true)
		if p.Host("h").SessionCount()+p.Host("i").SessionCount() != 0 {
			t.Errorf("%+v", p.SessionHosts)
		}
	})
	t.Run("a cut list removes nothing", func(t *testing.T) {
		p := pool()
		e := sessionsExport(t, "h/9/z", "i/1/c")
		e.NextLink = "more"
		MergeSessions(&p, e, true)
		if got := seats(p.Host("h")); got != "A 7b 9z +0" {
			t.Error(got)
		}
	})
	t.Run("another pool's sessions", func(t *testing.T) {
		p := pool()
		p.Name = "other"
		MergeSessions(&p, sessionsExport(t, "h/9/z", "i/1/c"), false)
		if got := seats(p.Host("h")); got != "A 7b +0" {
			t.Error(got)
		}
	})
}

// TestMergeLeavesTheRest has what an export does not know, or does not have a
// say in, stay.
func TestMergeLeavesTheRest(t *testing.T) {
	e, err := Read([]byte(`[{"name":"HP","hostPoolType":"Pooled","maxSessionLimit":7},{"name":"HP/H","allowNewSession":false}]`), "f")
	if err != nil {
		t.Fatal(err)
	}
	p := hostpool.Pool{Name: "hp", LoadBalancerType: hostpool.DepthFirst, MaxSessionLimit: 5, FriendlyName: "f", SessionHosts: []hostpool.Host{{Name: "g"}, {Name: "h", Status: hostpool.Shutdown, AllowNewSession: true, AnonymousSessions: 2}}}
	MergePool(&p, e.Pools[0])
	MergeHost(&p, e.Hosts[0])
	want := hostpool.Pool{Name: "hp", HostPoolType: hostpool.Pooled, LoadBalancerType: hostpool.DepthFirst, MaxSessionLimit: 7, FriendlyName: "f", SessionHosts: []hostpool.Host{{Name: "g"}, {Name: "h", Status: hostpool.Shutdown, AnonymousSessions: 2}}}
	if differences := Compare(Snapshot{Pools: []*hostpool.Pool{&want}}, Snapshot{Pools: []*hostpool.Pool{&p}}); len(differences) > 0 || p.Name != "hp" || p.SessionHosts[1].Name != "h" {
		t.Errorf("%+v", differences)
	}
}

func TestMergeCluster(t *testing.T) {
	e, err := Read([]byte(`{"id":"C","name":"New","loadBalancingSettings":"{\"selector\":0}","dataSourceIds":[],
		"memberGateways":[{"id":"m2","name":"b","version":"2","status":"Offline"},{"id":"c","name":"A2"}],
		"permissions":[{"id":"u1","role":"ConnectionCreator","principalType":"User"}],
		"datasources":[{"id":"d1","datasourceType":"Sql","datasourceName":"sales2","connectionDetails":"{\"server\":\"s\",\"database\":\"b\"}"}]}`), "f")
	if err != nil {
		t.Fatal(err)
	}
	limits := &gateway.Limits{CPU: 80}
	c := gateway.Cluster{Name: "old", ID: "c", LoadBalancing: gateway.RoundRobin, Description: "mine",
		Members:     []gateway.Member{{Name: "B", Enabled: true, Limits: limits}, {Name: "a", ID: "c", Enabled: true}, {Name: "gone", ID: "m9"}},
		Users:       []gateway.User{{Principal: "dba@contoso.example", ID: "U1", Role: gateway.Admin}},
		DataSources: []gateway.DataSource{{Name: "sales", ID: "d1", Users: []gateway.DataSourceUser{{Principal: "x", Right: "Read"}}}},
	}
	if !e.Clusters[0].Is(&c) {
		t.Fatal("the cluster of that id is not recognised")
	}
	MergeCluster(&c, e.Clusters[0])
	want := gateway.Cluster{Name: "New", ID: "C", LoadBalancing: gateway.RoundRobin, Description: "mine",
		Members:     []gateway.Member{{Name: "A2", ID: "c", Enabled: true}, {Name: "B", ID: "m2", Enabled: true, Limits: limits, Version: "2", Status: gateway.Offline}, {Name: "gone", ID: "m9"}},
		Users:       []gateway.User{{Principal: "dba@contoso.example", ID: "u1", Role: gateway.ConnectionCreator, PrincipalType: "User"}},
		DataSources: []gateway.DataSource{{Name: "sales2", ID: "d1", Type: "Sql", Connection: "s;b", Users: []gateway.DataSourceUser{{Principal: "x", Right: "Read"}}}},
	}
	got, _ := json.MarshalIndent(c, "", " ")
	expected, _ := json.MarshalIndent(want, "", " ")
	if string(got) != string(expected) {
		t.Errorf("got\n%s\nwant\n%s", got, expected)
	}
}

// TestMergeKeepsNamesUnique has ids and names that do not agree.
func TestMergeKeepsNamesUnique(t *testing.T) {
	known := Known{"id": true, "name": true, "version": true}
	fact := MemberFacts{Member: gateway.Member{Name: "b", ID: "2", Version: "v"}, Known: known}
	for _, tt := range []struct {
		name          string
		members, want []gateway.Member
	}{
		{"the id counts, but another has the name", []gateway.Member{{Name: "B"}, {Name: "z", ID: "2"}}, []gateway.Member{{Name: "B"}, {Name: "z", ID: "2", Version: "v"}}},
		{"set up anew under its name", []gateway.Member{{Name: "B", ID: "1"}}, []gateway.Member{{Name: "B", ID: "2", Version: "v"}}},
	} {
		c := gateway.Cluster{Members: tt.members}
		MergeMember(&c, fact)
		if !reflect.DeepEqual(c.Members, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, c.Members, tt.want)
		}
	}
}

func TestJoinPages(t *testing.T) {
	page := func(name, next string) *Export {
		e, err := Read([]byte(`{"value":[{"name":"hp/`+name+`","allowNewSession":true}],"nextLink":`+next+`}`), name)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	first, second, last := page("a", `"https://x/2"`), page("b", `"https://x/3"`), page("c", "null")
	if first.Complete() || !last.Complete() {
		t.Error("a page with a link is complete, or one without is not")
	}
	if all := Join(first, second, last); !all.Complete() || len(all.Hosts) != 3 || !all.HostsOf["hp"] {
		t.Errorf("all pages: %+v", all)
	}
	if cut := Join(first, second); cut.Complete() || cut.NextLink != "https://x/3" {
		t.Errorf("without the last page: %+v", cut)
	}
}

func TestJoinPagesOfSessions(t *testing.T) {
	first, last := sessionsExport(t, "h/1/a"), sessionsExport(t, "i/1/b")
	if Join(first, last).SessionsOf["hp"] {
		t.Error("two lists of a host each are taken for the pool's")
	}
	first.NextLink = "https://x/2"
	if !Join(first, last).SessionsOf["hp"] {
		t.Error("two pages of a list with two hosts are not taken for the pool's")
	}
}

func TestAssumePool(t *testing.T) {
	e, err := Read([]byte(`[{"name":"h","allowNewSession":true,"sessions":1},{"name":"1","sessionHostName":"h","userPrincipalName":"u","sessionState":"Active"},{"name":"2","sessionHostName":"i","userPrincipalName":"v","sessionState":"Active"}]`), "f")
	if err != nil {
		t.Fatal(err)
	}
	e.AssumePool("HP")
	if e.Hosts[0].Pool != "HP" || e.Sessions[1].Pool != "HP" || !e.HostsOf["hp"] || !e.SessionsOf["hp"] || e.HostsOf[""] {
		t.Errorf("%+v", e)
	}
}

func TestMergeCounters(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 1, 5, 12, minute, 0, 0, time.UTC) }
	value := func(v float64) *float64 { return &v }
	m := gateway.Member{Counters: []gateway.Counter{{From: at(0), To: at(5), CPU: value(1)}, {From: at(20), To: at(25), CPU: value(2)}}}
	samples := []gateway.Counter{{From: at(20), To: at(25), Memory: value(3)}, {From: at(10), To: at(15), CPU: value(4)}, {From: at(30), To: at(35), CPU: value(5)}}
	for range 2 { // the same again changes nothing
		MergeCounters(&m, samples, 20*time.Minute)
		got, _ := json.Marshal(m.Counters)
		want := `[{"from":"2026-01-05T12:10:00Z","to":"2026-01-05T12:15:00Z","cpu":4},{"from":"2026-01-05T12:20:00Z","to":"2026-01-05T12:25:00Z","cpu":2,"memory":3},{"from":"2026-01-05T12:30:00Z","to":"2026-01-05T12:35:00Z","cpu":5}]`
		if string(got) != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestMergeCountersKeepsTheOrder(t *testing.T) {
	sample := func(minute int) gateway.Counter {
		from := time.Date(2026, 1, 5, 12, minute, 0, 0, time.UTC)
		return gateway.Counter{From: from, To: from.Add(5 * time.Minute)}
	}
	m := gateway.Member{Counters: []gateway.Counter{sample(20), sample(0), sample(30)}}
	MergeCounters(&m, []gateway.Counter{sample(0), sample(20)}, time.Hour)
	if want := []gateway.Counter{sample(20), sample(0), sample(30)}; !reflect.DeepEqual(m.Counters, want) {
		t.Errorf("after what is known already: %v, want %v", m.Counters, want)
	}
	MergeCounters(&m, []gateway.Counter{sample(25), sample(10), sample(40)}, time.Hour)
	if want := []gateway.Counter{sample(10), sample(20), sample(0), sample(25), sample(30), sample(40)}; !reflect.DeepEqual(m.Counters, want) {
		t.Errorf("after new ones: %v, want %v", m.Counters, want)
	}
}

func TestAssumeCluster(t *testing.T) {
	e := read(t, "fabric-list-gateway-members.learn-sample.json")
	e.DataSources = []DataSourceFacts{{ClusterID: "its own"}, {}}
	e.AssumeCluster("c")
	if e.Members[1].ClusterID != "c" || e.DataSources[0].ClusterID != "its own" || e.DataSources[1].ClusterID != "c" {
		t.Errorf("%+v", e)
	}
}
