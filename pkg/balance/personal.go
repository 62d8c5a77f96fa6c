package balance

import (
	"slices"
	"strings"

	"gatepool/pkg/hostpool"
	"gatepool/pkg/shell"
)

// personal decides for a pool where users and hosts belong together. Such pools
// are never balanced and their session limit has no say [doc].
func (s *hostSelection) personal(asked string) {
	p := s.pool
	multiple := p.LoadBalancerType == hostpool.MultiplePersistent
	if p.LoadBalancerType == hostpool.BreadthFirst || p.LoadBalancerType == hostpool.DepthFirst {
		s.warn("%s is %s, but its loadBalancerType %s is for pooled pools; %s is applied", p.Name, p.HostPoolType, p.LoadBalancerType, hostpool.Persistent)
		s.d.Algorithm = hostpool.Persistent
	}
	if multiple && p.PersonalDesktopAssignmentType == hostpool.Automatic {
		s.warn("%s is MultiplePersistent, for which desktops are assigned by an admin only; its assignment type Automatic has no effect", p.Name)
	}

	var own []int
	for i := range p.SessionHosts {
		switch owner := p.SessionHosts[i].AssignedUser; {
		case owner == "":
			s.d.Hosts[i].Verdict = Unassigned
		case strings.EqualFold(owner, s.user):
			s.d.Hosts[i].Verdict = NotRequested
			own = append(own, i)
		default:
			s.d.Hosts[i].Verdict = AssignedToOther
		}
	}

	switch {
	case asked != "":
		s.askedFor(asked, own)
	case len(own) == 1:
		s.ownDesktop(own[0])
	case len(own) > 1 && multiple:
		s.refuseSeveral(own)
	case len(own) > 1:
		s.firstOfSeveral(own)
	case !multiple && p.PersonalDesktopAssignmentType != hostpool.Direct:
		s.assignDesktop()
	default:
		s.refuseNotAssigned()
	}
}

// askedFor uses the desktop of that name, which must be the user's own: an
// unassigned one is never given away by name, so that Automatic stays in file
// order and Direct with the admin [decided].
func (s *hostSelection) askedFor(name string, own []int) {
	i := slices.IndexFunc(s.d.Hosts, func(h HostVerdict) bool { return strings.EqualFold(h.Name, name) })
	switch {
	case i < 0:
		s.refuse(CodeNotFound, nil, "see the pool's hosts: "+shell.Command("get-host", s.pool.Name), "%s has no session host %s", s.pool.Name, name)
	case s.d.Hosts[i].Verdict == NotRequested:
		s.ownDesktop(i)
	default:
		s.refuseNotOwner(i, own)
	}
}

// ownDesktop sends the user to a desktop of their own [doc]. One that is shut
// down is started where Start VM on Connect is on [doc]; a session on it is
// taken up again then, since a hibernated desktop keeps it [decided]. A drained
// desktop takes back a session but no new one [decided: the documentation
// describes drain mode without a word on personal pools].
func (s *hostSelection) ownDesktop(i int) {
	h := &s.pool.SessionHosts[i]
	outcome := NewSession
	switch v := health(h); {
	case v == Shutdown && s.pool.StartVMOnConnect:
		outcome = HostStarted
	case v != Eligible:
		s.refuseOwnUnhealthy(i, v)
		return
	}
	s.taken = s.sessionToResume(func(host int) bool { return host == i })
	switch {
	case s.taken >= 0:
		s.d.SessionIndex = s.mine[s.taken].session
		if outcome == NewSession {
			outcome = Reconnected
		}
	case !h.AllowNewSession:
		s.refuseOwnDrained(i)
		return
	}
	s.d.Hosts[i].Probability = 1
	s.choose(i, outcome)
}

// firstOfSeveral serves a user who owns several desktops of a pool that isn't
// meant for that: the one with the session to go back to, or the first in file
// order, and a warning [decided].
func (s *hostSelection) firstOfSeveral(own []int) {
	use := own[0]
	if i := s.sessionToResume(func(host int) bool { return s.d.Hosts[host].Verdict == NotRequested }); i >= 0 {
		use = s.mine[i].host
	}
	s.warn("%s owns %d desktops of %s, which is not MultiplePersistent: %s; %s is taken, --host names another",
		s.user, len(own), s.pool.Name, s.names(own), s.d.Hosts[use].Name)
	s.ownDesktop(use)
}

// assignDesktop gives the user the first unassigned, undrained and placeable
// host in file order [doc: automatic assignment]. An absent assignment type
// counts as automatic, the documented default for new personal pools. Where no
// such host runs, Start VM on Connect starts one that can be assigned [doc].
func (s *hostSelection) assignDesktop() {
	running, stopped := -1, -1
	for i := range s.d.Hosts {
		v := &s.d.Hosts[i]
		if v.Verdict != Unassigned {
			continue
		}
		h := &s.pool.SessionHosts[i]
		state := health(h)
		switch {
		case !h.AllowNewSession:
			v.Verdict = Drained
		case state != Eligible:
			v.Verdict = state
			if state == Shutdown && stopped < 0 {
				stopped = i
			}
		case running < 0:
			running = i
		}
	}
	outcome := Assigned
	if running < 0 && s.pool.StartVMOnConnect {
		running, outcome = stopped, HostStarted
	}
	if running < 0 {
		s.refuseNoDesktop()
		return
	}
	if n := s.d.Hosts[running].Sessions; n > 0 {
		s.warn("%s is assigned to %s, but already carries %s", s.d.Hosts[running].Name, s.user, count(n, "session"))
	}
	s.d.Hosts[running].Probability = 1
	s.choose(running, outcome)
}
