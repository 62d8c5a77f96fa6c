package exchange

import (
	"reflect"
	"slices"
	"strings"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// Merges update what an export knows and leave the rest, in place and order.
// They add what is new at the end and never remove configuration; only sessions
// go when a complete list no longer has them. Merging the same again changes
// nothing.
//
// Pools and hosts are matched by name without regard to case: the name is part
// of their Azure id, so another name is another resource. Clusters, members,
// users and data sources have ids of their own and can be renamed, so they are
// matched by id first; within a cluster, where names are unique, else by name.

// assign copies the known properties of src to dst, which point to the same
// struct type.
func assign(dst, src any, known Known) {
	to, from := reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()
	for i := range to.NumField() {
		if known[propertyName(to.Type().Field(i))] {
			to.Field(i).Set(from.Field(i))
		}
	}
}

// propertyName is what a field is called in the state file and here.
func propertyName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	return name
}

// without is the set without some names.
func (k Known) without(names ...string) Known {
	rest := Known{}
	for name, known := range k {
		if known && !slices.Contains(names, name) {
			rest[name] = true
		}
	}
	return rest
}

// NewPool is a pool that an import creates: pooled, breadth-first, no limit.
func NewPool(name string) hostpool.Pool {
	return hostpool.Pool{Name: name, HostPoolType: hostpool.Pooled, LoadBalancerType: hostpool.BreadthFirst}
}

// NewCluster is a cluster that an import creates.
func NewCluster(name string) gateway.Cluster {
	return gateway.Cluster{Name: name, LoadBalancing: gateway.Failover}
}

// MergePool updates a pool. Its name keeps the spelling that it has.
func MergePool(p *hostpool.Pool, f PoolFacts) {
	assign(p, &f.Pool, f.Known.without("name"))
}

// MergeHost updates the host of that name, or adds it. The count of its sessions
// becomes those known by user and, for the rest, anonymous ones.
func MergeHost(p *hostpool.Pool, f HostFacts) {
	h := p.Host(f.Host.Name)
	if h == nil {
		p.SessionHosts = append(p.SessionHosts, hostpool.Host{Name: f.Host.Name, Status: hostpool.Available, AllowNewSession: true})
		h = &p.SessionHosts[len(p.SessionHosts)-1]
	}
	assign(h, &f.Host, f.Known.without("name", "anonymousSessions"))
	if f.Known["anonymousSessions"] {
		h.AnonymousSessions = max(0, f.Count-len(h.Sessions))
	}
}

// MergeSessions updates the sessions of a pool's hosts from an export, for the
// facts that are of this pool or of none by name. A host that the pool lacks is
// added.
//
// A session that is new by name takes over one of the host's anonymous ones, as
// long as there are any: the count that an export of hosts gave stays what it
// was. A session that the list no longer has is removed: from each host that the
// list names, and from every host of the pool when the list is the pool's (whole,
// or e.SessionsOf). A cut list removes nothing.
func MergeSessions(p *hostpool.Pool, e *Export, whole bool) {
	there := map[string]bool{}
	for _, h := range p.SessionHosts {
		there[strings.ToLower(h.Name)] = true
	}
	byHost := map[string][]SessionFacts{}
	for _, f := range e.Sessions {
		if f.Host == "" || f.Pool != "" && !strings.EqualFold(f.Pool, p.Name) {
			continue
		}
		key := strings.ToLower(f.Host)
		if !there[key] {
			MergeHost(p, HostFacts{Host: hostpool.Host{Name: f.Host}})
			there[key] = true
		}
		byHost[key] = append(byHost[key], f)
	}
	whole = whole || e.SessionsOf[strings.ToLower(p.Name)]
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		facts := byHost[strings.ToLower(h.Name)]
		if whole || len(facts) > 0 {
			mergeHostSessions(h, facts, e.Complete())
		}
	}
}

// mergeHostSessions matches sessions by id, and those that have none in the
// state (connect recorded them) by user.
func mergeHostSessions(h *hostpool.Host, facts []SessionFacts, complete bool) {
	byID := map[string]int{}
	byUser := map[string][]int{}
	for i, s := range h.Sessions {
		if s.ID != "" {
			byID[strings.ToLower(s.ID)] = i
		} else {
			byUser[strings.ToLower(s.User)] = append(byUser[strings.ToLower(s.User)], i)
		}
	}
	seen := make([]bool, len(h.Sessions))
	update := func(i int, f SessionFacts) {
		assign(&h.Sessions[i], &f.Session, f.Known)
		seen[i] = true
	}
	for _, f := range facts {
		id, user := strings.ToLower(f.Session.ID), strings.ToLower(f.Session.User)
		if i, ok := byID[id]; ok && id != "" {
			update(i, f)
			continue
		}
		var i int
		if same := byUser[user]; len(same) > 0 {
			i, byUser[user] = same[0], same[1:]
		} else {
			i = len(h.Sessions)
			h.Sessions = append(h.Sessions, hostpool.Session{State: hostpool.SessionActive})
			seen = append(seen, true)
			h.AnonymousSessions = max(0, h.AnonymousSessions-1)
		}
		update(i, f)
		if id != "" {
			byID[id] = i
		}
	}
	if !complete {
		return
	}
	kept := h.Sessions[:0]
	for i, s := range h.Sessions {
		if seen[i] {
			kept = append(kept, s)
		}
	}
	h.Sessions = kept
}

// Is reports whether the facts are about this cluster.
func (f ClusterFacts) Is(c *gateway.Cluster) bool {
	return same(f.Cluster.ID, c.ID, f.Cluster.Name, c.Name)
}

// same compares by id where both sides have one, else by name.
func same(id, otherID, name, otherName string) bool {
	if id != "" && otherID != "" {
		return strings.EqualFold(id, otherID)
	}
	return strings.EqualFold(name, otherName)
}

// find returns the index of the item that is meant: the one of that id, else the
// one of that name, whose id may be another since it was set up anew; -1 if there
// is none.
func find[T any](items []T, id, name string, of func(*T) (id, name string)) int {
	byName := -1
	for i := range items {
		otherID, otherName := of(&items[i])
		if sameID(id, otherID) {
			return i
		}
		if byName < 0 && strings.EqualFold(name, otherName) {
			byName = i
		}
	}
	return byName
}

// renames reports whether an item gets another name: not for another case, and not
// when another item has that name.
func renames[T any](items []T, name string, of func(*T) (id, name string)) bool {
	return find(items, "", name, of) < 0
}

// MergeCluster updates a cluster with its members, users and data sources. Its
// name keeps the spelling that it has unless the id says that it was renamed.
//
// A service that has load balancing off cannot tell Failover from RoundRobin,
// which is this state's own choice of how to read that; it stays.
func MergeCluster(c *gateway.Cluster, f ClusterFacts) {
	known := f.Known.without("members", "users", "dataSources")
	if strings.EqualFold(c.Name, f.Cluster.Name) {
		known = known.without("name")
	}
	if c.LoadBalancing == gateway.RoundRobin && f.Cluster.LoadBalancing == gateway.Failover {
		known = known.without("loadBalancing")
	}
	assign(c, &f.Cluster, known)
	for _, m := range f.Members {
		MergeMember(c, m)
	}
	for _, u := range f.Users {
		mergeUser(c, u)
	}
	for _, d := range f.DataSources {
		MergeDataSource(c, d)
	}
}

// MergeMember updates a member or adds it. The primary, where the export knows
// it, moves to the front; the order of the others is the state's own.
func MergeMember(c *gateway.Cluster, f MemberFacts) {
	i := find(c.Members, f.Member.ID, f.Member.Name, memberKey)
	if i < 0 {
		i = len(c.Members)
		c.Members = append(c.Members, gateway.Member{Name: f.Member.Name, Status: gateway.Online, Enabled: true})
	}
	m := &c.Members[i]
	known := f.Known
	if !renames(c.Members, f.Member.Name, memberKey) {
		known = known.without("name")
	}
	assign(m, &f.Member, known)
	if i > 0 && (f.Primary || sameID(m.ID, c.ID)) {
		c.Members = moveToFront(c.Members, i)
	}
}

func mergeUser(c *gateway.Cluster, f UserFacts) {
	i := find(c.Users, f.User.ID, f.User.Principal, userKey)
	if i < 0 {
		i = len(c.Users)
		c.Users = append(c.Users, gateway.User{Principal: f.User.Principal, PrincipalType: "User", Role: f.User.Role})
	}
	known := f.Known
	if !renames(c.Users, f.User.Principal, userKey) {
		known = known.without("principal")
	}
	assign(&c.Users[i], &f.User, known)
}

// MergeDataSource updates a data source or adds it.
func MergeDataSource(c *gateway.Cluster, f DataSourceFacts) {
	i := find(c.DataSources, f.DataSource.ID, f.DataSource.Name, dataSourceKey)
	if i < 0 {
		i = len(c.DataSources)
		c.DataSources = append(c.DataSources, gateway.DataSource{Name: f.DataSource.Name})
	}
	d := &c.DataSources[i]
	known := f.Known.without("users")
	if !renames(c.DataSources, f.DataSource.Name, dataSourceKey) {
		known = known.without("name")
	}
	assign(d, &f.DataSource, known)
	MergeDataSourceUsers(d, f.DataSource.Users)
}

// MergeDataSourceUsers updates the users of a data source or adds them.
func MergeDataSourceUsers(d *gateway.DataSource, users []gateway.DataSourceUser) {
	for _, u := range users {
		i := slices.IndexFunc(d.Users, func(have gateway.DataSourceUser) bool { return strings.EqualFold(have.Principal, u.Principal) })
		if i < 0 {
			d.Users = append(d.Users, u)
		} else {
			d.Users[i].Right = u.Right
		}
	}
}
