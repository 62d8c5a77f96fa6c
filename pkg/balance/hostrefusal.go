package balance

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatepool/pkg/hostpool"
	"gatepool/pkg/shell"
)

// refuse settles the decision on a refusal.
func (s *hostSelection) refuse(code Code, causes map[Verdict]int, help, format string, args ...any) {
	s.d.Refusal = &Refusal{Code: code, Message: fmt.Sprintf(format, args...), Causes: causes, Help: help}
}

// refusePooled refuses because no host of a pooled pool takes a new session.
// The service has one message for every cause; this tells them apart.
func (s *hostSelection) refusePooled() {
	p, n := s.pool, len(s.d.Hosts)
	causes := s.tally()
	var message string
	switch {
	case n == 0:
		message = fmt.Sprintf("%s has no session hosts", p.Name)
	case causes[Drained] == n:
		message = fmt.Sprintf("every session host of %s is in drain mode (%s)", p.Name, count(n, "host"))
	case causes[LimitReached] == n:
		message = fmt.Sprintf("every session host of %s has reached the session limit of %d (%s)", p.Name, p.SessionLimit(), count(n, "host"))
	case causes[Unhealthy]+causes[Shutdown] == n:
		message = fmt.Sprintf("no session host of %s is healthy (%s)", p.Name, strings.Join(s.obstacles(), ", "))
	default:
		message = fmt.Sprintf("no session host of %s takes a new session (%s)", p.Name, strings.Join(s.obstacles(), ", "))
	}
	s.refuse(CodeNoCapacity, causes, s.helpCapacity(), "%s", message)
}

// refuseNoDesktop refuses because no host of a personal pool can be assigned.
func (s *hostSelection) refuseNoDesktop() {
	message := fmt.Sprintf("%s has no desktop left to assign to %s (%s)", s.pool.Name, s.user, strings.Join(s.obstacles(), ", "))
	if len(s.d.Hosts) == 0 {
		message = fmt.Sprintf("%s has no session hosts", s.pool.Name)
	}
	s.refuse(CodeNoCapacity, s.tally(), s.helpCapacity(), "%s", message)
}

// helpCapacity names the single changes that would each make room. A change is
// named only if the host in question would take a new session after it.
func (s *hostSelection) helpCapacity() string {
	p := s.pool
	var help hints
	if lowest := s.lowestFull(); lowest >= 0 && lowest < hostpool.NoLimit {
		help.add("raise the session limit from %d: %s", p.SessionLimit(),
			shell.Command("set-hostpool", p.Name, "--max-session-limit", strconv.Itoa(lowest+1)))
	}
	if h := s.firstHelped(Drained, func(_ *hostpool.Pool, h *hostpool.Host) { h.AllowNewSession = true }); h != nil {
		help.add("end drain mode of %s: %s", h.Name, shell.Command("resume-host", p.Name, h.Name))
	}
	if h := s.firstHelped(Shutdown, func(p *hostpool.Pool, _ *hostpool.Host) { p.StartVMOnConnect = true }); h != nil {
		help.add("let connections start hosts such as %s: %s", h.Name, shell.Command("set-hostpool", p.Name, "--start-vm-on-connect"))
	}
	if h := s.firstHelped(Unhealthy, func(_ *hostpool.Pool, h *hostpool.Host) { h.Status = hostpool.Available }); h != nil {
		help.add("repair %s (%s), then say so: %s", h.Name, h.Status, shell.Command("set-host", p.Name, h.Name, "--status", "Available"))
	}
	help.add("add a host: %s", shell.Command("add-host", p.Name, "NAME"))
	return help.String()
}

// lowestFull is the smallest session count of the hosts at the limit, or -1.
func (s *hostSelection) lowestFull() int {
	lowest := -1
	for i := range s.d.Hosts {
		if v := &s.d.Hosts[i]; v.Verdict == LimitReached && (lowest < 0 || v.Sessions < lowest) {
			lowest = v.Sessions
		}
	}
	return lowest
}

// firstHelped is the first host with that verdict that would take a new session
// after the change, which is made to copies, or nil.
func (s *hostSelection) firstHelped(v Verdict, change func(*hostpool.Pool, *hostpool.Host)) *hostpool.Host {
	for i := range s.d.Hosts {
		if s.d.Hosts[i].Verdict != v {
			continue
		}
		p, h := *s.pool, s.pool.SessionHosts[i]
		change(&p, &h)
		after := Screen(&p, &h)
		if after == LimitReached && !p.Balanced() {
			after = Eligible // personal desktops know no limit
		}
		if after == Eligible || after == Shutdown && p.StartVMOnConnect {
			return &s.pool.SessionHosts[i]
		}
	}
	return nil
}

// refuseNotAssigned refuses because an admin has to assign a desktop first.
func (s *hostSelection) refuseNotAssigned() {
	s.refuse(CodeNotAssigned, s.tally(), s.helpAssign(),
		"no desktop of %s is assigned to %s, and in this pool only an admin assigns them", s.pool.Name, s.user)
}

// helpAssign names the desktop that an admin could assign to the user.
func (s *hostSelection) helpAssign() string {
	p := s.pool
	if h := s.firstHelped(Unassigned, func(*hostpool.Pool, *hostpool.Host) {}); h != nil {
		return "assign one: " + shell.Command("set-host", p.Name, h.Name, "--assigned-user", s.user)
	}
	return fmt.Sprintf("add a host: %s, then assign it: %s",
		shell.Command("add-host", p.Name, "NAME"), shell.Command("set-host", p.Name, "NAME", "--assigned-user", s.user))
}

// refuseNotOwner refuses the desktop that was asked for by name.
func (s *hostSelection) refuseNotOwner(i int, own []int) {
	h := &s.pool.SessionHosts[i]
	owner, help := "nobody", s.helpAssign()
	if h.AssignedUser != "" {
		owner = h.AssignedUser
	}
	if len(own) > 0 {
		help = "ask for one that is: " + s.names(own)
	}
	s.refuse(CodeNotAssigned, map[Verdict]int{s.d.Hosts[i].Verdict: 1}, help,
		"%s is assigned to %s, not to %s", h.Name, owner, s.user)
}

// refuseSeveral refuses because the user has to say which desktop it shall be.
func (s *hostSelection) refuseSeveral(own []int) {
	s.refuse(CodeUsage, map[Verdict]int{NotRequested: len(own)},
		"name one: "+shell.Command("connect", "--hostpool", s.pool.Name, "--user", s.user, "--host", s.d.Hosts[own[0]].Name),
		"%s owns %d desktops of %s: %s", s.user, len(own), s.pool.Name, s.names(own))
}

// refuseOwnUnhealthy refuses because the user's own desktop can't be used.
func (s *hostSelection) refuseOwnUnhealthy(i int, v Verdict) {
	p, h := s.pool, &s.pool.SessionHosts[i]
	s.d.Hosts[i].Verdict = v
	help := "repair it, then say so: " + shell.Command("set-host", p.Name, h.Name, "--status", "Available")
	if v == Shutdown {
		help = "let connections start it: " + shell.Command("set-hostpool", p.Name, "--start-vm-on-connect")
	}
	s.refuse(CodeHostUnhealthy, map[Verdict]int{v: 1}, help, "the status of %s, the desktop of %s in %s, is %s", h.Name, s.user, p.Name, h.Status)
}

// refuseOwnDrained refuses a new session on the user's own, drained desktop.
func (s *hostSelection) refuseOwnDrained(i int) {
	p, h := s.pool, &s.pool.SessionHosts[i]
	s.d.Hosts[i].Verdict = Drained
	s.refuse(CodeNoCapacity, map[Verdict]int{Drained: 1}, "end drain mode: "+shell.Command("resume-host", p.Name, h.Name),
		"%s, the desktop of %s in %s, is in drain mode", h.Name, s.user, p.Name)
}

// tally counts the hosts under each verdict.
func (s *hostSelection) tally() map[Verdict]int {
	t := map[Verdict]int{}
	for i := range s.d.Hosts {
		t[s.d.Hosts[i].Verdict]++
	}
	return t
}

// obstacles counts the hosts under each cause in words; unhealthy ones by
// their status.
func (s *hostSelection) obstacles() []string {
	causes := s.tally()
	statuses := map[hostpool.Status]int{}
	for i := range s.d.Hosts {
		if v := s.d.Hosts[i].Verdict; v == Unhealthy || v == Shutdown {
			statuses[s.pool.SessionHosts[i].Status]++
		}
	}
	var parts []string
	part := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	part(causes[AssignedToOther], "assigned to others")
	part(causes[Drained], "in drain mode")
	part(causes[LimitReached], fmt.Sprintf("at the session limit of %d", s.pool.SessionLimit()))
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		part(statuses[status], string(status))
	}
	return parts
}

// names lists hosts by name.
func (s *hostSelection) names(hosts []int) string {
	var names []string
	for _, i := range hosts {
		names = append(names, s.d.Hosts[i].Name)
	}
	return strings.Join(names, ", ")
}
