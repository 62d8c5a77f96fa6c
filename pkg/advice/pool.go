package advice

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gatepool/pkg/hostpool"
	"gatepool/pkg/shell"
)

func unlimited(p *hostpool.Pool) bool { return p.SessionLimit() == hostpool.NoLimit }

func depthFirst(p *hostpool.Pool) bool {
	return p.Balanced() && p.LoadBalancerType == hostpool.DepthFirst
}

func depthFirstWithoutLimit(p *hostpool.Pool, _ Options) []Finding {
	if !depthFirst(p) || p.MaxSessionLimit != 0 {
		return nil
	}
	return []Finding{{
		Path:    []string{"loadBalancerType"},
		Message: "DepthFirst without maxSessionLimit: one host takes every session" + noneStarts(p),
		Fix:     setLimit(p),
	}}
}

func depthFirstLimit999999(p *hostpool.Pool, _ Options) []Finding {
	if !depthFirst(p) || p.MaxSessionLimit != hostpool.NoLimit {
		return nil
	}
	return []Finding{{
		Path:    []string{"maxSessionLimit"},
		Message: "DepthFirst with maxSessionLimit 999999, which is no limit: one host takes every session" + noneStarts(p),
		Fix:     setLimit(p),
	}}
}

// noneStarts names the second consequence of a missing limit, so that it isn't
// a second finding.
func noneStarts(p *hostpool.Pool) string {
	if p.StartVMOnConnect {
		return ", and Start VM on Connect never starts another"
	}
	return ""
}

func setLimit(p *hostpool.Pool) string {
	return shell.Command("set-hostpool", p.Name, "--max-session-limit", "N")
}

// startVMWithoutLimit leaves depth-first pools to the two rules above.
func startVMWithoutLimit(p *hostpool.Pool, _ Options) []Finding {
	if !p.Balanced() || depthFirst(p) || !p.StartVMOnConnect || !unlimited(p) {
		return nil
	}
	limit := "without maxSessionLimit"
	if p.MaxSessionLimit != 0 {
		limit = "with maxSessionLimit 999999, which is no limit"
	}
	return []Finding{{
		Path:    []string{"startVMOnConnect"},
		Message: "Start VM on Connect " + limit + ": a running host never counts as full, so no further host is started",
		Fix:     setLimit(p),
	}}
}

func persistentOnPooled(p *hostpool.Pool, _ Options) []Finding {
	if !p.Balanced() || !persistent(p) {
		return nil
	}
	return []Finding{{
		Path:    []string{"loadBalancerType"},
		Message: fmt.Sprintf("loadBalancerType %s on a Pooled pool, which has BreadthFirst or DepthFirst", p.LoadBalancerType),
		Fix:     shell.Command("set-hostpool", p.Name, "--algorithm", "breadth-first"),
	}}
}

func persistent(p *hostpool.Pool) bool {
	return p.LoadBalancerType == hostpool.Persistent || p.LoadBalancerType == hostpool.MultiplePersistent
}

func balancingOnPersonal(p *hostpool.Pool, _ Options) []Finding {
	if p.Balanced() || persistent(p) {
		return nil
	}
	return []Finding{{
		Path:    []string{"loadBalancerType"},
		Message: fmt.Sprintf("loadBalancerType %s on a %s pool, which has Persistent or MultiplePersistent", p.LoadBalancerType, p.HostPoolType),
		Fix:     shell.Command("set-hostpool", p.Name, "--algorithm", "persistent"),
	}}
}

func multiplePersistentWithoutDirect(p *hostpool.Pool, _ Options) []Finding {
	if p.Balanced() || p.LoadBalancerType != hostpool.MultiplePersistent || direct(p) {
		return nil
	}
	is := cmp.Or(string(p.PersonalDesktopAssignmentType), "not set")
	return []Finding{{
		Path:    []string{"personalDesktopAssignmentType"},
		Message: fmt.Sprintf("MultiplePersistent needs personalDesktopAssignmentType Direct; it is %s", is),
		Fix:     shell.Command("set-hostpool", p.Name, "--personal-desktop-assignment-type", "Direct"),
	}}
}

func direct(p *hostpool.Pool) bool {
	return !p.Balanced() && p.PersonalDesktopAssignmentType == hostpool.Direct
}

func allHostsDrained(p *hostpool.Pool, _ Options) []Finding {
	open := func(h hostpool.Host) bool { return h.AllowNewSession }
	if !p.Balanced() || len(p.SessionHosts) == 0 || slices.ContainsFunc(p.SessionHosts, open) {
		return nil
	}
	message := "the only host is drained: new users are refused"
	if n := len(p.SessionHosts); n > 1 {
		message = fmt.Sprintf("all %d hosts are drained: new users are refused", n)
	}
	return []Finding{{
		Path:    []string{"sessionHosts"},
		Message: message,
		Fix:     shell.Command("resume-host", p.Name, p.SessionHosts[0].Name),
	}}
}

// drainedHostWithSessions leaves unusable hosts to sessionOnUnusableHost.
func drainedHostWithSessions(p *hostpool.Pool, _ Options) []Finding {
	var found []Finding
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		if h.AllowNewSession || h.SessionCount() == 0 || !h.Status.Placeable() {
			continue
		}
		found = append(found, Finding{
			Path:    hostPath(h, "allowNewSession"),
			Message: fmt.Sprintf("host %s is drained and still has %s", h.Name, count(h.SessionCount(), "session")),
			Fix:     "wait until they end, or log them off (" + shell.Command("remove-session", p.Name, "USER") + ")",
			item:    h.Name, many: "drained hosts still have sessions",
		})
	}
	return found
}

func hostPath(h *hostpool.Host, property ...string) []string {
	return append([]string{"sessionHosts", h.Name}, property...)
}

func hostOverLimit(p *hostpool.Pool, _ Options) []Finding {
	if !p.Balanced() {
		return nil
	}
	var found []Finding
	limit := p.SessionLimit()
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		if h.SessionCount() <= limit {
			continue
		}
		found = append(found, Finding{
			Path:    hostPath(h),
			Message: fmt.Sprintf("host %s carries %s, more than the limit of %d", h.Name, count(h.SessionCount(), "session"), limit),
			Fix:     "wait until sessions end, or " + shell.Command("set-hostpool", p.Name, "--max-session-limit", fmt.Sprint(h.SessionCount())),
			item:    h.Name, many: fmt.Sprintf("hosts carry more than the limit of %d", limit),
		})
	}
	return found
}

// hostUpgrading leaves drained hosts out: they get no new session anyway.
func hostUpgrading(p *hostpool.Pool, _ Options) []Finding {
	var found []Finding
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		if !h.AllowNewSession || h.Status != hostpool.Upgrading && h.Status != hostpool.UpgradeFailed {
			continue
		}
		found = append(found, Finding{
			Path:    hostPath(h, "status"),
			Message: fmt.Sprintf("host %s is %s: it takes new sessions, but may not answer", h.Name, h.Status),
			Fix:     shell.Command("drain-host", p.Name, h.Name),
			item:    h.Name, many: fmt.Sprintf("hosts are %s: they take new sessions, but may not answer", h.Status),
		})
	}
	return found
}

// staleHeartbeat finds hosts that look ready but whose agents fell silent. Where
// all of several hosts did, the export is old, which is one finding.
func staleHeartbeat(p *hostpool.Pool, o Options) []Finding {
	if o.Now.IsZero() {
		return nil
	}
	var found []Finding
	var newest time.Time
	reporting := 0
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		if !h.Status.Placeable() || h.LastHeartBeat.IsZero() {
			continue
		}
		reporting++
		if h.LastHeartBeat.After(newest) {
			newest = h.LastHeartBeat
		}
		if o.Now.Sub(h.LastHeartBeat) <= o.StaleAfter {
			continue
		}
		found = append(found, Finding{
			Path: hostPath(h, "lastHeartBeat"),
			Message: fmt.Sprintf("host %s is %s, but its last heartbeat was at %s, %s ago",
				h.Name, h.Status, stamp(h.LastHeartBeat), o.Now.Sub(h.LastHeartBeat).Round(time.Second)),
			Fix:  shell.Command("drain-host", p.Name, h.Name) + ", and restart its agent",
			item: h.Name, many: "hosts that take sessions have an old heartbeat",
		})
	}
	if reporting > 1 && len(found) == reporting {
		return []Finding{{
			Path: []string{"sessionHosts"},
			Message: fmt.Sprintf("the newest heartbeat of %d hosts that take sessions was at %s, %s ago: what is known of them is old",
				reporting, stamp(newest), o.Now.Sub(newest).Round(time.Second)),
			Fix: shell.Command("import-host", "FILE") + ", with a fresh export",
		}}
	}
	return found
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// sessionOnUnusableHost says nothing of a personal desktop that is Shutdown: it
// may hibernate with its owner's session, and is started for them.
func sessionOnUnusableHost(p *hostpool.Pool, _ Options) []Finding {
	var found []Finding
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		if h.SessionCount() == 0 || h.Status.Placeable() || !p.Balanced() && h.Status == hostpool.Shutdown {
			continue
		}
		found = append(found, Finding{
			Path:    hostPath(h, "status"),
			Message: fmt.Sprintf("host %s is %s and has %s, whose users can't connect", h.Name, h.Status, count(h.SessionCount(), "session")),
			Fix:     "repair the host, or clear its sessions (" + shell.Command("remove-session", p.Name, "USER") + ")",
			item:    h.Name, many: "unusable hosts have sessions, whose users can't connect",
		})
	}
	return found
}
