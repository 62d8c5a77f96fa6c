package simulate

import (
	"fmt"
	"math/rand/v2"

	"gatepool/pkg/hostpool"
)

// Engine is a pooled host pool that places sessions one after another. Hosts
// are named by their index: the position in the pool, then the order of
// AddHost. An index stays valid for the engine's life.
//
// Connect and End take constant time. Drain, Resume, SetStatus, AddHost and
// RemoveHost take time in proportion to the highest session count on a host.
// An Engine is not safe for concurrent use.
type Engine struct {
	seats    *seats
	index    index
	doors    []door
	startVM  bool
	shutdown bitmap // undrained hosts that Start VM on Connect may start
	started  int64  // hosts that Connect started
}

// seats holds what the index and the engine both need of each host, in one
// place so that a visit to a host costs one cache line.
type seats struct {
	hosts []seat
	limit int32

	touched int32 // gives reads made for the cache alone a use
}

type seat struct {
	sessions int32
	position int32 // in the index of a breadth-first pool; absent if it takes no part
}

const absent = -1

// door is what decides whether a host takes part, apart from its sessions.
type door struct {
	status  hostpool.Status
	drained bool
	removed bool
}

func (d door) open() bool { return !d.drained && !d.removed && d.status.Placeable() }

func (d door) startable() bool {
	return !d.drained && !d.removed && d.status == hostpool.Shutdown
}

// index keeps the hosts that take part in the order their algorithm needs. Full
// hosts are members too, so that a change of the limit moves nobody.
type index interface {
	insert(host int32)
	remove(host int32)
	// raise and lower change the host's session count by one; it is a member.
	raise(host int32)
	lower(host int32)
	// pick returns a member below the limit, or absent.
	pick() int32
	// any reports whether there is a member below the limit.
	any() bool
	probability(host int32) float64
}

// NewEngine returns an engine with the pool's hosts and the sessions they
// carry. Chance comes from random, which is the engine's alone from now on. It fails for a pool that is not balanced. A pooled pool with a load
// balancer type of personal ones is taken as breadth-first, as in package
// balance.
func NewEngine(pool *hostpool.Pool, random *rand.Rand) (*Engine, error) {
	if !pool.Balanced() {
		return nil, fmt.Errorf("host pool %s is %s: only pooled host pools are balanced", pool.Name, pool.HostPoolType)
	}
	shared := &seats{}
	e := &Engine{seats: shared, startVM: pool.StartVMOnConnect}
	e.SetLimit(pool.SessionLimit())
	if pool.LoadBalancerType == hostpool.DepthFirst {
		e.index = &depthFirst{seats: shared}
	} else {
		e.index = &breadthFirst{seats: shared, draws: newLookahead(random), start: []int32{0, 0}}
	}
	for i := range pool.SessionHosts {
		h := &pool.SessionHosts[i]
		e.AddHost(h.Status, h.AllowNewSession, h.SessionCount())
	}
	return e, nil
}

// Connect places one new session and returns its host, or false when no host
// can take it. Where the pool starts hosts on connect and no running host has a
// seat, the first shut down one is started and takes the session.
func (e *Engine) Connect() (host int, ok bool) {
	h := e.index.pick()
	if h == absent {
		if h = e.startable(); h == absent {
			return 0, false
		}
		e.SetStatus(int(h), hostpool.Available)
		e.started++
	}
	e.index.raise(h)
	return int(h), true
}

// startable returns the host that Start VM on Connect would start: the first in
// file order that is shut down, undrained and below the limit.
func (e *Engine) startable() int32 {
	if !e.startVM {
		return absent
	}
	first := int32(e.shutdown.first())
	if first == absent || e.seats.hosts[first].sessions < e.seats.limit {
		return first
	}
	for h, d := range e.doors { // a shut down host with sessions up to the limit: rare
		if d.startable() && e.seats.hosts[h].sessions < e.seats.limit {
			return int32(h)
		}
	}
	return absent
}

// Probability is the exact chance that the next Connect picks the host.
func (e *Engine) Probability(host int) float64 {
	if e.doors[host].open() {
		if e.seats.hosts[host].sessions >= e.seats.limit {
			return 0
		}
		return e.index.probability(int32(host))
	}
	if !e.index.any() && e.startable() == int32(host) {
		return 1
	}
	return 0
}

// End takes one session off the host. It reports false for a host without one.
func (e *Engine) End(host int) bool {
	s := &e.seats.hosts[host]
	if s.sessions == 0 {
		return false
	}
	if s.position != absent {
		e.index.lower(int32(host))
	} else {
		s.sessions--
	}
	return true
}

// expect reads the hosts of sessions that end soon; see lookahead.
func (e *Engine) expect(ends []end) {
	if len(e.doors) < large {
		return
	}
	for i := range ends {
		e.seats.touched += e.seats.hosts[ends[i].host].sessions
	}
}

// Sessions is the number of sessions on the host.
func (e *Engine) Sessions(host int) int { return int(e.seats.hosts[host].sessions) }

// Hosts is the number of hosts there have ever been: indexes run below it.
func (e *Engine) Hosts() int { return len(e.doors) }

// SetLimit changes the most sessions a host takes, 0 to hostpool.NoLimit.
// Sessions over it go on.
func (e *Engine) SetLimit(limit int) {
	e.seats.limit = int32(min(max(limit, 0), hostpool.NoLimit))
}

// Drain keeps new sessions off the host; those that exist go on.
func (e *Engine) Drain(host int) { e.change(host, func(d *door) { d.drained = true }) }

// Resume ends Drain.
func (e *Engine) Resume(host int) { e.change(host, func(d *door) { d.drained = false }) }

// SetStatus changes the host's health. Its sessions stay.
func (e *Engine) SetStatus(host int, status hostpool.Status) {
	e.change(host, func(d *door) { d.status = status })
}

// AddHost puts a host behind all others and returns its index.
func (e *Engine) AddHost(status hostpool.Status, allowNewSession bool, sessions int) int {
	host := len(e.doors)
	e.doors = append(e.doors, door{removed: true})
	e.seats.hosts = append(e.seats.hosts, seat{sessions: int32(sessions), position: absent})
	e.change(host, func(d *door) { *d = door{status: status, drained: !allowNewSession} })
	return host
}

// RemoveHost takes the host out of the pool and returns how many sessions went
// with it.
func (e *Engine) RemoveHost(host int) int {
	e.change(host, func(d *door) { d.removed = true })
	lost := e.Sessions(host)
	e.seats.hosts[host].sessions = 0
	return lost
}

func (e *Engine) change(host int, edit func(*door)) {
	d := &e.doors[host]
	before := *d
	edit(d)
	switch {
	case d.open() && !before.open():
		e.index.insert(int32(host))
	case !d.open() && before.open():
		e.index.remove(int32(host))
	}
	switch {
	case d.startable() && !before.startable():
		e.shutdown.set(host)
	case !d.startable() && before.startable():
		e.shutdown.clear(host)
	}
}
