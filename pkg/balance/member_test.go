package balance

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"gatepool/pkg/gateway"
)

var clock = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// cluster makes a cluster of members g1, g2 … that are online and enabled.
func cluster(mode gateway.LoadBalancing, n int) *gateway.Cluster {
	c := &gateway.Cluster{Name: "fin", LoadBalancing: mode}
	for i := range n {
		c.Members = append(c.Members, gateway.Member{Name: fmt.Sprintf("g%d", i+1), Status: gateway.Online, Enabled: true})
	}
	return c
}

func ptr(v float64) *float64 { return &v }

// sample is a span that ended so long before the clock's time.
func sample(ago time.Duration, cpu, memory *float64) gateway.Counter {
	return gateway.Counter{From: clock.Add(-ago - 5*time.Minute), To: clock.Add(-ago), CPU: cpu, Memory: memory}
}

// attempts writes attempts as member:result.
func attempts(d MemberDecision) string {
	var s []string
	for _, a := range d.Attempts {
		s = append(s, a.Member+":"+string(a.Result))
	}
	return strings.Join(s, " ")
}

func memberVerdicts(d MemberDecision) string {
	var s []string
	for _, m := range d.Members {
		s = append(s, string(m.Verdict))
	}
	return strings.Join(s, " ")
}

// inState makes a cluster of members in these states: ok, off (line),
// dis(abled), cpu, mem, con.
func inState(mode gateway.LoadBalancing, states string) *gateway.Cluster {
	fields := strings.Fields(states)
	c := cluster(mode, len(fields))
	for i, state := range fields {
		m := &c.Members[i]
		m.Limits = &gateway.Limits{CPU: 80, Memory: 90, AggregationMinutes: 5, Concurrency: 40}
		m.Counters = []gateway.Counter{sample(time.Minute, ptr(50), ptr(60))}
		switch state {
		case "off":
			m.Status = gateway.Offline
		case "dis":
			m.Enabled = false
		case "cpu":
			m.Counters[0].CPU = ptr(85.5)
		case "mem":
			m.Counters[0].Memory = ptr(90)
		case "con":
			m.ActiveOperations = 40
		}
	}
	return c
}

func TestOrdered(t *testing.T) {
	for _, test := range []struct {
		mode     gateway.LoadBalancing
		next     string
		states   string
		member   string
		attempts string
		verdicts string
		turn     string // the member to try first next time
	}{
		{"Failover", "", "ok ok ok", "g1", "g1:Accepted", "Chosen NotTried NotTried", ""},
		{"", "", "ok ok ok", "g1", "g1:Accepted", "Chosen NotTried NotTried", ""},
		{"Failover", "g2", "ok ok ok", "g1", "g1:Accepted", "Chosen NotTried NotTried", ""},
		{"Failover", "", "off ok ok", "g2", "g1:Offline g2:Accepted", "Offline Chosen NotTried", ""},
		{"Failover", "", "off off ok", "g3", "g1:Offline g2:Offline g3:Accepted", "Offline Offline Chosen", ""},
		{"Failover", "", "dis ok off", "g2", "g2:Accepted", "Disabled Chosen Offline", ""},
		{"Failover", "", "cpu ok", "", "g1:CpuLimit", "CpuLimit NotTried", ""},
		{"Failover", "", "off mem ok", "", "g1:Offline g2:MemoryLimit", "Offline MemoryLimit NotTried", ""},
		{"Failover", "", "off off", "", "g1:Offline g2:Offline", "Offline Offline", ""},

		{"RoundRobin", "", "ok ok ok", "g1", "g1:Accepted", "Chosen NotTried NotTried", "g2"},
		{"RoundRobin", "G2", "ok ok ok", "g2", "g2:Accepted", "NotTried Chosen NotTried", "g3"},
		{"RoundRobin", "g3", "ok ok ok", "g3", "g3:Accepted", "NotTried NotTried Chosen", "g1"},
		{"RoundRobin", "g2", "ok dis ok", "g3", "g3:Accepted", "NotTried Disabled Chosen", "g1"},
		{"RoundRobin", "g1", "ok dis ok", "g1", "g1:Accepted", "Chosen Disabled NotTried", "g2"},
		{"RoundRobin", "g2", "ok off off", "g1", "g2:Offline g3:Offline g1:Accepted", "Chosen Offline Offline", "g2"},
		{"RoundRobin", "g2", "ok con cpu", "g1", "g2:ConcurrencyLimit g3:CpuLimit g1:Accepted", "Chosen ConcurrencyLimit CpuLimit", "g2"},
		{"RoundRobin", "g2", "mem con off", "", "g2:ConcurrencyLimit g3:Offline g1:MemoryLimit", "MemoryLimit ConcurrencyLimit Offline", ""},
		{"RoundRobin", "", "ok", "g1", "g1:Accepted", "Chosen", "g1"},
	} {
		t.Run(fmt.Sprint(test.mode, test.next, " ", test.states), func(t *testing.T) {
			c := inState(test.mode, test.states)
			c.RoundRobinNext = test.next
			d := SelectMember(c, nil, clock, nil)
			if d.Member != test.member || attempts(d) != test.attempts || memberVerdicts(d) != test.verdicts || d.Next != test.turn {
				t.Errorf("%q after %s: %s, next %q\nwant %+v", d.Member, attempts(d), memberVerdicts(d), d.Next, test)
			}
			if offline := strings.Count(test.attempts, "Offline"); len(d.Warnings) != offline {
				t.Errorf("warnings %q, want one for each of %d offline members tried", d.Warnings, offline)
			}
			first := strings.Split(test.attempts, ":")[0]
			for i, m := range d.Members {
				if want := map[bool]float64{true: 1}[m.Name == first]; m.FirstTry != want {
					t.Errorf("%s is tried first with %v, want %v", m.Name, m.FirstTry, want)
				}
				if want := map[bool]float64{true: 1}[i == d.MemberIndex]; m.Probability != want {
					t.Errorf("%s takes the request with %v, want %v", m.Name, m.Probability, want)
				}
			}
		})
	}
}

func TestUnknownMemberInTurn(t *testing.T) {
	c := cluster(gateway.RoundRobin, 2)
	c.RoundRobinNext = "gone"
	if d := SelectMember(c, nil, clock, nil); d.Member != "g1" || d.Next != "g2" || len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "gone") {
		t.Errorf("%s, next %s, warnings %q", d.Member, d.Next, d.Warnings)
	}
}

func TestRandomProbabilities(t *testing.T) {
	third := 1.0 / 3
	for _, test := range []struct {
		states           string
		takes, firstTry  []float64
		refusedOrAllSame bool
	}{
		{"ok ok ok", []float64{third, third, third}, []float64{third, third, third}, false},
		{"off ok ok", []float64{0, .5, .5}, []float64{third, third, third}, false},
		{"cpu ok dis ok", []float64{0, .5, 0, .5}, []float64{third, third, 0, third}, false},
		{"mem off con ok", []float64{0, 0, 0, 1}, []float64{.25, .25, .25, .25}, false},
		{"cpu off", []float64{0, 0}, []float64{.5, .5}, true},
		{"dis dis", []float64{0, 0}, []float64{0, 0}, true},
	} {
		d := SelectMember(inState(gateway.Random, test.states), nil, clock, seeded(1))
		for i, m := range d.Members {
			if m.Probability != test.takes[i] || m.FirstTry != test.firstTry[i] {
				t.Errorf("%s: %s takes the request with %v (want %v), is tried first with %v (want %v)",
					test.states, m.Name, m.Probability, test.takes[i], m.FirstTry, test.firstTry[i])
			}
		}
		if (d.Refusal != nil) != test.refusedOrAllSame {
			t.Errorf("%s: refusal %v", test.states, d.Refusal)
		}
	}
}

// A cluster of three whose primary is offline: each member is tried first in a
// third of all cases. 13.82 is the value that chi-squared with 2 degrees of
// freedom exceeds once in 1,000.
func TestRandomWithPrimaryOffline(t *testing.T) {
	const seeds = 30_000
	c := inState(gateway.Random, "off ok ok")
	first := map[string]int{}
	for seed := range uint64(seeds) {
		d := SelectMember(c, nil, clock, seeded(seed))
		first[d.Attempts[0].Member]++
		tried := map[string]bool{}
		for _, a := range d.Attempts {
			if tried[a.Member] {
				t.Fatalf("%s was tried twice", a.Member)
			}
			tried[a.Member] = true
		}
		warned := len(d.Warnings) == 1 && strings.Contains(d.Warnings[0], "gatepool disable-member fin g1")
		if tried["g1"] != warned || d.Member == "g1" || d.Members[0].Verdict != Offline {
			t.Fatalf("attempts %s, warnings %q", attempts(d), d.Warnings)
		}
	}
	chi2 := 0.0
	for _, name := range []string{"g1", "g2", "g3"} {
		diff := float64(first[name]) - seeds/3.0
		chi2 += diff * diff / (seeds / 3.0)
	}
	if chi2 > 13.82 {
		t.Errorf("chi-squared %.2f: %v", chi2, first)
	}
}

func TestOfflineMemberWarning(t *testing.T) {
	d := SelectMember(inState(gateway.Failover, "off off ok"), nil, clock, nil)
	want := []string{
		"g1 is offline but enabled, which cost a failed attempt; gatepool disable-member fin g1",
		"g2 is offline but enabled, which cost a failed attempt; gatepool disable-member fin g2 or gatepool remove-member fin g2",
	}
	if !reflect.DeepEqual(d.Warnings, want) {
		t.Errorf("warnings %q, want %q", d.Warnings, want)
	}
	d = SelectMember(inState(gateway.Failover, "off"), nil, clock, nil)
	if len(d.Warnings) != 1 || !strings.HasSuffix(d.Warnings[0], "gatepool remove-member fin g1") {
		t.Errorf("the only member can be removed: %q", d.Warnings)
	}
}

func TestLimits(t *testing.T) {
	both := func(v float64) []gateway.Counter { return []gateway.Counter{sample(time.Minute, ptr(v), ptr(v))} }
	for _, test := range []struct {
		name       string
		limits     gateway.Limits
		counters   []gateway.Counter
		operations int
		result     Verdict
		cpu        *float64
		warnings   int
	}{
		{"all off", gateway.Limits{}, both(100), 1000, Accepted, ptr(100), 0},
		{"below", gateway.Limits{CPU: 80}, both(79.9), 0, Accepted, ptr(79.9), 0},
		{"at the threshold", gateway.Limits{CPU: 80}, both(80), 0, CPULimit, ptr(80), 0},
		{"above", gateway.Limits{CPU: 80}, both(80.1), 0, CPULimit, ptr(80.1), 0},
		{"100 is a threshold, too", gateway.Limits{CPU: 100}, both(100), 0, CPULimit, ptr(100), 0},
		{"memory at the threshold", gateway.Limits{Memory: 80}, both(80), 0, MemoryLimit, ptr(80), 0},
		{"memory below", gateway.Limits{Memory: 80}, both(79), 0, Accepted, ptr(79), 0},
		{"concurrency at the limit", gateway.Limits{Concurrency: 40}, nil, 40, ConcurrencyLimit, nil, 0},
		{"concurrency below", gateway.Limits{Concurrency: 40}, nil, 39, Accepted, nil, 0},
		{"CPU is checked first", gateway.Limits{CPU: 80, Memory: 80, Concurrency: 40}, both(90), 40, CPULimit, ptr(90), 0},
		{"then memory", gateway.Limits{CPU: 95, Memory: 80, Concurrency: 40}, both(90), 40, MemoryLimit, ptr(90), 0},
		{"then concurrency", gateway.Limits{CPU: 95, Memory: 95, Concurrency: 40}, both(90), 40, ConcurrencyLimit, ptr(90), 0},
		{"nothing measured", gateway.Limits{CPU: 1, Memory: 1}, nil, 0, Accepted, nil, 2},
		{"memory measured only", gateway.Limits{CPU: 1, Memory: 90}, []gateway.Counter{sample(time.Minute, nil, ptr(50))}, 0, Accepted, nil, 1},

		{"the window's end is in", gateway.Limits{CPU: 80}, []gateway.Counter{sample(0, ptr(90), nil)}, 0, CPULimit, ptr(90), 0},
		{"the future is not", gateway.Limits{CPU: 80}, []gateway.Counter{sample(-time.Nanosecond, ptr(90), nil)}, 0, Accepted, nil, 1},
		{"just inside the window's start", gateway.Limits{CPU: 80}, []gateway.Counter{sample(5*time.Minute-time.Nanosecond, ptr(90), nil)}, 0, CPULimit, ptr(90), 0},
		{"the window's start is out", gateway.Limits{CPU: 80}, []gateway.Counter{sample(5*time.Minute, ptr(90), nil)}, 0, Accepted, nil, 1},
		{"a longer window", gateway.Limits{CPU: 80, AggregationMinutes: 6}, []gateway.Counter{sample(5*time.Minute, ptr(90), nil)}, 0, CPULimit, ptr(90), 0},
		{"a shorter window", gateway.Limits{CPU: 80, AggregationMinutes: 1}, []gateway.Counter{sample(time.Minute, ptr(90), nil)}, 0, Accepted, nil, 1},
		{"the mean, not the last", gateway.Limits{CPU: 80},
			[]gateway.Counter{sample(3*time.Minute, ptr(60), nil), sample(2*time.Minute, nil, ptr(1)), sample(time.Minute, ptr(99), nil), sample(9*time.Minute, ptr(1), nil)}, 0, Accepted, ptr(79.5), 0},
		{"binary fractions don't decide", gateway.Limits{CPU: 80},
			[]gateway.Counter{sample(3*time.Minute, ptr(70.1), nil), sample(2*time.Minute, ptr(80.2), nil), sample(time.Minute, ptr(89.7), nil)}, 0, CPULimit, ptr(80), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := cluster(gateway.Random, 1)
			c.Members[0].Counters, c.Members[0].ActiveOperations = test.counters, test.operations
			d := SelectMember(c, []gateway.Limits{test.limits}, clock, seeded(1))
			a := d.Attempts[0]
			if a.Result != test.result || !reflect.DeepEqual(a.CPU, test.cpu) || a.ActiveOperations != test.operations {
				t.Errorf("attempt %+v, want %s", a, test.result)
			}
			if len(d.Warnings) != test.warnings {
				t.Errorf("warnings %q, want %d", d.Warnings, test.warnings)
			}
		})
	}
}

func TestLimitsGivenWinOverTheDescription(t *testing.T) {
	c := inState(gateway.Failover, "con con")
	if d := SelectMember(c, []gateway.Limits{{Concurrency: 41}}, clock, nil); d.Member != "g1" {
		t.Errorf("the limits given were not applied: %s", attempts(d))
	}
	c.Members[0].Status = gateway.Offline
	if d := SelectMember(c, []gateway.Limits{{Concurrency: 41}}, clock, nil); attempts(d) != "g1:Offline g2:ConcurrencyLimit" {
		t.Errorf("a member without given limits has those of its description: %s", attempts(d))
	}
	c.Members[1].Limits = nil
	if d := SelectMember(c, nil, clock, nil); attempts(d) != "g1:Offline g2:ConcurrencyLimit" {
		t.Errorf("a member without any limits allows 40 operations: %s", attempts(d))
	}
}

func TestUnmeasuredWarning(t *testing.T) {
	c := cluster(gateway.Failover, 1)
	c.Members[0].Limits = &gateway.Limits{CPU: 80, AggregationMinutes: 1}
	want := []string{"nothing was measured of the CPU of g1 in the last 1 minute, so its limit of 80 % was not applied"}
	if d := SelectMember(c, nil, clock, nil); !reflect.DeepEqual(d.Warnings, want) {
		t.Errorf("warnings %q, want %q", d.Warnings, want)
	}
}
