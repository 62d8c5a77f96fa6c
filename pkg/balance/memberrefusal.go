package balance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatepool/pkg/gateway"
	"gatepool/pkg/shell"
)

// limitMessage is the service's own text, word for word.
func limitMessage(limit string) string {
	return "The gateway you selected can't establish data source connections because it's exceeded the " + limit +
		" limit set by your gateway admin. Try again later, or ask your gateway admin to increase the limit."
}

// refuse refuses the request, with the message of the first member that was
// tried and at a limit [decided], or as unreachable where none was.
func (s *memberSelection) refuse() {
	c := s.cluster
	causes := map[Verdict]int{}
	for _, a := range s.d.Attempts {
		causes[a.Result]++
	}
	disabled := 0
	for i := range c.Members {
		if !c.Members[i].Enabled {
			disabled++
		}
	}
	if disabled > 0 {
		causes[Disabled] = disabled
	}
	s.d.Refusal = &Refusal{Code: CodeUnreachable, Causes: causes}
	r := s.d.Refusal

	switch {
	case s.limited >= 0:
		switch s.tries[s.limited].Result {
		case CPULimit:
			r.Code, r.Message = CodeCPULimit, limitMessage("CPU")
		case MemoryLimit:
			r.Code, r.Message = CodeMemoryLimit, limitMessage("memory")
		default:
			r.Code, r.Message = CodeConcurrencyLimit, limitMessage("concurrency")
		}
	case len(c.Members) == 0:
		r.Message = fmt.Sprintf("%s has no members", c.Name)
	case len(s.d.Attempts) == 0:
		r.Message = fmt.Sprintf("every member of %s is disabled (%s)", c.Name, count(disabled, "member"))
	default:
		r.Message = fmt.Sprintf("no member of %s that is enabled is online (DM_GWPipeline_Client_GatewayUnreachable)", c.Name)
	}
	r.Help = s.help()
}

// help names the single changes that would each let a member take the request.
// A change is named only if the member in question would then accept, and if it
// would be reached: in failover, a member after one that is at a limit is not.
func (s *memberSelection) help() string {
	c := s.cluster
	failover := s.d.LoadBalancing == gateway.Failover
	reached := func(i int) bool { return !failover || s.limited < 0 || i < s.limited }
	var help hints
	if s.limited >= 0 {
		help.add("%s", s.raise(s.limited))
	}
	if slices.ContainsFunc(s.d.Members, func(v MemberVerdict) bool { return v.Verdict == NotTried }) {
		help.add("let the other members take requests: %s", shell.Command("set-cluster-loadbalancing", c.Name, "--mode", "random"))
	}
	if i := s.firstMember(func(i int, m gateway.Member) bool {
		return !m.Enabled && reached(i) && s.tries[i].Result == Accepted
	}); i >= 0 {
		help.add("enable %s: %s", c.Members[i].Name, shell.Command("enable-member", c.Name, c.Members[i].Name))
	}
	if i := s.firstMember(func(i int, m gateway.Member) bool {
		offline := m.Status == gateway.Offline
		m.Status = gateway.Online
		return m.Enabled && offline && reached(i) && Try(&m, s.limits[i], s.now).Result == Accepted
	}); i >= 0 {
		help.add("bring %s back online, then say so: %s", c.Members[i].Name, shell.Command("set-member", c.Name, c.Members[i].Name, "--status", "Online"))
	}
	if len(c.Members) < gateway.MaxMembers && reached(len(c.Members)) {
		help.add("add a member: %s", shell.Command("add-member", c.Name, "NAME"))
	}
	return help.String()
}

// firstMember is the index of the first member for which f holds, or -1. f gets
// a copy of the member.
func (s *memberSelection) firstMember(f func(i int, m gateway.Member) bool) int {
	for i, m := range s.cluster.Members {
		if f(i, m) {
			return i
		}
	}
	return -1
}

// raise names the lowest limits under which the member would accept, and the
// command that sets them.
func (s *memberSelection) raise(i int) string {
	m, l := &s.cluster.Members[i], s.limits[i]
	line := []string{"set-member", s.cluster.Name, m.Name}
	if m.ConfigFile != "" {
		line = []string{"set-gatewayconfig", "--member", s.cluster.Name + "/" + m.Name}
	}
	var now []string
	for {
		switch a := Try(m, l, s.now); a.Result {
		case CPULimit:
			now = append(now, fmt.Sprintf("CPU %d %%", l.CPU))
			l.CPU = thresholdAbove(*a.CPU)
			line = append(line, "--cpu", strconv.Itoa(l.CPU))
		case MemoryLimit:
			now = append(now, fmt.Sprintf("memory %d %%", l.Memory))
			l.Memory = thresholdAbove(*a.Memory)
			line = append(line, "--memory", strconv.Itoa(l.Memory))
		case ConcurrencyLimit:
			now = append(now, fmt.Sprintf("concurrency %d", l.Concurrency))
			l.Concurrency = a.ActiveOperations + 1
			line = append(line, "--concurrency", strconv.Itoa(l.Concurrency))
		default:
			return fmt.Sprintf("raise what %s allows (%s): %s", m.Name, strings.Join(now, ", "), shell.Command(line...))
		}
	}
}

// thresholdAbove is the lowest threshold that the measured percentage doesn't
// reach: a whole percentage, or 0, which switches the threshold off.
func thresholdAbove(measured float64) int {
	if above := int(measured) + 1; above <= 100 {
		return above
	}
	return 0
}
