package advice

import (
	"fmt"
	"time"

	"gatepool/pkg/gateway"
)

func clusterExamples() map[string][]example {
	type cluster = gateway.Cluster
	return map[string][]example{
		"cluster-without-members": {
			{name: "none", cluster: func(c *cluster) { c.Members, c.RoundRobinNext = nil, "" },
				want: []string{"members: no members: every request fails"}},
			{name: "two", cluster: func(c *cluster) {}},
		},
		"single-member-cluster": {
			{name: "one", cluster: func(c *cluster) { c.Members, c.RoundRobinNext = c.Members[:1], "" },
				want: []string{"members: GW-1 is the only member: while it is down or at a limit, every request fails"}},
			{name: "two", cluster: func(c *cluster) {}},
		},
		"too-many-members": {
			{name: "eleven", cluster: func(c *cluster) { grow(c, 11) },
				want: []string{"members/GW-11: 11 members; a cluster has at most 10"},
				fix:  "gatepool remove-member finance GW-11"},
			{name: "ten", cluster: func(c *cluster) { grow(c, 10) }},
		},
		"all-members-disabled": {
			{name: "both", cluster: func(c *cluster) { c.Members[0].Enabled, c.Members[1].Enabled = false, false },
				want: []string{"members: all 2 members are disabled: every request fails"}},
			{name: "the only one", cluster: func(c *cluster) {
				c.Members, c.RoundRobinNext = c.Members[:1], ""
				c.Members[0].Enabled = false
			}, want: []string{"members: the only member is disabled: every request fails"}, also: []string{"single-member-cluster"}},
			{name: "one of two", cluster: func(c *cluster) { c.Members[1].Enabled = false }},
		},
		"primary-disabled": {
			{name: "primary", cluster: func(c *cluster) { c.Members[0].Enabled = false },
				want: []string{"members/GW-1/enabled: the primary member GW-1 is disabled"},
				fix:  "gatepool enable-member finance GW-1"},
			{name: "another", cluster: func(c *cluster) { c.Members[1].Enabled = false }},
		},
		"offline-but-enabled": {
			{name: "primary, which can't be removed", cluster: func(c *cluster) { c.Members[0].Status = gateway.Offline },
				want: []string{"members/GW-1/status: member GW-1 is Offline but enabled, and may cost requests a failed attempt: disable it"},
				fix:  "gatepool disable-member finance GW-1"},
			{name: "another", cluster: func(c *cluster) { c.Members[1].Status = gateway.Offline },
				want: []string{"members/GW-2/status: member GW-2 is Offline but enabled, and may cost requests a failed attempt: disable or remove it"}},
			{name: "offline and disabled", cluster: func(c *cluster) { c.Members[1].Status, c.Members[1].Enabled = gateway.Offline, false }},
		},
		"versions-differ": {
			{name: "two versions", cluster: func(c *cluster) {
				grow(c, 3)
				c.Members[1].Version = "3000.310.2"
			}, want: []string{"members/GW-2/version: members run different versions: 3000.322.5 on GW-1, GW-3; 3000.310.2 on GW-2"}},
			{name: "one not known", cluster: func(c *cluster) { c.Members[1].Version = "" }},
		},
		"version-expired": {
			{name: "now", cluster: func(c *cluster) { c.Members[1].ExpiryDate = now },
				want: []string{"members/GW-2/expiryDate: member GW-2: version 3000.322.5 is out of support since 2026-11-29T08:10:00Z"}},
			{name: "version not known", cluster: func(c *cluster) { c.Members[1].ExpiryDate, c.Members[1].Version = now, "" },
				want: []string{"members/GW-2/expiryDate: member GW-2: version (not stated) is out of support since 2026-11-29T08:10:00Z"}},
			{name: "in a second", cluster: func(c *cluster) { c.Members[1].ExpiryDate = now.Add(time.Second) }},
			{name: "not known", cluster: func(c *cluster) { c.Members[1].ExpiryDate = time.Time{} }},
			{name: "no time given", cluster: func(c *cluster) { c.Members[1].ExpiryDate = now },
				options: func(o *Options) { o.Now = time.Time{} }},
		},
		"all-members-at-limit": {
			{name: "exactly at it", cluster: func(c *cluster) { both(c, limits(50, 0)) },
				want: []string{"members/GW-1/limits: every member that is enabled and online is at a limit, so every request fails now: GW-1 CPU 50 % (limit 50); GW-2 CPU 50 % (limit 50)"},
				fix:  "gatepool set-member finance GW-1 --cpu N --memory N, or add a member",
				also: []string{"threshold-on-every-member"}},
			{name: "mean of two, though binary fractions fall short", cluster: func(c *cluster) {
				both(c, limits(80, 0))
				c.Members[0].Counters = []gateway.Counter{sample(79.9, 0), sample(80.1, 0)}
				c.Members[1].Counters = []gateway.Counter{sample(80.3, 0), sample(79.8, 0), sample(79.9, 0)}
			}, want: []string{"members/GW-1/limits: every member that is enabled and online is at a limit, so every request fails now: GW-1 CPU 80 % (limit 80); GW-2 CPU 80 % (limit 80)"},
				also: []string{"threshold-on-every-member"}},
			{name: "just below", cluster: func(c *cluster) { both(c, limits(51, 61)) },
				also: []string{"threshold-on-every-member"}},
			{name: "memory and concurrency", cluster: func(c *cluster) {
				c.Members[0].Limits, c.Members[1].ActiveOperations = limits(0, 60), 40
			}, want: []string{"members/GW-1/limits: every member that is enabled and online is at a limit, so every request fails now: GW-1 memory 60 % (limit 60); GW-2 40 operations (limit 40)"},
				also: []string{"limits-differ"}},
			{name: "limits from files", cluster: func(c *cluster) { c.Members[0].ConfigFile, c.Members[1].ConfigFile = "a.config", "b.config" },
				limits: []gateway.Limits{*limits(50, 0), *limits(50, 0)},
				want:   []string{"members/GW-1/configFile: every member that is enabled and online is at a limit, so every request fails now: GW-1 CPU 50 % (limit 50); GW-2 CPU 50 % (limit 50)"},
				fix:    "gatepool set-gatewayconfig --member finance/GW-1 --cpu N --memory N, or add a member",
				also:   []string{"threshold-on-every-member"}},
			{name: "file not read", cluster: func(c *cluster) {
				both(c, limits(50, 0))
				c.Members[1].ConfigFile = "b.config"
			}},
			{name: "file faulty", cluster: func(c *cluster) { both(c, limits(50, 0)) }, limits: []gateway.Limits{*limits(50, 0), {}}},
			{name: "the one below is offline", cluster: func(c *cluster) {
				c.Members[0].Limits = limits(50, 0)
				c.Members[1].Status = gateway.Offline
			}, want: []string{"members/GW-1/limits: every member that is enabled and online is at a limit, so every request fails now: GW-1 CPU 50 % (limit 50)"},
				also: []string{"limits-differ", "offline-but-enabled"}},
			{name: "the one below is disabled", cluster: func(c *cluster) {
				c.Members[0].Limits = limits(50, 0)
				c.Members[1].Enabled = false
			}, want: []string{"members/GW-1/limits: every member that is enabled and online is at a limit, so every request fails now: GW-1 CPU 50 % (limit 50)"},
				also: []string{"limits-differ"}},
			{name: "failover: the primary is enough", cluster: func(c *cluster) {
				c.LoadBalancing, c.Members[0].ActiveOperations = gateway.Failover, 41
			}, want: []string{"members/GW-1/limits: the member in use is at a limit, and Failover tries no other, so every request fails now: GW-1 41 operations (limit 40)"}},
			{name: "failover past an offline primary", cluster: func(c *cluster) {
				c.LoadBalancing, c.Members[0].Status, c.Members[1].ActiveOperations = "", gateway.Offline, 40
			}, want: []string{"members/GW-2/limits: the member in use is at a limit, and Failover tries no other, so every request fails now: GW-2 40 operations (limit 40)"},
				also: []string{"offline-but-enabled"}},
			{name: "failover: the second alone", cluster: func(c *cluster) {
				c.LoadBalancing, c.Members[1].ActiveOperations = gateway.Failover, 40
			}},
			{name: "no concurrency limit", cluster: func(c *cluster) {
				both(c, &gateway.Limits{AggregationMinutes: 5})
				c.Members[0].ActiveOperations, c.Members[1].ActiveOperations = 99, 99
			}},
			{name: "all offline", cluster: func(c *cluster) { c.Members[0].Status, c.Members[1].Status = gateway.Offline, gateway.Offline },
				also: []string{"offline-but-enabled"}},
		},
		"threshold-on-every-member": {
			{name: "both", cluster: func(c *cluster) { both(c, limits(80, 90)) },
				want: []string{"members/GW-1/limits: every enabled member has a threshold, so requests fail when all reach it: GW-1 (CPU 80, memory 90), GW-2 (CPU 80, memory 90)"},
				fix:  "leave one member without: gatepool set-member finance GW-1 --cpu 0 --memory 0"},
			{name: "failover", cluster: func(c *cluster) {
				c.LoadBalancing = gateway.Failover
				both(c, limits(80, 0))
			}, want: []string{"members/GW-1/limits: every enabled member has a threshold, and with Failover requests fail as soon as the member in use reaches it: GW-1 (CPU 80), GW-2 (CPU 80)"}},
			{name: "disabled members don't count", cluster: func(c *cluster) {
				grow(c, 3)
				c.Members[0].Enabled = false
				c.Members[1].Limits, c.Members[2].Limits = limits(80, 0), limits(80, 0)
			}, want: []string{"members/GW-2/limits: every enabled member has a threshold, so requests fail when all reach it: GW-2 (CPU 80), GW-3 (CPU 80)"},
				also: []string{"limits-differ", "primary-disabled"}},
			{name: "one has none", cluster: func(c *cluster) { c.Members[0].Limits = limits(80, 0) }, also: []string{"limits-differ"}},
			{name: "the only member", cluster: func(c *cluster) {
				c.Members, c.RoundRobinNext = c.Members[:1], ""
				c.Members[0].Limits = limits(80, 0)
			}, also: []string{"single-member-cluster"}},
			{name: "one not known", cluster: func(c *cluster) {
				both(c, limits(80, 0))
				c.Members[1].ConfigFile = "b.config"
			}},
		},
		"limits-differ": {
			{name: "three kinds", cluster: func(c *cluster) {
				grow(c, 4)
				c.Members[1].Limits, c.Members[3].Limits = limits(80, 0), limits(0, 70)
			}, want: []string{"members/GW-2/limits: members have different limits: cpu 0, memory 0, aggregationMinutes 5, concurrency 40 on GW-1, GW-3; " +
				"cpu 80, memory 0, aggregationMinutes 5, concurrency 40 on GW-2; cpu 0, memory 70, aggregationMinutes 5, concurrency 40 on GW-4"}},
			{name: "written out and default", cluster: func(c *cluster) { c.Members[1].Limits = limits(0, 0) }},
			{name: "file wins over the state", cluster: func(c *cluster) {
				c.Members[1].ConfigFile, c.Members[1].Limits = "b.config", limits(80, 80)
			}, limits: []gateway.Limits{*limits(0, 0), *limits(0, 0)}},
			{name: "not known", cluster: func(c *cluster) { c.Members[1].ConfigFile, c.Members[1].Limits = "b.config", limits(80, 80) }},
		},
		"threshold-without-samples": {
			{name: "too old by a moment", cluster: func(c *cluster) {
				c.Members[1].Limits, c.Members[0].Limits = limits(80, 80), limits(80, 80)
				c.Members[1].Counters[0].To = now.Add(-5 * time.Minute)
			}, want: []string{"members/GW-2/counters: member GW-2: CPU threshold 80 and memory threshold 80, but no sample in the last 5 minutes, so connect takes it to be below"},
				also: []string{"threshold-on-every-member"}},
			{name: "in the future", cluster: func(c *cluster) {
				both(c, limits(80, 0))
				c.Members[1].Counters[0].To = now.Add(time.Nanosecond)
			}, want: []string{"members/GW-2/counters: member GW-2: CPU threshold 80, but no sample in the last 5 minutes, so connect takes it to be below"},
				also: []string{"threshold-on-every-member"}},
			{name: "only the other counter", cluster: func(c *cluster) {
				both(c, limits(80, 80))
				c.Members[1].Counters[0].Memory = nil
			}, want: []string{"members/GW-2/counters: member GW-2: memory threshold 80, but no sample in the last 5 minutes, so connect takes it to be below"},
				also: []string{"threshold-on-every-member"}},
			{name: "ends now", cluster: func(c *cluster) {
				both(c, limits(80, 80))
				c.Members[1].Counters[0].To = now
			}, also: []string{"threshold-on-every-member"}},
			{name: "no threshold", cluster: func(c *cluster) { c.Members[1].Counters = nil }},
			{name: "disabled", cluster: func(c *cluster) {
				both(c, limits(80, 80))
				c.Members[1].Counters, c.Members[1].Enabled = nil, false
			}},
			{name: "offline", cluster: func(c *cluster) {
				both(c, limits(80, 80))
				c.Members[1].Counters, c.Members[1].Status = nil, gateway.Offline
			}, also: []string{"offline-but-enabled", "threshold-on-every-member"}},
			{name: "no time given", cluster: func(c *cluster) { both(c, limits(80, 80)) },
				options: func(o *Options) { o.Now = time.Time{} }, also: []string{"threshold-on-every-member"}},
		},
		"round-robin-next-unknown": {
			{name: "unknown", cluster: func(c *cluster) { c.RoundRobinNext = "GW-9" },
				want: []string{"roundRobinNext: roundRobinNext is GW-9, which is no member"}},
			{name: "any case", cluster: func(c *cluster) { c.RoundRobinNext = "Gw-1" }},
			{name: "not set", cluster: func(c *cluster) { c.RoundRobinNext = "" }},
		},
		"no-admin-user": {
			{name: "no users", cluster: func(c *cluster) { c.Users = nil },
				want: []string{"users: no user has the role Admin"},
				fix:  "gatepool add-cluster-user finance USER --role Admin"},
			{name: "no Admin among them", cluster: func(c *cluster) { c.Users = c.Users[1:] },
				want: []string{"users: no user has the role Admin"}},
			{name: "one Admin", cluster: func(c *cluster) { c.Users = c.Users[:1] }},
		},
		"data-source-types-on-admin": {
			{name: "Admin", cluster: func(c *cluster) { c.Users[0].DataSourceTypes = []string{"Sql", "Oracle"} },
				want: []string{"users/dba@contoso.example/dataSourceTypes: user dba@contoso.example is an Admin with dataSourceTypes (Sql, Oracle), which only a ConnectionCreator has"}},
			{name: "ConnectionCreatorWithReshare", cluster: func(c *cluster) { c.Users[1].Role = gateway.ConnectionCreatorWithReshare }},
		},
		"config-file-missing": {
			{name: "missing", finding: func() Finding { return ConfigFileMissing("finance", "GW-1", "gw-1/x.config") },
				want: []string{"members/GW-1/configFile: member GW-1: configFile gw-1/x.config does not exist"}},
			{name: "not looked for here", cluster: func(c *cluster) { c.Members[0].ConfigFile = "gw-1/x.config" }},
		},
		"config-file-faulty": {
			{name: "faulty", finding: func() Finding { return ConfigFileFaulty("finance", "GW-1", "gw-1/x.config", "12:7: not well-formed") },
				want: []string{"members/GW-1/configFile: member GW-1: configFile gw-1/x.config: 12:7: not well-formed"},
				fix:  "gatepool test-gatewayconfig --member finance/GW-1"},
			{name: "not looked for here", cluster: func(c *cluster) { c.Members[0].ConfigFile = "gw-1/x.config" }},
		},
		"secret-in-file": {
			{name: "connection", cluster: func(c *cluster) { c.DataSources[0].Connection = "Server=sql01;Database=sales;User Id=sa;Pwd=Hunter2" },
				want: []string{"dataSources/sales/connection: dataSources.sales.connection holds what looks like a password"}},
			{name: "free texts", cluster: func(c *cluster) {
				c.Description, c.Department, c.Contact = "recovery key: Contoso2026!", "pwd=x", "client_secret=abc"
			}, want: []string{
				"description: description holds what looks like a gateway recovery key, witness string or salt",
				"department: department holds what looks like a password",
				"contact: contact holds what looks like a client secret",
			}},
			{name: "a name that is the secret", cluster: func(c *cluster) { c.DataSources[0].Name = "sales pwd=hunter2" },
				want: []string{"dataSources: dataSources holds what looks like a password"}},
			{name: "about the recovery key", cluster: func(c *cluster) { c.Description = "Recovery key: in the vault" }},
		},
	}
}

// grow makes a cluster of n members that are like its second.
func grow(c *gateway.Cluster, n int) {
	for i := len(c.Members); i < n; i++ {
		m := c.Members[1]
		m.Name = fmt.Sprintf("GW-%d", i+1)
		c.Members = append(c.Members, m)
	}
}

// both gives the first two members the same limits.
func both(c *gateway.Cluster, l *gateway.Limits) { c.Members[0].Limits, c.Members[1].Limits = l, l }
