package advice

import (
	"time"

	"gatepool/pkg/hostpool"
)

func session(id, user string, state hostpool.SessionState, age time.Duration) hostpool.Session {
	return hostpool.Session{ID: id, User: user, State: state, Created: now.Add(-age)}
}

func poolExamples() map[string][]example {
	type pool = hostpool.Pool
	const alice, bob = "alice@contoso.example", "bob@contoso.example"
	return map[string][]example{
		"depth-first-without-limit": {
			{name: "none set", pool: func(p *pool) { p.MaxSessionLimit, p.StartVMOnConnect = 0, false },
				want: []string{"loadBalancerType: DepthFirst without maxSessionLimit: one host takes every session"},
				fix:  "gatepool set-hostpool hp-eu --max-session-limit N"},
			{name: "one finding with Start VM on Connect", pool: func(p *pool) { p.MaxSessionLimit = 0 },
				want: []string{"loadBalancerType: DepthFirst without maxSessionLimit: one host takes every session, and Start VM on Connect never starts another"}},
			{name: "limit of 1", pool: func(p *pool) { p.MaxSessionLimit = 1 }},
			{name: "breadth-first", pool: func(p *pool) {
				p.MaxSessionLimit, p.StartVMOnConnect, p.LoadBalancerType = 0, false, hostpool.BreadthFirst
			}},
			{name: "personal", own: func(p *pool) { p.MaxSessionLimit, p.LoadBalancerType = 0, hostpool.DepthFirst },
				also: []string{"balancing-on-personal"}},
		},
		"depth-first-limit-999999": {
			{name: "999999", pool: func(p *pool) { p.MaxSessionLimit = 999999 },
				want: []string{"maxSessionLimit: DepthFirst with maxSessionLimit 999999, which is no limit: one host takes every session, and Start VM on Connect never starts another"}},
			{name: "999998", pool: func(p *pool) { p.MaxSessionLimit = 999998 }},
		},
		"start-vm-without-limit": {
			{name: "none set", pool: func(p *pool) { p.MaxSessionLimit, p.LoadBalancerType = 0, hostpool.BreadthFirst },
				want: []string{"startVMOnConnect: Start VM on Connect without maxSessionLimit: a running host never counts as full, so no further host is started"}},
			{name: "999999", pool: func(p *pool) { p.MaxSessionLimit, p.LoadBalancerType = 999999, hostpool.BreadthFirst },
				want: []string{"startVMOnConnect: Start VM on Connect with maxSessionLimit 999999, which is no limit: a running host never counts as full, so no further host is started"}},
			{name: "limit", pool: func(p *pool) { p.LoadBalancerType = hostpool.BreadthFirst }},
			{name: "off", pool: func(p *pool) {
				p.MaxSessionLimit, p.LoadBalancerType, p.StartVMOnConnect = 0, hostpool.BreadthFirst, false
			}},
			{name: "personal", own: func(p *pool) { p.MaxSessionLimit = 0 }},
		},
		"persistent-on-pooled": {
			{name: "Persistent", pool: func(p *pool) { p.LoadBalancerType = hostpool.Persistent },
				want: []string{"loadBalancerType: loadBalancerType Persistent on a Pooled pool, which has BreadthFirst or DepthFirst"}},
			{name: "MultiplePersistent", pool: func(p *pool) { p.LoadBalancerType = hostpool.MultiplePersistent },
				want: []string{"loadBalancerType: loadBalancerType MultiplePersistent on a Pooled pool, which has BreadthFirst or DepthFirst"}},
			{name: "personal", own: func(p *pool) {}},
		},
		"balancing-on-personal": {
			{name: "BreadthFirst", own: func(p *pool) { p.LoadBalancerType = hostpool.BreadthFirst },
				want: []string{"loadBalancerType: loadBalancerType BreadthFirst on a Personal pool, which has Persistent or MultiplePersistent"},
				fix:  "gatepool set-hostpool hp-eu --algorithm persistent"},
			{name: "DepthFirst on BYODesktop", own: func(p *pool) {
				p.LoadBalancerType, p.HostPoolType = hostpool.DepthFirst, hostpool.BYODesktop
			}, want: []string{"loadBalancerType: loadBalancerType DepthFirst on a BYODesktop pool, which has Persistent or MultiplePersistent"}},
			{name: "pooled", pool: func(p *pool) { p.LoadBalancerType = hostpool.BreadthFirst }},
		},
		"multiple-persistent-without-direct": {
			{name: "Automatic", own: func(p *pool) {
				p.LoadBalancerType, p.PersonalDesktopAssignmentType = hostpool.MultiplePersistent, hostpool.Automatic
			}, want: []string{"personalDesktopAssignmentType: MultiplePersistent needs personalDesktopAssignmentType Direct; it is Automatic"}},
			{name: "not set", own: func(p *pool) {
				p.LoadBalancerType, p.PersonalDesktopAssignmentType = hostpool.MultiplePersistent, ""
			}, want: []string{"personalDesktopAssignmentType: MultiplePersistent needs personalDesktopAssignmentType Direct; it is not set"}},
			{name: "Direct", own: func(p *pool) { p.LoadBalancerType = hostpool.MultiplePersistent }},
			{name: "Persistent", own: func(p *pool) { p.PersonalDesktopAssignmentType = hostpool.Automatic }},
		},
		"all-hosts-drained": {
			{name: "all", pool: func(p *pool) {
				for i := range p.SessionHosts {
					p.SessionHosts[i].AllowNewSession, p.SessionHosts[i].Sessions = false, nil
				}
			}, want: []string{"sessionHosts: all 2 hosts are drained: new users are refused"},
				fix: "gatepool resume-host hp-eu avd-0"},
			{name: "the only one", pool: func(p *pool) {
				p.SessionHosts = p.SessionHosts[:1]
				p.SessionHosts[0].AllowNewSession, p.SessionHosts[0].Sessions = false, nil
			}, want: []string{"sessionHosts: the only host is drained: new users are refused"}},
			{name: "all but one", pool: func(p *pool) {
				p.SessionHosts[0].AllowNewSession, p.SessionHosts[0].Sessions = false, nil
			}},
			{name: "no hosts", pool: func(p *pool) { p.SessionHosts = nil }},
			{name: "personal", own: func(p *pool) {
				for i := range p.SessionHosts {
					p.SessionHosts[i].AllowNewSession, p.SessionHosts[i].Sessions = false, nil
				}
			}},
		},
		"drained-host-with-sessions": {
			{name: "named and anonymous", pool: func(p *pool) {
				p.SessionHosts[0].AllowNewSession, p.SessionHosts[0].AnonymousSessions = false, 2
			}, want: []string{"sessionHosts/avd-0/allowNewSession: host avd-0 is drained and still has 3 sessions"}},
			{name: "drained and empty", pool: func(p *pool) {
				p.SessionHosts[0].AllowNewSession, p.SessionHosts[0].Sessions = false, nil
			}},
			{name: "unusable anyway", pool: func(p *pool) {
				p.SessionHosts[0].AllowNewSession, p.SessionHosts[0].Status = false, hostpool.Unavailable
			}, also: []string{"session-on-unusable-host"}},
		},
		"host-over-limit": {
			{name: "limit lowered", pool: func(p *pool) { p.MaxSessionLimit, p.SessionHosts[1].AnonymousSessions = 2, 2 },
				want: []string{"sessionHosts/avd-1: host avd-1 carries 3 sessions, more than the limit of 2"},
				fix:  "wait until sessions end, or gatepool set-hostpool hp-eu --max-session-limit 3"},
			{name: "exactly full", pool: func(p *pool) { p.MaxSessionLimit = 1 }},
			{name: "personal pools have no say", own: func(p *pool) { p.MaxSessionLimit, p.SessionHosts[1].AnonymousSessions = 2, 2 }},
		},
		"host-upgrading": {
			{name: "both statuses", pool: func(p *pool) {
				p.SessionHosts[0].Status, p.SessionHosts[1].Status = hostpool.Upgrading, hostpool.UpgradeFailed
			}, want: []string{
				"sessionHosts/avd-0/status: host avd-0 is Upgrading: it takes new sessions, but may not answer",
				"sessionHosts/avd-1/status: host avd-1 is UpgradeFailed: it takes new sessions, but may not answer",
			}, fix: "gatepool drain-host hp-eu avd-0"},
			{name: "drained", pool: func(p *pool) {
				p.SessionHosts[0].Status, p.SessionHosts[0].AllowNewSession, p.SessionHosts[0].Sessions = hostpool.Upgrading, false, nil
			}},
			{name: "NeedsAssistance", pool: func(p *pool) { p.SessionHosts[0].Status = hostpool.NeedsAssistance }},
		},
		"stale-heartbeat": {
			{name: "one of two", pool: func(p *pool) { p.SessionHosts[1].LastHeartBeat = now.Add(-time.Hour) },
				want: []string{"sessionHosts/avd-1/lastHeartBeat: host avd-1 is Available, but its last heartbeat was at 2026-11-29T07:10:00Z, 1h0m0s ago"}},
			{name: "all: the export is old", pool: func(p *pool) {
				p.SessionHosts[0].LastHeartBeat, p.SessionHosts[1].LastHeartBeat = now.Add(-2*time.Hour), now.Add(-time.Hour)
			}, want: []string{"sessionHosts: the newest heartbeat of 2 hosts that take sessions was at 2026-11-29T07:10:00Z, 1h0m0s ago: what is known of them is old"}},
			{name: "just stale", pool: func(p *pool) { p.SessionHosts[1].LastHeartBeat = now.Add(-DefaultStaleAfter - time.Second) },
				want: []string{"sessionHosts/avd-1/lastHeartBeat: host avd-1 is Available, but its last heartbeat was at 2026-11-29T07:59:59Z, 10m1s ago"}},
			{name: "just not", pool: func(p *pool) { p.SessionHosts[1].LastHeartBeat = now.Add(-DefaultStaleAfter) }},
			{name: "shut down", pool: func(p *pool) {
				h := &p.SessionHosts[1]
				h.LastHeartBeat, h.Status, h.Sessions = now.Add(-time.Hour), hostpool.Shutdown, nil
			}},
			{name: "not known", pool: func(p *pool) { p.SessionHosts[1].LastHeartBeat = time.Time{} }},
			{name: "longer patience", pool: func(p *pool) { p.SessionHosts[1].LastHeartBeat = now.Add(-time.Hour) },
				options: func(o *Options) { o.StaleAfter = 2 * time.Hour }},
			{name: "no time given", pool: func(p *pool) { p.SessionHosts[1].LastHeartBeat = now.Add(-time.Hour) },
				options: func(o *Options) { o.Now = time.Time{} }},
		},
		"session-on-unusable-host": {
			{name: "Unavailable", pool: func(p *pool) { p.SessionHosts[0].Status = hostpool.Unavailable },
				want: []string{"sessionHosts/avd-0/status: host avd-0 is Unavailable and has 1 session, whose users can't connect"}},
			{name: "Shutdown", pool: func(p *pool) { p.SessionHosts[0].Status = hostpool.Shutdown },
				want: []string{"sessionHosts/avd-0/status: host avd-0 is Shutdown and has 1 session, whose users can't connect"}},
			{name: "personal, NoHeartbeat", own: func(p *pool) { p.SessionHosts[0].Status = hostpool.NoHeartbeat },
				want: []string{"sessionHosts/avd-0/status: host avd-0 is NoHeartbeat and has 1 session, whose users can't connect"}},
			{name: "personal, hibernated", own: func(p *pool) { p.SessionHosts[0].Status = hostpool.Shutdown }},
			{name: "empty", pool: func(p *pool) { p.SessionHosts[0].Status, p.SessionHosts[0].Sessions = hostpool.Unavailable, nil }},
			{name: "NeedsAssistance", pool: func(p *pool) { p.SessionHosts[0].Status = hostpool.NeedsAssistance }},
		},
		"user-with-two-sessions": {
			{name: "Active before Disconnected", pool: func(p *pool) {
				p.SessionHosts[0].Sessions[0].State = hostpool.SessionDisconnected
				p.SessionHosts[1].Sessions = append(p.SessionHosts[1].Sessions, session("7", "ALICE@contoso.example", hostpool.SessionActive, 2*time.Hour))
			}, want: []string{"sessionHosts/avd-0/sessions/2: user ALICE@contoso.example has 2 sessions, on avd-1/7 (Active), avd-0/2 (Disconnected); connect goes to the first"},
				fix: "gatepool remove-session hp-eu avd-0/2"},
			{name: "then the newest", pool: func(p *pool) {
				p.SessionHosts[1].Sessions = append(p.SessionHosts[1].Sessions, session("7", alice, hostpool.SessionActive, time.Minute))
			}, want: []string{"sessionHosts/avd-0/sessions/2: user alice@contoso.example has 2 sessions, on avd-1/7 (Active), avd-0/2 (Active); connect goes to the first"}},
			{name: "then file order", pool: func(p *pool) {
				p.SessionHosts[1].Sessions = append(p.SessionHosts[1].Sessions, session("7", alice, hostpool.SessionActive, time.Hour))
			}, want: []string{"sessionHosts/avd-1/sessions/7: user alice@contoso.example has 2 sessions, on avd-0/2 (Active), avd-1/7 (Active); connect goes to the first"}},
			{name: "on one host, without an id", pool: func(p *pool) {
				p.SessionHosts[0].Sessions = append(p.SessionHosts[0].Sessions, session("", alice, hostpool.SessionDisconnected, time.Hour))
			}, want: []string{"sessionHosts/avd-0/sessions/alice@contoso.example: user alice@contoso.example has 2 sessions, on avd-0/2 (Active), avd-0 (Disconnected); connect goes to the first"},
				fix: "gatepool remove-session hp-eu alice@contoso.example, which ends all of them"},
			{name: "two users, in the order of their first", pool: func(p *pool) {
				p.SessionHosts[0].Sessions = append(p.SessionHosts[0].Sessions, session("5", bob, hostpool.SessionActive, 2*time.Hour))
				p.SessionHosts[1].Sessions = append(p.SessionHosts[1].Sessions,
					session("6", bob, hostpool.SessionActive, 3*time.Hour), session("7", alice, hostpool.SessionDisconnected, time.Hour))
			}, want: []string{
				"sessionHosts/avd-1/sessions/7: user alice@contoso.example has 2 sessions, on avd-0/2 (Active), avd-1/7 (Disconnected); connect goes to the first",
				"sessionHosts/avd-0/sessions/5: user bob@contoso.example has 3 sessions, on avd-1/2 (Active), avd-0/5 (Active), avd-1/6 (Active); connect goes to the first",
			}, fix: "gatepool remove-session hp-eu avd-1/7"},
			{name: "three, two of them ghosts", pool: func(p *pool) {
				p.SessionHosts[1].Sessions = append(p.SessionHosts[1].Sessions,
					session("6", alice, hostpool.SessionDisconnected, time.Minute), session("7", alice, hostpool.SessionDisconnected, time.Hour))
			}, want: []string{"sessionHosts/avd-1/sessions/6: user alice@contoso.example has 3 sessions, on avd-0/2 (Active), avd-1/6 (Disconnected), avd-1/7 (Disconnected); connect goes to the first"},
				fix: "gatepool remove-session hp-eu avd-1/6 avd-1/7"},
			{name: "the other is logging off", pool: func(p *pool) {
				p.SessionHosts[1].Sessions = append(p.SessionHosts[1].Sessions, session("7", alice, hostpool.SessionLogOff, time.Hour))
			}},
			{name: "several desktops of one's own", own: func(p *pool) {
				p.LoadBalancerType, p.SessionHosts[1].AssignedUser, p.SessionHosts[1].Sessions[0].User = hostpool.MultiplePersistent, alice, alice
			}},
		},
		"direct-host-without-user": {
			{name: "spare", own: func(p *pool) { p.SessionHosts[1].AssignedUser, p.SessionHosts[1].Sessions = "", nil },
				want: []string{"sessionHosts/avd-1/assignedUser: host avd-1 has no assignedUser, so nobody can connect to it"},
				fix:  "gatepool set-host hp-eu avd-1 --assigned-user USER"},
			{name: "Automatic", own: func(p *pool) {
				p.PersonalDesktopAssignmentType, p.SessionHosts[1].AssignedUser, p.SessionHosts[1].Sessions = hostpool.Automatic, "", nil
			}},
			{name: "pooled", pool: func(p *pool) { p.PersonalDesktopAssignmentType, p.SessionHosts[1].Sessions = hostpool.Direct, nil }},
		},
		"direct-user-without-desktop": {
			{name: "session on a spare", own: func(p *pool) { p.SessionHosts[1].AssignedUser = "" },
				want: []string{"sessionHosts/avd-1/sessions/2: user bob@contoso.example has a session on host avd-1 but owns no desktop"},
				fix:  "gatepool set-host hp-eu avd-1 --assigned-user bob@contoso.example"},
			{name: "once a user", own: func(p *pool) {
				p.SessionHosts[0].AssignedUser, p.SessionHosts[1].AssignedUser = "", ""
				p.SessionHosts[0].Sessions[0].User = "BOB@contoso.example"
			}, want: []string{"sessionHosts/avd-0/sessions/2: user BOB@contoso.example has a session on host avd-0 but owns no desktop"}},
			{name: "owns another", own: func(p *pool) { p.SessionHosts[1].AssignedUser, p.SessionHosts[1].Sessions[0].User = "", alice }},
			{name: "Automatic", own: func(p *pool) {
				p.PersonalDesktopAssignmentType, p.SessionHosts[1].AssignedUser = hostpool.Automatic, ""
			}},
			{name: "on a shared spare", own: func(p *pool) {
				p.SessionHosts[1].AssignedUser = ""
				p.SessionHosts[1].Sessions = append(p.SessionHosts[1].Sessions, session("3", "carol@contoso.example", hostpool.SessionActive, time.Hour))
			}, also: []string{"personal-host-shared"}},
		},
		"user-with-several-desktops": {
			{name: "two", own: func(p *pool) { p.SessionHosts[1].AssignedUser, p.SessionHosts[1].Sessions = alice, nil },
				want: []string{"sessionHosts/avd-1/assignedUser: user Alice@contoso.example owns 2 hosts (avd-0, avd-1), in a pool that gives each user one"},
				fix:  "gatepool set-host hp-eu avd-1 --assigned-user USER"},
			{name: "MultiplePersistent", own: func(p *pool) {
				p.LoadBalancerType, p.SessionHosts[1].AssignedUser, p.SessionHosts[1].Sessions = hostpool.MultiplePersistent, alice, nil
			}},
			{name: "several without an owner", own: func(p *pool) {
				p.PersonalDesktopAssignmentType = hostpool.Automatic
				p.SessionHosts[0].AssignedUser, p.SessionHosts[1].AssignedUser = "", ""
			}},
			{name: "pooled", pool: func(p *pool) { p.SessionHosts[0].AssignedUser, p.SessionHosts[1].AssignedUser = alice, alice }},
		},
		"personal-host-shared": {
			{name: "two users, no owner", own: func(p *pool) {
				p.PersonalDesktopAssignmentType, p.SessionHosts[0].AssignedUser = hostpool.Automatic, ""
				p.SessionHosts[0].Sessions = append(p.SessionHosts[0].Sessions,
					session("3", "carol@contoso.example", hostpool.SessionDisconnected, time.Hour), session("4", "Alice@contoso.example", hostpool.SessionActive, time.Hour))
			}, want: []string{"sessionHosts/avd-0/sessions: host avd-0 has no owner and sessions of 2 users: alice@contoso.example, carol@contoso.example"},
				fix: "gatepool set-host hp-eu avd-0 --assigned-user alice@contoso.example"},
			{name: "one user twice", own: func(p *pool) {
				p.PersonalDesktopAssignmentType, p.SessionHosts[0].AssignedUser = hostpool.Automatic, ""
				p.SessionHosts[0].Sessions = append(p.SessionHosts[0].Sessions, session("4", "Alice@contoso.example", hostpool.SessionActive, time.Hour))
			}},
			{name: "pooled", pool: func(p *pool) {
				p.SessionHosts[0].Sessions = append(p.SessionHosts[0].Sessions, session("3", "carol@contoso.example", hostpool.SessionActive, time.Hour))
			}},
		},
		"session-of-another-user": {
			{name: "beside the owner's", own: func(p *pool) {
				p.SessionHosts[0].Sessions = append(p.SessionHosts[0].Sessions, session("3", "carol@contoso.example", hostpool.SessionDisconnected, time.Hour))
			}, want: []string{"sessionHosts/avd-0/sessions/3: user carol@contoso.example has a session on host avd-0, which is assigned to Alice@contoso.example"},
				fix: "gatepool remove-session hp-eu avd-0/3"},
			{name: "without an id", own: func(p *pool) {
				p.SessionHosts[0].Sessions[0] = session("", "carol@contoso.example", hostpool.SessionActive, time.Hour)
			}, want: []string{"sessionHosts/avd-0/sessions/carol@contoso.example: user carol@contoso.example has a session on host avd-0, which is assigned to Alice@contoso.example"},
				fix: "gatepool remove-session hp-eu carol@contoso.example"},
			{name: "the owner's own", own: func(p *pool) { p.SessionHosts[0].Sessions[0].User = "ALICE@CONTOSO.EXAMPLE" }},
			{name: "pooled", pool: func(p *pool) { p.SessionHosts[0].AssignedUser = bob }},
		},
		"secret-in-file": {
			{name: "description", pool: func(p *pool) { p.Description = "local admin, password=Hunter2!" },
				want: []string{"description: description holds what looks like a password"}},
			{name: "tag by its name", pool: func(p *pool) { p.Tags["adminPassword"] = "x1" },
				want: []string{"tags/adminPassword: tags.adminPassword holds what looks like a password"}},
			{name: "tags in order", pool: func(p *pool) { p.Tags["z"], p.Tags["a"] = "pwd=1", "pwd=2" },
				want: []string{"tags/a: tags.a holds what looks like a password", "tags/z: tags.z holds what looks like a password"}},
			{name: "a name that is the secret", pool: func(p *pool) { p.Tags["pwd=hunter2"] = "yes" },
				want: []string{"tags: tags holds what looks like a password"}},
			{name: "host", pool: func(p *pool) { p.SessionHosts[1].FriendlyName = "pwd=hunter2" },
				want: []string{"sessionHosts/avd-1/friendlyName: sessionHosts.avd-1.friendlyName holds what looks like a password"}},
			{name: "pool's friendly name", pool: func(p *pool) { p.FriendlyName = "AccountKey=abcdefgh" },
				want: []string{"friendlyName: friendlyName holds what looks like a storage or access key"}},
			{name: "about passwords", pool: func(p *pool) { p.Description = "Password reset: see the wiki. Tokens: none" }},
		},
	}
}
