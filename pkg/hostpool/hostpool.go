// Package hostpool holds the types of Azure Virtual Desktop host pools, session
// hosts and user sessions, with the rules that concern one of them alone. It
// does no I/O. Property names and values are the service's own (ARM,
// Microsoft.DesktopVirtualization), so an export reads like the state file.
//
// Struct tags are read by package state. yaml names the property, flow there
// puts a list or mapping on one line. check says what a valid value is
// (required, default=V, min=N, max=N) and whether a new thing is written with
// the property even at its default (always); any other property may be left out
// of the file at its default. doc is the description in the JSON Schema.
package hostpool

import (
	"strings"
	"time"
)

// NoLimit is the session limit that the service assumes for a pool without one.
const NoLimit = 999999

// Pool is a host pool.
type Pool struct {
	Name                          string            `yaml:"name" json:"name" check:"required" doc:"Name of the host pool, unique in the file without regard to case."`
	ResourceGroup                 string            `yaml:"resourceGroup" json:"resourceGroup,omitempty" doc:"Azure resource group."`
	Location                      string            `yaml:"location" json:"location,omitempty" doc:"Azure region of the pool's metadata."`
	ID                            string            `yaml:"id" json:"id,omitempty" doc:"ARM resource id."`
	FriendlyName                  string            `yaml:"friendlyName" json:"friendlyName,omitempty" doc:"Name shown to users."`
	Description                   string            `yaml:"description" json:"description,omitempty" doc:"Free text."`
	HostPoolType                  Type              `yaml:"hostPoolType" json:"hostPoolType" check:"default=Pooled,always" doc:"Pooled (balanced) or Personal (a user and a host belong together)."`
	LoadBalancerType              LoadBalancerType  `yaml:"loadBalancerType" json:"loadBalancerType" check:"default=BreadthFirst,always" doc:"BreadthFirst or DepthFirst for pooled pools; Persistent or MultiplePersistent for personal ones."`
	MaxSessionLimit               int               `yaml:"maxSessionLimit" json:"maxSessionLimit,omitempty" check:"min=0,max=999999" doc:"Most sessions a host takes, 1 to 999999. 0 or absent: none set, which the service treats as 999999."`
	PersonalDesktopAssignmentType AssignmentType    `yaml:"personalDesktopAssignmentType" json:"personalDesktopAssignmentType,omitempty" doc:"How a personal pool's hosts find their users."`
	StartVMOnConnect              bool              `yaml:"startVMOnConnect" json:"startVMOnConnect" doc:"Start a Shutdown host when no running host can take a session."`
	ValidationEnvironment         bool              `yaml:"validationEnvironment" json:"validationEnvironment" doc:"Gets service updates first."`
	PreferredAppGroupType         PreferredAppGroup `yaml:"preferredAppGroupType" json:"preferredAppGroupType,omitempty" doc:"Application group type that wins when a user has both."`
	Tags                          map[string]string `yaml:"tags,flow" json:"tags,omitempty" doc:"Azure resource tags."`
	SessionHosts                  []Host            `yaml:"sessionHosts" json:"sessionHosts" doc:"Session hosts in query order: depth-first takes the first of equals."`
}

// Host is a session host: one virtual machine that carries user sessions.
type Host struct {
	Name              string      `yaml:"name" json:"name" check:"required" doc:"Host name, without the pool's name in front."`
	Status            Status      `yaml:"status" json:"status" check:"default=Available,always" doc:"Health as the agent last reported it."`
	AllowNewSession   bool        `yaml:"allowNewSession" json:"allowNewSession" check:"default=true,always" doc:"false is drain mode: sessions that exist go on, new ones go elsewhere."`
	AssignedUser      string      `yaml:"assignedUser" json:"assignedUser,omitempty" doc:"Owner of a personal desktop (user principal name)."`
	FriendlyName      string      `yaml:"friendlyName" json:"friendlyName,omitempty" doc:"Name shown to users."`
	AgentVersion      string      `yaml:"agentVersion" json:"agentVersion,omitempty" doc:"Version of the AVD agent."`
	OSVersion         string      `yaml:"osVersion" json:"osVersion,omitempty" doc:"Windows version."`
	LastHeartBeat     time.Time   `yaml:"lastHeartBeat" json:"lastHeartBeat,omitzero" doc:"When the agent last reported."`
	UpdateState       UpdateState `yaml:"updateState" json:"updateState,omitempty" doc:"State of the last agent update."`
	ResourceID        string      `yaml:"resourceId" json:"resourceId,omitempty" doc:"ARM id of the virtual machine."`
	Sessions          []Session   `yaml:"sessions,flow" json:"sessions,omitempty" doc:"User sessions on this host."`
	AnonymousSessions int         `yaml:"anonymousSessions" json:"anonymousSessions,omitempty" check:"min=0,max=999999" doc:"Sessions known only by number, because an export gave a count without the users."`
}

// Session is one user's desktop on one host.
type Session struct {
	ID              string          `yaml:"id" json:"id,omitempty" doc:"Session id, unique on its host."`
	User            string          `yaml:"user" json:"user" check:"required" doc:"User principal name."`
	State           SessionState    `yaml:"state" json:"state" check:"default=Active,always" doc:"Every state takes a seat."`
	Created         time.Time       `yaml:"created" json:"created,omitzero" doc:"When the session began."`
	ApplicationType ApplicationType `yaml:"applicationType" json:"applicationType,omitempty" doc:"Whole desktop or single application."`
}

// Type tells whether a pool is balanced.
type Type string

// The kinds of host pool. BYODesktop is read and treated as Personal.
const (
	Pooled     Type = "Pooled"
	Personal   Type = "Personal"
	BYODesktop Type = "BYODesktop"
)

// Values lists the valid values.
func (Type) Values() []string { return []string{"Pooled", "Personal", "BYODesktop"} }

// LoadBalancerType is the selection algorithm of a pool.
type LoadBalancerType string

// The algorithms of pooled pools, then the two modes of personal ones.
const (
	BreadthFirst       LoadBalancerType = "BreadthFirst"
	DepthFirst         LoadBalancerType = "DepthFirst"
	Persistent         LoadBalancerType = "Persistent"
	MultiplePersistent LoadBalancerType = "MultiplePersistent"
)

// Values lists the valid values.
func (LoadBalancerType) Values() []string {
	return []string{"BreadthFirst", "DepthFirst", "Persistent", "MultiplePersistent"}
}

// AssignmentType says how a personal pool's hosts find their users.
type AssignmentType string

// Automatic assigns at the first connection; Direct waits for an admin.
const (
	Automatic AssignmentType = "Automatic"
	Direct    AssignmentType = "Direct"
)

// Values lists the valid values.
func (AssignmentType) Values() []string { return []string{"Automatic", "Direct"} }

// PreferredAppGroup is the application group type that wins when a user has both.
type PreferredAppGroup string

// Values lists the valid values.
func (PreferredAppGroup) Values() []string { return []string{"None", "Desktop", "RailApplications"} }

// Status is a session host's health.
type Status string

// The statuses of the service's API.
const (
	Available                   Status = "Available"
	NeedsAssistance             Status = "NeedsAssistance"
	Shutdown                    Status = "Shutdown"
	Unavailable                 Status = "Unavailable"
	Disconnected                Status = "Disconnected"
	NoHeartbeat                 Status = "NoHeartbeat"
	NotJoinedToDomain           Status = "NotJoinedToDomain"
	DomainTrustRelationshipLost Status = "DomainTrustRelationshipLost"
	SxSStackListenerNotReady    Status = "SxSStackListenerNotReady"
	FSLogixNotHealthy           Status = "FSLogixNotHealthy"
	Upgrading                   Status = "Upgrading"
	UpgradeFailed               Status = "UpgradeFailed"
)

// Values lists the valid values.
func (Status) Values() []string {
	return []string{"Available", "NeedsAssistance", "Shutdown", "Unavailable", "Disconnected", "NoHeartbeat",
		"NotJoinedToDomain", "DomainTrustRelationshipLost", "SxSStackListenerNotReady", "FSLogixNotHealthy",
		"Upgrading", "UpgradeFailed"}
}

// Placeable reports whether a host in this status takes new sessions.
// Upgrading and UpgradeFailed do: the service's status table says so, though
// its API comments call them unavailable, so callers add a warning.
func (s Status) Placeable() bool {
	switch s {
	case Available, NeedsAssistance, Upgrading, UpgradeFailed:
		return true
	}
	return false
}

// UpdateState is the state of a host's last agent update.
type UpdateState string

// Values lists the valid values.
func (UpdateState) Values() []string {
	return []string{"Initial", "Pending", "Started", "Succeeded", "Failed"}
}

// SessionState is the state of a user session.
type SessionState string

// The session states of the service's API.
const (
	SessionActive                 SessionState = "Active"
	SessionDisconnected           SessionState = "Disconnected"
	SessionPending                SessionState = "Pending"
	SessionLogOff                 SessionState = "LogOff"
	SessionUnknown                SessionState = "Unknown"
	SessionUserProfileDiskMounted SessionState = "UserProfileDiskMounted"
)

// Values lists the valid values.
func (SessionState) Values() []string {
	return []string{"Active", "Disconnected", "Pending", "LogOff", "Unknown", "UserProfileDiskMounted"}
}

// ApplicationType tells a whole desktop from a single application.
type ApplicationType string

// Values lists the valid values.
func (ApplicationType) Values() []string { return []string{"RemoteApp", "Desktop"} }

// Identity returns what tells a host from its siblings; names are compared
// without regard to case and may stand once.
func (h Host) Identity() (key string, unique bool) { return strings.ToLower(h.Name), true }

// Identity returns what tells a session from its siblings: its id, or its user
// where there is none (a user may then stand more than once).
func (s Session) Identity() (key string, unique bool) {
	if s.ID != "" {
		return strings.ToLower(s.ID), true
	}
	return "user " + strings.ToLower(s.User), false
}

// SessionCount is the number of seats taken: every session whatever its state,
// and those known only by number.
func (h Host) SessionCount() int { return len(h.Sessions) + h.AnonymousSessions }

// SessionLimit is the most sessions a host of this pool takes.
func (p *Pool) SessionLimit() int {
	if p.MaxSessionLimit == 0 {
		return NoLimit
	}
	return p.MaxSessionLimit
}

// Balanced reports whether the load balancer chooses among the pool's hosts.
func (p *Pool) Balanced() bool { return p.HostPoolType == Pooled }

// Host returns the host of that name, without regard to case, or nil.
func (p *Pool) Host(name string) *Host {
	for i := range p.SessionHosts {
		if strings.EqualFold(p.SessionHosts[i].Name, name) {
			return &p.SessionHosts[i]
		}
	}
	return nil
}
