package advice

import (
	"fmt"
	"strings"

	"gatepool/pkg/gateway"
	"gatepool/pkg/shell"
)

// allMembersAtLimit finds clusters that refuse every request at this moment.
// With Failover only the first member that is enabled and online matters: at a
// limit it refuses, and no other is tried.
func allMembersAtLimit(v clusterView) []Finding {
	var over []string
	var first *gateway.Member
	for i := range v.Members {
		m := &v.Members[i]
		if !m.Enabled || m.Status == gateway.Offline {
			continue
		}
		at := v.atLimit(i)
		if at == "" {
			return nil
		}
		over = append(over, m.Name+" "+at)
		if first == nil {
			first = m
		}
		if v.failover() {
			break
		}
	}
	if first == nil {
		return nil
	}
	who := "every member that is enabled and online is at a limit"
	if v.failover() {
		who = "the member in use is at a limit, and Failover tries no other"
	}
	return []Finding{{
		Path:    limitsPath(first),
		Message: who + ", so every request fails now: " + strings.Join(over, "; "),
		Fix:     v.setLimits(first, "N") + ", or add a member",
	}}
}

// setLimits is the command that sets a member's thresholds where they are said.
func (v clusterView) setLimits(m *gateway.Member, value string) string {
	if m.ConfigFile != "" {
		return shell.Command("set-gatewayconfig", "--member", v.Name+"/"+m.Name, "--cpu", value, "--memory", value)
	}
	return shell.Command("set-member", v.Name, m.Name, "--cpu", value, "--memory", value)
}

// atLimit says which limit member i has reached, in the order in which the
// service looks: CPU, memory, concurrency. At the limit is over it. The text is
// empty when none is reached, or nothing is known.
func (v clusterView) atLimit(i int) string {
	l, m := v.limits[i], &v.Members[i]
	cpu, memory := v.load(i)
	switch {
	case l.CPU > 0 && cpu != nil && *cpu >= float64(l.CPU):
		return fmt.Sprintf("CPU %.4g %% (limit %d)", *cpu, l.CPU)
	case l.Memory > 0 && memory != nil && *memory >= float64(l.Memory):
		return fmt.Sprintf("memory %.4g %% (limit %d)", *memory, l.Memory)
	case l.Concurrency > 0 && m.ActiveOperations >= l.Concurrency:
		return fmt.Sprintf("%s (limit %d)", count(m.ActiveOperations, "operation"), l.Concurrency)
	}
	return ""
}

// load is the mean load of member i over its aggregation window.
func (v clusterView) load(i int) (cpu, memory *float64) {
	return v.Members[i].Load(v.now, v.minutes(i))
}

// thresholdOnEveryMember leaves the only member to singleMemberCluster.
func thresholdOnEveryMember(v clusterView) []Finding {
	var on []string
	var first *gateway.Member
	for i := range v.Members {
		m := &v.Members[i]
		if !m.Enabled {
			continue
		}
		if !v.throttled(i) {
			return nil
		}
		if first == nil {
			first = m
		}
		on = append(on, fmt.Sprintf("%s (%s)", m.Name, thresholds(v.limits[i])))
	}
	if len(on) < 2 {
		return nil
	}
	message := "every enabled member has a threshold, so requests fail when all reach it: "
	if v.failover() {
		message = "every enabled member has a threshold, and with Failover requests fail as soon as the member in use reaches it: "
	}
	return []Finding{{
		Path:    limitsPath(first),
		Message: message + names(on),
		Fix:     "leave one member without: " + v.setLimits(first, "0"),
	}}
}

func thresholds(l gateway.Limits) string {
	var on []string
	if l.CPU > 0 {
		on = append(on, fmt.Sprintf("CPU %d", l.CPU))
	}
	if l.Memory > 0 {
		on = append(on, fmt.Sprintf("memory %d", l.Memory))
	}
	return strings.Join(on, ", ")
}

func limitsDiffer(v clusterView) []Finding {
	groups := grouped(v.Members, func(i int) (gateway.Limits, bool) { return v.limits[i], v.known(i) })
	if len(groups) < 2 {
		return nil
	}
	return []Finding{{
		Path: limitsPath(groups[1].members[0]),
		Message: "members have different limits: " + list(groups, func(l gateway.Limits) string {
			return fmt.Sprintf("cpu %d, memory %d, aggregationMinutes %d, concurrency %d", l.CPU, l.Memory, l.AggregationMinutes, l.Concurrency)
		}),
		Fix: "nothing, if the hardware differs; otherwise " + v.setLimits(groups[1].members[0], "N"),
	}}
}

// thresholdWithoutSamples looks at members that requests can reach.
func thresholdWithoutSamples(v clusterView) []Finding {
	if v.now.IsZero() {
		return nil
	}
	var found []Finding
	for i := range v.Members {
		m, l := &v.Members[i], v.limits[i]
		if !m.Enabled || m.Status == gateway.Offline {
			continue
		}
		cpu, memory := v.load(i)
		var blind []string
		if l.CPU > 0 && cpu == nil {
			blind = append(blind, fmt.Sprintf("CPU threshold %d", l.CPU))
		}
		if l.Memory > 0 && memory == nil {
			blind = append(blind, fmt.Sprintf("memory threshold %d", l.Memory))
		}
		if len(blind) == 0 {
			continue
		}
		found = append(found, Finding{
			Path: memberPath(m, "counters"),
			Message: fmt.Sprintf("member %s: %s, but no sample in the last %s, so connect takes it to be below",
				m.Name, strings.Join(blind, " and "), count(v.minutes(i), "minute")),
			Fix:  shell.Command("import-counter", "FILE"),
			item: m.Name, many: "members have a threshold but no sample in the aggregation window",
		})
	}
	return found
}
