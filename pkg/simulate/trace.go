package simulate

import (
	"slices"
	"strings"
	"time"
)

// Connection is one recorded connection of a user to a host pool, as
// WVDConnections and WVDCheckpoints tell it.
type Connection struct {
	User  string
	Start time.Time
	End   time.Time // zero if not recorded
	// Outcome is what the broker did; empty where the record does not say.
	Outcome Outcome
}

// Outcome is how the broker answered a connection.
type Outcome string

// The outcomes: a new session was placed, or the user came back to one.
const (
	NewSession Outcome = "NewSession"
	Reconnect  Outcome = "Reconnect"
)

// Trace is a load that was recorded.
type Trace struct {
	start    time.Time
	end      time.Duration // of the last recorded fact
	users    []string      // lower case, by index
	attempts []attempt
	assumed  int
}

// attempt is a user who wants a session, new or not.
type attempt struct {
	at    time.Duration
	until time.Duration // the session's end
	user  int32         // absent: one who never comes back
}

// NewTrace turns recorded connections, in any order, into a load. Records tell
// when connections end, not when sessions do; so, as this project decided:
//
//   - A NewSession starts a session, and ends one that the user still had. Any
//     other connection goes on with the user's session. Without an outcome it
//     does so while the session lasts, and starts one otherwise.
//   - A session ends when the last of its connections does. If that end is not
//     recorded, the connection lasts for open, which must be positive.
//
// In the simulation a user without a session asks for one, even where the
// record has a reconnect: the trace may begin in mid-session, and a refused user
// tries again.
func NewTrace(connections []Connection, open time.Duration) (*Trace, error) {
	if open <= 0 || open > longest {
		return nil, &ParameterError{"length of open sessions", open.String(), "more than 0, up to a hundred years"}
	}
	t := &Trace{}
	if len(connections) == 0 {
		return t, nil
	}
	sorted := slices.Clone(connections)
	slices.SortStableFunc(sorted, func(a, b Connection) int { return a.Start.Compare(b.Start) })
	t.start = sorted[0].Start
	if span := sorted[len(sorted)-1].Start.Sub(t.start); span > longest {
		return nil, &ParameterError{"span of the trace", span.String(), "up to a hundred years"}
	}

	index := map[string]int32{}
	var current []int // per user: the first attempt of the session, as an index
	first := make([]int, len(sorted))
	known := make([]bool, len(sorted)) // whether the session's end is recorded
	for i, c := range sorted {
		name := strings.ToLower(c.User)
		user, seen := index[name]
		if !seen {
			user = int32(len(t.users))
			index[name] = user
			t.users = append(t.users, name)
			current = append(current, absent)
		}
		at := c.Start.Sub(t.start)
		until := at + open
		recorded := !c.End.IsZero()
		if recorded {
			until = min(max(c.End.Sub(t.start), at), longest)
			t.end = max(t.end, until)
		} else {
			t.assumed++
		}
		t.end = max(t.end, at)
		t.attempts = append(t.attempts, attempt{at: at, until: until, user: user})

		session := current[user]
		switch {
		case session == absent:
			session = i
		case c.Outcome == NewSession:
			t.attempts[session].until = min(t.attempts[session].until, at)
			session = i
		case c.Outcome == "" && t.attempts[session].until < at:
			session = i
		case recorded && known[session]:
			t.attempts[session].until = max(t.attempts[session].until, until)
		default:
			t.attempts[session].until = until
		}
		known[session] = recorded
		current[user], first[i] = session, session
	}
	for i := range t.attempts {
		t.attempts[i].until = t.attempts[first[i]].until
	}
	return t, nil
}

// Start is when the first connection began.
func (t *Trace) Start() time.Time { return t.start }

// Assumed is the number of connections without a recorded end.
func (t *Trace) Assumed() int { return t.assumed }
