package simulate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatepool/pkg/hostpool"
)

func clockTime(text string) time.Time {
	at, err := time.Parse("2006-01-02 15:04:05.999", "2026-03-02 "+text)
	if err != nil {
		panic(err)
	}
	return at
}

// events reads lines of time, user, correlation id (- for none) and outcome or
// state.
func events(text string) []Event {
	var all []Event
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		e := Event{Time: clockTime(f[0]), User: f[1], CorrelationID: strings.Trim(f[2], "-")}
		if f[3] == "Started" || f[3] == "Connected" || f[3] == "Completed" {
			e.State = f[3]
		} else {
			e.Outcome = f[3]
		}
		all = append(all, e)
	}
	return all
}

// The published traces of one pool: what the broker decided, and how far
// connections came. Erin was refused by the service: no host was healthy.
const (
	checkpoints = `
		07:58:10.7 alice 501 NewSession
		07:59:42.1 bob 502 NewSession
		08:00:02.85 carol 503 NewSession
		08:00:03.6 dave 504 NewSession
		08:50:19.6 carol 505 Disconnected`
	connections = `
		07:58:10.1 alice 501 Started
		07:58:31.1 alice 501 Connected
		07:59:41.5 bob 502 Started
		08:00:02.25 carol 503 Started
		08:00:02.5 bob 502 Connected
		08:00:03 dave 504 Started
		08:00:23.25 carol 503 Connected
		08:00:24 dave 504 Connected
		08:44:00 carol 503 Completed
		08:50:19 carol 505 Started
		08:50:23 carol 505 Connected
		09:15:00 erin 506 Started
		09:15:02 erin 506 Completed
		12:02:11 bob 502 Completed
		16:00:00 carol 505 Completed
		16:31:00 alice 501 Completed
		17:05:45 dave 504 Completed`
)

func TestTrace(t *testing.T) {
	for _, tt := range []struct {
		name, events string
		assume       Assumptions
		want         string // start-end user of each attempt
		assumed      int
	}{
		{"both", checkpoints + connections, Assumptions{Open: 8 * time.Hour},
			"07:58:10-16:31:00 alice, 07:59:41-12:02:11 bob, 08:00:02-16:00:00 carol, 08:00:03-17:05:45 dave, 08:50:19-16:00:00 carol, 09:15:00-17:15:00 erin", 1},
		{"checkpoints tell no end", checkpoints, Assumptions{Open: time.Hour},
			"07:58:10-08:58:10 alice, 07:59:42-08:59:42 bob, 08:00:02-09:50:19 carol, 08:00:03-09:00:03 dave, 08:50:19-09:50:19 carol", 5},
		{"connections alone: carol's session ended before she came back", connections, Assumptions{Open: 8 * time.Hour},
			"07:58:10-16:31:00 alice, 07:59:41-12:02:11 bob, 08:00:02-08:44:00 carol, 08:00:03-17:05:45 dave, 08:50:19-16:00:00 carol, 09:15:00-17:15:00 erin", 1},
		{"connections alone: carol's session waited for her", connections, Assumptions{Open: 8 * time.Hour, Disconnected: 10 * time.Minute},
			"07:58:10-16:41:00 alice, 07:59:41-12:12:11 bob, 08:00:02-16:10:00 carol, 08:00:03-17:15:45 dave, 08:50:19-16:10:00 carol, 09:15:00-17:25:00 erin", 1},
		{"a new session ends the old one", "08:00:00 u 1 NewSession\n09:00:00 U 2 NewSession", Assumptions{Open: 3 * time.Hour},
			"08:00:00-09:00:00 u, 09:00:00-12:00:00 u", 2},
		{"a recorded end of the last connection counts, not an assumed one before", "08:00:00 u 1 NewSession\n08:10:00 u 2 Active\n08:30:00 u 2 Completed", Assumptions{Open: 3 * time.Hour},
			"08:00:00-08:30:00 u, 08:10:00-08:30:00 u", 1},
		{"no correlation ids", "08:00:00 u - Started\n08:00:05 u - Connected\n08:30:00 u - Completed\n09:00:00 u - Started", Assumptions{Open: time.Hour},
			"08:00:00-08:30:00 u, 09:00:00-10:00:00 u", 1},
		{"out of order, and an end without a start", "09:00:00 b 3 Completed\n08:30:00 u 1 Completed\n08:00:00 u 1 Connected", Assumptions{Open: time.Hour},
			"08:00:00-08:30:00 u", 0},
		{"nothing", "", Assumptions{Open: time.Hour}, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			trace, err := NewTrace(events(tt.events), tt.assume)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range trace.attempts {
				at, until := trace.start.Add(a.at), trace.start.Add(a.until)
				got = append(got, fmt.Sprintf("%s-%s %s", at.Format("15:04:05"), until.Format("15:04:05"), trace.users[a.user]))
			}
			if got := strings.Join(got, ", "); got != tt.want || trace.Assumed() != tt.assumed {
				t.Errorf("got  %s (%d assumed)\nwant %s (%d)", got, trace.Assumed(), tt.want, tt.assumed)
			}
		})
	}
	if _, err := NewTrace(nil, Assumptions{}); err == nil {
		t.Error("no assumed length is accepted")
	}
	if _, err := NewTrace([]Event{{}, {Time: clockTime("08:00:00")}}, Assumptions{Open: 1}); err == nil {
		t.Error("a trace of two thousand years is accepted")
	}
}

// TestReplay sends the published trace through two hosts. With two seats each
// all five users fit, and carol comes back to hers. With one seat each alice and
// bob have them until bob leaves at 12:02; carol and dave are refused, carol
// again when she comes back without a session, and erin.
func TestReplay(t *testing.T) {
	trace, err := NewTrace(events(checkpoints+connections), Assumptions{Open: 8 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	report := measure(t, emptyPool(hostpool.BreadthFirst, 2, 0), Load{Trace: trace},
		Variations([]hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst}, []int{3, 1}, nil), Options{})
	type figures struct{ arrivals, refused, reconnects, peak, left, mostOnOneHost int64 }
	for i, want := range []figures{
		{5, 0, 1, 5, 1, 3}, // breadth-first, a limit of 3
		{6, 4, 0, 2, 0, 1}, // a limit of 1
		{5, 0, 1, 5, 1, 3}, // depth-first likewise
		{6, 4, 0, 2, 0, 1},
	} {
		r := report.Results[i]
		got := figures{r.Arrivals, r.Refused, r.Reconnects, r.PeakSessions, r.SessionsLeft, int64(r.PeakPerHost)}
		if got != want {
			t.Errorf("%+v: %+v, want %+v", r.Variation, got, want)
		}
	}
	if want := clockTime("07:58:10.1"); !report.Start.Equal(want) {
		t.Errorf("the run starts at %v, want %v", report.Start, want)
	}
	if got, want := report.Results[0].DurationSeconds, clockTime("17:05:45").Sub(report.Start).Seconds(); got != want {
		t.Errorf("the run lasts %v s, want %v", got, want)
	}
}

// TestSessionEndedBeforeReturn: without outcomes carol's first session is over
// when she comes back, so she is a new arrival.
func TestSessionEndedBeforeReturn(t *testing.T) {
	trace, err := NewTrace(events(connections), Assumptions{Open: 8 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	r := measure(t, emptyPool(hostpool.BreadthFirst, 2, 3), Load{Trace: trace}, []Variation{{}}, Options{}).Results[0]
	if r.Arrivals != 6 || r.Reconnects != 0 || r.PeakSessions != 5 {
		t.Errorf("%d arrivals, %d reconnects, peak %d; want 6, 0, 5", r.Arrivals, r.Reconnects, r.PeakSessions)
	}
}

// TestKnownUserComesBack: bob of the trace has a session in the pool already.
func TestKnownUserComesBack(t *testing.T) {
	pool := emptyPool(hostpool.BreadthFirst, 2, 1)
	pool.SessionHosts[1].AllowNewSession = false
	pool.SessionHosts[1].Sessions = []hostpool.Session{{User: "Bob"}}
	trace, err := NewTrace(events("08:00:00 bob 1 NewSession\n08:01:00 alice 2 NewSession\n08:02:00 carol 3 NewSession"), Assumptions{Open: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	r := measure(t, pool, Load{Trace: trace}, []Variation{{}}, Options{KeepSessions: true}).Results[0]
	if r.Reconnects != 1 || r.Arrivals != 2 || r.Refused != 1 {
		t.Errorf("%d reconnects, %d arrivals, %d refused; want 1, 2, 1", r.Reconnects, r.Arrivals, r.Refused)
	}
}
