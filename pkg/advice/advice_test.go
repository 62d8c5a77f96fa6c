package advice

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

func TestSummarise(t *testing.T) {
	p := goodPool()
	p.MaxSessionLimit = 12
	p.SessionHosts = nil
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		h := hostpool.Host{Name: name, Status: hostpool.Available, AllowNewSession: true, AnonymousSessions: 13}
		p.SessionHosts = append(p.SessionHosts, h)
	}
	p.SessionHosts[0].Status = hostpool.Upgrading
	p.SessionHosts[1].Status = hostpool.UpgradeFailed
	p.SessionHosts[2].Status = hostpool.UpgradeFailed
	p.Description = "pwd=hunter2" // not shown here, but by the linter
	c := goodCluster()
	c.Members[1].Status = gateway.Offline
	findings := append(Pool(p, Options{Now: now}), Cluster(c, nil, Options{Now: now})...)
	other := goodPool()
	other.Name, other.MaxSessionLimit, other.SessionHosts[0].AnonymousSessions = "hp-us", 1, 1
	findings = append(findings, Pool(other, Options{Now: now})...)

	got := Summarise(findings)
	want := []string{
		"hp-eu: 7 hosts carry more than the limit of 12: a, b, c, d, e and 2 more",
		"hp-eu: host a is Upgrading: it takes new sessions, but may not answer",
		"hp-eu: 2 hosts are UpgradeFailed: they take new sessions, but may not answer: b, c",
		"finance: member GW-2 is Offline but enabled, and may cost requests a failed attempt: disable or remove it",
		"hp-us: host avd-0 carries 2 sessions, more than the limit of 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := Summarise(nil); got == nil || len(got) != 0 {
		t.Errorf("of nothing: %#v, want an empty list, which is [] in JSON", got)
	}
}

// TestEveryFindingCanBeSummed: two findings of one rule in one resource make a
// line that reads well only if the rule gave a phrase for many.
func TestEveryFindingCanBeSummed(t *testing.T) {
	all := poolExamples()
	for rule, examples := range clusterExamples() {
		all[rule] = append(all[rule], examples...)
	}
	for rule, examples := range all {
		for _, e := range examples {
			findings := e.findings()
			for _, f := range findings {
				if (f.item == "") != (f.many == "") {
					t.Errorf("%s/%s: item %q without many %q, or the other way round", rule, e.name, f.item, f.many)
				}
				same := func(g Finding) bool { return g.Rule == f.Rule }
				if declared, _ := Lookup(f.Rule); declared.Shown && f.many == "" && slices.IndexFunc(findings, same) != lastIndexFunc(findings, same) {
					t.Errorf("%s/%s: several findings, but no phrase for many", rule, e.name)
				}
			}
		}
	}
}

func lastIndexFunc(s []Finding, f func(Finding) bool) int {
	for i := len(s) - 1; i >= 0; i-- {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

func TestFindingAsJSON(t *testing.T) {
	p := goodPool()
	p.MaxSessionLimit = 999999
	got, err := json.Marshal(Pool(p, Options{Now: now}))
	want := `[{"rule":"depth-first-limit-999999","severity":"Warning","kind":"HostPool","resource":"hp-eu","path":["maxSessionLimit"],` +
		`"message":"DepthFirst with maxSessionLimit 999999, which is no limit: one host takes every session, and Start VM on Connect never starts another",` +
		`"fix":"gatepool set-hostpool hp-eu --max-session-limit N"}]`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

// anyPool draws pools of few names, so that they collide.
func anyPool() *rapid.Generator[*hostpool.Pool] {
	users := rapid.SampledFrom([]string{"alice@contoso.example", "Alice@contoso.example", "bob@contoso.example", "o'neil $(x)", "kim@contoso.example", "KIM@contoso.example", "\u212Aim@contoso.example", "Élan@x", "élan@x", "@`", "``"})
	states := rapid.SampledFrom([]hostpool.SessionState{hostpool.SessionActive, hostpool.SessionDisconnected, hostpool.SessionPending, hostpool.SessionLogOff})
	statuses := rapid.Map(rapid.SampledFrom(hostpool.Status("").Values()), func(s string) hostpool.Status { return hostpool.Status(s) })
	texts := rapid.SampledFrom([]string{"", "", "plain", "note: 8 to 18 h", "pwd=" + canary})
	times := rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.Bool().Draw(t, "known") {
			return now.Add(-time.Duration(rapid.IntRange(-5, 60).Draw(t, "minutes")) * time.Minute)
		}
		return time.Time{}
	})
	return rapid.Custom(func(t *rapid.T) *hostpool.Pool {
		p := &hostpool.Pool{
			Name:                          "hp",
			HostPoolType:                  rapid.SampledFrom([]hostpool.Type{hostpool.Pooled, hostpool.Personal, hostpool.BYODesktop}).Draw(t, "type"),
			LoadBalancerType:              hostpool.LoadBalancerType(rapid.SampledFrom(hostpool.LoadBalancerType("").Values()).Draw(t, "algorithm")),
			MaxSessionLimit:               rapid.SampledFrom([]int{0, 1, 2, hostpool.NoLimit}).Draw(t, "limit"),
			PersonalDesktopAssignmentType: rapid.SampledFrom([]hostpool.AssignmentType{"", hostpool.Automatic, hostpool.Direct}).Draw(t, "assignment"),
			StartVMOnConnect:              rapid.Bool().Draw(t, "start"),
			Description:                   texts.Draw(t, "description"),
			Tags:                          rapid.MapOfN(rapid.SampledFrom([]string{"a", "password", "pwd=" + canary, "Pwd=" + canary}), texts, 0, 3).Draw(t, "tags"),
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "hosts") {
			h := hostpool.Host{
				Name: fmt.Sprintf("h%d", i), Status: statuses.Draw(t, "status"), AllowNewSession: rapid.Bool().Draw(t, "allow"),
				LastHeartBeat: times.Draw(t, "heartbeat"), FriendlyName: texts.Draw(t, "friendly"),
				AnonymousSessions: rapid.IntRange(0, 2).Draw(t, "anonymous"),
			}
			if rapid.Bool().Draw(t, "owned") {
				h.AssignedUser = users.Draw(t, "owner")
			}
			for j := range rapid.IntRange(0, 3).Draw(t, "sessions") {
				s := hostpool.Session{User: users.Draw(t, "user"), State: states.Draw(t, "state"), Created: times.Draw(t, "created")}
				if rapid.Bool().Draw(t, "id") {
					s.ID = fmt.Sprint(j)
				}
				h.Sessions = append(h.Sessions, s)
			}
			p.SessionHosts = append(p.SessionHosts, h)
		}
		return p
	})
}

// canary is the secret in the drawn pools.
const canary = "hunter2"

func TestPoolProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPool().Draw(t, "pool")
		before := fmt.Sprintf("%+v", *p)
		found := Pool(p, Options{Now: now})
		if again := Pool(p, Options{Now: now}); !reflect.DeepEqual(found, again) {
			t.Fatalf("not the same twice:\n%+v\n%+v", found, again)
		}
		if fmt.Sprintf("%+v", *p) != before {
			t.Fatal("the pool was changed")
		}
		checkFindings(t, found)
		for _, f := range found {
			if !leadsSomewhere(p, f.Path) {
				t.Fatalf("path %q leads nowhere: %+v", f.Path, f)
			}
		}

		// What a rule says of a host does not depend on the hosts around it.
		for _, rule := range []string{"drained-host-with-sessions", "host-over-limit", "host-upgrading", "session-on-unusable-host",
			"direct-host-without-user", "personal-host-shared", "session-of-another-user"} {
			var each []string
			for _, h := range p.SessionHosts {
				alone := *p
				alone.SessionHosts = []hostpool.Host{h}
				each = append(each, places(Pool(&alone, Options{Now: now}), rule)...)
			}
			if got := places(found, rule); !slices.Equal(got, each) {
				t.Fatalf("%s: %q, host by host %q", rule, got, each)
			}
		}

		// Disabling a rule takes away its findings and nothing else.
		disabled := rapid.SampledFrom(Rules()).Draw(t, "disabled").ID
		rest := slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.Rule == disabled })
		if got := Pool(p, Options{Now: now, Disable: map[string]bool{disabled: true}}); !slices.EqualFunc(got, rest, func(a, b Finding) bool { return reflect.DeepEqual(a, b) }) {
			t.Fatalf("without %s: %+v", disabled, got)
		}

		// One finding a user who has two sessions to come back to.
		sessions := map[string]int{}
		for _, h := range p.SessionHosts {
			for _, s := range h.Sessions {
				if p.Balanced() && (s.State == hostpool.SessionActive || s.State == hostpool.SessionDisconnected) {
					sessions[strings.ToLower(s.User)]++
				}
			}
		}
		want := 0
		for _, n := range sessions {
			if n > 1 {
				want++
			}
		}
		if got := len(places(found, "user-with-two-sessions")); got != want {
			t.Fatalf("%d users with two sessions, want %d", got, want)
		}
	})
}

// places returns the findings of one rule as the examples write them.
func places(found []Finding, rule string) []string {
	var all []string
	for _, f := range found {
		if f.Rule == rule {
			all = append(all, place(f))
		}
	}
	return all
}

// checkFindings checks what holds for findings of either kind.
func checkFindings(t *rapid.T, found []Finding) {
	order := map[string]int{}
	for i, r := range Rules() {
		order[r.ID] = i
	}
	last := -1
	seen := map[string]bool{}
	for _, f := range found {
		at, known := order[f.Rule]
		if !known || at < last {
			t.Fatalf("unknown rule, or not in the order of the rules: %+v", f)
		}
		last = at
		if f.Message == "" || f.Fix == "" || len(f.Path) == 0 {
			t.Fatalf("incomplete: %+v", f)
		}
		if text := fmt.Sprintf("%+v", f); strings.Contains(text, canary) {
			t.Fatalf("a secret is repeated: %s", text)
		}
		if key := f.Rule + place(f); seen[key] {
			t.Fatalf("twice: %s", key)
		} else {
			seen[key] = true
		}
	}
	if lines := Summarise(found); len(lines) > len(found) {
		t.Fatalf("%d findings became %d lines", len(found), len(lines))
	}
}

// leadsSomewhere follows a path by the yaml names of properties and by the
// names of list items.
func leadsSomewhere(root any, path []string) bool {
	v := reflect.Indirect(reflect.ValueOf(root))
	for _, step := range path {
		switch v.Kind() {
		case reflect.Map:
			v = v.MapIndex(reflect.ValueOf(step))
		case reflect.Slice:
			v = itemNamed(v, step)
		case reflect.Struct:
			v = property(v, step)
		default:
			return false
		}
		if !v.IsValid() {
			return false
		}
	}
	return true
}

func property(of reflect.Value, name string) reflect.Value {
	for i := range of.NumField() {
		if tag, _, _ := strings.Cut(of.Type().Field(i).Tag.Get("yaml"), ","); tag == name {
			return of.Field(i)
		}
	}
	return reflect.Value{}
}

func itemNamed(list reflect.Value, name string) reflect.Value {
	for i := range list.Len() {
		item := list.Index(i)
		for _, field := range []string{"Name", "ID", "User", "Principal"} {
			if f := item.FieldByName(field); f.IsValid() && f.String() == name {
				return item
			}
		}
	}
	return reflect.Value{}
}

func TestClusterProperties(t *testing.T) {
	percents := rapid.SampledFrom([]int{0, 50, 80, 100})
	rapid.Check(t, func(t *rapid.T) {
		c := &gateway.Cluster{
			Name:           "finance",
			LoadBalancing:  rapid.SampledFrom([]gateway.LoadBalancing{"", gateway.Failover, gateway.Random, gateway.RoundRobin}).Draw(t, "mode"),
			RoundRobinNext: rapid.SampledFrom([]string{"", "gw-0", "gone"}).Draw(t, "next"),
			Description:    rapid.SampledFrom([]string{"", "pwd=" + canary}).Draw(t, "description"),
			DataSources:    []gateway.DataSource{{Name: rapid.SampledFrom([]string{"sales", "pwd=" + canary}).Draw(t, "source"), Connection: "pwd=" + canary}},
		}
		var limits []gateway.Limits
		for i := range rapid.IntRange(0, 12).Draw(t, "members") {
			m := gateway.Member{
				Name:    fmt.Sprintf("GW-%d", i),
				Status:  rapid.SampledFrom([]gateway.MemberStatus{gateway.Online, gateway.Offline}).Draw(t, "status"),
				Enabled: rapid.Bool().Draw(t, "enabled"), Version: rapid.SampledFrom([]string{"", "3000.1.2", "3000.1.3"}).Draw(t, "version"),
				ConfigFile: rapid.SampledFrom([]string{"", "x.config"}).Draw(t, "file"), ActiveOperations: rapid.SampledFrom([]int{0, 40}).Draw(t, "operations"),
			}
			if rapid.Bool().Draw(t, "expiring") {
				m.ExpiryDate = now.AddDate(0, rapid.IntRange(-1, 1).Draw(t, "months"), 0)
			}
			if rapid.Bool().Draw(t, "measured") {
				m.Counters = []gateway.Counter{sample(float64(percents.Draw(t, "cpu")), float64(percents.Draw(t, "memory")))}
			}
			if rapid.Bool().Draw(t, "limited") {
				m.Limits = &gateway.Limits{CPU: percents.Draw(t, "cpu"), Memory: percents.Draw(t, "memory"), AggregationMinutes: 5, Concurrency: 40}
			}
			c.Members = append(c.Members, m)
			limits = append(limits, m.EffectiveLimits())
		}
		// Fewer or more limits than members are no reason to fall over.
		limits = append(limits, gateway.DefaultLimits())[:rapid.IntRange(0, len(limits)+1).Draw(t, "known")]
		before := fmt.Sprintf("%+v", *c)
		found := Cluster(c, limits, Options{Now: now})
		if again := Cluster(c, limits, Options{Now: now}); !reflect.DeepEqual(found, again) {
			t.Fatalf("not the same twice:\n%+v\n%+v", found, again)
		}
		if fmt.Sprintf("%+v", *c) != before {
			t.Fatal("the cluster was changed")
		}
		checkFindings(t, found)
		for _, f := range found {
			if !leadsSomewhere(c, f.Path) {
				t.Fatalf("path %q leads nowhere: %+v", f.Path, f)
			}
		}

		// What a rule says of a member does not depend on the members around it.
		for _, rule := range []string{"version-expired", "threshold-without-samples"} {
			var each []string
			for i, m := range c.Members {
				alone := *c
				alone.Members = []gateway.Member{m}
				each = append(each, places(Cluster(&alone, limits[min(i, len(limits)):], Options{Now: now}), rule)...)
			}
			if got := places(found, rule); !slices.Equal(got, each) {
				t.Fatalf("%s: %q, member by member %q", rule, got, each)
			}
		}
		offline := 0
		for _, m := range c.Members {
			if m.Enabled && m.Status == gateway.Offline {
				offline++
			}
		}
		if got := len(places(found, "offline-but-enabled")); got != offline {
			t.Fatalf("%d members offline but enabled, want %d", got, offline)
		}
	})
}

// BenchmarkPool looks at a pool of 10,000 hosts with 100,000 sessions.
func BenchmarkPool(b *testing.B) {
	p := goodPool()
	p.SessionHosts = nil
	for i := range 10_000 {
		h := hostpool.Host{Name: fmt.Sprintf("avd-%d.contoso.example", i), Status: hostpool.Available, AllowNewSession: true, LastHeartBeat: now}
		for j := range 10 {
			user := fmt.Sprintf("user%d@contoso.example", i*10+j)
			h.Sessions = append(h.Sessions, hostpool.Session{ID: fmt.Sprint(j), User: user, State: hostpool.SessionActive, Created: now})
		}
		p.SessionHosts = append(p.SessionHosts, h)
	}
	if found := Pool(p, Options{Now: now}); len(found) > 0 {
		b.Fatal(found[0])
	}
	for b.Loop() {
		Pool(p, Options{Now: now})
	}
}
