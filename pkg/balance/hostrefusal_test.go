package balance

import (
	"reflect"
	"testing"

	"gatepool/pkg/hostpool"
)

func TestRefusalOfPooledPool(t *testing.T) {
	const addHost = "add a host: gatepool add-host hp NAME"
	drain := func(p *hostpool.Pool, hosts ...int) {
		for _, i := range hosts {
			p.SessionHosts[i].AllowNewSession = false
		}
	}
	for _, test := range []struct {
		name     string
		sessions []int
		change   func(*hostpool.Pool)
		message  string
		causes   map[Verdict]int
		help     string
	}{
		{
			"empty", nil, func(*hostpool.Pool) {},
			"hp has no session hosts", map[Verdict]int{}, addHost,
		}, {
			"all drained", []int{0, 1}, func(p *hostpool.Pool) { drain(p, 0, 1) },
			"every session host of hp is in drain mode (2 hosts)", map[Verdict]int{Drained: 2},
			"end drain mode of h1: gatepool resume-host hp h1; or " + addHost,
		}, {
			"drained, and the first is full too", []int{12, 1}, func(p *hostpool.Pool) { drain(p, 0, 1) },
			"every session host of hp is in drain mode (2 hosts)", map[Verdict]int{Drained: 2},
			"end drain mode of h2: gatepool resume-host hp h2; or " + addHost,
		}, {
			"none healthy", []int{0, 0, 0, 0}, func(p *hostpool.Pool) {
				for i, s := range []hostpool.Status{hostpool.Shutdown, hostpool.NoHeartbeat, hostpool.FSLogixNotHealthy, hostpool.NoHeartbeat} {
					p.SessionHosts[i].Status = s
				}
			},
			"no session host of hp is healthy (1 FSLogixNotHealthy, 2 NoHeartbeat, 1 Shutdown)", map[Verdict]int{Unhealthy: 3, Shutdown: 1},
			"let connections start hosts such as h1: gatepool set-hostpool hp --start-vm-on-connect; or " +
				"repair h2 (NoHeartbeat), then say so: gatepool set-host hp h2 --status Available; or " + addHost,
		}, {
			"all full", []int{12, 12, 15}, func(*hostpool.Pool) {},
			"every session host of hp has reached the session limit of 12 (3 hosts)", map[Verdict]int{LimitReached: 3},
			"raise the session limit from 12: gatepool set-hostpool hp --max-session-limit 13; or " + addHost,
		}, {
			"the limit was lowered far below", []int{20, 18}, func(*hostpool.Pool) {},
			"every session host of hp has reached the session limit of 12 (2 hosts)", map[Verdict]int{LimitReached: 2},
			"raise the session limit from 12: gatepool set-hostpool hp --max-session-limit 19; or " + addHost,
		}, {
			"full at the highest limit", []int{999999}, func(p *hostpool.Pool) { p.MaxSessionLimit = 0 },
			"every session host of hp has reached the session limit of 999999 (1 host)", map[Verdict]int{LimitReached: 1}, addHost,
		}, {
			"a mix", []int{12, 13, 0, 12, 0}, func(p *hostpool.Pool) {
				drain(p, 2)
				p.SessionHosts[3].Status = hostpool.Unavailable
				p.SessionHosts[4].Status = hostpool.Shutdown
			},
			"no session host of hp takes a new session (1 in drain mode, 2 at the session limit of 12, 1 Shutdown, 1 Unavailable)",
			map[Verdict]int{LimitReached: 2, Drained: 1, Unhealthy: 1, Shutdown: 1},
			"raise the session limit from 12: gatepool set-hostpool hp --max-session-limit 13; or " +
				"end drain mode of h3: gatepool resume-host hp h3; or " +
				"let connections start hosts such as h5: gatepool set-hostpool hp --start-vm-on-connect; or " + addHost,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, algorithm := range []hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst} {
				p := pooled(algorithm, 12, test.sessions...)
				test.change(p)
				d := SelectHost(p, HostRequest{User: "u"}, nil)
				want := &Refusal{Code: CodeNoCapacity, Message: test.message, Causes: test.causes, Help: test.help}
				if !reflect.DeepEqual(d.Refusal, want) {
					t.Errorf("got  %+v\nwant %+v", d.Refusal, want)
				}
				for _, h := range d.Hosts {
					if h.Probability != 0 {
						t.Errorf("%s was refused, but has probability %v", h.Name, h.Probability)
					}
				}
			}
		})
	}
}
