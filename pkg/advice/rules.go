package advice

import (
	"gatepool/pkg/hostpool"
)

// rule is a declared rule with what checks it. Rules about the files beside the
// state have no check here, because they need a disk: their findings come from
// ConfigFileMissing and ConfigFileFaulty.
type rule struct {
	Rule
	pool    func(*hostpool.Pool, Options) []Finding
	cluster func(clusterView) []Finding
}

const (
	configFileMissing = "config-file-missing"
	configFileFaulty  = "config-file-faulty"
)

// table declares every rule: host pools first, then clusters, then both. Its
// order is the order of findings and of the documentation.
var table = []rule{
	{pool: depthFirstWithoutLimit, Rule: Rule{
		ID: "depth-first-without-limit", Severity: Error, Source: Microsoft, Shown: true,
		Title: "Depth-first without a session limit",
		Why:   "Depth-first fills one host up to the maximum session limit before it takes the next, so the pool must have one. Without a limit every session goes to one host.",
		Fix:   "gatepool set-hostpool POOL --max-session-limit N, with what one host can carry.",
	}},
	{pool: depthFirstLimit999999, Rule: Rule{
		ID: "depth-first-limit-999999", Severity: Warning, Source: Microsoft, Shown: true,
		Title: "Depth-first with a session limit of 999999",
		Why:   "999999 stands for no limit. Every session goes to one host, Start VM on Connect never starts another, and autoscale sees endless capacity and turns on none.",
		Fix:   "gatepool set-hostpool POOL --max-session-limit N, with what one host can carry.",
	}},
	{pool: startVMWithoutLimit, Rule: Rule{
		ID: "start-vm-without-limit", Severity: Warning, Source: Microsoft, Shown: true,
		Title: "Start VM on Connect without a session limit",
		Why:   "A further host starts only when those that run have reached the session limit. With none, or 999999, that never happens: one running host takes everybody. Autoscale, which counts capacity by the same limit, turns on none either.",
		Fix:   "gatepool set-hostpool POOL --max-session-limit N, with what one host can carry.",
	}},
	{pool: persistentOnPooled, Rule: Rule{
		ID: "persistent-on-pooled", Severity: Error, Source: Microsoft,
		Title: "Persistent load balancing on a pooled pool",
		Why:   "Persistent and MultiplePersistent belong to personal pools. A pooled pool has BreadthFirst or DepthFirst.",
		Fix:   "gatepool set-hostpool POOL --algorithm breadth-first.",
	}},
	{pool: balancingOnPersonal, Rule: Rule{
		ID: "balancing-on-personal", Severity: Error, Source: Microsoft,
		Title: "BreadthFirst or DepthFirst on a personal pool",
		Why:   "In a personal pool a user and a host belong together and nothing is balanced: it has Persistent or MultiplePersistent.",
		Fix:   "gatepool set-hostpool POOL --algorithm persistent.",
	}},
	{pool: multiplePersistentWithoutDirect, Rule: Rule{
		ID: "multiple-persistent-without-direct", Severity: Error, Source: Microsoft,
		Title: "MultiplePersistent without Direct assignment",
		Why:   "A user can own several personal desktops only where an admin assigns them.",
		Fix:   "gatepool set-hostpool POOL --personal-desktop-assignment-type Direct.",
	}},
	{pool: allHostsDrained, Rule: Rule{
		ID: "all-hosts-drained", Severity: Warning, Source: Microsoft, Shown: true,
		Title: "Every host is in drain mode",
		Why:   "Only users who have a session get in; everybody else is refused.",
		Fix:   "gatepool resume-host POOL HOST.",
	}},
	{pool: drainedHostWithSessions, Rule: Rule{
		ID: "drained-host-with-sessions", Severity: Info, Source: Microsoft,
		Title: "A drained host still has sessions",
		Why:   "Drain mode ends no session, and users with one keep coming back to it: the host is not free for maintenance yet.",
		Fix:   "Wait, or log them off: gatepool remove-session POOL USER.",
	}},
	{pool: hostOverLimit, Rule: Rule{
		ID: "host-over-limit", Severity: Warning, Source: Microsoft, Shown: true,
		Title: "A host carries more sessions than the limit",
		Why:   "Lowering the limit ends no session. The host takes no new one until it has fallen below the limit.",
		Fix:   "Wait, log sessions off, or raise the limit: gatepool set-hostpool POOL --max-session-limit N.",
	}},
	{pool: hostUpgrading, Rule: Rule{
		ID: "host-upgrading", Severity: Warning, Source: Decided, Shown: true,
		Title: "A host that takes sessions is Upgrading or UpgradeFailed",
		Why:   "Microsoft's status table says that such a host takes new sessions; the comments of its API say that it is unavailable. gatepool follows the table, so users may be sent to a host that does not answer.",
		Fix:   "Drain it until the agent is up to date: gatepool drain-host POOL HOST.",
	}},
	{pool: staleHeartbeat, Rule: Rule{
		ID: "stale-heartbeat", Severity: Warning, Source: Decided,
		Title: "An old heartbeat on a host that takes sessions",
		Why:   "The agent reports about every 30 seconds. A host can stay Available for long after its agent fell silent, and users who are sent there cannot connect. If all heartbeats are old, it is the export that is.",
		Fix:   "Import hosts again (gatepool import-host FILE); if it is still silent, restart its agent and meanwhile gatepool drain-host POOL HOST.",
	}},
	{pool: sessionOnUnusableHost, Rule: Rule{
		ID: "session-on-unusable-host", Severity: Warning, Source: Microsoft,
		Title: "Sessions on a host that takes none",
		Why:   "A user with a session is always sent back to its host. While that host cannot be used, the user cannot connect at all (ConnectionFailedUserHasValidSessionButRdshIsUnhealthy).",
		Fix:   "Repair the host, or clear the sessions: gatepool remove-session POOL USER.",
	}},
	{pool: userWithTwoSessions, Rule: Rule{
		ID: "user-with-two-sessions", Severity: Warning, Source: Decided, Shown: true,
		Title: "A user has more than one session in a pooled pool",
		Why:   "A user comes back to the session that exists, so a second one is a ghost: it holds a seat and perhaps the profile disk. connect takes Active before Disconnected, then the newest, then file order.",
		Fix:   "gatepool remove-session POOL HOST/ID, for the one that is not in use.",
	}},
	{pool: directHostWithoutUser, Rule: Rule{
		ID: "direct-host-without-user", Severity: Info, Source: Microsoft,
		Title: "A personal desktop without a user in a Direct pool",
		Why:   "With Direct assignment nobody gets this host until an admin assigns it.",
		Fix:   "gatepool set-host POOL HOST --assigned-user USER.",
	}},
	{pool: directUserWithoutDesktop, Rule: Rule{
		ID: "direct-user-without-desktop", Severity: Warning, Source: Microsoft,
		Title: "A user of a Direct pool owns no desktop",
		Why:   "The user has a session here, yet no host is assigned to them: with Direct assignment they are refused until an admin assigns one.",
		Fix:   "gatepool set-host POOL HOST --assigned-user USER.",
	}},
	{pool: userWithSeveralDesktops, Rule: Rule{
		ID: "user-with-several-desktops", Severity: Warning, Source: Microsoft,
		Title: "A user owns several personal desktops",
		Why:   "Only a MultiplePersistent pool with Direct assignment lets a user own more than one. Elsewhere connect takes the one with a session, or the first, and the others stand idle.",
		Fix:   "Assign the others to someone else (gatepool set-host POOL HOST --assigned-user USER), or gatepool set-hostpool POOL --algorithm multiple-persistent --personal-desktop-assignment-type Direct.",
	}},
	{pool: personalHostShared, Rule: Rule{
		ID: "personal-host-shared", Severity: Warning, Source: Microsoft,
		Title: "Sessions of several users on a personal desktop without an owner",
		Why:   "A personal desktop belongs to one user. One of these users will own it, and the others lose what they left there.",
		Fix:   "gatepool set-host POOL HOST --assigned-user USER, then gatepool remove-session POOL USER for the others.",
	}},
	{pool: sessionOfAnotherUser, Rule: Rule{
		ID: "session-of-another-user", Severity: Warning, Source: Microsoft,
		Title: "A session on somebody else's personal desktop",
		Why:   "A personal desktop belongs to the user that it is assigned to. It was probably assigned anew while its former owner was still on it.",
		Fix:   "gatepool remove-session POOL USER, or gatepool set-host POOL HOST --assigned-user USER.",
	}},

	{cluster: clusterWithoutMembers, Rule: Rule{
		ID: "cluster-without-members", Severity: Error, Source: Microsoft,
		Title: "A cluster without members",
		Why:   "A cluster is one to ten gateways. Without any, every request fails.",
		Fix:   "gatepool add-member CLUSTER MEMBER.",
	}},
	{cluster: singleMemberCluster, Rule: Rule{
		ID: "single-member-cluster", Severity: Warning, Source: Microsoft, Shown: true,
		Title: "A cluster with a single member",
		Why:   "There is no high availability: while that machine is down, updated or at a limit, every request fails.",
		Fix:   "Install a second gateway into the cluster, then gatepool add-member CLUSTER MEMBER.",
	}},
	{cluster: tooManyMembers, Rule: Rule{
		ID: "too-many-members", Severity: Error, Source: Microsoft,
		Title: "A cluster with more than ten members",
		Why:   "The service takes at most ten members in a cluster.",
		Fix:   "gatepool remove-member CLUSTER MEMBER.",
	}},
	{cluster: allMembersDisabled, Rule: Rule{
		ID: "all-members-disabled", Severity: Error, Source: Microsoft,
		Title: "Every member is disabled",
		Why:   "A disabled member is never tried, so every request fails.",
		Fix:   "gatepool enable-member CLUSTER MEMBER.",
	}},
	{cluster: primaryDisabled, Rule: Rule{
		ID: "primary-disabled", Severity: Warning, Source: Decided,
		Title: "The primary member is disabled",
		Why:   "With Failover the primary should take the requests; disabled, it takes none, and the next member does the work as if the primary were down.",
		Fix:   "gatepool enable-member CLUSTER MEMBER.",
	}},
	{cluster: offlineButEnabled, Rule: Rule{
		ID: "offline-but-enabled", Severity: Warning, Source: Microsoft, Shown: true,
		Title: "A member is offline but enabled",
		Why:   "Requests may still be sent to it, and each costs a failed attempt before the next member is tried.",
		Fix:   "gatepool disable-member CLUSTER MEMBER, or gatepool remove-member CLUSTER MEMBER.",
	}},
	{cluster: versionsDiffer, Rule: Rule{
		ID: "versions-differ", Severity: Warning, Source: Microsoft, Shown: true,
		Title: "Members run different versions",
		Why:   "What one version can do another may not: requests can fail in unexpected ways, depending on the member that they reach.",
		Fix:   "Install the same version on every member.",
	}},
	{cluster: versionExpired, Rule: Rule{
		ID: "version-expired", Severity: Warning, Source: Microsoft,
		Title: "A member's version is out of support",
		Why:   "Microsoft supports each gateway version for a limited time. After its expiry date, faults are answered with the request to update.",
		Fix:   "Update the gateway on that machine.",
	}},
	{cluster: allMembersAtLimit, Rule: Rule{
		ID: "all-members-at-limit", Severity: Error, Source: Microsoft, Shown: true,
		Title: "Every member that could take a request is at a limit now",
		Why:   "A member at or above its CPU, memory or concurrency limit takes no request. When that holds for all of them, every request fails: the load is too high or a threshold too low. With Failover, the member in use is enough, because no other is tried (this last is gatepool's decision).",
		Fix:   "Raise the threshold (gatepool set-gatewayconfig --cluster CLUSTER --cpu N --memory N, or gatepool set-member), or add a member.",
	}},
	{cluster: thresholdOnEveryMember, Rule: Rule{
		ID: "threshold-on-every-member", Severity: Info, Source: Microsoft,
		Title: "A CPU or memory threshold on every member",
		Why:   "A member at its threshold passes requests on to the next. With a threshold on all of them, a busy hour can leave none to take a request, and requests fail.",
		Fix:   "Mean it so, or leave one member without: gatepool set-gatewayconfig --member CLUSTER/MEMBER --cpu 0 --memory 0.",
	}},
	{cluster: limitsDiffer, Rule: Rule{
		ID: "limits-differ", Severity: Info, Source: Decided, Shown: true,
		Title: "Members have different limits",
		Why:   "That is allowed, and right where the hardware differs. Where it does not, a file was forgotten: the config file is not copied between members.",
		Fix:   "If it isn't meant so: gatepool set-gatewayconfig --cluster CLUSTER --cpu N --memory N.",
	}},
	{cluster: thresholdWithoutSamples, Rule: Rule{
		ID: "threshold-without-samples", Severity: Warning, Source: Decided,
		Title: "A threshold is on, but nothing was measured",
		Why:   "A threshold is compared with the mean of the samples in the aggregation window. gatepool has none there, so connect treats the member as below its limit, which the real gateway may not be.",
		Fix:   "gatepool import-counter FILE, from the member's Report folder.",
	}},
	{cluster: roundRobinNextUnknown, Rule: Rule{
		ID: "round-robin-next-unknown", Severity: Warning, Source: Decided,
		Title: "roundRobinNext names no member",
		Why:   "The turn cannot go on where it was. Most likely the member was renamed or removed by hand.",
		Fix:   "Delete roundRobinNext from the file, or put a member's name there.",
	}},
	{cluster: noAdminUser, Rule: Rule{
		ID: "no-admin-user", Severity: Warning, Source: Decided,
		Title: "No user is an Admin of the cluster",
		Why:   "Nobody listed here can change the cluster or help its users, or the export that was imported left the permissions out.",
		Fix:   "gatepool add-cluster-user CLUSTER USER --role Admin.",
	}},
	{cluster: dataSourceTypesOnAdmin, Rule: Rule{
		ID: "data-source-types-on-admin", Severity: Error, Source: Microsoft,
		Title: "Data source types on an Admin",
		Why:   "Allowed data source types restrict what a ConnectionCreator may create. For an Admin they must be empty, and the service refuses them.",
		Fix:   "Delete dataSourceTypes from that user in the file.",
	}},
	{Rule: Rule{
		ID: configFileMissing, Severity: Error, Source: Decided,
		Title: "A member's config file is missing",
		Why:   "The member's limits come from its configFile, which cannot be read: what it would refuse is not known.",
		Fix:   "Put the file where configFile says, relative to the state file, or correct configFile.",
	}},
	{Rule: Rule{
		ID: configFileFaulty, Severity: Error, Source: Decided,
		Title: "A member's config file is faulty",
		Why:   "The gateway ignores a setting that it can't read, or does not start. The member's limits are not what the file seems to say.",
		Fix:   "gatepool test-gatewayconfig --cluster CLUSTER shows each fault with line, column and remedy; --fix repairs those that are safe to.",
	}},

	{pool: secretsInPool, cluster: secretsInCluster, Rule: Rule{
		ID: secretInFile, Severity: Error, Source: Decided,
		Title: "Text that looks like a secret",
		Why:   "The file is kept in Git and read by many. A password, key or token in it is known to all of them, and stays in the history after it is deleted.",
		Fix:   "Delete it from the file, and renew the secret, since it has been seen.",
	}},
	{Rule: Rule{
		ID: invalidState, Severity: Error, Source: Decided,
		Title: "The state file is not valid",
		Why:   "Reading is strict, because a misspelt key would otherwise be a setting that silently does nothing. No command works on the resource, and no other rule is checked.",
		Fix:   "Correct the file at the place that the finding names, or bring the last version back: gatepool restore-state.",
	}},
	{Rule: Rule{
		ID: ignoreUnknownRule, Severity: Warning, Source: Decided,
		Title: "A comment ignores a rule that there is not",
		Why:   "The finding that was meant is reported still.",
		Fix:   "Write the rule as the finding names it: # gatepool:ignore RULE REASON.",
	}},
	{Rule: Rule{
		ID: ignoreWithoutReason, Severity: Warning, Source: Decided,
		Title: "A rule is ignored without a reason",
		Why:   "Whoever reads the file next cannot tell whether the reason still holds. The finding is ignored all the same.",
		Fix:   "Write why behind the rule: # gatepool:ignore RULE REASON.",
	}},
	{Rule: Rule{
		ID: ignoreUnused, Severity: Info, Source: Decided,
		Title: "A comment ignores what is not found",
		Why:   "What it was for is gone, or it stands in the wrong place. A later finding that nobody has looked at would be ignored.",
		Fix:   "Delete the comment, or move it to the line of the finding, the line above, or the head of the document.",
	}},
}
