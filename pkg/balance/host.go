package balance

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"gatepool/pkg/hostpool"
	"gatepool/pkg/shell"
)

// HostRequest is one user's wish to connect to a host pool.
type HostRequest struct {
	User string // user principal name; its case doesn't matter
	Host string // the personal desktop asked for by name; needed only where a user owns several
}

// Outcome says how a connection to a host pool was satisfied.
type Outcome string

// The outcomes of a connection that was not refused.
const (
	NewSession  Outcome = "NewSession"  // a new session on a host that runs
	Reconnected Outcome = "Reconnected" // back to the user's own session
	HostStarted Outcome = "HostStarted" // a host that was shut down is started for it
	Assigned    Outcome = "Assigned"    // a personal desktop is assigned to the user and used
)

// HostDecision is where a connection to a host pool lands, and why.
type HostDecision struct {
	HostPool     string
	User         string
	Algorithm    hostpool.LoadBalancerType // the one that was applied
	Outcome      Outcome                   // empty when refused
	Host         string                    // empty when refused
	HostIndex    int                       // index of Host in the pool, -1 when refused
	SessionIndex int                       // index on the host of the session that is taken up again, or -1
	Hosts        []HostVerdict             // every host of the pool, in file order; none when the request itself is unusable
	Warnings     []string
	Refusal      *Refusal // nil unless refused
}

// HostVerdict is what became of one host in a decision.
type HostVerdict struct {
	Name        string  `json:"name"`
	Sessions    int     `json:"sessions"` // seats taken before this connection
	Verdict     Verdict `json:"verdict"`
	Probability float64 `json:"probability"` // of being chosen, 0 to 1: the float64 nearest to the exact fraction
}

// SelectHost decides where the user's connection to the pool lands. It changes
// nothing; see HostDecision.Record. rng is used only where chance decides.
func SelectHost(p *hostpool.Pool, req HostRequest, rng *rand.Rand) HostDecision {
	s := hostSelection{pool: p, user: req.User, taken: -1, d: HostDecision{
		HostPool:     p.Name,
		User:         req.User,
		Algorithm:    p.LoadBalancerType,
		HostIndex:    -1,
		SessionIndex: -1,
	}}
	switch {
	case req.User == "":
		s.refuse(CodeUsage, nil, "name one: "+shell.Command("connect", "--hostpool", p.Name, "--user", "USER"), "no user is named")
	case p.Balanced() && req.Host != "":
		s.refuse(CodeUsage, nil, "leave it out: "+shell.Command("connect", "--hostpool", p.Name, "--user", req.User),
			"the host %s can't be asked for: %s is pooled, so its load balancer chooses the host", req.Host, p.Name)
	case p.Balanced():
		s.look()
		s.pooled(rng)
	default:
		s.look()
		s.personal(req.Host)
	}
	s.warnOfOtherSessions()
	return s.d
}

// Screen says whether a host of a pooled pool takes part when a new session is
// placed: Eligible, or the first reason why not (Drained, Unhealthy, Shutdown,
// LimitReached). Drain mode, status and depth-first's limit are [doc]; that the
// limit binds breadth-first, too, is [decided]. A host that Start VM on Connect
// could start is Shutdown only while it is below the limit, so that starting it
// never puts it over [decided].
func Screen(p *hostpool.Pool, h *hostpool.Host) Verdict {
	v := health(h)
	usable := v == Eligible || v == Shutdown && p.StartVMOnConnect
	switch {
	case !h.AllowNewSession:
		return Drained
	case usable && h.SessionCount() >= p.SessionLimit():
		return LimitReached
	}
	return v
}

// health is what a host's status alone says about it.
func health(h *hostpool.Host) Verdict {
	switch {
	case h.Status.Placeable():
		return Eligible
	case h.Status == hostpool.Shutdown:
		return Shutdown
	}
	return Unhealthy
}

// hostSelection is one decision in the making.
type hostSelection struct {
	pool  *hostpool.Pool
	user  string
	mine  []sessionRef // the user's sessions in the pool, in file order
	taken int          // index in mine of the session the decision is about, or -1
	d     HostDecision
}

// sessionRef points at a session by its host's index and its own on that host.
type sessionRef struct{ host, session int }

func (s *hostSelection) session(r sessionRef) *hostpool.Session {
	return &s.pool.SessionHosts[r.host].Sessions[r.session]
}

// look names and counts every host, and finds the user's sessions.
func (s *hostSelection) look() {
	s.d.Hosts = make([]HostVerdict, len(s.pool.SessionHosts))
	for i := range s.pool.SessionHosts {
		h := &s.pool.SessionHosts[i]
		s.d.Hosts[i] = HostVerdict{Name: h.Name, Sessions: h.SessionCount()}
		for j := range h.Sessions {
			if strings.EqualFold(h.Sessions[j].User, s.user) {
				s.mine = append(s.mine, sessionRef{i, j})
			}
		}
	}
}

// sessionToResume returns the index in s.mine of the session to which the user
// goes back, looking only at hosts that qualify, or -1. Active and Disconnected
// sessions can be gone back to [doc]. Of several, Active goes before
// Disconnected, then the newest, then file order [decided].
func (s *hostSelection) sessionToResume(qualifies func(host int) bool) int {
	best := -1
	for i, ref := range s.mine {
		a := s.session(ref)
		if a.State != hostpool.SessionActive && a.State != hostpool.SessionDisconnected || !qualifies(ref.host) {
			continue
		}
		if best >= 0 {
			b := s.session(s.mine[best])
			if a.State == b.State && !a.Created.After(b.Created) || a.State != b.State && b.State == hostpool.SessionActive {
				continue
			}
		}
		best = i
	}
	return best
}

// pooled decides for a pool that is load balanced.
func (s *hostSelection) pooled(rng *rand.Rand) {
	p := s.pool
	switch p.LoadBalancerType {
	case hostpool.Persistent, hostpool.MultiplePersistent:
		s.warn("%s is Pooled, but its loadBalancerType %s is for personal pools; %s is applied", p.Name, p.LoadBalancerType, hostpool.BreadthFirst)
		s.d.Algorithm = hostpool.BreadthFirst
	case hostpool.DepthFirst:
		if p.MaxSessionLimit == 0 {
			s.warn("%s is DepthFirst without a session limit, so one host takes everybody (up to %d); set one: %s",
				p.Name, hostpool.NoLimit, shell.Command("set-hostpool", p.Name, "--max-session-limit", "N"))
		}
	}
	if i := s.sessionToResume(func(int) bool { return true }); i >= 0 {
		s.resume(i)
		return
	}

	n := 0
	for i := range p.SessionHosts {
		v := Screen(p, &p.SessionHosts[i])
		s.d.Hosts[i].Verdict = v
		if v == Eligible {
			n++
		}
	}
	switch {
	case n == 0:
		s.startHost()
	case s.d.Algorithm == hostpool.DepthFirst:
		s.choose(s.depthFirst(), NewSession)
	default:
		s.choose(s.breadthFirst(n, rng), NewSession)
	}
}

// resume sends the user back to the session s.mine[i] [doc], even when its host
// is drained or full. A host that can't be used is a refusal: the service
// doesn't start a second session elsewhere either [doc:
// ConnectionFailedUserHasValidSessionButRdshIsUnhealthy]. That goes for a host
// that is shut down as well; Start VM on Connect is for new sessions [decided].
func (s *hostSelection) resume(i int) {
	ref := s.mine[i]
	s.taken = i
	for j := range s.d.Hosts {
		s.d.Hosts[j].Verdict = SessionElsewhere
	}
	h := &s.pool.SessionHosts[ref.host]
	if v := health(h); v != Eligible {
		s.d.Hosts[ref.host].Verdict = v
		s.refuse(CodeHostUnhealthy, map[Verdict]int{v: 1},
			"end that session, then connect again: "+shell.Command("remove-session", s.pool.Name, s.sessionArgument(ref)),
			"%s has a session (%s) on %s, whose status is %s: it can't be gone back to, and no second session is started elsewhere",
			s.user, s.session(ref).State, h.Name, h.Status)
		return
	}
	s.d.SessionIndex = ref.session
	s.d.Hosts[ref.host].Probability = 1
	s.choose(ref.host, Reconnected)
}

// breadthFirst chooses uniformly at random among the ceil(n/2) of the n
// eligible hosts that have the fewest sessions [doc]. Hosts with the same count
// are treated alike: where the half's edge cuts through a group of m equal
// hosts of which k still fit, each has probability (k/m)/ceil(n/2) [decided].
//
// Hosts are never sorted. A rank is drawn in the half; the hosts are counted by
// their number of sessions, which gives the count that the host of that rank
// has; one of the hosts with that count is drawn.
func (s *hostSelection) breadthFirst(n int, rng *rand.Rand) int {
	half := (n + 1) / 2
	fewest, groups := s.countBySessions()
	rank := rng.IntN(half)

	drawn, edge, fit := -1, 0, half // group of the rank; group at the edge, and how many of it fit
	for i, m := range groups {
		if drawn < 0 && rank < m {
			drawn = i
		}
		rank -= m
		if fit <= m {
			edge = i
			break
		}
		fit -= m
	}

	inside := 1 / float64(half)
	atEdge := float64(fit) / float64(groups[edge]*half)
	member := rng.IntN(groups[drawn])
	chosen := -1
	for i := range s.d.Hosts {
		v := &s.d.Hosts[i]
		if v.Verdict != Eligible {
			continue
		}
		group := v.Sessions - fewest
		switch {
		case group < edge:
			v.Probability = inside
		case group == edge:
			v.Probability = atEdge
		default:
			v.Verdict = NotInHalf
		}
		if group == drawn {
			if member == 0 {
				chosen = i
			}
			member--
		}
	}
	return chosen
}

// countBySessions counts the eligible hosts, of which there is one at least, by
// sessions: groups[i] is the number of hosts with fewest+i sessions. It is as
// long as session counts differ, which the session limit bounds.
func (s *hostSelection) countBySessions() (fewest int, groups []int) {
	most := -1
	for i := range s.d.Hosts {
		if v := &s.d.Hosts[i]; v.Verdict == Eligible {
			if most < 0 {
				fewest = v.Sessions
			}
			fewest, most = min(fewest, v.Sessions), max(most, v.Sessions)
		}
	}
	groups = make([]int, most-fewest+1)
	for i := range s.d.Hosts {
		if v := &s.d.Hosts[i]; v.Verdict == Eligible {
			groups[v.Sessions-fewest]++
		}
	}
	return fewest, groups
}

// depthFirst chooses the eligible host with the most sessions; of equals the
// first in the query [doc], which is file order [decided].
func (s *hostSelection) depthFirst() int {
	deepest := -1
	for i := range s.d.Hosts {
		if s.d.Hosts[i].Verdict != Eligible {
			continue
		}
		s.d.Hosts[i].Verdict = NotDeepest
		if deepest < 0 || s.d.Hosts[i].Sessions > s.d.Hosts[deepest].Sessions {
			deepest = i
		}
	}
	s.d.Hosts[deepest].Probability = 1
	return deepest
}

// startHost starts the first host in file order that is shut down and not
// drained, now that no running host takes the session [doc: Start VM on
// Connect], or refuses.
func (s *hostSelection) startHost() {
	if s.pool.StartVMOnConnect {
		for i := range s.d.Hosts {
			if s.d.Hosts[i].Verdict == Shutdown {
				s.d.Hosts[i].Probability = 1
				s.choose(i, HostStarted)
				return
			}
		}
	}
	s.refusePooled()
}

// choose settles the decision on a host.
func (s *hostSelection) choose(i int, o Outcome) {
	h := &s.pool.SessionHosts[i]
	s.d.Outcome, s.d.Host, s.d.HostIndex = o, h.Name, i
	s.d.Hosts[i].Verdict = Chosen
	if h.Status == hostpool.Upgrading || h.Status == hostpool.UpgradeFailed {
		s.warn("the status of %s is %s; Microsoft's status table says that it takes sessions, its API reference that it doesn't", h.Name, h.Status)
	}
}

func (s *hostSelection) warn(format string, args ...any) {
	s.d.Warnings = append(s.d.Warnings, fmt.Sprintf(format, args...))
}

// warnOfOtherSessions names every session of the user that the decision is not
// about: ghosts, and sessions in a state that can't be gone back to.
func (s *hostSelection) warnOfOtherSessions() {
	for i, ref := range s.mine {
		if i == s.taken {
			continue
		}
		x, host := s.session(ref), s.d.Hosts[ref.host].Name
		end := ""
		if x.ID != "" {
			end = "; if it is a leftover, end it: " + shell.Command("remove-session", s.pool.Name, host+"/"+x.ID)
		}
		s.warn("%s also has a session (%s) on %s, which takes a seat%s", s.user, x.State, host, end)
	}
}

// sessionArgument names a session on a command line: by its user, or as host/id
// where the user's name would end others as well.
func (s *hostSelection) sessionArgument(ref sessionRef) string {
	x := s.session(ref)
	if x.ID == "" || len(s.mine) == 1 {
		return x.User
	}
	return s.pool.SessionHosts[ref.host].Name + "/" + x.ID
}
