// Package gateway holds the types of on-premises data gateway clusters, with
// the rules that concern one of them alone. It does no I/O. Property names and
// values follow the Data Gateway REST API and its PowerShell module.
//
// Struct tags are read by package state, as in package hostpool.
package gateway

import (
	"math"
	"strings"
	"time"
)

// MaxMembers is the most members a cluster may have.
const MaxMembers = 10

// The service's defaults for a member's limits.
const (
	DefaultAggregationMinutes = 5
	DefaultConcurrency        = 40
)

// Cluster is a gateway cluster: one to ten members that answer as one gateway.
type Cluster struct {
	Name                        string        `yaml:"name" json:"name" check:"required" doc:"Name of the cluster, unique in the file without regard to case."`
	ID                          string        `yaml:"id" json:"id,omitempty" doc:"Cluster id (GUID), the same as the primary member's."`
	Description                 string        `yaml:"description" json:"description,omitempty" doc:"Free text."`
	Department                  string        `yaml:"department" json:"department,omitempty" doc:"Department that owns the cluster."`
	Contact                     string        `yaml:"contact" json:"contact,omitempty" doc:"Whom to ask."`
	Region                      string        `yaml:"region" json:"region,omitempty" doc:"Azure region."`
	LoadBalancing               LoadBalancing `yaml:"loadBalancing" json:"loadBalancing" check:"default=Failover,always" doc:"Which member a request goes to."`
	RoundRobinNext              string        `yaml:"roundRobinNext" json:"roundRobinNext,omitempty" doc:"Name of the member that round robin tries first next time."`
	AllowCloudDatasourceRefresh bool          `yaml:"allowCloudDatasourceRefresh" json:"allowCloudDatasourceRefresh" doc:"Cloud data sources may be refreshed through this cluster."`
	AllowCustomConnectors       bool          `yaml:"allowCustomConnectors" json:"allowCustomConnectors" doc:"Custom connectors may be used."`
	Members                     []Member      `yaml:"members" json:"members" doc:"Members in failover order; the first is the primary."`
	Users                       []User        `yaml:"users,flow" json:"users,omitempty" doc:"Who may administer the cluster or connect through it."`
	DataSources                 []DataSource  `yaml:"dataSources,flow" json:"dataSources,omitempty" doc:"Data sources of the cluster. Never credentials."`
}

// Member is one gateway machine of a cluster.
type Member struct {
	Name             string       `yaml:"name" json:"name" check:"required" doc:"Name of the member, unique in the cluster."`
	ID               string       `yaml:"id" json:"id,omitempty" doc:"Gateway object id (GUID), as logs name it."`
	Machine          string       `yaml:"machine" json:"machine,omitempty" doc:"Computer name."`
	Status           MemberStatus `yaml:"status" json:"status" check:"default=Online,always" doc:"Whether the service reaches the member."`
	Enabled          bool         `yaml:"enabled" json:"enabled" check:"default=true,always" doc:"A disabled member is never tried."`
	Version          string       `yaml:"version" json:"version,omitempty" doc:"Gateway version, three or four parts."`
	ExpiryDate       time.Time    `yaml:"expiryDate" json:"expiryDate,omitzero" doc:"When the version is out of support."`
	ConfigFile       string       `yaml:"configFile" json:"configFile,omitempty" doc:"The member's GatewayCore .dll.config, relative to the state file. Its limits win over limits."`
	Limits           *Limits      `yaml:"limits,flow" json:"limits,omitempty" doc:"Limits of a member without a configFile."`
	ActiveOperations int          `yaml:"activeOperations" json:"activeOperations" check:"min=0,max=1000000" doc:"Operations running now."`
	Counters         []Counter    `yaml:"counters,flow" json:"counters,omitempty" doc:"Samples of the machine's load."`
}

// Limits are a member's throttling limits.
type Limits struct {
	CPU                int `yaml:"cpu" json:"cpu" check:"always,min=0,max=100" doc:"CPUUtilizationPercentageThreshold, whole percent; 0 is off."`
	Memory             int `yaml:"memory" json:"memory" check:"always,min=0,max=100" doc:"MemoryUtilizationPercentageThreshold, whole percent; 0 is off."`
	AggregationMinutes int `yaml:"aggregationMinutes" json:"aggregationMinutes" check:"default=5,always,min=1,max=1440" doc:"ResourceUtilizationAggregationTimeInMinutes."`
	Concurrency        int `yaml:"concurrency" json:"concurrency" check:"default=40,always,min=0,max=1000000" doc:"ConcurrentOperationLimitPreview; 0: no limit (BypassConcurrentOperationLimit)."`
}

// DefaultLimits are the limits of a member that sets none.
func DefaultLimits() Limits {
	return Limits{AggregationMinutes: DefaultAggregationMinutes, Concurrency: DefaultConcurrency}
}

// Counter is the mean load of a member's machine over a span of time.
type Counter struct {
	From   time.Time `yaml:"from" json:"from" check:"required" doc:"Start of the span."`
	To     time.Time `yaml:"to" json:"to" check:"required" doc:"End of the span."`
	CPU    *float64  `yaml:"cpu" json:"cpu,omitempty" check:"min=0,max=100" doc:"Mean SystemCPUPercent."`
	Memory *float64  `yaml:"memory" json:"memory,omitempty" check:"min=0,max=100" doc:"Mean SystemMEMUsedPercent."`
}

// User is a principal with a role on the cluster.
type User struct {
	Principal       string        `yaml:"principal" json:"principal" check:"required" doc:"User principal name, group name or application."`
	ID              string        `yaml:"id" json:"id,omitempty" doc:"Object id (GUID)."`
	PrincipalType   PrincipalType `yaml:"principalType" json:"principalType" check:"default=User" doc:"User, Group or App."`
	Role            Role          `yaml:"role" json:"role" check:"required" doc:"What the principal may do."`
	DataSourceTypes []string      `yaml:"dataSourceTypes,flow" json:"dataSourceTypes,omitempty" doc:"Data source types a ConnectionCreator may create; none for Admin."`
}

// DataSource is a data source that the cluster reaches.
type DataSource struct {
	Name       string           `yaml:"name" json:"name" check:"required" doc:"Name, unique in the cluster."`
	ID         string           `yaml:"id" json:"id,omitempty" doc:"Data source id (GUID)."`
	Type       string           `yaml:"type" json:"type,omitempty" doc:"Data source type, such as Sql."`
	Connection string           `yaml:"connection" json:"connection,omitempty" doc:"Server and database or path; never credentials."`
	Users      []DataSourceUser `yaml:"users,flow" json:"users,omitempty" doc:"Who may use the data source."`
}

// DataSourceUser is a principal with a right on a data source.
type DataSourceUser struct {
	Principal string `yaml:"principal" json:"principal" check:"required" doc:"User principal name or object id."`
	Right     Right  `yaml:"right" json:"right" check:"default=Read,always" doc:"Access right."`
}

// LoadBalancing is a cluster's way to choose a member.
type LoadBalancing string

// Failover: the primary, and the next in order while it is unreachable.
// Random: any active member. RoundRobin: members in turn.
const (
	Failover   LoadBalancing = "Failover"
	Random     LoadBalancing = "Random"
	RoundRobin LoadBalancing = "RoundRobin"
)

// Values lists the valid values.
func (LoadBalancing) Values() []string { return []string{"Failover", "Random", "RoundRobin"} }

// MemberStatus tells whether the service reaches a member.
type MemberStatus string

// The two statuses.
const (
	Online  MemberStatus = "Online"
	Offline MemberStatus = "Offline"
)

// Values lists the valid values.
func (MemberStatus) Values() []string { return []string{"Online", "Offline"} }

// Role is what a principal may do with a cluster.
type Role string

// The roles of the service's API.
const (
	Admin                        Role = "Admin"
	ConnectionCreator            Role = "ConnectionCreator"
	ConnectionCreatorWithReshare Role = "ConnectionCreatorWithReshare"
)

// Values lists the valid values.
func (Role) Values() []string {
	return []string{"Admin", "ConnectionCreator", "ConnectionCreatorWithReshare"}
}

// PrincipalType tells users from groups and applications.
type PrincipalType string

// Values lists the valid values.
func (PrincipalType) Values() []string { return []string{"User", "Group", "App"} }

// Right is what a principal may do with a data source.
type Right string

// Values lists the valid values.
func (Right) Values() []string { return []string{"Read", "ReadOverrideEffectiveIdentity"} }

// Identity returns what tells a member from its siblings.
func (m Member) Identity() (key string, unique bool) { return strings.ToLower(m.Name), true }

// Identity returns what tells a user from its siblings.
func (u User) Identity() (key string, unique bool) { return strings.ToLower(u.Principal), true }

// Identity returns what tells a data source from its siblings.
func (d DataSource) Identity() (key string, unique bool) { return strings.ToLower(d.Name), true }

// Identity returns what tells a data source user from its siblings.
func (u DataSourceUser) Identity() (key string, unique bool) {
	return strings.ToLower(u.Principal), true
}

// Identity returns what tells a sample from its siblings.
func (c Counter) Identity() (key string, unique bool) {
	return c.From.UTC().Format(time.RFC3339Nano) + "/" + c.To.UTC().Format(time.RFC3339Nano), true
}

// EffectiveLimits are the limits set in the state, or the service's defaults.
// A member with a configFile takes them from there instead.
func (m Member) EffectiveLimits() Limits {
	if m.Limits == nil {
		return DefaultLimits()
	}
	return *m.Limits
}

// Load is the mean load of the member's machine over the window
// (now - minutes, now], in percent; nil where nothing was measured. A sample
// counts when its end lies in the window: it is written at its end, and only
// then is it known. All samples weigh the same. The mean is rounded to a
// millionth of a percent, so that samples of 79.9 and 80.1 reach a threshold of
// 80 whatever binary fractions make of them.
func (m *Member) Load(now time.Time, minutes int) (cpu, memory *float64) {
	after := now.Add(-time.Duration(minutes) * time.Minute)
	mean := func(measure func(*Counter) *float64) *float64 {
		sum, n := 0.0, 0
		for i := range m.Counters {
			c := &m.Counters[i]
			if v := measure(c); v != nil && c.To.After(after) && !c.To.After(now) {
				sum += *v
				n++
			}
		}
		if n == 0 {
			return nil
		}
		rounded := math.Round(sum/float64(n)*1e6) / 1e6
		return &rounded
	}
	return mean(func(c *Counter) *float64 { return c.CPU }), mean(func(c *Counter) *float64 { return c.Memory })
}

// Primary returns the primary member, or nil for a cluster without members.
func (c *Cluster) Primary() *Member {
	if len(c.Members) == 0 {
		return nil
	}
	return &c.Members[0]
}

// Member returns the member of that name, without regard to case, or nil.
func (c *Cluster) Member(name string) *Member {
	for i := range c.Members {
		if strings.EqualFold(c.Members[i].Name, name) {
			return &c.Members[i]
		}
	}
	return nil
}
