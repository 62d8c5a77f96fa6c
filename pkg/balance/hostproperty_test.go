package balance

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"gatepool/pkg/hostpool"

	"pgregory.net/rapid"
)

// anyPool draws a small pool in which every rule is likely to matter.
func anyPool(t *rapid.T, kinds ...hostpool.Type) *hostpool.Pool {
	algorithms := []hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst, hostpool.BreadthFirst, hostpool.DepthFirst, hostpool.Persistent, hostpool.MultiplePersistent}
	statuses := []hostpool.Status{hostpool.Available, hostpool.Available, hostpool.Available, hostpool.NeedsAssistance, hostpool.Shutdown, hostpool.NoHeartbeat, hostpool.Upgrading}
	p := &hostpool.Pool{
		Name:                          "hp",
		HostPoolType:                  rapid.SampledFrom(kinds).Draw(t, "type"),
		LoadBalancerType:              rapid.SampledFrom(algorithms).Draw(t, "algorithm"),
		MaxSessionLimit:               rapid.IntRange(0, 5).Draw(t, "limit"),
		PersonalDesktopAssignmentType: rapid.SampledFrom([]hostpool.AssignmentType{"", hostpool.Automatic, hostpool.Direct}).Draw(t, "assignment"),
		StartVMOnConnect:              rapid.Bool().Draw(t, "start"),
	}
	for i := range rapid.IntRange(0, 6).Draw(t, "hosts") {
		h := hostpool.Host{
			Name:              fmt.Sprintf("h%d", i),
			Status:            rapid.SampledFrom(statuses).Draw(t, "status"),
			AllowNewSession:   rapid.IntRange(0, 4).Draw(t, "drained") > 0,
			AssignedUser:      rapid.SampledFrom([]string{"", "", "alice", "Bob", "carol"}).Draw(t, "owner"),
			AnonymousSessions: rapid.IntRange(0, 3).Draw(t, "anonymous"),
		}
		for j := range rapid.IntRange(0, 2).Draw(t, "sessions") {
			h.Sessions = append(h.Sessions, hostpool.Session{
				ID:      strconv.Itoa(j + 1),
				User:    rapid.SampledFrom([]string{"alice", "ALICE", "dave", "erin", "frank"}).Draw(t, "user"),
				State:   hostpool.SessionState(rapid.SampledFrom(hostpool.SessionState("").Values()[:4]).Draw(t, "state")),
				Created: clock.AddDate(0, 0, -rapid.IntRange(1, 3).Draw(t, "days")),
			})
		}
		p.SessionHosts = append(p.SessionHosts, h)
	}
	return p
}

func anyUser(t *rapid.T) string {
	return rapid.SampledFrom([]string{"Alice", "bob", "zoe"}).Draw(t, "connects")
}

func clonePool(p *hostpool.Pool) *hostpool.Pool {
	c := *p
	c.SessionHosts = slices.Clone(p.SessionHosts)
	for i := range c.SessionHosts {
		c.SessionHosts[i].Sessions = slices.Clone(c.SessionHosts[i].Sessions)
	}
	return &c
}

// naive is the rules again, stated plainly and slowly: what becomes of the
// connection, and the chance of each host.
type naive struct {
	outcome Outcome
	code    Code
	chance  []*big.Rat
}

func naivePooled(p *hostpool.Pool, user string) naive {
	r := naive{chance: make([]*big.Rat, len(p.SessionHosts))}
	for i := range r.chance {
		r.chance[i] = new(big.Rat)
	}
	healthy := map[hostpool.Status]bool{"Available": true, "NeedsAssistance": true, "Upgrading": true, "UpgradeFailed": true}
	limit := p.MaxSessionLimit
	if limit == 0 {
		limit = 999999
	}
	count := func(i int) int { return len(p.SessionHosts[i].Sessions) + p.SessionHosts[i].AnonymousSessions }

	type own struct {
		host   int
		active bool
		age    float64
	}
	var sessions []own
	for i, h := range p.SessionHosts {
		for _, s := range h.Sessions {
			if strings.EqualFold(s.User, user) && (s.State == "Active" || s.State == "Disconnected") {
				sessions = append(sessions, own{i, s.State == "Active", clock.Sub(s.Created).Seconds()})
			}
		}
	}
	if len(sessions) > 0 {
		sort.SliceStable(sessions, func(i, j int) bool {
			a, b := sessions[i], sessions[j]
			if a.active != b.active {
				return a.active
			}
			return a.age < b.age
		})
		if i := sessions[0].host; healthy[p.SessionHosts[i].Status] {
			r.outcome = Reconnected
			r.chance[i].SetInt64(1)
		} else {
			r.code = CodeHostUnhealthy
		}
		return r
	}

	var part []int
	for i, h := range p.SessionHosts {
		if h.AllowNewSession && healthy[h.Status] && count(i) < limit {
			part = append(part, i)
		}
	}
	switch {
	case len(part) == 0:
		for i, h := range p.SessionHosts {
			if p.StartVMOnConnect && h.AllowNewSession && h.Status == "Shutdown" && count(i) < limit {
				r.outcome = HostStarted
				r.chance[i].SetInt64(1)
				return r
			}
		}
		r.code = CodeNoCapacity
	case p.LoadBalancerType == "DepthFirst":
		sort.SliceStable(part, func(i, j int) bool { return count(part[i]) > count(part[j]) })
		r.outcome = NewSession
		r.chance[part[0]].SetInt64(1)
	default:
		// Every order of the hosts is equally likely to be the one in which
		// equals are ranked; in each, the first half shares the chance.
		r.outcome = NewSession
		orders := permutations(part)
		half := (len(part) + 1) / 2
		share := big.NewRat(1, int64(half*len(orders)))
		for _, order := range orders {
			sort.SliceStable(order, func(i, j int) bool { return count(order[i]) < count(order[j]) })
			for _, i := range order[:half] {
				r.chance[i].Add(r.chance[i], share)
			}
		}
	}
	return r
}

func naivePersonal(p *hostpool.Pool, user string) naive {
	r := naive{chance: make([]*big.Rat, len(p.SessionHosts))}
	for i := range r.chance {
		r.chance[i] = new(big.Rat)
	}
	healthy := map[hostpool.Status]bool{"Available": true, "NeedsAssistance": true, "Upgrading": true, "UpgradeFailed": true}
	multiple := p.LoadBalancerType == "MultiplePersistent"

	var own []int
	for i, h := range p.SessionHosts {
		if strings.EqualFold(h.AssignedUser, user) {
			own = append(own, i)
		}
	}
	if len(own) == 0 {
		if multiple || p.PersonalDesktopAssignmentType == "Direct" {
			r.code = CodeNotAssigned
			return r
		}
		for i, h := range p.SessionHosts {
			if h.AssignedUser == "" && h.AllowNewSession && healthy[h.Status] {
				r.outcome = Assigned
				r.chance[i].SetInt64(1)
				return r
			}
		}
		for i, h := range p.SessionHosts {
			if h.AssignedUser == "" && h.AllowNewSession && h.Status == "Shutdown" && p.StartVMOnConnect {
				r.outcome = HostStarted
				r.chance[i].SetInt64(1)
				return r
			}
		}
		r.code = CodeNoCapacity
		return r
	}
	if len(own) > 1 && multiple {
		r.code = CodeUsage
		return r
	}
	desktop, sits, best := own[0], false, math.Inf(1)
	for _, i := range own {
		for _, s := range p.SessionHosts[i].Sessions {
			rank := clock.Sub(s.Created).Hours()
			if s.State == "Disconnected" {
				rank += 1e6
			}
			if strings.EqualFold(s.User, user) && (s.State == "Active" || s.State == "Disconnected") && rank < best {
				desktop, sits, best = i, true, rank
			}
		}
	}
	switch h := p.SessionHosts[desktop]; {
	case !healthy[h.Status] && !(h.Status == "Shutdown" && p.StartVMOnConnect):
		r.code = CodeHostUnhealthy
		return r
	case !sits && !h.AllowNewSession:
		r.code = CodeNoCapacity
		return r
	case !healthy[h.Status]:
		r.outcome = HostStarted
	case sits:
		r.outcome = Reconnected
	default:
		r.outcome = NewSession
	}
	r.chance[desktop].SetInt64(1)
	return r
}

// permutations lists every order of the items.
func permutations(items []int) [][]int {
	if len(items) == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for i := range items {
		rest := slices.Delete(slices.Clone(items), i, i+1)
		for _, p := range permutations(rest) {
			all = append(all, append([]int{items[i]}, p...))
		}
	}
	return all
}

// The decision, and the very float64 of each probability, are those of the
// rules; nothing is changed, and the same seed decides the same.
func TestHostDecisionFollowsTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, user, seed := anyPool(t, hostpool.Pooled, hostpool.Pooled, hostpool.Personal), anyUser(t), rapid.Uint64().Draw(t, "seed")
		before := clonePool(p)
		d := SelectHost(p, HostRequest{User: user}, seeded(seed))
		if !reflect.DeepEqual(p, before) {
			t.Fatal("the pool was changed")
		}
		if again := SelectHost(p, HostRequest{User: user}, seeded(seed)); !reflect.DeepEqual(d, again) {
			t.Fatalf("the same seed decided %+v, then %+v", d, again)
		}

		want := naivePersonal
		if p.HostPoolType == hostpool.Pooled {
			want = naivePooled
		}
		rules := want(p, user)
		if d.Outcome != rules.outcome || (d.Refusal == nil) != (rules.code == "") || d.Refusal != nil && d.Refusal.Code != rules.code {
			t.Fatalf("outcome %q, refusal %v; want %q, %q", d.Outcome, d.Refusal, rules.outcome, rules.code)
		}
		sum, chosen := new(big.Rat), 0
		for i, h := range d.Hosts {
			sum.Add(sum, rules.chance[i])
			if exact, _ := rules.chance[i].Float64(); h.Probability != exact {
				t.Errorf("%s: probability %v, want %s", h.Name, h.Probability, rules.chance[i])
			}
			if h.Verdict == "" || h.Name != p.SessionHosts[i].Name || h.Sessions != p.SessionHosts[i].SessionCount() {
				t.Errorf("verdict %+v of host %+v", h, p.SessionHosts[i])
			}
			if h.Verdict == Chosen {
				chosen++
			}
			if h.Verdict != Chosen && h.Verdict != Eligible && h.Probability > 0 {
				t.Errorf("%s is %s, but has probability %v", h.Name, h.Verdict, h.Probability)
			}
		}
		if d.Refusal != nil {
			if d.HostIndex != -1 || d.Host != "" || chosen != 0 || sum.Sign() != 0 {
				t.Errorf("refused, but %+v", d)
			}
			return
		}
		if chosen != 1 || d.Hosts[d.HostIndex].Verdict != Chosen || d.Host != p.SessionHosts[d.HostIndex].Name || d.Hosts[d.HostIndex].Probability == 0 {
			t.Errorf("chosen %d times, %q at %d: %+v", chosen, d.Host, d.HostIndex, d.Hosts)
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("the chances sum to %s", sum)
		}
	})
}

// Every host is drawn as often as its probability says, within six standard
// deviations.
func TestHostShareAgreesWithProbability(t *testing.T) {
	const draws = 2000
	rapid.Check(t, func(t *rapid.T) {
		p := anyPool(t, hostpool.Pooled)
		p.LoadBalancerType = hostpool.BreadthFirst
		rng := seeded(rapid.Uint64().Draw(t, "seed"))
		d := SelectHost(p, HostRequest{User: "zoe"}, rng)
		if d.Refusal != nil {
			t.Skip("refused")
		}
		drawn := make([]int, len(p.SessionHosts))
		for range draws {
			drawn[SelectHost(p, HostRequest{User: "zoe"}, rng).HostIndex]++
		}
		for i, h := range d.Hosts {
			deviation := math.Sqrt(draws * h.Probability * (1 - h.Probability))
			if math.Abs(float64(drawn[i])-draws*h.Probability) > 6*deviation {
				t.Errorf("%s was drawn %d times in %d, probability %v", h.Name, drawn[i], draws, h.Probability)
			}
		}
	})
}

// In breadth-first a host's chance depends on session counts alone: hosts that
// are renamed and put in another order keep theirs.
func TestBreadthFirstIgnoresNameAndPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(0, 6), 1, 40).Draw(t, "counts")
		order := rapid.Permutation(counts).Draw(t, "order")
		chance := func(counts []int, prefix string) map[int]float64 {
			p := pooled(hostpool.BreadthFirst, 6, counts...)
			for i := range p.SessionHosts {
				p.SessionHosts[i].Name = prefix + strconv.Itoa(len(counts)-i)
			}
			byCount := map[int]float64{}
			for _, h := range SelectHost(p, HostRequest{User: "u"}, seeded(1)).Hosts {
				if known, ok := byCount[h.Sessions]; ok && known != h.Probability {
					t.Errorf("hosts with %d sessions have probability %v and %v", h.Sessions, known, h.Probability)
				}
				byCount[h.Sessions] = h.Probability
			}
			return byCount
		}
		if a, b := chance(counts, "a"), chance(order, "z"); !reflect.DeepEqual(a, b) {
			t.Errorf("%v: %v; %v: %v", counts, a, order, b)
		}
	})
}

// A recorded decision takes one seat at most, keeps hosts within the limit,
// gives a session an id of its own, and brings the user back to the same place.
func TestRecordedDecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, user := anyPool(t, hostpool.Pooled, hostpool.Personal), anyUser(t)
		before := clonePool(p)
		d := SelectHost(p, HostRequest{User: user}, seeded(1))
		d.Record(p, clock)
		if d.Refusal != nil {
			if !reflect.DeepEqual(p, before) {
				t.Fatal("a refusal changed the pool")
			}
			return
		}
		for i := range p.SessionHosts {
			h, old := &p.SessionHosts[i], &before.SessionHosts[i]
			grown := h.SessionCount() - old.SessionCount()
			switch {
			case i != d.HostIndex && !reflect.DeepEqual(h, old):
				t.Errorf("%s was not chosen, but changed", h.Name)
			case i == d.HostIndex && grown != map[bool]int{true: 1, false: 0}[d.SessionIndex < 0]:
				t.Errorf("%s on %s: %d more sessions", d.Outcome, h.Name, grown)
			case grown > 0 && p.Balanced() && h.SessionCount() > p.SessionLimit():
				t.Errorf("%s has %d sessions, over the limit of %d", h.Name, h.SessionCount(), p.SessionLimit())
			}
			ids := map[string]bool{}
			for _, s := range h.Sessions {
				if ids[s.ID] {
					t.Errorf("%s has two sessions %s", h.Name, s.ID)
				}
				ids[s.ID] = true
			}
		}
		again := SelectHost(p, HostRequest{User: strings.ToUpper(user)}, seeded(2))
		if again.Outcome != Reconnected || again.HostIndex != d.HostIndex {
			t.Errorf("after %s on %s: %s on %s (%v)", d.Outcome, d.Host, again.Outcome, again.Host, again.Refusal)
		}
	})
}

var hintCommand = regexp.MustCompile(`gatepool .*$`)

// Each hint of a refusal for want of capacity, carried out, ends the refusal.
func TestEveryHintForCapacityHelps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPool(t, hostpool.Pooled, hostpool.Personal)
		r := SelectHost(p, HostRequest{User: "zoe"}, seeded(1)).Refusal
		if r == nil || r.Code != CodeNoCapacity {
			t.Skip("not refused for want of capacity")
		}
		for _, hint := range strings.Split(r.Help, "; or ") {
			q := clonePool(p)
			switch line := strings.Fields(hintCommand.FindString(hint)); {
			case line[1] == "add-host":
				q.SessionHosts = append(q.SessionHosts, hostpool.Host{Name: "NAME", Status: hostpool.Available, AllowNewSession: true})
			case line[1] == "resume-host":
				q.Host(line[3]).AllowNewSession = true
			case line[1] == "set-host" && line[4] == "--status":
				q.Host(line[3]).Status = hostpool.Status(line[5])
			case line[1] == "set-hostpool" && line[3] == "--start-vm-on-connect":
				q.StartVMOnConnect = true
			case line[1] == "set-hostpool" && line[3] == "--max-session-limit":
				q.MaxSessionLimit, _ = strconv.Atoi(line[4])
			default:
				t.Fatalf("hint %q", hint)
			}
			if d := SelectHost(q, HostRequest{User: "zoe"}, seeded(1)); d.Refusal != nil {
				t.Errorf("%q doesn't help: %v", hint, d.Refusal)
			}
		}
	})
}
