package balance

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"gatepool/pkg/hostpool"
)

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// pooled makes a pool whose hosts h1, h2 … carry these numbers of sessions.
func pooled(algorithm hostpool.LoadBalancerType, limit int, sessions ...int) *hostpool.Pool {
	p := &hostpool.Pool{Name: "hp", HostPoolType: hostpool.Pooled, LoadBalancerType: algorithm, MaxSessionLimit: limit}
	for i, n := range sessions {
		p.SessionHosts = append(p.SessionHosts, hostpool.Host{
			Name: fmt.Sprintf("h%d", i+1), Status: hostpool.Available, AllowNewSession: true, AnonymousSessions: n,
		})
	}
	return p
}

func session(user string, state hostpool.SessionState, id string, created time.Time) hostpool.Session {
	return hostpool.Session{ID: id, User: user, State: state, Created: created}
}

func verdicts(d HostDecision) string {
	var s []string
	for _, h := range d.Hosts {
		s = append(s, string(h.Verdict))
	}
	return strings.Join(s, " ")
}

func probabilities(d HostDecision) []float64 {
	var p []float64
	for _, h := range d.Hosts {
		p = append(p, h.Probability)
	}
	return p
}

var nineHosts = []int{11, 12, 13, 14, 15, 16, 17, 18, 19}

func TestBreadthFirstProbabilities(t *testing.T) {
	third := 1.0 / 3
	for _, test := range []struct {
		name     string
		limit    int
		sessions []int
		want     []float64
	}{
		{"the documentation's nine hosts", 0, nineHosts, []float64{.2, .2, .2, .2, .2, 0, 0, 0, 0}},
		{"order in the file doesn't matter", 0, []int{19, 11, 18, 12, 17, 13, 16, 14, 15}, []float64{0, .2, 0, .2, 0, .2, 0, .2, .2}},
		{"ten equal hosts", 0, []int{4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, []float64{.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}},
		{"the half's edge cuts through equals", 0, []int{1, 1, 1, 1, 2}, []float64{.25, .25, .25, .25, 0}},
		{"an edge with hosts below it", 0, []int{5, 2, 5, 1, 5}, []float64{1.0 / 9, third, 1.0 / 9, third, 1.0 / 9}},
		{"the edge lies between groups", 0, []int{3, 3, 7, 7}, []float64{.5, .5, 0, 0}},
		{"one host", 0, []int{7}, []float64{1}},
		{"two hosts: the emptier one", 0, []int{7, 6}, []float64{0, 1}},
		{"empty hosts", 0, []int{0, 0, 0}, []float64{third, third, third}},
		{"full hosts are left out before the half is taken", 14, nineHosts, []float64{.5, .5, 0, 0, 0, 0, 0, 0, 0}},
		{"at the limit is full", 12, []int{11, 12, 13}, []float64{1, 0, 0}},
		{"far apart", 0, []int{0, 900000}, []float64{1, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := SelectHost(pooled(hostpool.BreadthFirst, test.limit, test.sessions...), HostRequest{User: "u"}, seeded(1))
			if got := probabilities(d); !reflect.DeepEqual(got, test.want) {
				t.Errorf("probabilities %v, want %v", got, test.want)
			}
		})
	}
}

func TestBreadthFirstVerdicts(t *testing.T) {
	p := pooled(hostpool.BreadthFirst, 5, 4, 3, 2, 5, 0, 0, 0)
	p.SessionHosts[4].AllowNewSession = false
	p.SessionHosts[5].Status = hostpool.NoHeartbeat
	p.SessionHosts[6].Status = hostpool.Shutdown
	d := SelectHost(p, HostRequest{User: "u"}, seeded(3))
	want := "NotInHalf Eligible Chosen LimitReached Drained Unhealthy Shutdown"
	if d.Host == "h2" {
		want = "NotInHalf Chosen Eligible LimitReached Drained Unhealthy Shutdown"
	}
	if got := verdicts(d); got != want {
		t.Errorf("verdicts %s, want %s", got, want)
	}
	if d.Outcome != NewSession || d.Algorithm != hostpool.BreadthFirst || d.SessionIndex != -1 || p.SessionHosts[d.HostIndex].Name != d.Host {
		t.Errorf("decision %+v", d)
	}
}

// The documentation's example, over 100,000 seeds. 18.47 is the value that
// chi-squared with 4 degrees of freedom exceeds once in 1,000.
func TestBreadthFirstDrawsUniformly(t *testing.T) {
	const seeds = 100_000
	p := pooled(hostpool.BreadthFirst, 0, nineHosts...)
	var drawn [9]int
	for seed := range uint64(seeds) {
		drawn[SelectHost(p, HostRequest{User: "u"}, seeded(seed)).HostIndex]++
	}
	expected, chi2 := seeds/5.0, 0.0
	for i, n := range drawn {
		if i < 5 {
			chi2 += (float64(n) - expected) * (float64(n) - expected) / expected
		} else if n > 0 {
			t.Errorf("%s was drawn %d times, but isn't in the half", p.SessionHosts[i].Name, n)
		}
	}
	if chi2 > 18.47 {
		t.Errorf("chi-squared %.2f: %v", chi2, drawn)
	}
}

func TestDepthFirst(t *testing.T) {
	for _, test := range []struct {
		name     string
		limit    int
		sessions []int
		host     string
		verdicts string
	}{
		{"limit 20: the one with 19", 20, nineHosts, "h9", "NotDeepest NotDeepest NotDeepest NotDeepest NotDeepest NotDeepest NotDeepest NotDeepest Chosen"},
		{"limit 15: the one with 14", 15, nineHosts, "h4", "NotDeepest NotDeepest NotDeepest Chosen LimitReached LimitReached LimitReached LimitReached LimitReached"},
		{"a tie: the first in file order", 20, []int{3, 7, 5, 7}, "h2", "NotDeepest Chosen NotDeepest NotDeepest"},
		{"all empty: the first", 20, []int{0, 0}, "h1", "Chosen NotDeepest"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := SelectHost(pooled(hostpool.DepthFirst, test.limit, test.sessions...), HostRequest{User: "u"}, nil)
			if d.Host != test.host || verdicts(d) != test.verdicts {
				t.Errorf("%s: %s, want %s: %s", d.Host, verdicts(d), test.host, test.verdicts)
			}
			if d.Hosts[d.HostIndex].Probability != 1 || d.Outcome != NewSession || len(d.Warnings) > 0 {
				t.Errorf("decision %+v", d)
			}
		})
	}
}

func TestAlgorithmThatDoesNotSuitThePool(t *testing.T) {
	d := SelectHost(pooled(hostpool.DepthFirst, 0, 3, 999998), HostRequest{User: "u"}, nil)
	if d.Host != "h2" || len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "without a session limit") {
		t.Errorf("depth-first without limit: %s, warnings %q", d.Host, d.Warnings)
	}
	d = SelectHost(pooled(hostpool.DepthFirst, 0, 3, 999999), HostRequest{User: "u"}, nil)
	if d.Host != "h1" || d.Hosts[1].Verdict != LimitReached {
		t.Errorf("no limit is 999999: %s, %s", d.Host, verdicts(d))
	}
	for _, algorithm := range []hostpool.LoadBalancerType{hostpool.Persistent, hostpool.MultiplePersistent} {
		d = SelectHost(pooled(algorithm, 0, 3, 5), HostRequest{User: "u"}, seeded(1))
		if d.Host != "h1" || d.Algorithm != hostpool.BreadthFirst || len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], string(algorithm)) {
			t.Errorf("pooled with %s: %s by %s, warnings %q", algorithm, d.Host, d.Algorithm, d.Warnings)
		}
	}
}

// Every status, on the only host of a pool.
func TestStatus(t *testing.T) {
	takes := map[hostpool.Status]Verdict{
		hostpool.Available: Chosen, hostpool.NeedsAssistance: Chosen, hostpool.Upgrading: Chosen, hostpool.UpgradeFailed: Chosen,
		hostpool.Shutdown: Shutdown,
	}
	for _, value := range hostpool.Status("").Values() {
		p := pooled(hostpool.BreadthFirst, 0, 0)
		p.SessionHosts[0].Status = hostpool.Status(value)
		want, ok := takes[hostpool.Status(value)]
		if !ok {
			want = Unhealthy
		}
		d := SelectHost(p, HostRequest{User: "u"}, seeded(1))
		if d.Hosts[0].Verdict != want || (d.Refusal == nil) != (want == Chosen) {
			t.Errorf("%s: verdict %s, want %s", value, d.Hosts[0].Verdict, want)
		}
		warned := len(d.Warnings) == 1 && strings.Contains(d.Warnings[0], value)
		if upgrade := strings.HasPrefix(value, "Upgrad"); upgrade != warned {
			t.Errorf("%s: warnings %q", value, d.Warnings)
		}
	}
}

func TestExistingSession(t *testing.T) {
	early := time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)
	late := early.Add(time.Hour)
	const active, disconnected, pending = hostpool.SessionActive, hostpool.SessionDisconnected, hostpool.SessionPending
	type at struct {
		host int
		s    hostpool.Session
	}
	for _, test := range []struct {
		name     string
		sessions []at
		host     int // -1: a new session on the only host that takes one, the last
		session  int
		warnings []string
	}{
		{"active", []at{{0, session("u", active, "1", early)}}, 0, 0, nil},
		{"disconnected", []at{{1, session("u", disconnected, "1", early)}}, 1, 0, nil},
		{"the user's case doesn't matter", []at{{1, session("U", active, "1", early)}}, 1, 0, nil},
		{"another user's is none", []at{{0, session("uu", active, "1", early)}}, -1, 0, nil},
		{"not the first on its host", []at{{0, session("v", active, "1", early)}, {0, session("u", active, "2", early)}}, 0, 1, nil},
		{"active before disconnected", []at{{0, session("u", disconnected, "1", late)}, {1, session("u", active, "1", early)}}, 1, 0,
			[]string{"u also has a session (Disconnected) on h1, which takes a seat; if it is a leftover, end it: gatepool remove-session hp h1/1"}},
		{"active before disconnected, the other way round", []at{{0, session("u", active, "1", early)}, {1, session("u", disconnected, "1", late)}}, 0, 0,
			[]string{"u also has a session (Disconnected) on h2, which takes a seat; if it is a leftover, end it: gatepool remove-session hp h2/1"}},
		{"then the newest", []at{{0, session("u", active, "1", early)}, {1, session("u", active, "", late)}, {2, session("u", active, "3", early)}}, 1, 0,
			[]string{
				"u also has a session (Active) on h1, which takes a seat; if it is a leftover, end it: gatepool remove-session hp h1/1",
				"u also has a session (Active) on h3, which takes a seat; if it is a leftover, end it: gatepool remove-session hp h3/3",
			}},
		{"then file order", []at{{1, session("u", active, "", early)}, {2, session("u", active, "", early)}}, 1, 0,
			[]string{"u also has a session (Active) on h3, which takes a seat"}},
		{"pending takes a seat, but can't be gone back to", []at{{0, session("u", pending, "4", early)}}, -1, 0,
			[]string{"u also has a session (Pending) on h1, which takes a seat; if it is a leftover, end it: gatepool remove-session hp h1/4"}},
		{"nor can any other state", []at{{0, session("u", hostpool.SessionLogOff, "", early)}, {1, session("u", hostpool.SessionUnknown, "", early)},
			{2, session("u", hostpool.SessionUserProfileDiskMounted, "", early)}}, -1, 0,
			[]string{"u also has a session (LogOff) on h1, which takes a seat", "u also has a session (Unknown) on h2, which takes a seat",
				"u also has a session (UserProfileDiskMounted) on h3, which takes a seat"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			// The first three hosts are drained and over the limit: only a session of one's own leads there.
			p := pooled(hostpool.BreadthFirst, 1, 5, 5, 5, 0)
			for i := range 3 {
				p.SessionHosts[i].AllowNewSession = false
			}
			for _, a := range test.sessions {
				p.SessionHosts[a.host].Sessions = append(p.SessionHosts[a.host].Sessions, a.s)
			}
			d := SelectHost(p, HostRequest{User: "u"}, seeded(1))
			if test.host < 0 {
				if d.Outcome != NewSession || d.HostIndex != 3 || d.SessionIndex != -1 {
					t.Errorf("%s on %s (session %d), want a new one on h4", d.Outcome, d.Host, d.SessionIndex)
				}
			} else {
				if d.Outcome != Reconnected || d.HostIndex != test.host || d.SessionIndex != test.session {
					t.Errorf("%s, host %d session %d, want %d, %d", d.Outcome, d.HostIndex, d.SessionIndex, test.host, test.session)
				}
				for i, h := range d.Hosts {
					want := HostVerdict{Name: h.Name, Sessions: h.Sessions, Verdict: SessionElsewhere}
					if i == test.host {
						want.Verdict, want.Probability = Chosen, 1
					}
					if h != want {
						t.Errorf("%+v, want %+v", h, want)
					}
				}
			}
			if !reflect.DeepEqual(d.Warnings, test.warnings) {
				t.Errorf("warnings %q, want %q", d.Warnings, test.warnings)
			}
		})
	}
}

func TestExistingSessionOnHostThatCannotBeUsed(t *testing.T) {
	now := time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)
	for _, status := range []hostpool.Status{hostpool.NoHeartbeat, hostpool.Unavailable, hostpool.Shutdown} {
		p := pooled(hostpool.BreadthFirst, 0, 0, 0)
		p.StartVMOnConnect = true
		p.SessionHosts[0].Status = status
		p.SessionHosts[0].Sessions = []hostpool.Session{session("u@contoso.example", hostpool.SessionDisconnected, "7", now)}
		d := SelectHost(p, HostRequest{User: "U@contoso.example"}, seeded(1))
		r := d.Refusal
		if r == nil || r.Code != CodeHostUnhealthy || d.Host != "" || d.HostIndex != -1 || d.Outcome != "" {
			t.Fatalf("%s: decision %+v", status, d)
		}
		for _, part := range []string{"h1", string(status), "Disconnected"} {
			if !strings.Contains(r.Message, part) {
				t.Errorf("message %q doesn't name %s", r.Message, part)
			}
		}
		if !strings.HasSuffix(r.Help, "gatepool remove-session hp u@contoso.example") {
			t.Errorf("help %q", r.Help)
		}
		v := Unhealthy
		if status == hostpool.Shutdown {
			v = Shutdown
		}
		if want := map[Verdict]int{v: 1}; !reflect.DeepEqual(r.Causes, want) || verdicts(d) != string(v)+" SessionElsewhere" {
			t.Errorf("%s: causes %v, verdicts %s", status, r.Causes, verdicts(d))
		}

		// A second session would fall to a command that names the user.
		p.SessionHosts[1].Sessions = []hostpool.Session{session("u@contoso.example", hostpool.SessionPending, "9", now)}
		d = SelectHost(p, HostRequest{User: "u@contoso.example"}, seeded(1))
		if !strings.HasSuffix(d.Refusal.Help, "gatepool remove-session hp h1/7") || len(d.Warnings) != 1 {
			t.Errorf("help %q, warnings %q", d.Refusal.Help, d.Warnings)
		}
	}
}

func TestStartVMOnConnect(t *testing.T) {
	const full, stopped, drained, dead = "full", "stopped", "stopped and drained", "dead"
	for _, test := range []struct {
		name  string
		start bool
		hosts []string
		want  string // the host that is started, or none
	}{
		{"every running host is full", true, []string{full, stopped, stopped}, "h2"},
		{"not a drained one", true, []string{full, drained, stopped}, "h3"},
		{"nothing runs", true, []string{stopped}, "h1"},
		{"running hosts are dead", true, []string{dead, stopped}, "h2"},
		{"off", false, []string{full, stopped}, ""},
		{"only a drained one", true, []string{full, drained}, ""},
		{"not one at the limit", true, []string{full, "stopped and full", stopped}, "h3"},
		{"only one at the limit", true, []string{"stopped and full"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := pooled(hostpool.BreadthFirst, 2, make([]int, len(test.hosts))...)
			p.StartVMOnConnect = test.start
			for i, kind := range test.hosts {
				h := &p.SessionHosts[i]
				if strings.Contains(kind, full) {
					h.AnonymousSessions = 2
				}
				if strings.Contains(kind, stopped) {
					h.Status = hostpool.Shutdown
				}
				if kind == dead {
					h.Status = hostpool.NoHeartbeat
				}
				h.AllowNewSession = kind != drained
			}
			d := SelectHost(p, HostRequest{User: "u"}, nil)
			if d.Host != test.want || (d.Refusal == nil) != (test.want != "") {
				t.Fatalf("%q, refusal %v, want %q", d.Host, d.Refusal, test.want)
			}
			if test.want != "" && (d.Outcome != HostStarted || d.Hosts[d.HostIndex] != (HostVerdict{test.want, 0, Chosen, 1})) {
				t.Errorf("decision %+v", d)
			}
		})
	}

	p := pooled(hostpool.BreadthFirst, 2, 1, 0)
	p.StartVMOnConnect = true
	p.SessionHosts[1].Status = hostpool.Shutdown
	if d := SelectHost(p, HostRequest{User: "u"}, seeded(1)); d.Host != "h1" || d.Outcome != NewSession || d.Hosts[1].Verdict != Shutdown {
		t.Errorf("a running host has room, but %s on %s", d.Outcome, d.Host)
	}
}

func TestUnusableRequest(t *testing.T) {
	p := pooled(hostpool.BreadthFirst, 0, 0)
	for _, request := range []HostRequest{{}, {User: "u", Host: "h1"}} {
		if d := SelectHost(p, request, nil); d.Refusal == nil || d.Refusal.Code != CodeUsage || d.Host != "" {
			t.Errorf("%+v: %+v", request, d)
		}
	}
}
