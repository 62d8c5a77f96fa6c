package balance

import (
	"reflect"
	"testing"

	"gatepool/pkg/gateway"
)

// The service's three messages, word for word.
const (
	cpuMessage         = "The gateway you selected can't establish data source connections because it's exceeded the CPU limit set by your gateway admin. Try again later, or ask your gateway admin to increase the limit."
	memoryMessage      = "The gateway you selected can't establish data source connections because it's exceeded the memory limit set by your gateway admin. Try again later, or ask your gateway admin to increase the limit."
	concurrencyMessage = "The gateway you selected can't establish data source connections because it's exceeded the concurrency limit set by your gateway admin. Try again later, or ask your gateway admin to increase the limit."
)

func TestRefusalOfCluster(t *testing.T) {
	const unreachable = "no member of fin that is enabled is online (DM_GWPipeline_Client_GatewayUnreachable)"
	const add = "add a member: gatepool add-member fin NAME"
	for _, test := range []struct {
		name    string
		mode    gateway.LoadBalancing
		states  string
		change  func(*gateway.Cluster)
		code    Code
		message string
		causes  map[Verdict]int
		help    string
	}{
		{"the primary is at its CPU limit", gateway.Failover, "cpu ok", nil, CodeCPULimit, cpuMessage, map[Verdict]int{CPULimit: 1},
			"raise what g1 allows (CPU 80 %): gatepool set-member fin g1 --cpu 86; or let the other members take requests: gatepool set-cluster-loadbalancing fin --mode random"},
		{"the primary is at its memory limit", gateway.Failover, "mem", nil, CodeMemoryLimit, memoryMessage, map[Verdict]int{MemoryLimit: 1},
			"raise what g1 allows (memory 90 %): gatepool set-member fin g1 --memory 91"},
		{"the primary is at its concurrency limit", gateway.Failover, "con", nil, CodeConcurrencyLimit, concurrencyMessage, map[Verdict]int{ConcurrencyLimit: 1},
			"raise what g1 allows (concurrency 40): gatepool set-member fin g1 --concurrency 41"},
		{"the stand-in is at its limit", gateway.Failover, "off cpu dis", nil, CodeCPULimit, cpuMessage, map[Verdict]int{Offline: 1, CPULimit: 1, Disabled: 1},
			"raise what g2 allows (CPU 80 %): gatepool set-member fin g2 --cpu 86; or bring g1 back online, then say so: gatepool set-member fin g1 --status Online"},
		{"a configuration file, and several limits", gateway.Failover, "cpu", func(c *gateway.Cluster) {
			m := &c.Members[0]
			m.ConfigFile, m.ActiveOperations, *m.Counters[0].Memory = "x.config", 50, 100
		}, CodeCPULimit, cpuMessage, map[Verdict]int{CPULimit: 1},
			"raise what g1 allows (CPU 80 %, memory 90 %, concurrency 40): gatepool set-gatewayconfig --member fin/g1 --cpu 86 --memory 0 --concurrency 51"},
		{"all at a limit: the first that was tried", gateway.RoundRobin, "con mem cpu", func(c *gateway.Cluster) { c.RoundRobinNext = "g2" }, CodeMemoryLimit, memoryMessage,
			map[Verdict]int{ConcurrencyLimit: 1, MemoryLimit: 1, CPULimit: 1},
			"raise what g2 allows (memory 90 %): gatepool set-member fin g2 --memory 91; or " + add},
		{"offline first, then a limit", gateway.RoundRobin, "off con dis", nil, CodeConcurrencyLimit, concurrencyMessage, map[Verdict]int{Offline: 1, ConcurrencyLimit: 1, Disabled: 1},
			"raise what g2 allows (concurrency 40): gatepool set-member fin g2 --concurrency 41; or enable g3: gatepool enable-member fin g3; or " +
				"bring g1 back online, then say so: gatepool set-member fin g1 --status Online; or " + add},
		{"all offline", gateway.Random, "off off", nil, CodeUnreachable, unreachable, map[Verdict]int{Offline: 2},
			"bring g1 back online, then say so: gatepool set-member fin g1 --status Online; or " + add},
		{"offline and disabled", gateway.Failover, "off dis", nil, CodeUnreachable, unreachable, map[Verdict]int{Offline: 1, Disabled: 1},
			"enable g2: gatepool enable-member fin g2; or bring g1 back online, then say so: gatepool set-member fin g1 --status Online; or " + add},
		{"all disabled", gateway.Random, "dis dis", nil, CodeUnreachable, "every member of fin is disabled (2 members)", map[Verdict]int{Disabled: 2},
			"enable g1: gatepool enable-member fin g1; or " + add},
		{"no members", gateway.RoundRobin, "", nil, CodeUnreachable, "fin has no members", map[Verdict]int{}, add},
		{"ten members", gateway.RoundRobin, "con con con con con con con con con con", nil, CodeConcurrencyLimit, concurrencyMessage, map[Verdict]int{ConcurrencyLimit: 10},
			"raise what g1 allows (concurrency 40): gatepool set-member fin g1 --concurrency 41"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := inState(test.mode, test.states)
			if test.change != nil {
				test.change(c)
			}
			d := SelectMember(c, nil, clock, seeded(1))
			want := &Refusal{Code: test.code, Message: test.message, Causes: test.causes, Help: test.help}
			if !reflect.DeepEqual(d.Refusal, want) {
				t.Errorf("got  %+v\nwant %+v", d.Refusal, want)
			}
			if d.Member != "" || d.MemberIndex != -1 || d.Next != "" || d.Attempts == nil {
				t.Errorf("refused, but %+v", d)
			}
		})
	}
}

// In random order the message is that of the first member at a limit among
// those tried, so every limit's message occurs.
func TestRandomRefusalFollowsTheOrder(t *testing.T) {
	c := inState(gateway.Random, "off cpu mem con")
	seen := map[Code]bool{}
	for seed := range uint64(200) {
		d := SelectMember(c, nil, clock, seeded(seed))
		if len(d.Attempts) != 4 {
			t.Fatalf("attempts %s", attempts(d))
		}
		first := d.Attempts[0].Result
		if first == Offline {
			first = d.Attempts[1].Result
		}
		want := map[Verdict]string{CPULimit: cpuMessage, MemoryLimit: memoryMessage, ConcurrencyLimit: concurrencyMessage}[first]
		if d.Refusal.Error() != want {
			t.Errorf("after %s: %s", attempts(d), d.Refusal)
		}
		seen[d.Refusal.Code] = true
	}
	if len(seen) != 3 {
		t.Errorf("codes seen: %v", seen)
	}
}
