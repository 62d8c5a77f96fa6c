package balance

import (
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gatepool/pkg/gateway"

	"pgregory.net/rapid"
)

// anyCluster draws a cluster with members in every state.
func anyCluster(t *rapid.T) *gateway.Cluster {
	mode := rapid.SampledFrom([]gateway.LoadBalancing{gateway.Failover, gateway.Random, gateway.RoundRobin}).Draw(t, "mode")
	states := rapid.SliceOfN(rapid.SampledFrom([]string{"ok", "ok", "off", "dis", "cpu", "mem", "con"}), 0, 5).Draw(t, "states")
	c := inState(mode, strings.Join(states, " "))
	if len(states) > 0 && mode == gateway.RoundRobin {
		c.RoundRobinNext = rapid.SampledFrom(c.Members).Draw(t, "next").Name
	}
	for i := range c.Members {
		m := &c.Members[i]
		m.ActiveOperations += rapid.IntRange(0, 39).Draw(t, "operations")
		*m.Counters[0].Memory += rapid.Float64Range(0, 25).Draw(t, "memory")
		if rapid.IntRange(0, 9).Draw(t, "measured") == 0 {
			m.Counters = nil
		}
		if rapid.IntRange(0, 4).Draw(t, "both") == 0 {
			m.Enabled = false
		}
	}
	return c
}

// naiveMember walks members in one order, and says which takes the request and
// the results along the way.
func naiveMember(c *gateway.Cluster, order []int) (taker int, results []Verdict) {
	for _, i := range order {
		m := c.Members[i]
		if !m.Enabled {
			continue
		}
		result := Accepted
		switch {
		case m.Status == "Offline":
			result = Offline
		case len(m.Counters) > 0 && *m.Counters[0].CPU >= 80:
			result = CPULimit
		case len(m.Counters) > 0 && *m.Counters[0].Memory >= 90:
			result = MemoryLimit
		case m.ActiveOperations >= 40:
			result = ConcurrencyLimit
		}
		results = append(results, result)
		if result == Accepted {
			return i, results
		}
		if c.LoadBalancing == "Failover" && result != Offline {
			break
		}
	}
	return -1, results
}

// naiveOrders lists the orders in which members may be tried, all equally likely.
func naiveOrders(c *gateway.Cluster) [][]int {
	var all []int
	for i := range c.Members {
		all = append(all, i)
	}
	switch c.LoadBalancing {
	case "Random":
		return permutations(all)
	case "RoundRobin":
		for i, m := range c.Members {
			if m.Name == c.RoundRobinNext {
				all = append(all[i:len(all):len(all)], all[:i]...)
			}
		}
	}
	return [][]int{all}
}

func TestMemberDecisionFollowsTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, seed := anyCluster(t), rapid.Uint64().Draw(t, "seed")
		before := *c
		before.Members = slices.Clone(c.Members)
		d := SelectMember(c, nil, clock, seeded(seed))
		if !reflect.DeepEqual(*c, before) {
			t.Fatal("the cluster was changed")
		}
		if again := SelectMember(c, nil, clock, seeded(seed)); !reflect.DeepEqual(d, again) {
			t.Fatalf("the same seed decided %+v, then %+v", d, again)
		}

		orders := naiveOrders(c)
		share := big.NewRat(1, int64(len(orders)))
		takes, first := make([]*big.Rat, len(c.Members)), make([]*big.Rat, len(c.Members))
		for i := range c.Members {
			takes[i], first[i] = new(big.Rat), new(big.Rat)
		}
		possible := false // some order leads to this very decision
		for _, order := range orders {
			taker, results := naiveMember(c, order)
			if taker >= 0 {
				takes[taker].Add(takes[taker], share)
			}
			for _, i := range order {
				if c.Members[i].Enabled {
					first[i].Add(first[i], share)
					break
				}
			}
			var got []Verdict
			for _, a := range d.Attempts {
				got = append(got, a.Result)
			}
			possible = possible || taker == d.MemberIndex && reflect.DeepEqual(got, results)
		}
		if !possible {
			t.Errorf("no order of members leads to %q after %s", d.Member, attempts(d))
		}
		for i, m := range d.Members {
			if exact, _ := takes[i].Float64(); m.Probability != exact {
				t.Errorf("%s takes the request with probability %v, want %s", m.Name, m.Probability, takes[i])
			}
			if exact, _ := first[i].Float64(); m.FirstTry != exact {
				t.Errorf("%s is tried first with probability %v, want %s", m.Name, m.FirstTry, first[i])
			}
			if (m.Verdict == Chosen) != (i == d.MemberIndex) || m.Verdict == Disabled != !c.Members[i].Enabled || m.Verdict == "" {
				t.Errorf("%s is %s, chosen is %q", m.Name, m.Verdict, d.Member)
			}
		}
		if (d.Refusal == nil) != (d.MemberIndex >= 0) {
			t.Errorf("member %q, refusal %v", d.Member, d.Refusal)
		}
		for _, a := range d.Attempts {
			if c.Member(a.Member).Status == gateway.Offline && !slices.ContainsFunc(d.Warnings, func(w string) bool { return strings.HasPrefix(w, a.Member+" is offline") }) {
				t.Errorf("no warning of %s: %q", a.Member, d.Warnings)
			}
		}
	})
}

// Every member takes the request as often as its probability says, within six
// standard deviations.
func TestMemberShareAgreesWithProbability(t *testing.T) {
	const draws = 2000
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		c.LoadBalancing = gateway.Random
		rng := seeded(rapid.Uint64().Draw(t, "seed"))
		takes, first := map[string]int{}, map[string]int{}
		var d MemberDecision
		for range draws {
			d = SelectMember(c, nil, clock, rng)
			takes[d.Member]++
			if len(d.Attempts) > 0 {
				first[d.Attempts[0].Member]++
			}
		}
		agrees := func(n int, p float64) bool {
			return math.Abs(float64(n)-draws*p) <= 6*math.Sqrt(draws*p*(1-p))
		}
		for _, m := range d.Members {
			if !agrees(takes[m.Name], m.Probability) || !agrees(first[m.Name], m.FirstTry) {
				t.Errorf("%s took %d and was first in %d of %d; probabilities %v, %v", m.Name, takes[m.Name], first[m.Name], draws, m.Probability, m.FirstTry)
			}
		}
	})
}

// Each hint of a refusal, carried out, ends the refusal.
func TestEveryHintForMembersHelps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCluster(t)
		r := SelectMember(c, nil, clock, seeded(1)).Refusal
		if r == nil {
			t.Skip("not refused")
		}
		for _, hint := range strings.Split(r.Help, "; or ") {
			q := *c
			q.Members = slices.Clone(c.Members)
			line := strings.Fields(hintCommand.FindString(hint))
			switch line[1] {
			case "add-member":
				q.Members = append(q.Members, gateway.Member{Name: "NAME", Status: gateway.Online, Enabled: true})
			case "enable-member":
				q.Member(line[3]).Enabled = true
			case "set-cluster-loadbalancing":
				q.LoadBalancing = gateway.Random
			case "set-member":
				m := q.Member(line[3])
				limits := *m.Limits
				m.Limits = &limits
				for i := 4; i < len(line); i += 2 {
					n, _ := strconv.Atoi(line[i+1])
					switch line[i] {
					case "--status":
						m.Status = gateway.MemberStatus(line[i+1])
					case "--cpu":
						limits.CPU = n
					case "--memory":
						limits.Memory = n
					case "--concurrency":
						limits.Concurrency = n
					}
				}
			default:
				t.Fatalf("hint %q", hint)
			}
			if d := SelectMember(&q, nil, clock, seeded(1)); d.Refusal != nil {
				t.Errorf("%q doesn't help: %v, %s", hint, d.Refusal, attempts(d))
			}
		}
	})
}
