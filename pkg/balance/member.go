package balance

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gatepool/pkg/gateway"
	"gatepool/pkg/shell"
)

// MemberDecision is which member of a cluster takes a request, and why.
type MemberDecision struct {
	Cluster       string
	LoadBalancing gateway.LoadBalancing // the mode that was applied
	Member        string                // empty when refused
	MemberIndex   int                   // index of Member in the cluster, -1 when refused
	Attempts      []Attempt             // the members that were tried, in order, never nil; the last one took the request unless it was refused
	Members       []MemberVerdict       // every member of the cluster, in file order
	Next          string                // round robin: the member to try first next time; empty when refused and in other modes
	Warnings      []string
	Refusal       *Refusal // nil unless refused
}

// Attempt is one try to hand the request to a member.
type Attempt struct {
	Member           string   `json:"member"`
	Result           Verdict  `json:"result"` // Accepted, Offline, CpuLimit, MemoryLimit or ConcurrencyLimit
	CPU              *float64 `json:"cpu"`    // mean percent over the window; nil when nothing was measured or the member is offline
	Memory           *float64 `json:"memory"` // likewise
	ActiveOperations int      `json:"activeOperations"`
}

// MemberVerdict is what became of one member in a decision.
type MemberVerdict struct {
	Name        string  `json:"name"`
	Verdict     Verdict `json:"verdict"`
	Probability float64 `json:"probability"` // of being the one that takes the request, 0 to 1: the float64 nearest to the exact fraction
	FirstTry    float64 `json:"firstTry"`    // of being the one that is tried first, likewise
}

// SelectMember decides which member of the cluster takes a request. It changes
// nothing; see MemberDecision.Record.
//
// limits[i] are the limits in force on member i, which the caller reads from
// the member's configuration file where it has one. A member beyond the end of
// limits has those of the cluster's description. now ends the window over which
// load is averaged. rng is used only where members are tried in random order.
func SelectMember(c *gateway.Cluster, limits []gateway.Limits, now time.Time, rng *rand.Rand) MemberDecision {
	s := memberSelection{cluster: c, limits: slices.Clone(limits), now: now, limited: -1, d: MemberDecision{
		Cluster:       c.Name,
		LoadBalancing: cmp.Or(c.LoadBalancing, gateway.Failover),
		MemberIndex:   -1,
		Attempts:      []Attempt{},
		Members:       make([]MemberVerdict, len(c.Members)),
	}}
	for i := len(limits); i < len(c.Members); i++ {
		s.limits = append(s.limits, c.Members[i].EffectiveLimits())
	}
	s.tries = make([]Attempt, len(c.Members))
	for i := range c.Members {
		s.tries[i] = Try(&c.Members[i], s.limits[i], now)
	}
	order := s.order(rng)
	s.walk(order)
	s.judge(order)
	if s.d.MemberIndex < 0 {
		s.refuse()
	}
	return s.d
}

// memberSelection is one decision in the making.
type memberSelection struct {
	cluster *gateway.Cluster
	limits  []gateway.Limits // of every member
	now     time.Time
	tries   []Attempt // what an attempt at each member results in
	limited int       // index of the first member that was tried and at a limit, or -1
	d       MemberDecision
}

// Try says what an attempt at a member results in at that time, under those
// limits; whether the member is enabled is not asked. Limits are checked in the
// order CPU, memory, concurrency; at the limit counts as over it [doc]. Nothing
// measured is not at the limit [decided].
func Try(m *gateway.Member, l gateway.Limits, now time.Time) Attempt {
	a := Attempt{Member: m.Name, ActiveOperations: m.ActiveOperations}
	if m.Status == gateway.Offline {
		a.Result = Offline
		return a
	}
	minutes := cmp.Or(l.AggregationMinutes, gateway.DefaultAggregationMinutes)
	a.CPU, a.Memory = m.Load(now, minutes)
	switch {
	case atThreshold(a.CPU, l.CPU):
		a.Result = CPULimit
	case atThreshold(a.Memory, l.Memory):
		a.Result = MemoryLimit
	case l.Concurrency > 0 && m.ActiveOperations >= l.Concurrency:
		a.Result = ConcurrencyLimit
	default:
		a.Result = Accepted
	}
	return a
}

func atThreshold(measured *float64, threshold int) bool {
	return threshold > 0 && measured != nil && *measured >= float64(threshold)
}

// order lists the enabled members in the order in which they are tried;
// disabled ones never are [doc]. Failover begins at the primary. Round robin
// begins at the member after the one that was used last [decided]. Random is
// any order, each equally likely [doc].
func (s *memberSelection) order(rng *rand.Rand) []int {
	c, start := s.cluster, 0
	if s.d.LoadBalancing == gateway.RoundRobin && c.RoundRobinNext != "" {
		start = slices.IndexFunc(c.Members, func(m gateway.Member) bool { return strings.EqualFold(m.Name, c.RoundRobinNext) })
		if start < 0 {
			start = 0
			s.warn("%s is next in turn but no member of %s; the turn begins anew", c.RoundRobinNext, c.Name)
		}
	}
	var order []int
	for i := range c.Members {
		if i = (start + i) % len(c.Members); c.Members[i].Enabled {
			order = append(order, i)
		}
	}
	if s.d.LoadBalancing == gateway.Random {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	return order
}

// walk tries members in order until one accepts. An offline member costs an
// attempt [doc]. A member at a limit is passed over [doc], but not in failover,
// where its refusal stands: only a balanced cluster is documented to look for
// another [decided].
func (s *memberSelection) walk(order []int) {
	for _, i := range order {
		a := s.tries[i]
		s.d.Attempts = append(s.d.Attempts, a)
		s.warnOfAttempt(i)
		switch {
		case a.Result == Accepted:
			s.d.Member, s.d.MemberIndex = a.Member, i
			if s.d.LoadBalancing == gateway.RoundRobin {
				s.d.Next = s.cluster.Members[(i+1)%len(s.cluster.Members)].Name
			}
			return
		case a.Result == Offline:
			continue
		}
		if s.limited < 0 {
			s.limited = i
		}
		if s.d.LoadBalancing == gateway.Failover {
			return
		}
	}
}

// judge gives every member its verdict and its probabilities. In random order
// each of the members that would accept is equally likely to be met first.
func (s *memberSelection) judge(order []int) {
	random := s.d.LoadBalancing == gateway.Random
	accepting := 0
	for _, i := range order {
		if s.tries[i].Result == Accepted {
			accepting++
		}
	}
	for i := range s.d.Members {
		v := &s.d.Members[i]
		v.Name, v.Verdict = s.cluster.Members[i].Name, s.tries[i].Result
		switch {
		case !s.cluster.Members[i].Enabled:
			v.Verdict = Disabled
		case v.Verdict == Accepted && random:
			v.Verdict, v.Probability = Eligible, 1/float64(accepting)
		case v.Verdict == Accepted:
			v.Verdict = NotTried
		}
		if random && v.Verdict != Disabled {
			v.FirstTry = 1 / float64(len(order))
		}
	}
	if i := s.d.MemberIndex; i >= 0 {
		s.d.Members[i].Verdict = Chosen
		if !random {
			s.d.Members[i].Probability = 1
		}
	}
	if !random && len(order) > 0 {
		s.d.Members[order[0]].FirstTry = 1
	}
}

func (s *memberSelection) warn(format string, args ...any) {
	s.d.Warnings = append(s.d.Warnings, fmt.Sprintf(format, args...))
}

// warnOfAttempt warns of a member that cost a failed attempt, and of limits
// that could not be applied.
func (s *memberSelection) warnOfAttempt(i int) {
	c, m, l, a := s.cluster, &s.cluster.Members[i], s.limits[i], s.tries[i]
	if a.Result == Offline {
		remove := " or " + shell.Command("remove-member", c.Name, m.Name)
		if i == 0 && len(c.Members) > 1 {
			remove = "" // the primary can't be removed while others remain
		}
		s.warn("%s is offline but enabled, which cost a failed attempt; %s%s", m.Name, shell.Command("disable-member", c.Name, m.Name), remove)
		return
	}
	minutes := cmp.Or(l.AggregationMinutes, gateway.DefaultAggregationMinutes)
	unmeasured := func(what string, threshold int) {
		s.warn("nothing was measured of the %s of %s in the last %s, so its limit of %d %% was not applied", what, m.Name, count(minutes, "minute"), threshold)
	}
	if l.CPU > 0 && a.CPU == nil {
		unmeasured("CPU", l.CPU)
	}
	if l.Memory > 0 && a.Memory == nil {
		unmeasured("memory", l.Memory)
	}
}
