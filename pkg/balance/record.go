package balance

import (
	"strconv"
	"time"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// Record applies the decision to the pool that it was made on: a host that was
// shut down becomes Available, a personal desktop without owner is assigned,
// and the user's session becomes Active, or a new one is appended that began
// now (in UTC, whole seconds). A refusal changes nothing.
func (d HostDecision) Record(p *hostpool.Pool, now time.Time) {
	if d.Refusal != nil {
		return
	}
	h := &p.SessionHosts[d.HostIndex]
	if d.Outcome == HostStarted {
		h.Status = hostpool.Available
	}
	if !p.Balanced() && h.AssignedUser == "" {
		h.AssignedUser = d.User
	}
	if d.SessionIndex >= 0 {
		h.Sessions[d.SessionIndex].State = hostpool.SessionActive
		return
	}
	h.Sessions = append(h.Sessions, hostpool.Session{
		ID:      freeID(h.Sessions),
		User:    d.User,
		State:   hostpool.SessionActive,
		Created: now.UTC().Truncate(time.Second),
	})
}

// freeID is the lowest whole number from 1 that is no session's id yet.
func freeID(sessions []hostpool.Session) string {
	used := make([]bool, len(sessions)+2)
	for i := range sessions {
		if id, err := strconv.Atoi(sessions[i].ID); err == nil && id > 0 && id < len(used) {
			used[id] = true
		}
	}
	id := 1
	for used[id] {
		id++
	}
	return strconv.Itoa(id)
}

// Record applies the decision to the cluster that it was made on: where
// members take turns, the one after the member that took the request is next.
// Nothing else is kept, and a refusal changes nothing.
func (d MemberDecision) Record(c *gateway.Cluster) {
	if d.Next != "" {
		c.RoundRobinNext = d.Next
	}
}
