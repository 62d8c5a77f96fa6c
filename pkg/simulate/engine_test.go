package simulate

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"gatepool/pkg/balance"
	"gatepool/pkg/hostpool"
)

// mirror is an engine beside the pool that it stands for, whose hosts are found
// again by index even when some were removed.
type mirror struct {
	pool    *hostpool.Pool
	engine  *Engine
	indexes []int // engine's index of each host of the pool
}

func newMirror(t fataler, pool *hostpool.Pool, seed uint64) *mirror {
	engine, err := NewEngine(pool, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		t.Fatal(err)
	}
	m := &mirror{pool: pool, engine: engine}
	for i := range pool.SessionHosts {
		m.indexes = append(m.indexes, i)
	}
	return m
}

type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// check compares the engine with what package balance states of the pool.
func (m *mirror) check(t fataler) {
	t.Helper()
	want := balance.SelectHost(m.pool, balance.HostRequest{User: "new"}, rand.New(rand.NewPCG(1, 1)))
	for i, host := range m.indexes {
		if got, want := m.engine.Sessions(host), m.pool.SessionHosts[i].SessionCount(); got != want {
			t.Fatalf("host %d has %d sessions, want %d", i, got, want)
		}
		if got, want := m.engine.Probability(host), want.Hosts[i].Probability; got != want {
			t.Fatalf("host %d of %d has probability %v, want %v", i, len(m.indexes), got, want)
		}
	}
}

// connect places a session on both sides, where the engine says.
func (m *mirror) connect(t fataler) {
	t.Helper()
	want := balance.SelectHost(m.pool, balance.HostRequest{User: "new"}, rand.New(rand.NewPCG(1, 1)))
	host, ok := m.engine.Connect()
	if ok != (want.Refusal == nil) {
		t.Fatalf("engine places: %v, balance says %v", ok, want.Refusal)
	}
	if !ok {
		return
	}
	for i := range m.indexes {
		if m.indexes[i] != host {
			continue
		}
		if want.Hosts[i].Probability == 0 {
			t.Fatalf("engine took host %d, which has no chance", i)
		}
		h := &m.pool.SessionHosts[i]
		h.AnonymousSessions++
		if h.Status == hostpool.Shutdown {
			h.Status = hostpool.Available
		}
		return
	}
	t.Fatalf("engine took host %d, which was removed", host)
}

func drawPool(t *rapid.T) *hostpool.Pool {
	pool := &hostpool.Pool{
		Name:             "hp",
		HostPoolType:     hostpool.Pooled,
		LoadBalancerType: rapid.SampledFrom([]hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst}).Draw(t, "algorithm"),
		MaxSessionLimit:  rapid.IntRange(0, 6).Draw(t, "limit"),
		StartVMOnConnect: rapid.Bool().Draw(t, "start"),
	}
	for range rapid.SampledFrom([]int{0, 1, 2, 5, 9, 70, 130}).Draw(t, "hosts") {
		pool.SessionHosts = append(pool.SessionHosts, drawHost(t))
	}
	return pool
}

func drawHost(t *rapid.T) hostpool.Host {
	return hostpool.Host{
		Status:            drawStatus(t),
		AllowNewSession:   rapid.IntRange(0, 4).Draw(t, "drained") > 0,
		AnonymousSessions: max(0, rapid.IntRange(-4, 9).Draw(t, "sessions")),
	}
}

func drawStatus(t *rapid.T) hostpool.Status {
	if rapid.IntRange(0, 2).Draw(t, "odd") > 0 {
		return hostpool.Available
	}
	values := hostpool.Status("").Values()
	return hostpool.Status(rapid.SampledFrom(values).Draw(t, "status"))
}

func TestEngineEqualsBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMirror(t, drawPool(t), rapid.Uint64().Draw(t, "seed"))
		some := func(t *rapid.T) int {
			if len(m.indexes) == 0 {
				t.Skip("no hosts")
			}
			return rapid.IntRange(0, len(m.indexes)-1).Draw(t, "host")
		}
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) { m.check(t) },
			"connect": func(t *rapid.T) {
				for range rapid.SampledFrom([]int{1, 2, 30}).Draw(t, "times") {
					m.connect(t)
				}
			},
			"end": func(t *rapid.T) {
				i := some(t)
				h := &m.pool.SessionHosts[i]
				if got, want := m.engine.End(m.indexes[i]), h.AnonymousSessions > 0; got != want {
					t.Fatalf("End says %v with %d sessions", got, h.AnonymousSessions)
				}
				h.AnonymousSessions = max(0, h.AnonymousSessions-1)
			},
			"drain": func(t *rapid.T) {
				i := some(t)
				m.pool.SessionHosts[i].AllowNewSession = false
				m.engine.Drain(m.indexes[i])
			},
			"resume": func(t *rapid.T) {
				i := some(t)
				m.pool.SessionHosts[i].AllowNewSession = true
				m.engine.Resume(m.indexes[i])
			},
			"limit": func(t *rapid.T) {
				m.pool.MaxSessionLimit = rapid.IntRange(0, 9).Draw(t, "limit")
				m.engine.SetLimit(m.pool.SessionLimit())
			},
			"status": func(t *rapid.T) {
				i, status := some(t), drawStatus(t)
				m.pool.SessionHosts[i].Status = status
				m.engine.SetStatus(m.indexes[i], status)
			},
			"add": func(t *rapid.T) {
				h := drawHost(t)
				m.pool.SessionHosts = append(m.pool.SessionHosts, h)
				m.indexes = append(m.indexes, m.engine.AddHost(h.Status, h.AllowNewSession, h.AnonymousSessions))
			},
			"remove": func(t *rapid.T) {
				i := some(t)
				if got, want := m.engine.RemoveHost(m.indexes[i]), m.pool.SessionHosts[i].AnonymousSessions; got != want {
					t.Fatalf("%d sessions went with the host, want %d", got, want)
				}
				m.pool.SessionHosts = append(m.pool.SessionHosts[:i:i], m.pool.SessionHosts[i+1:]...)
				m.indexes = append(m.indexes[:i:i], m.indexes[i+1:]...)
			},
		})
	})
}

// TestStartsNoFullHost: a shut down host that carries as many sessions as the
// limit allows is passed over.
func TestStartsNoFullHost(t *testing.T) {
	pool := emptyPool(hostpool.DepthFirst, 3, 2)
	pool.StartVMOnConnect = true
	for i, sessions := range []int{2, 2, 0} {
		pool.SessionHosts[i].Status = hostpool.Shutdown
		pool.SessionHosts[i].AnonymousSessions = sessions
	}
	m := newMirror(t, pool, 1)
	m.check(t)
	if host, ok := m.engine.Connect(); !ok || host != 2 {
		t.Errorf("host %d (%v) is started, want 2", host, ok)
	}
}
