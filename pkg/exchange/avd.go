package exchange

import (
	"strings"

	"gatepool/pkg/hostpool"
)

// The enumerations of Azure Virtual Desktop, in the order of its API description
// (2024-04-03), which numbers are taken to follow.
var (
	hostPoolTypes = enumeration{values: []string{"Personal", "Pooled", "BYODesktop"}}
	loadBalancers = enumeration{values: []string{"BreadthFirst", "DepthFirst", "Persistent", "MultiplePersistent"}}
	assignments   = enumeration{values: []string{"Automatic", "Direct"}, nullable: true}
	appGroups     = enumeration{values: []string{"None", "Desktop", "RailApplications"}, unknown: leave}
	hostStatuses  = enumeration{
		values: []string{"Available", "Unavailable", "Shutdown", "Disconnected", "Upgrading", "UpgradeFailed", "NoHeartbeat",
			"NotJoinedToDomain", "DomainTrustRelationshipLost", "SxSStackListenerNotReady", "FSLogixNotHealthy", "NeedsAssistance"},
		unknown: replace, fallback: string(hostpool.Unavailable),
	}
	updateStates  = enumeration{values: []string{"Initial", "Pending", "Started", "Succeeded", "Failed"}, unknown: leave}
	sessionStates = enumeration{
		values:  []string{"Unknown", "Active", "Disconnected", "Pending", "LogOff", "UserProfileDiskMounted"},
		unknown: replace, fallback: string(hostpool.SessionUnknown),
	}
	applicationTypes = enumeration{values: []string{"RemoteApp", "Desktop"}, unknown: leave}
)

// pool reads a host pool.
func (r *reader) pool(f *fields) {
	var p hostpool.Pool
	f.name("host pool", &p.Name, "name")
	f.text("id", &p.ID)
	f.text("resourceGroup", &p.ResourceGroup, "resourceGroup", "resourceGroupName")
	if id := parseARMID(p.ID); id.resourceGroup != "" {
		p.ResourceGroup, f.known["resourceGroup"] = id.resourceGroup, true
	}
	if !strings.HasPrefix(strings.ToLower(p.ID), "/subscriptions/") { // not the whole id, as ARMPool may write it
		p.ID = ""
		delete(f.known, "id")
	}
	if p.ResourceGroup == "" {
		delete(f.known, "resourceGroup")
	}
	f.text("location", &p.Location)
	f.text("friendlyName", &p.FriendlyName)
	f.text("description", &p.Description)
	readEnum(f, hostPoolTypes, "hostPoolType", &p.HostPoolType)
	readEnum(f, loadBalancers, "loadBalancerType", &p.LoadBalancerType)
	f.integer("maxSessionLimit", &p.MaxSessionLimit, hostpool.NoLimit)
	readEnum(f, assignments, "personalDesktopAssignmentType", &p.PersonalDesktopAssignmentType)
	f.flag("startVMOnConnect", &p.StartVMOnConnect)
	f.flag("validationEnvironment", &p.ValidationEnvironment)
	readEnum(f, appGroups, "preferredAppGroupType", &p.PreferredAppGroupType)
	f.tags(&p.Tags)
	r.out.Pools = append(r.out.Pools, PoolFacts{p, f.known})
}

// tags reads resource tags. What is no object of texts (PowerShell prints a type
// name where its depth ends) is left out with a note.
func (f *fields) tags(to *map[string]string) {
	n := f.get("tags", "tag")
	if inner := n.member("AdditionalProperties"); inner != nil && inner.kind == object {
		n = inner
	}
	switch {
	case n == nil:
		return
	case n.kind == object:
	case n.kind == null:
		f.known["tags"] = true
		return
	default:
		f.notes.add("tags left out: they are printed as "+n.describe(), n)
		return
	}
	tags := map[string]string{}
	for i, name := range n.names {
		value := n.items[i].unwrap()
		if value.kind == list || value.kind == object {
			f.fail(value, "text for a tag", value.describe())
			return
		}
		tags[name] = value.text
	}
	f.known["tags"] = true
	if len(tags) > 0 {
		*to = tags
	}
}

// host reads a session host. Its name is "pool/host" in answers and plain in
// examples; the id fills in what the name leaves out.
func (r *reader) host(f *fields) {
	h := HostFacts{Known: f.known}
	var id string
	f.text("id", &id)
	f.name("session host", &h.Host.Name, "name", "sessionHostName")
	h.Pool, h.Host.Name = r.poolOf(f, id, h.Host.Name)
	delete(f.known, "id") // a host's id follows from its pool's

	f.text("friendlyName", &h.Host.FriendlyName)
	f.text("assignedUser", &h.Host.AssignedUser)
	f.flag("allowNewSession", &h.Host.AllowNewSession)
	readEnum(f, hostStatuses, "status", &h.Host.Status)
	f.text("agentVersion", &h.Host.AgentVersion)
	f.text("osVersion", &h.Host.OSVersion)
	f.time("lastHeartBeat", &h.Host.LastHeartBeat)
	readEnum(f, updateStates, "updateState", &h.Host.UpdateState)
	f.text("resourceId", &h.Host.ResourceID)
	f.integer("anonymousSessions", &h.Count, hostpool.NoLimit, "sessions", "session")
	r.out.Hosts = append(r.out.Hosts, h)
}

// poolOf splits a host's name into pool and host.
func (r *reader) poolOf(f *fields, id, name string) (pool, host string) {
	if before, after, ok := strings.Cut(name, "/"); ok {
		pool, name = before, after
	} else if pool = parseARMID(id).pool; pool == "" {
		var named string
		f.text("hostPoolName", &named)
		delete(f.known, "hostPoolName")
		pool = named
	}
	if name == "" || strings.Contains(name, "/") {
		r.fail(f.item, "a session host's name, as pool/host or plain", quoted(name))
	}
	return pool, name
}

// session reads a user session. Its name is "pool/host/id" in answers and the
// plain id in examples.
func (r *reader) session(f *fields) {
	s := SessionFacts{Known: f.known}
	var id, name string
	f.text("id", &id)
	f.text("name", &name)
	delete(f.known, "id")
	delete(f.known, "name")
	parsed := parseARMID(id)
	switch parts := strings.Split(name, "/"); len(parts) {
	case 3:
		s.Pool, s.Host, s.Session.ID = parts[0], parts[1], parts[2]
	case 1:
		s.Pool, s.Host, s.Session.ID = parsed.pool, parsed.host, parts[0]
		if parsed.session != "" {
			s.Session.ID = parsed.session
		}
	default:
		r.fail(f.item, "a user session's name, as pool/host/id or the id", quoted(name))
	}
	if s.Pool == "" {
		f.text("hostPoolName", &s.Pool)
		delete(f.known, "hostPoolName")
	}
	if s.Host == "" {
		f.text("sessionHostName", &s.Host)
		delete(f.known, "sessionHostName")
	}
	f.known["id"] = s.Session.ID != ""

	f.text("user", &s.Session.User, "userPrincipalName")
	if s.Session.User == "" {
		// A local or a hybrid account may have no user principal name.
		f.text("user", &s.Session.User, "activeDirectoryUserName")
	}
	if s.Session.User == "" {
		r.fail(f.item, "a userPrincipalName in a user session", "none")
	}
	readEnum(f, sessionStates, "state", &s.Session.State, "sessionState")
	f.time("created", &s.Session.Created, "createTime")
	readEnum(f, applicationTypes, "applicationType", &s.Session.ApplicationType)
	r.out.Sessions = append(r.out.Sessions, s)
}
