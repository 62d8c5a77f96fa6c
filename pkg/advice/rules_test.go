package advice

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

var now = time.Date(2026, 11, 29, 8, 10, 0, 0, time.UTC)

// goodPool is a pooled pool in which there is nothing to find.
func goodPool() *hostpool.Pool {
	host := func(name, user string) hostpool.Host {
		return hostpool.Host{
			Name: name, Status: hostpool.Available, AllowNewSession: true, LastHeartBeat: now.Add(-time.Minute),
			Sessions: []hostpool.Session{{ID: "2", User: user, State: hostpool.SessionActive, Created: now.Add(-time.Hour)}},
		}
	}
	return &hostpool.Pool{
		Name: "hp-eu", HostPoolType: hostpool.Pooled, LoadBalancerType: hostpool.DepthFirst,
		MaxSessionLimit: 12, StartVMOnConnect: true, Description: "Call centre: 8 to 18 h; contact helpdesk",
		Tags:         map[string]string{"costCenter": "4711", "owner": "desktop team"},
		SessionHosts: []hostpool.Host{host("avd-0", "alice@contoso.example"), host("avd-1", "bob@contoso.example")},
	}
}

// goodPersonal is a personal pool with Direct assignment and nothing to find.
func goodPersonal() *hostpool.Pool {
	p := goodPool()
	p.HostPoolType, p.LoadBalancerType, p.PersonalDesktopAssignmentType = hostpool.Personal, hostpool.Persistent, hostpool.Direct
	p.SessionHosts[0].AssignedUser = "Alice@contoso.example"
	p.SessionHosts[1].AssignedUser = "bob@contoso.example"
	return p
}

func sample(cpu, memory float64) gateway.Counter {
	return gateway.Counter{From: now.Add(-7 * time.Minute), To: now.Add(-2 * time.Minute), CPU: &cpu, Memory: &memory}
}

// goodCluster is a balanced cluster of two in which there is nothing to find.
func goodCluster() *gateway.Cluster {
	member := func(name string) gateway.Member {
		return gateway.Member{
			Name: name, Status: gateway.Online, Enabled: true, Version: "3000.322.5", ExpiryDate: now.AddDate(0, 3, 0),
			Counters: []gateway.Counter{sample(50, 60)}, ActiveOperations: 3,
		}
	}
	return &gateway.Cluster{
		Name: "finance", LoadBalancing: gateway.Random, RoundRobinNext: "gw-2", Contact: "dba@contoso.example",
		Members: []gateway.Member{member("GW-1"), member("GW-2")},
		Users: []gateway.User{
			{Principal: "dba@contoso.example", Role: gateway.Admin},
			{Principal: "bi@contoso.example", Role: gateway.ConnectionCreator, DataSourceTypes: []string{"Sql"}},
		},
		DataSources: []gateway.DataSource{{Name: "sales", Type: "Sql", Connection: "sql01;sales"}},
	}
}

func limits(cpu, memory int) *gateway.Limits {
	return &gateway.Limits{CPU: cpu, Memory: memory, AggregationMinutes: 5, Concurrency: 40}
}

// example is a snapshot that a rule fires on, or does not.
type example struct {
	name    string
	pool    func(*hostpool.Pool) // changes goodPool
	own     func(*hostpool.Pool) // changes goodPersonal
	cluster func(*gateway.Cluster)
	finding func() Finding   // for what the caller finds
	limits  []gateway.Limits // of the cluster's members
	options func(o *Options) // changes {Now: now}
	want    []string         // of each finding: path and message; none: the rule is silent
	fix     string           // of the first finding, where it matters
	also    []string         // rules that fire too, for a cause of their own
}

func (e example) findings() []Finding {
	o := Options{Now: now}
	if e.options != nil {
		e.options(&o)
	}
	switch {
	case e.pool != nil:
		p := goodPool()
		e.pool(p)
		return Pool(p, o)
	case e.own != nil:
		p := goodPersonal()
		e.own(p)
		return Pool(p, o)
	case e.finding != nil:
		return []Finding{e.finding()}
	}
	c := goodCluster()
	if e.cluster != nil {
		e.cluster(c)
	}
	return Cluster(c, e.limits, o)
}

// place is a finding as the examples write it.
func place(f Finding) string { return strings.Join(f.Path, "/") + ": " + f.Message }

func TestNothingToFind(t *testing.T) {
	for what, found := range map[string][]Finding{
		"pooled":   Pool(goodPool(), Options{Now: now}),
		"personal": Pool(goodPersonal(), Options{Now: now}),
		"cluster":  Cluster(goodCluster(), nil, Options{Now: now}),
	} {
		if len(found) > 0 {
			t.Errorf("%s: %+v", what, found)
		}
	}
}

// TestExamples holds every rule to its examples: exactly the findings they
// state, and of no other rule any that they do not state.
func TestExamples(t *testing.T) {
	all := poolExamples()
	for _, more := range []map[string][]example{clusterExamples(), fileExamples()} {
		for rule, examples := range more {
			all[rule] = append(all[rule], examples...)
		}
	}
	for rule, examples := range all {
		declared, ok := Lookup(rule)
		if !ok {
			t.Errorf("examples of %s, which is no rule", rule)
		}
		for _, e := range examples {
			t.Run(rule+"/"+e.name, func(t *testing.T) {
				var got, others []string
				var first Finding
				for _, f := range e.findings() {
					if f.Rule != rule {
						others = append(others, f.Rule)
						continue
					}
					if got == nil {
						first = f
					}
					got = append(got, place(f))
					if f.Severity != declared.Severity || f.Kind == "" || f.Resource == "" || f.Fix == "" {
						t.Errorf("incomplete: %+v", f)
					}
				}
				if !slices.Equal(got, e.want) {
					t.Errorf("got  %q\nwant %q", got, e.want)
				}
				if slices.Sort(others); !slices.Equal(slices.Compact(others), e.also) {
					t.Errorf("other rules %q, want %q", others, e.also)
				}
				if e.fix != "" && first.Fix != e.fix {
					t.Errorf("fix %q\nwant %q", first.Fix, e.fix)
				}
			})
		}
	}
}

func TestEveryRuleHasExamples(t *testing.T) {
	pools, clusters, files := poolExamples(), clusterExamples(), fileExamples()
	for _, r := range Rules() {
		examples := slices.Concat(pools[r.ID], clusters[r.ID], files[r.ID])
		fires := func(e example) bool { return len(e.want) > 0 }
		silent := func(e example) bool { return len(e.want) == 0 }
		if !slices.ContainsFunc(examples, fires) || !slices.ContainsFunc(examples, silent) {
			t.Errorf("%s needs an example that fires and one that does not", r.ID)
		}
	}
}

func TestRulesAreDocumented(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)+$`)
	seen := map[string]bool{}
	for _, r := range Rules() {
		if !kebab.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("id %q is not kebab-case, or not unique", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || strings.HasSuffix(r.Title, ".") || len(r.Title) > 80 {
			t.Errorf("%s: title %q", r.ID, r.Title)
		}
		if !strings.HasSuffix(r.Why, ".") || !strings.HasSuffix(r.Fix, ".") {
			t.Errorf("%s: why and fix are sentences", r.ID)
		}
		if r.Source != Microsoft && r.Source != Decided {
			t.Errorf("%s: source %q", r.ID, r.Source)
		}
		if got, err := ParseSeverity(strings.ToUpper(r.Severity.String())); err != nil || got != r.Severity {
			t.Errorf("%s: severity %v reads back as %v, %v", r.ID, r.Severity, got, err)
		}
	}
}

func TestSeverity(t *testing.T) {
	if !(Info < Warning && Warning < Error) {
		t.Error("severities are not ordered")
	}
	if _, err := ParseSeverity("fatal"); err == nil || !strings.Contains(err.Error(), `"fatal"`) {
		t.Errorf("ParseSeverity(fatal) = %v", err)
	}
	if got := Severity(7).String(); got != "Severity(7)" {
		t.Errorf("String of an unknown severity = %s", got)
	}
	if _, ok := Lookup("no-such-rule"); ok {
		t.Error("Lookup knows a rule that there is not")
	}
}

// TestRulesIsACopy: a caller who sorts what Rules returns changes nothing.
func TestRulesIsACopy(t *testing.T) {
	Rules()[0].ID = "changed"
	if Rules()[0].ID == "changed" {
		t.Error("Rules hands out the table itself")
	}
}
