package simulate

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Event is a recorded step of a user's connection to a host pool: a row of
// WVDCheckpoints, which has an Outcome, or of WVDConnections, which has a State.
type Event struct {
	Time          time.Time
	User          string
	CorrelationID string // of the connection; empty if the record lacks it
	Outcome       string // NewSession, or Active, Disconnected or Pending for a user who came back
	State         string // Started, Connected or Completed
}

// Assumptions say what connections' records leave open about sessions.
type Assumptions struct {
	// Open is how long a connection lasts whose end is not recorded; more than 0.
	Open time.Duration
	// Disconnected is how long a session lives on, and takes a seat, after its
	// last connection ended.
	Disconnected time.Duration
}

func (a Assumptions) check() error {
	if a.Open <= 0 || a.Open > longest {
		return &ParameterError{"length of open sessions", a.Open.String(), "more than 0, up to a hundred years"}
	}
	if a.Disconnected < 0 || a.Disconnected > longest {
		return &ParameterError{"time disconnected", a.Disconnected.String(), "0 to a hundred years"}
	}
	return nil
}

// Trace is a load that was recorded.
type Trace struct {
	start    time.Time
	end      time.Duration // of the last event
	users    []string      // lower case, by index
	attempts []attempt     // in order of time
	assumed  int
}

// attempt is a user who wants a session, new or not.
type attempt struct {
	at    time.Duration
	until time.Duration // the session's end
	user  int32         // absent: one who never comes back
}

// NewTrace turns events, in any order, into a load. Records tell when
// connections end, not when sessions do; so, as this project decided:
//
//   - A NewSession starts a session, and ends one that the user still had. Any
//     other outcome goes on with the user's session. A connection without one
//     goes on with it while it lasts, and starts one otherwise.
//   - A session ends with its last connection, and the time that it may be
//     disconnected after that.
//   - A connection whose end is not recorded lasts for the assumed time. So does
//     one that ended without having been connected: it failed, and tells nothing
//     of how long the user would have stayed.
//   - A connection of which only the end is recorded is passed over.
//
// In the simulation a user without a session asks for one, even where the
// record has a reconnect: the trace may begin in mid-session, and a refused user
// tries again.
func NewTrace(events []Event, assume Assumptions) (*Trace, error) {
	if err := assume.check(); err != nil {
		return nil, err
	}
	t := &Trace{}
	connections := t.connections(events)
	if len(connections) == 0 {
		return t, nil
	}
	t.start = connections[0].start
	last := slices.MaxFunc(events, func(a, b Event) int { return a.Time.Compare(b.Time) }).Time
	if t.end = last.Sub(t.start); t.end > longest {
		return nil, &ParameterError{"span of the trace", t.end.String(), "up to a hundred years"}
	}

	type session struct {
		first    int // attempt
		recorded bool
		none     bool
	}
	sessions := make([]session, len(t.users))
	for i := range sessions {
		sessions[i].none = true
	}
	first := make([]int, len(connections))
	for i, c := range connections {
		at := c.start.Sub(t.start)
		until, recorded := at+assume.Open, !c.end.IsZero() && c.connected
		if recorded {
			until = c.end.Sub(t.start)
		} else {
			t.assumed++
		}
		until = min(until+assume.Disconnected, longest)
		t.attempts = append(t.attempts, attempt{at: at, until: until, user: c.user})

		s := &sessions[c.user]
		ended := s.none || t.attempts[s.first].until < at
		switch {
		case s.none || c.outcome == "NewSession" || c.outcome == "" && ended:
			if !ended {
				t.attempts[s.first].until = at
			}
			s.none, s.first = false, i
		case recorded && s.recorded:
			t.attempts[s.first].until = max(t.attempts[s.first].until, until)
		default:
			t.attempts[s.first].until = until
		}
		s.recorded = recorded
		first[i] = s.first
	}
	for i := range t.attempts {
		t.attempts[i].until = t.attempts[first[i]].until
	}
	return t, nil
}

// Start is when the first connection began.
func (t *Trace) Start() time.Time { return t.start }

// Attempts is the number of connections.
func (t *Trace) Attempts() int { return len(t.attempts) }

// Assumed is the number of connections whose length had to be assumed.
func (t *Trace) Assumed() int { return t.assumed }

// connection is what several events say of one.
type connection struct {
	user      int32
	start     time.Time
	end       time.Time // zero if not recorded
	outcome   string
	connected bool // or not known not to be
}

// connections joins the events of each connection, in order of start. Events
// without a correlation id belong to the user's latest connection, unless they
// begin one.
func (t *Trace) connections(events []Event) []connection {
	sorted := slices.Clone(events)
	slices.SortStableFunc(sorted, func(a, b Event) int { return a.Time.Compare(b.Time) })
	var all []connection
	users := map[string]int32{}
	byID := map[string]int{}
	for _, e := range sorted {
		name := strings.ToLower(e.User)
		user, ok := users[name]
		if !ok {
			user = int32(len(t.users))
			users[name] = user
			t.users = append(t.users, name)
		}
		id := cmp.Or(strings.ToLower(e.CorrelationID), "user "+name)
		i, known := byID[id]
		if e.CorrelationID == "" && (e.Outcome != "" || e.State == "Started") {
			known = false
		}
		if !known {
			if e.State == "Completed" {
				continue
			}
			i = len(all)
			byID[id] = i
			all = append(all, connection{user: user, start: e.Time})
		}
		c := &all[i]
		c.outcome = cmp.Or(c.outcome, e.Outcome)
		c.connected = c.connected || e.Outcome != "" || e.State == "Connected"
		if e.State == "Completed" {
			c.end = e.Time
		}
	}
	return all
}
