// Package balance decides where a connection lands: which session host of a
// host pool a user gets (SelectHost), and which member of a gateway cluster
// takes a request (SelectMember).
//
// It is pure. A snapshot, a request, a time and a random source go in; a
// decision comes out that names every host or member with the reason why it
// was chosen or passed over, and the exact probability that it would be
// chosen. The same snapshot and the same seed give the same decision. Nothing
// is changed until the caller records a decision.
//
// Rules marked [doc] are Microsoft's documented behaviour. Rules marked
// [decided] are this project's, where the documentation is silent or
// contradicts itself.
package balance

import (
	"fmt"
	"strings"
)

// Verdict says what became of one host or one member in a decision.
type Verdict string

// The verdicts that hosts and members share.
const (
	Chosen   Verdict = "Chosen"
	Eligible Verdict = "Eligible" // could have been chosen, with the probability stated
)

// The verdicts of session hosts.
const (
	NotInHalf        Verdict = "NotInHalf"        // breadth-first: not among the half with the fewest sessions
	NotDeepest       Verdict = "NotDeepest"       // depth-first: another host has more sessions, or as many and stands first
	SessionElsewhere Verdict = "SessionElsewhere" // the user goes back to a session on another host
	Drained          Verdict = "Drained"          // takes no new sessions (allowNewSession: false)
	LimitReached     Verdict = "LimitReached"     // at or over the session limit
	Unhealthy        Verdict = "Unhealthy"        // its status doesn't let it take sessions
	Shutdown         Verdict = "Shutdown"         // shut down; Start VM on Connect may start it
	AssignedToOther  Verdict = "AssignedToOther"  // another user's personal desktop
	Unassigned       Verdict = "Unassigned"       // nobody's personal desktop, and not needed
	NotRequested     Verdict = "NotRequested"     // this user's personal desktop, but not the one that was taken
)

// The verdicts of cluster members. All but NotTried and Disabled are results
// of attempts, too.
const (
	Accepted         Verdict = "Accepted" // only as the result of an attempt: it took the request
	Offline          Verdict = "Offline"
	CPULimit         Verdict = "CpuLimit"
	MemoryLimit      Verdict = "MemoryLimit"
	ConcurrencyLimit Verdict = "ConcurrencyLimit"
	NotTried         Verdict = "NotTried" // would have accepted, but its turn didn't come
	Disabled         Verdict = "Disabled" // never tried
)

// Code tells the kinds of refusal apart. The values are the error codes of the
// scripting contract.
type Code string

// The codes of refusals.
const (
	CodeNoCapacity       Code = "no_capacity"       // no host takes a new session
	CodeHostUnhealthy    Code = "host_unhealthy"    // the one host that it has to be cannot be used
	CodeNotAssigned      Code = "not_assigned"      // no personal desktop is assigned to the user
	CodeCPULimit         Code = "cpu_limit"         // a member is at its CPU limit
	CodeMemoryLimit      Code = "memory_limit"      // a member is at its memory limit
	CodeConcurrencyLimit Code = "concurrency_limit" // a member runs as many operations as it may
	CodeUnreachable      Code = "unreachable"       // no member is online and enabled
	CodeNotFound         Code = "not_found"         // the host that was asked for isn't in the pool
	CodeUsage            Code = "usage"             // the request is incomplete or doesn't suit the pool
)

// Refusal says why no host or member takes the connection. It is an error.
type Refusal struct {
	Code    Code
	Message string
	Causes  map[Verdict]int // how many hosts or members stood in the way, by reason
	Help    string          // what would help, with the commands to type
}

// Error returns the message.
func (r *Refusal) Error() string { return r.Message }

// hints collects what would help. Hints are alternatives.
type hints []string

func (h *hints) add(format string, args ...any) { *h = append(*h, fmt.Sprintf(format, args...)) }

func (h hints) String() string { return strings.Join(h, "; or ") }

// count puts a number before a noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
