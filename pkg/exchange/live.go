package exchange

import (
	"slices"
	"strings"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// Live is the fact that belongs to a wish: the wish, changed where the export
// says otherwise. So a comparison of the two finds what the export knows and
// nothing else. Where the export lists all pools (of the resource groups in it),
// all hosts of a pool, all clusters, or all members, users or data sources of a
// cluster, what it does not list is not there; a cut list lacks nothing.
func Live(wish Snapshot, e *Export) Snapshot {
	fact := wish.clone()
	fact.mergePools(e)
	fact.mergeHosts(e)
	for _, p := range fact.Pools {
		MergeSessions(p, e, false)
	}
	fact.mergeClusters(e)
	return fact
}

func (s *Snapshot) mergePools(e *Export) {
	groups := map[string]bool{"": true}
	listed := map[string]bool{}
	for _, f := range e.Pools {
		MergePool(s.poolOrNew(f.Pool.Name), f)
		groups[strings.ToLower(f.Pool.ResourceGroup)] = true
		listed[strings.ToLower(f.Pool.Name)] = true
	}
	if e.AllPools && e.Complete() {
		s.Pools = slices.DeleteFunc(s.Pools, func(p *hostpool.Pool) bool {
			return !listed[strings.ToLower(p.Name)] && groups[strings.ToLower(p.ResourceGroup)]
		})
	}
}

func (s *Snapshot) mergeHosts(e *Export) {
	listed := map[string]map[string]bool{}
	for _, f := range e.Hosts {
		if f.Pool == "" {
			continue
		}
		MergeHost(s.poolOrNew(f.Pool), f)
		pool := strings.ToLower(f.Pool)
		if listed[pool] == nil {
			listed[pool] = map[string]bool{}
		}
		listed[pool][strings.ToLower(f.Host.Name)] = true
	}
	for _, p := range s.Pools {
		pool := strings.ToLower(p.Name)
		if e.HostsOf[pool] && e.Complete() {
			p.SessionHosts = slices.DeleteFunc(p.SessionHosts, func(h hostpool.Host) bool { return !listed[pool][strings.ToLower(h.Name)] })
		}
	}
}

func (s *Snapshot) poolOrNew(name string) *hostpool.Pool {
	p := s.pool(name)
	if p == nil {
		pool := NewPool(name)
		p = &pool
		s.Pools = append(s.Pools, p)
	}
	return p
}

func (s *Snapshot) mergeClusters(e *Export) {
	listed := map[*gateway.Cluster]bool{}
	for _, f := range e.Clusters {
		i := slices.IndexFunc(s.Clusters, f.Is)
		if i < 0 {
			cluster := NewCluster(f.Cluster.Name)
			i = len(s.Clusters)
			s.Clusters = append(s.Clusters, &cluster)
		}
		c := s.Clusters[i]
		listed[c] = true
		MergeCluster(c, f)
		if f.Known["members"] {
			c.Members = keepListed(c.Members, memberKey, len(f.Members), func(i int) (string, string) { return memberKey(&f.Members[i].Member) })
		}
		if f.Known["users"] {
			c.Users = keepListed(c.Users, userKey, len(f.Users), func(i int) (string, string) { return userKey(&f.Users[i].User) })
		}
		if f.Known["dataSources"] {
			c.DataSources = keepListed(c.DataSources, dataSourceKey, len(f.DataSources), func(i int) (string, string) { return dataSourceKey(&f.DataSources[i].DataSource) })
		}
	}
	if e.AllClusters && e.Complete() {
		s.Clusters = slices.DeleteFunc(s.Clusters, func(c *gateway.Cluster) bool { return !listed[c] })
	}
	for _, c := range s.Clusters {
		for _, m := range e.Members {
			if sameID(m.ClusterID, c.ID) {
				MergeMember(c, m)
			}
		}
		for _, d := range e.DataSources {
			if sameID(d.ClusterID, c.ID) {
				MergeDataSource(c, d)
			}
		}
	}
}

// keepListed keeps the items that are among the n listed ones.
func keepListed[T any](items []T, of func(*T) (id, name string), n int, listed func(int) (id, name string)) []T {
	return slices.DeleteFunc(items, func(item T) bool {
		id, name := of(&item)
		for i := range n {
			if otherID, otherName := listed(i); same(id, otherID, name, otherName) {
				return false
			}
		}
		return true
	})
}

// AssumePool says of which pool the hosts and sessions are that the export names
// none for.
func (e *Export) AssumePool(name string) {
	for i := range e.Hosts {
		if e.Hosts[i].Pool == "" {
			e.Hosts[i].Pool = name
		}
	}
	for i := range e.Sessions {
		if e.Sessions[i].Pool == "" {
			e.Sessions[i].Pool = name
		}
	}
	for _, of := range []map[string]bool{e.HostsOf, e.SessionsOf} {
		if of[""] {
			delete(of, "")
			of[strings.ToLower(name)] = true
		}
	}
}

// AssumeCluster says of which cluster, by id, the members and data sources are
// that the export names none for.
func (e *Export) AssumeCluster(id string) {
	for i := range e.Members {
		if e.Members[i].ClusterID == "" {
			e.Members[i].ClusterID = id
		}
	}
	for i := range e.DataSources {
		if e.DataSources[i].ClusterID == "" {
			e.DataSources[i].ClusterID = id
		}
	}
}
