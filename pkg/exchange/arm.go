package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// What is written here is read back by Read as the same facts. Ids are those
// that the state knows; where only the resource group is known the id leaves the
// subscription out.

type armResource struct {
	Name       string            `json:"name"`
	ID         string            `json:"id,omitempty"`
	Type       string            `json:"type"`
	Location   string            `json:"location,omitempty"`
	Tags       map[string]string `json:"tags,omitempty"`
	Properties any               `json:"properties"`
}

type armPool struct {
	FriendlyName                  *string                    `json:"friendlyName"`
	Description                   *string                    `json:"description"`
	HostPoolType                  hostpool.Type              `json:"hostPoolType"`
	LoadBalancerType              hostpool.LoadBalancerType  `json:"loadBalancerType"`
	MaxSessionLimit               int                        `json:"maxSessionLimit,omitempty"`
	PersonalDesktopAssignmentType *string                    `json:"personalDesktopAssignmentType"`
	StartVMOnConnect              bool                       `json:"startVMOnConnect"`
	ValidationEnvironment         bool                       `json:"validationEnvironment"`
	PreferredAppGroupType         hostpool.PreferredAppGroup `json:"preferredAppGroupType,omitempty"`
}

type armHost struct {
	Status          hostpool.Status      `json:"status"`
	AllowNewSession bool                 `json:"allowNewSession"`
	AssignedUser    *string              `json:"assignedUser"`
	FriendlyName    *string              `json:"friendlyName"`
	Sessions        int                  `json:"sessions"`
	AgentVersion    *string              `json:"agentVersion"`
	OSVersion       *string              `json:"osVersion"`
	LastHeartBeat   time.Time            `json:"lastHeartBeat,omitzero"`
	UpdateState     hostpool.UpdateState `json:"updateState,omitempty"`
	ResourceID      *string              `json:"resourceId"`
}

type armSession struct {
	UserPrincipalName string                   `json:"userPrincipalName"`
	SessionState      hostpool.SessionState    `json:"sessionState"`
	ApplicationType   hostpool.ApplicationType `json:"applicationType,omitempty"`
	CreateTime        time.Time                `json:"createTime,omitzero"`
}

// orNull is nil, which JSON writes as null, for an empty text.
func orNull[T ~string](s T) *string {
	if s == "" {
		return nil
	}
	text := string(s)
	return &text
}

// poolID is the pool's ARM id, or the part of it that is known; "" if none is.
func poolID(p *hostpool.Pool) string {
	if p.ID != "" || p.ResourceGroup == "" {
		return p.ID
	}
	return "/resourceGroups/" + p.ResourceGroup + "/providers/Microsoft.DesktopVirtualization/hostPools/" + p.Name
}

// under is an id below another, "" if that is not known.
func under(parent, kind, name string) string {
	if parent == "" || name == "" {
		return ""
	}
	return parent + "/" + kind + "/" + name
}

// ARMPool is the pool as ARM answers a GET of it, without its hosts.
func ARMPool(p *hostpool.Pool) ([]byte, error) {
	return encode(armPoolResource(p))
}

// ARMPools is the pools as ARM lists them.
func ARMPools(pools []*hostpool.Pool) ([]byte, error) {
	resources := []armResource{}
	for _, p := range pools {
		resources = append(resources, armPoolResource(p))
	}
	return encodeList(resources)
}

func armPoolResource(p *hostpool.Pool) armResource {
	return armResource{
		Name: p.Name, ID: poolID(p), Type: "Microsoft.DesktopVirtualization/hostPools", Location: p.Location, Tags: p.Tags,
		Properties: armPool{
			FriendlyName:                  orNull(p.FriendlyName),
			Description:                   orNull(p.Description),
			HostPoolType:                  p.HostPoolType,
			LoadBalancerType:              p.LoadBalancerType,
			MaxSessionLimit:               p.MaxSessionLimit,
			PersonalDesktopAssignmentType: orNull(p.PersonalDesktopAssignmentType),
			StartVMOnConnect:              p.StartVMOnConnect,
			ValidationEnvironment:         p.ValidationEnvironment,
			PreferredAppGroupType:         p.PreferredAppGroupType,
		},
	}
}

// ARMHosts is the session hosts of the pools as ARM lists them.
func ARMHosts(pools ...*hostpool.Pool) ([]byte, error) {
	resources := []armResource{}
	for _, p := range pools {
		for _, h := range p.SessionHosts {
			resources = append(resources, armResource{
				Name: p.Name + "/" + h.Name,
				ID:   under(poolID(p), "sessionHosts", h.Name),
				Type: "Microsoft.DesktopVirtualization/hostPools/sessionHosts",
				Properties: armHost{
					Status:          h.Status,
					AllowNewSession: h.AllowNewSession,
					AssignedUser:    orNull(h.AssignedUser),
					FriendlyName:    orNull(h.FriendlyName),
					Sessions:        h.SessionCount(),
					AgentVersion:    orNull(h.AgentVersion),
					OSVersion:       orNull(h.OSVersion),
					LastHeartBeat:   h.LastHeartBeat,
					UpdateState:     h.UpdateState,
					ResourceID:      orNull(h.ResourceID),
				},
			})
		}
	}
	return encodeList(resources)
}

// ARMSessions is the user sessions of the pools as ARM lists them. The name of a
// session without an id ends in a slash; none is made up.
func ARMSessions(pools ...*hostpool.Pool) ([]byte, error) {
	resources := []armResource{}
	for _, p := range pools {
		for _, h := range p.SessionHosts {
			for _, s := range h.Sessions {
				resources = append(resources, armResource{
					Name:       p.Name + "/" + h.Name + "/" + s.ID,
					ID:         under(under(poolID(p), "sessionHosts", h.Name), "userSessions", s.ID),
					Type:       "Microsoft.DesktopVirtualization/hostPools/sessionHosts/userSessions",
					Properties: armSession{s.User, s.State, s.ApplicationType, s.Created},
				})
			}
		}
	}
	return encodeList(resources)
}

type restCluster struct {
	ID                    string           `json:"id"`
	Name                  string           `json:"name"`
	Description           string           `json:"description,omitempty"`
	Department            string           `json:"department,omitempty"`
	ContactInformation    string           `json:"contactInformation,omitempty"`
	Region                string           `json:"region,omitempty"`
	Type                  string           `json:"type"`
	LoadBalancingSettings string           `json:"loadBalancingSettings"`
	Options               restOptions      `json:"options"`
	Permissions           []restPermission `json:"permissions"`
	MemberGateways        []restMember     `json:"memberGateways"`
	Datasources           []restDataSource `json:"datasources"`
}

type restOptions struct {
	CloudDatasourceRefresh bool
	CustomConnectors       bool
}

type restPermission struct {
	ID                     string                `json:"id,omitempty"`
	PrincipalType          gateway.PrincipalType `json:"principalType,omitempty"`
	Role                   gateway.Role          `json:"role"`
	PrincipalEmail         string                `json:"principalEmail,omitempty"`
	AllowedDataSourceTypes []string              `json:"allowedDataSourceTypes"`
}

type restMember struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	Status     string    `json:"status"`
	Type       string    `json:"type"`
	Version    string    `json:"version,omitempty"`
	Annotation string    `json:"annotation,omitempty"`
	ClusterID  string    `json:"clusterId"`
	ExpiryDate time.Time `json:"expiryDate,omitzero"`
	State      string    `json:"state"`
}

type restDataSource struct {
	ID                string              `json:"id"`
	ClusterID         string              `json:"clusterId"`
	DatasourceType    string              `json:"datasourceType,omitempty"`
	ConnectionDetails string              `json:"connectionDetails,omitempty"`
	DatasourceName    string              `json:"datasourceName"`
	Users             []restDataSourceUse `json:"users"`
}

type restDataSourceUse struct {
	Identifier string        `json:"identifier"`
	Right      gateway.Right `json:"datasourceAccessRight"`
}

// GatewayClusters is the clusters as version 2 of the Data Gateway REST API
// lists them. RoundRobin is Failover there: load balancing is off in both.
func GatewayClusters(clusters []*gateway.Cluster) ([]byte, error) {
	list := []restCluster{}
	for _, c := range clusters {
		rest, err := gatewayCluster(c)
		if err != nil {
			return nil, err
		}
		list = append(list, rest)
	}
	return encodeList(list)
}

func gatewayCluster(c *gateway.Cluster) (restCluster, error) {
	rest := restCluster{
		ID: c.ID, Name: c.Name, Description: c.Description, Department: c.Department, ContactInformation: c.Contact, Region: c.Region,
		Type:                  "Resource",
		LoadBalancingSettings: `{"selector":0}`,
		Options:               restOptions{c.AllowCloudDatasourceRefresh, c.AllowCustomConnectors},
		Permissions:           []restPermission{},
		MemberGateways:        []restMember{},
		Datasources:           []restDataSource{},
	}
	if c.LoadBalancing == gateway.Random {
		rest.LoadBalancingSettings = `{"selector":1}`
	}
	for _, u := range c.Users {
		p := restPermission{ID: u.ID, PrincipalType: u.PrincipalType, Role: u.Role, AllowedDataSourceTypes: u.DataSourceTypes}
		if u.Principal != u.ID {
			p.PrincipalEmail = u.Principal
		}
		rest.Permissions = append(rest.Permissions, p)
	}
	for _, m := range c.Members {
		member := restMember{ID: m.ID, Name: m.Name, Status: "None", Type: "Resource", Version: m.Version, ClusterID: c.ID, ExpiryDate: m.ExpiryDate, State: "None"}
		if m.Status == gateway.Online {
			member.Status = "Live"
		}
		if m.Enabled {
			member.State = "Enabled"
		}
		if m.Machine != "" {
			annotation, err := json.Marshal(map[string]string{"gatewayMachine": m.Machine})
			if err != nil {
				return rest, fmt.Errorf("machine of member %q: %w", m.Name, err)
			}
			member.Annotation = string(annotation)
		}
		rest.MemberGateways = append(rest.MemberGateways, member)
	}
	for _, d := range c.DataSources {
		source := restDataSource{ID: d.ID, ClusterID: c.ID, DatasourceType: d.Type, DatasourceName: d.Name, Users: []restDataSourceUse{}}
		if d.Connection != "" {
			details := map[string]string{"path": d.Connection}
			if server, database, ok := strings.Cut(d.Connection, ";"); ok && server != "" && database != "" {
				details = map[string]string{"server": server, "database": database}
			}
			text, err := json.Marshal(details)
			if err != nil {
				return rest, fmt.Errorf("connection of data source %q: %w", d.Name, err)
			}
			source.ConnectionDetails = string(text)
		}
		for _, u := range d.Users {
			source.Users = append(source.Users, restDataSourceUse{u.Principal, u.Right})
		}
		rest.Datasources = append(rest.Datasources, source)
	}
	return rest, nil
}

// encodeList writes the envelope of a list that is complete.
func encodeList[T any](items []T) ([]byte, error) {
	return encode(struct {
		Value    []T     `json:"value"`
		NextLink *string `json:"nextLink"`
	}{Value: items})
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
