package advice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatepool/pkg/gateway"
	"gatepool/pkg/shell"
)

// clusterView is a cluster with what its rules need to know besides.
type clusterView struct {
	*gateway.Cluster
	limits []gateway.Limits // one a member; zero where they are not known
	now    time.Time
}

func newClusterView(c *gateway.Cluster, limits []gateway.Limits, now time.Time) clusterView {
	v := clusterView{Cluster: c, limits: make([]gateway.Limits, len(c.Members)), now: now}
	for i := copy(v.limits, limits); i < len(c.Members); i++ {
		if c.Members[i].ConfigFile == "" {
			v.limits[i] = c.Members[i].EffectiveLimits()
		}
	}
	return v
}

// known reports whether the limits of member i are.
func (v clusterView) known(i int) bool { return v.limits[i] != gateway.Limits{} }

// minutes is the aggregation window of member i.
func (v clusterView) minutes(i int) int {
	return cmp.Or(v.limits[i].AggregationMinutes, gateway.DefaultAggregationMinutes)
}

func (v clusterView) failover() bool {
	return cmp.Or(v.LoadBalancing, gateway.Failover) == gateway.Failover
}

func (v clusterView) throttled(i int) bool { return v.limits[i].CPU > 0 || v.limits[i].Memory > 0 }

func memberPath(m *gateway.Member, property ...string) []string {
	return append([]string{"members", m.Name}, property...)
}

// limitsPath leads to where a member's limits are said.
func limitsPath(m *gateway.Member) []string {
	if m.ConfigFile != "" {
		return memberPath(m, "configFile")
	}
	return memberPath(m, "limits")
}

func clusterWithoutMembers(v clusterView) []Finding {
	if len(v.Members) > 0 {
		return nil
	}
	return []Finding{{
		Path:    []string{"members"},
		Message: "no members: every request fails",
		Fix:     shell.Command("add-member", v.Name, "MEMBER"),
	}}
}

func singleMemberCluster(v clusterView) []Finding {
	if len(v.Members) != 1 {
		return nil
	}
	return []Finding{{
		Path:    []string{"members"},
		Message: fmt.Sprintf("%s is the only member: while it is down or at a limit, every request fails", v.Members[0].Name),
		Fix:     "install a second gateway, then " + shell.Command("add-member", v.Name, "MEMBER"),
	}}
}

func tooManyMembers(v clusterView) []Finding {
	if len(v.Members) <= gateway.MaxMembers {
		return nil
	}
	extra := &v.Members[gateway.MaxMembers]
	return []Finding{{
		Path:    memberPath(extra),
		Message: fmt.Sprintf("%d members; a cluster has at most %d", len(v.Members), gateway.MaxMembers),
		Fix:     shell.Command("remove-member", v.Name, extra.Name),
	}}
}

func (v clusterView) noneEnabled() bool {
	return !slices.ContainsFunc(v.Members, func(m gateway.Member) bool { return m.Enabled })
}

func allMembersDisabled(v clusterView) []Finding {
	if len(v.Members) == 0 || !v.noneEnabled() {
		return nil
	}
	message := "the only member is disabled: every request fails"
	if n := len(v.Members); n > 1 {
		message = fmt.Sprintf("all %d members are disabled: every request fails", n)
	}
	return []Finding{{
		Path:    []string{"members"},
		Message: message,
		Fix:     shell.Command("enable-member", v.Name, v.Members[0].Name),
	}}
}

func primaryDisabled(v clusterView) []Finding {
	m := v.Primary()
	if m == nil || m.Enabled || v.noneEnabled() {
		return nil
	}
	return []Finding{{
		Path:    memberPath(m, "enabled"),
		Message: fmt.Sprintf("the primary member %s is disabled", m.Name),
		Fix:     shell.Command("enable-member", v.Name, m.Name),
	}}
}

func offlineButEnabled(v clusterView) []Finding {
	var found []Finding
	for i := range v.Members {
		m := &v.Members[i]
		if !m.Enabled || m.Status != gateway.Offline {
			continue
		}
		advice := "disable or remove it"
		if i == 0 && len(v.Members) > 1 {
			advice = "disable it" // the primary can't be removed while others remain
		}
		found = append(found, Finding{
			Path:    memberPath(m, "status"),
			Message: fmt.Sprintf("member %s is Offline but enabled, and may cost requests a failed attempt: %s", m.Name, advice),
			Fix:     shell.Command("disable-member", v.Name, m.Name),
			item:    m.Name, many: "members are Offline but enabled, and may cost requests a failed attempt (disable or remove them)",
		})
	}
	return found
}

// group is what some members have in common.
type group[T comparable] struct {
	value   T
	members []*gateway.Member
}

// grouped gathers members by a value, in the order of its first appearance;
// of leaves a member out by returning false.
func grouped[T comparable](members []gateway.Member, of func(i int) (T, bool)) []group[T] {
	var groups []group[T]
	for i := range members {
		value, ok := of(i)
		if !ok {
			continue
		}
		at := slices.IndexFunc(groups, func(g group[T]) bool { return g.value == value })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group[T]{value: value})
		}
		groups[at].members = append(groups[at].members, &members[i])
	}
	return groups
}

// list says "A on GW-1, GW-2; B on GW-3".
func list[T comparable](groups []group[T], text func(T) string) string {
	var parts []string
	for _, g := range groups {
		var on []string
		for _, m := range g.members {
			on = append(on, m.Name)
		}
		parts = append(parts, text(g.value)+" on "+names(on))
	}
	return strings.Join(parts, "; ")
}

func versionsDiffer(v clusterView) []Finding {
	groups := grouped(v.Members, func(i int) (string, bool) {
		return v.Members[i].Version, v.Members[i].Version != ""
	})
	if len(groups) < 2 {
		return nil
	}
	return []Finding{{
		Path:    memberPath(groups[1].members[0], "version"),
		Message: "members run different versions: " + list(groups, func(version string) string { return version }),
		Fix:     "install the same version on every member",
	}}
}

func versionExpired(v clusterView) []Finding {
	if v.now.IsZero() {
		return nil
	}
	var found []Finding
	for i := range v.Members {
		m := &v.Members[i]
		if m.ExpiryDate.IsZero() || v.now.Before(m.ExpiryDate) {
			continue
		}
		found = append(found, Finding{
			Path:    memberPath(m, "expiryDate"),
			Message: fmt.Sprintf("member %s: version %s is out of support since %s", m.Name, cmp.Or(m.Version, "(not stated)"), stamp(m.ExpiryDate)),
			Fix:     "update the gateway on " + m.Name,
			item:    m.Name, many: "members have a version that is out of support",
		})
	}
	return found
}

func roundRobinNextUnknown(v clusterView) []Finding {
	if v.RoundRobinNext == "" || v.Member(v.RoundRobinNext) != nil {
		return nil
	}
	return []Finding{{
		Path:    []string{"roundRobinNext"},
		Message: fmt.Sprintf("roundRobinNext is %s, which is no member", v.RoundRobinNext),
		Fix:     "delete roundRobinNext, or put a member's name there",
	}}
}

func noAdminUser(v clusterView) []Finding {
	if slices.ContainsFunc(v.Users, func(u gateway.User) bool { return u.Role == gateway.Admin }) {
		return nil
	}
	return []Finding{{
		Path:    []string{"users"},
		Message: "no user has the role Admin",
		Fix:     shell.Command("add-cluster-user", v.Name, "USER", "--role", "Admin"),
	}}
}

func dataSourceTypesOnAdmin(v clusterView) []Finding {
	var found []Finding
	for _, u := range v.Users {
		if u.Role != gateway.Admin || len(u.DataSourceTypes) == 0 {
			continue
		}
		found = append(found, Finding{
			Path:    []string{"users", u.Principal, "dataSourceTypes"},
			Message: fmt.Sprintf("user %s is an Admin with dataSourceTypes (%s), which only a ConnectionCreator has", u.Principal, names(u.DataSourceTypes)),
			Fix:     "delete dataSourceTypes from this user",
			item:    u.Principal, many: "Admins have dataSourceTypes, which only a ConnectionCreator has",
		})
	}
	return found
}

// ConfigFileMissing is the finding that a member's config file is not there.
// file is the path as the state names it.
func ConfigFileMissing(cluster, member, file string) Finding {
	return configFinding(configFileMissing, cluster, member, Finding{
		Message: fmt.Sprintf("member %s: configFile %s does not exist", member, file),
		Fix:     "put the file there, or correct configFile",
	})
}

// ConfigFileFaulty is the finding that a member's config file can be read only
// in part or not at all. reason says what is wrong with it and where.
func ConfigFileFaulty(cluster, member, file, reason string) Finding {
	return configFinding(configFileFaulty, cluster, member, Finding{
		Message: fmt.Sprintf("member %s: configFile %s: %s", member, file, reason),
		Fix:     shell.Command("test-gatewayconfig", "--member", cluster+"/"+member),
	})
}

func configFinding(id, cluster, member string, f Finding) Finding {
	f.Path = []string{"members", member, "configFile"}
	rule, _ := Lookup(id)
	return rule.complete(f, KindCluster, cluster)
}
