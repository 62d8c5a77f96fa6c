package balance

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"gatepool/pkg/hostpool"
)

// personal makes a personal pool whose hosts h1, h2 … belong to these users.
func personal(assignment hostpool.AssignmentType, owners ...string) *hostpool.Pool {
	p := pooled(hostpool.Persistent, 0, make([]int, len(owners))...)
	p.HostPoolType = hostpool.Personal
	p.PersonalDesktopAssignmentType = assignment
	for i, owner := range owners {
		p.SessionHosts[i].AssignedUser = owner
	}
	return p
}

func TestPersonal(t *testing.T) {
	now := time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)
	host := func(i int, change func(*hostpool.Host)) func(*hostpool.Pool) {
		return func(p *hostpool.Pool) { change(&p.SessionHosts[i]) }
	}
	status := func(i int, s hostpool.Status) func(*hostpool.Pool) {
		return host(i, func(h *hostpool.Host) { h.Status = s })
	}
	drained := func(i int) func(*hostpool.Pool) {
		return host(i, func(h *hostpool.Host) { h.AllowNewSession = false })
	}
	sits := func(i int, user string, state hostpool.SessionState) func(*hostpool.Pool) {
		return host(i, func(h *hostpool.Host) {
			h.Sessions = append(h.Sessions, session(user, state, "", now))
		})
	}
	start := func(p *hostpool.Pool) { p.StartVMOnConnect = true }
	multiple := func(p *hostpool.Pool) { p.LoadBalancerType = hostpool.MultiplePersistent }
	type changes []func(*hostpool.Pool)

	for _, test := range []struct {
		name       string
		assignment hostpool.AssignmentType
		owners     []string
		changes    changes
		asked      string
		outcome    Outcome
		host       string
		session    int
		verdicts   string
		code       Code // of the refusal
		help       string
		warning    string // a part of the only warning; none when empty
	}{
		// A desktop of one's own.
		{name: "own", owners: []string{"v", "U", ""}, outcome: NewSession, host: "h2", session: -1, verdicts: "AssignedToOther Chosen Unassigned"},
		{name: "own, direct", assignment: hostpool.Direct, owners: []string{"v", "u"}, outcome: NewSession, host: "h2", session: -1, verdicts: "AssignedToOther Chosen"},
		{name: "own, with a session on it", owners: []string{"v", "u"}, changes: changes{sits(1, "x", hostpool.SessionActive), sits(1, "u", hostpool.SessionDisconnected)},
			outcome: Reconnected, host: "h2", session: 1, verdicts: "AssignedToOther Chosen"},
		{name: "own, with a session that can't be gone back to", owners: []string{"u"}, changes: changes{sits(0, "u", hostpool.SessionPending)},
			outcome: NewSession, host: "h1", session: -1, verdicts: "Chosen", warning: "u also has a session (Pending) on h1"},
		{name: "own, not where a session is", owners: []string{"v", "u"}, changes: changes{sits(0, "u", hostpool.SessionActive)},
			outcome: NewSession, host: "h2", session: -1, verdicts: "AssignedToOther Chosen", warning: "u also has a session (Active) on h1"},
		{name: "own, over a limit, which has no say", owners: []string{"u"}, changes: changes{func(p *hostpool.Pool) { p.MaxSessionLimit = 1; p.SessionHosts[0].AnonymousSessions = 3 }},
			outcome: NewSession, host: "h1", session: -1, verdicts: "Chosen"},
		{name: "own, drained", owners: []string{"u", ""}, changes: changes{drained(0)}, code: CodeNoCapacity, verdicts: "Drained Unassigned",
			help: "end drain mode: gatepool resume-host hp h1"},
		{name: "own, drained, with a session on it", owners: []string{"u"}, changes: changes{drained(0), sits(0, "u", hostpool.SessionActive)},
			outcome: Reconnected, host: "h1", session: 0, verdicts: "Chosen"},
		{name: "own, dead", owners: []string{"u", ""}, changes: changes{status(0, hostpool.NoHeartbeat), start}, code: CodeHostUnhealthy, verdicts: "Unhealthy Unassigned",
			help: "repair it, then say so: gatepool set-host hp h1 --status Available"},
		{name: "own, dead, with a session on it", owners: []string{"u"}, changes: changes{status(0, hostpool.Unavailable), sits(0, "u", hostpool.SessionActive)},
			code: CodeHostUnhealthy, verdicts: "Unhealthy", help: "repair it, then say so: gatepool set-host hp h1 --status Available", warning: "on h1"},
		{name: "own, upgrading", owners: []string{"u"}, changes: changes{status(0, hostpool.Upgrading)}, outcome: NewSession, host: "h1", session: -1, verdicts: "Chosen",
			warning: "the status of h1 is Upgrading"},
		{name: "own, shut down", owners: []string{"u"}, changes: changes{status(0, hostpool.Shutdown)}, code: CodeHostUnhealthy, verdicts: "Shutdown",
			help: "let connections start it: gatepool set-hostpool hp --start-vm-on-connect"},
		{name: "own, started", owners: []string{"v", "u"}, changes: changes{status(1, hostpool.Shutdown), start}, outcome: HostStarted, host: "h2", session: -1, verdicts: "AssignedToOther Chosen"},
		{name: "own, woken with its session", owners: []string{"u"}, changes: changes{status(0, hostpool.Shutdown), start, sits(0, "u", hostpool.SessionDisconnected)},
			outcome: HostStarted, host: "h1", session: 0, verdicts: "Chosen"},
		{name: "own, drained and shut down", owners: []string{"u"}, changes: changes{status(0, hostpool.Shutdown), start, drained(0)}, code: CodeNoCapacity, verdicts: "Drained",
			help: "end drain mode: gatepool resume-host hp h1"},
		{name: "brought by the user", owners: []string{"v", "u"}, changes: changes{func(p *hostpool.Pool) { p.HostPoolType = hostpool.BYODesktop }},
			outcome: NewSession, host: "h2", session: -1, verdicts: "AssignedToOther Chosen"},
		{name: "pooled algorithm", owners: []string{"u"}, changes: changes{func(p *hostpool.Pool) { p.LoadBalancerType = hostpool.BreadthFirst }},
			outcome: NewSession, host: "h1", session: -1, verdicts: "Chosen", warning: "BreadthFirst is for pooled pools; Persistent is applied"},

		// Automatic assignment.
		{name: "assigned", assignment: hostpool.Automatic, owners: []string{"v", "", "", ""}, changes: changes{drained(1)}, outcome: Assigned, host: "h3", session: -1,
			verdicts: "AssignedToOther Drained Chosen Unassigned"},
		{name: "absent means automatic", owners: []string{"v", ""}, outcome: Assigned, host: "h2", session: -1, verdicts: "AssignedToOther Chosen"},
		{name: "not a dead one, nor a stopped one", assignment: hostpool.Automatic, owners: []string{"", "", ""}, changes: changes{start, status(0, hostpool.NoHeartbeat), status(1, hostpool.Shutdown)},
			outcome: Assigned, host: "h3", session: -1, verdicts: "Unhealthy Shutdown Chosen"},
		{name: "started and assigned when none runs", assignment: hostpool.Automatic, owners: []string{"", "", ""},
			changes: changes{start, status(0, hostpool.Shutdown), drained(0), status(1, hostpool.Shutdown), status(2, hostpool.Shutdown)},
			outcome: HostStarted, host: "h2", session: -1, verdicts: "Drained Chosen Shutdown"},
		{name: "one in use", assignment: hostpool.Automatic, owners: []string{""}, changes: changes{sits(0, "x", hostpool.SessionActive)}, outcome: Assigned, host: "h1", session: -1,
			verdicts: "Chosen", warning: "h1 is assigned to u, but already carries 1 session"},
		{name: "none left", assignment: hostpool.Automatic, owners: []string{"v", "", "", ""}, changes: changes{drained(1), status(2, hostpool.Shutdown), status(3, hostpool.NoHeartbeat)},
			code: CodeNoCapacity, verdicts: "AssignedToOther Drained Shutdown Unhealthy",
			help: "end drain mode of h2: gatepool resume-host hp h2; or let connections start hosts such as h3: gatepool set-hostpool hp --start-vm-on-connect; or " +
				"repair h4 (NoHeartbeat), then say so: gatepool set-host hp h4 --status Available; or add a host: gatepool add-host hp NAME"},
		{name: "empty", assignment: hostpool.Automatic, code: CodeNoCapacity, help: "add a host: gatepool add-host hp NAME"},

		// Assignment by an admin.
		{name: "direct", assignment: hostpool.Direct, owners: []string{"v", "", ""}, changes: changes{status(1, hostpool.NoHeartbeat)}, code: CodeNotAssigned,
			verdicts: "AssignedToOther Unassigned Unassigned", help: "assign one: gatepool set-host hp h3 --assigned-user u"},
		{name: "direct, none free", assignment: hostpool.Direct, owners: []string{"v"}, code: CodeNotAssigned, verdicts: "AssignedToOther",
			help: "add a host: gatepool add-host hp NAME, then assign it: gatepool set-host hp NAME --assigned-user u"},
		{name: "multiple, none", owners: []string{"v", ""}, changes: changes{multiple}, code: CodeNotAssigned, verdicts: "AssignedToOther Unassigned",
			help: "assign one: gatepool set-host hp h2 --assigned-user u"},
		{name: "multiple is direct only", assignment: hostpool.Automatic, owners: []string{"v", ""}, changes: changes{multiple}, code: CodeNotAssigned, verdicts: "AssignedToOther Unassigned",
			help: "assign one: gatepool set-host hp h2 --assigned-user u", warning: "assignment type Automatic has no effect"},

		// Several desktops, and asking for one.
		{name: "multiple, one", owners: []string{"v", "u"}, changes: changes{multiple}, outcome: NewSession, host: "h2", session: -1, verdicts: "AssignedToOther Chosen"},
		{name: "multiple, several", owners: []string{"u", "v", "u"}, changes: changes{multiple}, code: CodeUsage, verdicts: "NotRequested AssignedToOther NotRequested",
			help: "name one: gatepool connect --hostpool hp --user u --host h1"},
		{name: "multiple, one of several", owners: []string{"u", "v", "u"}, changes: changes{multiple}, asked: "H3", outcome: NewSession, host: "h3", session: -1,
			verdicts: "NotRequested AssignedToOther Chosen"},
		{name: "several by mistake", owners: []string{"v", "u", "u"}, outcome: NewSession, host: "h2", session: -1, verdicts: "AssignedToOther Chosen NotRequested",
			warning: "u owns 2 desktops of hp, which is not MultiplePersistent: h2, h3; h2 is taken"},
		{name: "several by mistake, a session on the second", owners: []string{"v", "u", "u"}, changes: changes{sits(2, "u", hostpool.SessionDisconnected)},
			outcome: Reconnected, host: "h3", session: 0, verdicts: "AssignedToOther NotRequested Chosen", warning: "h3 is taken"},
		{name: "asking for one's own", owners: []string{"v", "u"}, asked: "h2", outcome: NewSession, host: "h2", session: -1, verdicts: "AssignedToOther Chosen"},
		{name: "asking for another's", owners: []string{"v", "u", ""}, asked: "h1", code: CodeNotAssigned, verdicts: "AssignedToOther NotRequested Unassigned", help: "ask for one that is: h2"},
		{name: "asking for nobody's", assignment: hostpool.Automatic, owners: []string{"v", ""}, asked: "h2", code: CodeNotAssigned, verdicts: "AssignedToOther Unassigned",
			help: "assign one: gatepool set-host hp h2 --assigned-user u"},
		{name: "asking for none of the pool", owners: []string{"u"}, asked: "h9", code: CodeNotFound, verdicts: "NotRequested", help: "see the pool's hosts: gatepool get-host hp"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := personal(test.assignment, test.owners...)
			for _, change := range test.changes {
				change(p)
			}
			d := SelectHost(p, HostRequest{User: "u", Host: test.asked}, nil)
			if test.code != "" {
				if d.Refusal == nil || d.Refusal.Code != test.code || d.Refusal.Help != test.help || d.Host != "" {
					t.Errorf("decision %+v, refusal %+v", d, d.Refusal)
				}
			} else if d.Refusal != nil {
				t.Errorf("refused: %v", d.Refusal)
			} else if d.Outcome != test.outcome || d.Host != test.host || d.SessionIndex != test.session || d.Hosts[d.HostIndex].Probability != 1 {
				t.Errorf("%s on %s, session %d, want %s on %s, %d", d.Outcome, d.Host, d.SessionIndex, test.outcome, test.host, test.session)
			}
			if got := verdicts(d); got != test.verdicts {
				t.Errorf("verdicts %s, want %s", got, test.verdicts)
			}
			if test.warning == "" && len(d.Warnings) > 0 || test.warning != "" && (len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], test.warning)) {
				t.Errorf("warnings %q, want %q", d.Warnings, test.warning)
			}
		})
	}
}

func TestPersonalRefusalsSayWhy(t *testing.T) {
	p := personal(hostpool.Automatic, "v", "", "w")
	p.SessionHosts[1].AllowNewSession = false
	r := SelectHost(p, HostRequest{User: "u"}, nil).Refusal
	if want := "hp has no desktop left to assign to u (2 assigned to others, 1 in drain mode)"; r.Message != want {
		t.Errorf("message %q, want %q", r.Message, want)
	}
	if want := map[Verdict]int{AssignedToOther: 2, Drained: 1}; !reflect.DeepEqual(r.Causes, want) {
		t.Errorf("causes %v, want %v", r.Causes, want)
	}
	p = personal(hostpool.Automatic, "u")
	p.SessionHosts[0].Status = hostpool.FSLogixNotHealthy
	r = SelectHost(p, HostRequest{User: "u"}, nil).Refusal
	if want := "the status of h1, the desktop of u in hp, is FSLogixNotHealthy"; r.Message != want {
		t.Errorf("message %q, want %q", r.Message, want)
	}
}
