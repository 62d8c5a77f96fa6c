package exchange

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// Snapshot is pools and clusters as a state or as exports have them.
type Snapshot struct {
	Pools    []*hostpool.Pool
	Clusters []*gateway.Cluster
}

// Change says how wish and fact differ.
type Change string

// Missing: wished for and not there. Extra: there and not wished for. Changed:
// a property has another value.
const (
	Missing Change = "Missing"
	Extra   Change = "Extra"
	Changed Change = "Changed"
)

// Kind is the kind of thing that differs.
type Kind string

// The kinds, with what their path is made of.
const (
	KindHostPool       Kind = "HostPool"       // pool
	KindSessionHost    Kind = "SessionHost"    // pool, host
	KindCluster        Kind = "Cluster"        // cluster
	KindMember         Kind = "Member"         // cluster, member
	KindClusterUser    Kind = "ClusterUser"    // cluster, principal
	KindDataSource     Kind = "DataSource"     // cluster, data source
	KindDataSourceUser Kind = "DataSourceUser" // cluster, data source, principal
)

// Difference is one difference between wish and fact.
type Difference struct {
	Kind   Kind     `json:"kind"`
	Path   []string `json:"path"` // names from the outside in, as the fact has them where it has the thing
	Change Change   `json:"change"`
	// Property is the one that is Changed, by its name in the state file, or
	// "primary" for the name of a cluster's first member.
	Property string `json:"property,omitempty"`
	// Wish and Fact are the property's values, or the whole thing where it is
	// missing or extra.
	Wish any `json:"wish,omitempty"`
	Fact any `json:"fact,omitempty"`
	// Runtime tells that the difference is no drift: it comes about by use, or
	// the service chose what the wish leaves open.
	Runtime bool `json:"runtime,omitempty"`
}

// runtimeProperties are the properties that change by use, by their kind.
var runtimeProperties = map[Kind]Known{
	KindSessionHost: {"status": true, "agentVersion": true, "osVersion": true, "lastHeartBeat": true, "updateState": true, "sessions": true, "anonymousSessions": true},
	KindCluster:     {"roundRobinNext": true},
	KindMember:      {"status": true, "expiryDate": true, "activeOperations": true, "counters": true},
}

// openProperties are the properties that the service fills in where the wish says nothing.
var openProperties = Known{"id": true, "resourceId": true, "machine": true, "region": true, "version": true, "location": true, "resourceGroup": true,
	"preferredAppGroupType": true, "personalDesktopAssignmentType": true}

// Compare lists the differences between what is wished for and what there is,
// in the order of the wish. Names differ only in more than case, the order of
// things other than who is primary does not count, and no session limit is the
// same as the greatest.
func Compare(wish, fact Snapshot) []Difference {
	var c comparison
	each(&c, KindHostPool, nil, pair(wish.Pools, fact.Pools, poolKey), c.pool)
	each(&c, KindCluster, nil, pair(wish.Clusters, fact.Clusters, clusterKey), c.cluster)
	return c.found
}

// The keys by which things are matched; a host's or pool's name is its id.
func poolKey(p *hostpool.Pool) (id, name string)                { return "", p.Name }
func hostKey(h *hostpool.Host) (id, name string)                { return "", h.Name }
func clusterKey(c *gateway.Cluster) (id, name string)           { return c.ID, c.Name }
func memberKey(m *gateway.Member) (id, name string)             { return m.ID, m.Name }
func userKey(u *gateway.User) (id, name string)                 { return u.ID, u.Principal }
func dataSourceKey(d *gateway.DataSource) (id, name string)     { return d.ID, d.Name }
func sourceUserKey(u *gateway.DataSourceUser) (id, name string) { return "", u.Principal }

type comparison struct {
	found []Difference
}

func (c *comparison) pool(w, f *hostpool.Pool, path []string) {
	c.properties(KindHostPool, path, w, f, "sessionHosts")
	hosts := pair(pointers(w.SessionHosts), pointers(f.SessionHosts), hostKey)
	each(c, KindSessionHost, path, hosts, func(w, f *hostpool.Host, path []string) { c.properties(KindSessionHost, path, w, f) })
}

func (c *comparison) cluster(w, f *gateway.Cluster, path []string) {
	c.properties(KindCluster, path, w, f, "members", "users", "dataSources")
	members := pair(pointers(w.Members), pointers(f.Members), memberKey)
	each(c, KindMember, path, members, func(w, f *gateway.Member, path []string) { c.properties(KindMember, path, w, f) })
	want, have := w.Primary(), f.Primary()
	areOne := func(m matched[gateway.Member]) bool { return m.wish == want && m.fact == have }
	if want != nil && have != nil && !slices.ContainsFunc(members, areOne) {
		c.found = append(c.found, Difference{Kind: KindCluster, Path: path, Change: Changed, Property: "primary", Wish: want.Name, Fact: have.Name})
	}
	users := pair(pointers(w.Users), pointers(f.Users), userKey)
	each(c, KindClusterUser, path, users, func(w, f *gateway.User, path []string) { c.properties(KindClusterUser, path, w, f) })
	sources := pair(pointers(w.DataSources), pointers(f.DataSources), dataSourceKey)
	each(c, KindDataSource, path, sources, func(w, f *gateway.DataSource, path []string) {
		c.properties(KindDataSource, path, w, f, "users")
		users := pair(pointers(w.Users), pointers(f.Users), sourceUserKey)
		each(c, KindDataSourceUser, path, users, func(w, f *gateway.DataSourceUser, path []string) { c.properties(KindDataSourceUser, path, w, f) })
	})
}

// properties compares two of a kind, all properties but the lists that are
// compared thing by thing.
func (c *comparison) properties(kind Kind, path []string, wish, fact any, lists ...string) {
	w, f := reflect.ValueOf(wish).Elem(), reflect.ValueOf(fact).Elem()
	for i := range w.NumField() {
		property := propertyName(w.Type().Field(i))
		if slices.Contains(lists, property) {
			continue
		}
		want, have := w.Field(i).Interface(), f.Field(i).Interface()
		if !equal(property, want, have) {
			c.found = append(c.found, Difference{Kind: kind, Path: path, Change: Changed,
				Property: property, Wish: want, Fact: have,
				Runtime: runtimeProperties[kind][property] || openProperties[property] && w.Field(i).IsZero()})
		}
	}
}

// equal compares two values of a property. An empty list is none, a session
// limit of 0 is the greatest, and what names a thing may differ in case.
func equal(property string, a, b any) bool {
	switch property {
	case "maxSessionLimit":
		return limitOrNone(a.(int)) == limitOrNone(b.(int))
	case "name", "principal", "id", "resourceGroup", "location", "resourceId":
		return strings.EqualFold(a.(string), b.(string))
	}
	switch a := a.(type) {
	case time.Time:
		return a.Equal(b.(time.Time))
	case []hostpool.Session:
		return slices.EqualFunc(sorted(a), sorted(b.([]hostpool.Session)), func(x, y hostpool.Session) bool {
			sameTime := x.Created.Equal(y.Created)
			x.Created, y.Created = time.Time{}, time.Time{}
			return sameTime && x == y
		})
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if kind := x.Kind(); (kind == reflect.Slice || kind == reflect.Map) && x.Len()+y.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(a, b)
}

func limitOrNone(limit int) int {
	if limit == 0 {
		return hostpool.NoLimit
	}
	return limit
}

// sorted is the sessions in an order that does not depend on the file's.
func sorted(sessions []hostpool.Session) []hostpool.Session {
	return slices.SortedStableFunc(slices.Values(sessions), func(a, b hostpool.Session) int {
		x, _ := a.Identity()
		y, _ := b.Identity()
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
		return a.Created.Compare(b.Created)
	})
}

// matched is a thing of the wish with its fact; one of them may be nil.
type matched[T any] struct {
	wish, fact *T
	name       string // as the fact has it, if there is one
}

// pair matches things by id, and by name where one side has no id: first those
// of the wish in their order, then the facts that are left.
func pair[T any](wish, fact []*T, of func(*T) (id, name string)) []matched[T] {
	byID, byName := map[string]int{}, map[string]int{}
	for i, f := range fact {
		id, name := of(f)
		byName[strings.ToLower(name)] = i
		if id != "" {
			byID[strings.ToLower(id)] = i
		}
	}
	taken := make([]bool, len(fact))
	pairs := make([]matched[T], len(wish))
	match := func(i, at int) {
		pairs[i].fact, taken[at] = fact[at], true
		_, pairs[i].name = of(fact[at])
	}
	for i, w := range wish {
		id, name := of(w)
		pairs[i].wish, pairs[i].name = w, name
		if at, ok := byID[strings.ToLower(id)]; ok && id != "" && !taken[at] {
			match(i, at)
		}
	}
	for i, w := range wish {
		id, name := of(w)
		at, ok := byName[strings.ToLower(name)]
		if pairs[i].fact != nil || !ok || taken[at] {
			continue
		}
		if otherID, otherName := of(fact[at]); same(id, otherID, name, otherName) {
			match(i, at)
		}
	}
	for i, f := range fact {
		if !taken[i] {
			_, name := of(f)
			pairs = append(pairs, matched[T]{fact: f, name: name})
		}
	}
	return pairs
}

// each reports what is missing or extra and gives the others to both.
func each[T any](c *comparison, kind Kind, parent []string, pairs []matched[T], both func(wish, fact *T, path []string)) {
	for _, p := range pairs {
		path := append(slices.Clone(parent), p.name)
		switch {
		case p.fact == nil:
			c.found = append(c.found, Difference{Kind: kind, Path: path, Change: Missing, Wish: *p.wish})
		case p.wish == nil:
			c.found = append(c.found, Difference{Kind: kind, Path: path, Change: Extra, Fact: *p.fact})
		default:
			both(p.wish, p.fact, path)
		}
	}
}

func pointers[T any](items []T) []*T {
	all := make([]*T, len(items))
	for i := range items {
		all[i] = &items[i]
	}
	return all
}
