package balance

import (
	"reflect"
	"testing"
	"time"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

func TestRecordHost(t *testing.T) {
	now := time.Date(2026, 11, 29, 9, 0, 7, 999, time.FixedZone("CET", 3600))
	created := time.Date(2026, 11, 29, 8, 0, 7, 0, time.UTC)
	old := session("u", hostpool.SessionDisconnected, "1", created.Add(-time.Hour))

	p := pooled(hostpool.BreadthFirst, 0, 0)
	p.SessionHosts[0].Sessions = []hostpool.Session{session("v", hostpool.SessionActive, "1", created), session("w", hostpool.SessionActive, "3", created), session("x", hostpool.SessionActive, "a", created)}
	SelectHost(p, HostRequest{User: "u"}, seeded(1)).Record(p, now)
	if got, want := p.SessionHosts[0].Sessions[3], session("u", hostpool.SessionActive, "2", created); got != want {
		t.Errorf("new session %+v, want %+v", got, want)
	}

	p = pooled(hostpool.BreadthFirst, 0, 0)
	p.SessionHosts[0].Sessions = []hostpool.Session{old}
	SelectHost(p, HostRequest{User: "U"}, nil).Record(p, now)
	resumed := old
	resumed.State = hostpool.SessionActive
	if got := p.SessionHosts[0].Sessions; !reflect.DeepEqual(got, []hostpool.Session{resumed}) {
		t.Errorf("resumed: %+v", got)
	}

	p = pooled(hostpool.DepthFirst, 5, 0)
	p.StartVMOnConnect = true
	p.SessionHosts[0].Status = hostpool.Shutdown
	SelectHost(p, HostRequest{User: "u"}, nil).Record(p, now)
	if h := p.SessionHosts[0]; h.Status != hostpool.Available || len(h.Sessions) != 1 || h.AssignedUser != "" {
		t.Errorf("started: %+v", h)
	}

	p = personal(hostpool.Automatic, "")
	p.StartVMOnConnect = true
	p.SessionHosts[0].Status = hostpool.Shutdown
	SelectHost(p, HostRequest{User: "u"}, nil).Record(p, now)
	if h := p.SessionHosts[0]; h.Status != hostpool.Available || h.AssignedUser != "u" || len(h.Sessions) != 1 {
		t.Errorf("started and assigned: %+v", h)
	}

	p = personal(hostpool.Automatic, "u")
	p.StartVMOnConnect = true
	p.SessionHosts[0].Status = hostpool.Shutdown
	p.SessionHosts[0].Sessions = []hostpool.Session{old}
	SelectHost(p, HostRequest{User: "u"}, nil).Record(p, now)
	if h := p.SessionHosts[0]; h.Status != hostpool.Available || !reflect.DeepEqual(h.Sessions, []hostpool.Session{resumed}) {
		t.Errorf("woken: %+v", h)
	}

	p = pooled(hostpool.BreadthFirst, 1, 1)
	before := *p
	SelectHost(p, HostRequest{User: "u"}, nil).Record(p, now)
	if !reflect.DeepEqual(*p, before) || len(p.SessionHosts[0].Sessions) > 0 {
		t.Errorf("a refusal was recorded: %+v", p)
	}
}

func TestFreeID(t *testing.T) {
	for _, test := range []struct {
		used []string
		want string
	}{
		{nil, "1"},
		{[]string{"1", "2"}, "3"},
		{[]string{"3", "1"}, "2"},
		{[]string{"2"}, "1"},
		{[]string{"3"}, "1"},
		{[]string{"", "", ""}, "1"},
		{[]string{"x", "0", "-1", "99999999999999999999"}, "1"},
	} {
		var sessions []hostpool.Session
		for _, id := range test.used {
			sessions = append(sessions, hostpool.Session{ID: id})
		}
		if got := freeID(sessions); got != test.want {
			t.Errorf("beside %q: %s, want %s", test.used, got, test.want)
		}
	}
}

func TestRecordMember(t *testing.T) {
	c := cluster(gateway.RoundRobin, 3)
	for _, want := range []string{"g2", "g3", "g1", "g2"} {
		SelectMember(c, nil, clock, nil).Record(c)
		if c.RoundRobinNext != want {
			t.Errorf("next is %q, want %q", c.RoundRobinNext, want)
		}
	}
	for i := range c.Members {
		c.Members[i].Status = gateway.Offline
	}
	SelectMember(c, nil, clock, nil).Record(c)
	if c.RoundRobinNext != "g2" {
		t.Errorf("a refusal moved the turn to %q", c.RoundRobinNext)
	}
	for _, mode := range []gateway.LoadBalancing{gateway.Failover, gateway.Random} {
		c := cluster(mode, 3)
		if SelectMember(c, nil, clock, seeded(1)).Record(c); c.RoundRobinNext != "" {
			t.Errorf("%s recorded a turn", mode)
		}
	}
}
