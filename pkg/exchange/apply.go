package exchange

import (
	"reflect"
	"slices"
	"strings"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// Apply makes the wish of the fact: what Compare reported between the two, and
// only that may be given, is changed, added and removed. The fact itself stays as
// it is.
func Apply(fact Snapshot, differences []Difference) Snapshot {
	s := fact.clone()
	a := applying{removed: map[any]bool{}}
	// Everything is found before anything changes, because names change too.
	targets := make([]any, len(differences))
	for i, d := range differences {
		targets[i] = s.find(d)
	}
	for i, d := range differences {
		switch {
		case d.Change == Changed && d.Property != "primary":
			set(targets[i], d.Property, d.Wish)
		case d.Change == Extra:
			a.removed[targets[i]] = true
		case d.Change == Missing:
			a.added = append(a.added, addition{targets[i], d.Wish})
		}
	}
	for _, c := range s.Clusters {
		for i := range c.DataSources {
			d := &c.DataSources[i]
			d.Users = rebuilt(a, d, d.Users)
		}
		c.Members, c.Users, c.DataSources = rebuilt(a, c, c.Members), rebuilt(a, c, c.Users), rebuilt(a, c, c.DataSources)
	}
	for _, p := range s.Pools {
		p.SessionHosts = rebuilt(a, p, p.SessionHosts)
	}
	s.Pools = slices.DeleteFunc(s.Pools, func(p *hostpool.Pool) bool { return a.removed[p] })
	s.Clusters = slices.DeleteFunc(s.Clusters, func(c *gateway.Cluster) bool { return a.removed[c] })
	for _, add := range a.added {
		switch thing := add.thing.(type) {
		case hostpool.Pool:
			s.Pools = append(s.Pools, &thing)
		case gateway.Cluster:
			s.Clusters = append(s.Clusters, &thing)
		}
	}
	for i, d := range differences {
		if d.Property == "primary" {
			c := targets[i].(*gateway.Cluster)
			at := slices.IndexFunc(c.Members, func(m gateway.Member) bool { return strings.EqualFold(m.Name, d.Wish.(string)) })
			c.Members = moveToFront(c.Members, at)
		}
	}
	return s
}

type applying struct {
	removed map[any]bool // pointers to what goes
	added   []addition
}

type addition struct {
	parent any // pointer to what the thing is added to; nil for pools and clusters
	thing  any
}

// rebuilt is a list of a parent's without what goes and with what is added.
func rebuilt[T any](a applying, parent any, items []T) []T {
	var list []T
	for i := range items {
		if !a.removed[&items[i]] {
			list = append(list, items[i])
		}
	}
	for _, add := range a.added {
		if thing, ok := add.thing.(T); ok && add.parent == parent {
			list = append(list, thing)
		}
	}
	return list
}

// find returns a pointer to the thing that a difference is about, or to its
// parent where the thing is missing; nil where that is the snapshot itself.
func (s Snapshot) find(d Difference) any {
	path := d.Path
	if d.Change == Missing {
		path = path[:len(path)-1]
	}
	if len(path) == 0 {
		return nil
	}
	switch d.Kind {
	case KindHostPool, KindSessionHost:
		p := s.pool(path[0])
		if len(path) == 1 {
			return p
		}
		return p.Host(path[1])
	}
	c := s.cluster(path[0])
	if len(path) == 1 {
		return c
	}
	switch d.Kind {
	case KindMember:
		return c.Member(path[1])
	case KindClusterUser:
		return named(c.Users, path[1], userKey)
	}
	source := named(c.DataSources, path[1], dataSourceKey)
	if len(path) == 2 {
		return source
	}
	return named(source.Users, path[2], sourceUserKey)
}

// named returns the item of that name.
func named[T any](items []T, name string, of func(*T) (id, name string)) *T {
	for i := range items {
		if _, have := of(&items[i]); strings.EqualFold(have, name) {
			return &items[i]
		}
	}
	return nil
}

// pool returns the pool of that name, or nil.
func (s Snapshot) pool(name string) *hostpool.Pool {
	for _, p := range s.Pools {
		if strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

// cluster returns the cluster of that name, or nil.
func (s Snapshot) cluster(name string) *gateway.Cluster {
	for _, c := range s.Clusters {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// set gives a property, by its name in the state file, a value.
func set(thing any, property string, value any) {
	v := reflect.ValueOf(thing).Elem()
	for i := range v.NumField() {
		if propertyName(v.Type().Field(i)) == property {
			v.Field(i).Set(reflect.ValueOf(value))
		}
	}
}

func moveToFront[T any](items []T, at int) []T {
	item := items[at]
	return slices.Insert(slices.Delete(items, at, at+1), 0, item)
}

// clone is a copy that can be changed without changing the snapshot. Maps and
// what pointers lead to are shared: they are replaced, never changed.
func (s Snapshot) clone() Snapshot {
	var c Snapshot
	for _, p := range s.Pools {
		pool := *p
		pool.SessionHosts = slices.Clone(p.SessionHosts)
		for i := range pool.SessionHosts {
			pool.SessionHosts[i].Sessions = slices.Clone(pool.SessionHosts[i].Sessions)
		}
		c.Pools = append(c.Pools, &pool)
	}
	for _, have := range s.Clusters {
		cluster := *have
		cluster.Members = slices.Clone(have.Members)
		cluster.Users = slices.Clone(have.Users)
		cluster.DataSources = slices.Clone(have.DataSources)
		for i := range cluster.DataSources {
			cluster.DataSources[i].Users = slices.Clone(cluster.DataSources[i].Users)
		}
		c.Clusters = append(c.Clusters, &cluster)
	}
	return c
}
