// Package exchange reads what other tools print about host pools and gateway
// clusters, and writes it back: ARM and Data Gateway REST answers, az and
// PowerShell output, CSV files of scripts, gateway logs and connection traces
// in; ARM and REST bodies and lines for PowerShell and az out.
//
// An export seldom knows everything. What it says is kept as facts: a value and
// the names of the properties that the export knows, so that a merge leaves the
// rest alone.
//
// What the formats leave open, and how it is read here:
//   - A property that is absent is not known. A null in an answer of Azure is
//     known to be empty where the property is text, tags or an assignment (the
//     service prints every property it has), and not known where it is a number,
//     a boolean, a time or another enumeration. A null in an answer of the gateway
//     service is not known: it leaves null what the endpoint does not fill in. An
//     empty cell of a CSV file is a null.
//   - A name that stands twice in one JSON object is refused.
//   - An enumeration given as a number counts from 0 in the order of the
//     service's API description; a note says so, other numbers are refused.
//   - An unknown value is refused where it decides who is sent where. An unknown
//     host status is read as Unavailable and an unknown session state as Unknown,
//     and an unknown value elsewhere is left out; a note names each, because a
//     new word of the service should not cost the whole import.
package exchange

import (
	"maps"
	"strings"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// MaxSize is the size in bytes beyond which input is refused. Who reads a file
// to hand it to Read needs to read no more than one byte beyond it.
const MaxSize = 128 << 20

// Known is a set of properties, by the names that they have in the state file.
type Known map[string]bool

// PoolFacts is what an export says of a host pool; its hosts are facts of
// their own.
type PoolFacts struct {
	Pool  hostpool.Pool
	Known Known
}

// HostFacts is what an export says of a session host; its sessions are facts
// of their own.
type HostFacts struct {
	Pool  string // name of its pool; "" when the export does not say
	Host  hostpool.Host
	Count int // sessions of any kind; counts only if Known["anonymousSessions"]
	Known Known
}

// SessionFacts is what an export says of a user session.
type SessionFacts struct {
	Pool    string // name of its pool; "" when the export does not say
	Host    string // name of its host; "" when the export does not say
	Session hostpool.Session
	Known   Known
}

// ClusterFacts is what an export says of a gateway cluster. Members, users and
// data sources stand beside the cluster, whose own lists are empty.
type ClusterFacts struct {
	Cluster     gateway.Cluster
	Known       Known // holds "members", "users", "dataSources" where the export lists them all
	Members     []MemberFacts
	Users       []UserFacts
	DataSources []DataSourceFacts
}

// MemberFacts is what an export says of a member of a cluster.
type MemberFacts struct {
	ClusterID string // "" when the export does not say
	Member    gateway.Member
	Primary   bool // known to be the primary
	Known     Known
}

// UserFacts is what an export says of a principal of a cluster.
type UserFacts struct {
	User  gateway.User
	Known Known
}

// DataSourceFacts is what an export says of a data source.
type DataSourceFacts struct {
	ClusterID  string // "" when the export does not say
	DataSource gateway.DataSource
	Known      Known
}

// Export is what one file says.
type Export struct {
	Pools           []PoolFacts
	Hosts           []HostFacts
	Sessions        []SessionFacts
	Clusters        []ClusterFacts
	Members         []MemberFacts            // of a cluster that the caller has to name, unless ClusterID does
	DataSources     []DataSourceFacts        // likewise
	DataSourceUsers []gateway.DataSourceUser // of a data source that the caller has to name

	// AllPools and AllClusters tell that the export is a list of all of them (in
	// the resource groups that it names), not an answer about one.
	AllPools, AllClusters bool
	// HostsOf and SessionsOf name the pools, in lower case, whose hosts or
	// sessions the export lists completely.
	HostsOf, SessionsOf map[string]bool

	// DroppedSecrets says what kind of secret stood where; never the secret.
	DroppedSecrets []string
	// NextLink is where the list goes on; then the export is cut and nothing in
	// it is complete.
	NextLink string
	// Notes says what was understood in a way that the reader of the file should
	// know, or left out.
	Notes []string
}

// Join puts the pages of a list, or exports of different things, together. A
// list that came in pages is complete when one of them is the last, the one
// that links to no next.
func Join(exports ...*Export) *Export {
	all := &Export{HostsOf: map[string]bool{}, SessionsOf: map[string]bool{}}
	last := false
	for _, e := range exports {
		all.Pools = append(all.Pools, e.Pools...)
		all.Hosts = append(all.Hosts, e.Hosts...)
		all.Sessions = append(all.Sessions, e.Sessions...)
		all.Clusters = append(all.Clusters, e.Clusters...)
		all.Members = append(all.Members, e.Members...)
		all.DataSources = append(all.DataSources, e.DataSources...)
		all.DataSourceUsers = append(all.DataSourceUsers, e.DataSourceUsers...)
		all.AllPools = all.AllPools || e.AllPools
		all.AllClusters = all.AllClusters || e.AllClusters
		maps.Copy(all.HostsOf, e.HostsOf)
		maps.Copy(all.SessionsOf, e.SessionsOf)
		all.DroppedSecrets = append(all.DroppedSecrets, e.DroppedSecrets...)
		all.Notes = append(all.Notes, e.Notes...)
		if e.NextLink == "" {
			last = true
		} else {
			all.NextLink = e.NextLink
		}
	}
	if last && all.NextLink != "" { // pages, which are one list
		all.NextLink = ""
		all.noteSessionLists(all.Sessions)
	}
	return all
}

// noteSessionLists notes of which pools one list of sessions is the whole one. The
// service lists the sessions of a pool or of one host; those of two hosts in one
// list are therefore the pool's.
func (e *Export) noteSessionLists(sessions []SessionFacts) {
	hostOf := map[string]string{}
	for _, s := range sessions {
		pool, host := strings.ToLower(s.Pool), strings.ToLower(s.Host)
		if other, ok := hostOf[pool]; ok && other != host {
			e.SessionsOf[pool] = true
		}
		hostOf[pool] = host
	}
}

// Complete reports whether the export is not cut.
func (e *Export) Complete() bool { return e.NextLink == "" }
