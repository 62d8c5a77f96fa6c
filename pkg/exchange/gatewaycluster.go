package exchange

import (
	"net/url"
	"strings"

	"gatepool/pkg/gateway"
)

// The enumerations of the gateway services. Numbers are taken as the older
// module counts them (Failover 0, Random 1), else in the order of the API
// description.
var (
	// DistributeEvenly is Fabric's word for Random.
	loadBalancings = enumeration{values: []string{"Failover", "Random", "RoundRobin", "DistributeEvenly"}}
	selectors      = enumeration{values: []string{"Failover", "Random"}, numbered: true}
	roles          = enumeration{values: []string{"Admin", "ConnectionCreator", "ConnectionCreatorWithReshare"}}
	principalTypes = enumeration{values: []string{"User", "Group", "App"}, unknown: leave}
	rights         = enumeration{values: []string{"None", "Read", "ReadOverrideEffectiveIdentity"}}
)

// isCluster recognises a cluster of REST v2 or its cmdlet, of Fabric, of the
// older module, or of the first REST version.
func isCluster(n *node) bool {
	switch {
	case n.member("memberGateways") != nil || n.member("dataSourceIds") != nil:
		return n.has("id")
	case n.member("gateways") != nil:
		return n.has("objectId") || n.has("id") || n.has("clusterObjectId")
	case n.has("id", "displayName") && n.member("loadBalancingSetting") != nil,
		n.has("id", "type") && n.member("type").kind == text && strings.HasPrefix(n.member("type").text, "OnPremises"),
		n.has("id", "displayName", "type") && n.member("type").text == "VirtualNetwork":
		return true
	}
	return n.has("id", "name", "type", "publicKey") && n.member("clusterId") == nil
}

// isMember recognises a member that stands by itself.
func isMember(n *node) bool {
	return n.has("gatewayObjectId", "gatewayName") || // older module
		n.has("id", "displayName", "version", "enabled") || // Fabric
		n.has("id", "name", "version", "clusterId") || // REST v2
		n.has("id", "name", "version", "status", "state") // scripts
}

// isClusterRow recognises a row of a script that has cluster and member side by
// side, or a cluster alone.
func isClusterRow(n *node) bool {
	return n.has("clusterId", "clusterName") || n.has("primaryId", "primaryName")
}

func isDataSource(n *node) bool {
	return n.has("id", "datasourceType") && (n.has("datasourceName") || n.has("connectionDetails"))
}

func isDataSourceUser(n *node) bool { return n.has("datasourceAccessRight") }

// personalOrVirtual reports whether the gateway is of a kind that forms no
// cluster on premises, and notes that it is left out.
func (r *reader) personalOrVirtual(f *fields) bool {
	n := f.get("type")
	if n == nil || n.kind != text {
		return false
	}
	switch strings.ToLower(n.text) {
	case "personal", "onpremisespersonal", "virtualnetwork":
		r.notes.add("gateway of type "+n.text+" left out: only clusters of on-premises gateways are kept", f.item)
		return true
	}
	return false
}

// cluster reads a cluster with what stands inside it.
func (r *reader) cluster(f *fields) {
	if r.personalOrVirtual(f) {
		return
	}
	c := ClusterFacts{Known: f.known}
	f.text("id", &c.Cluster.ID, "clusterObjectId", "objectId", "id")
	f.name("gateway cluster", &c.Cluster.Name, "name", "displayName", "clusterName")
	r.clusterProperties(f, &c.Cluster)
	r.annotation(f, &c.Cluster) // the first version of the API has the primary's here

	if members := r.inner(f, "members", "memberGateways", "gateways"); members != nil {
		c.Known["members"] = true
		for _, n := range members {
			m := r.member(&fields{reader: r, item: n, known: Known{}})
			m.ClusterID = c.Cluster.ID
			m.Primary = m.Primary || sameID(m.Member.ID, c.Cluster.ID)
			if m.Primary {
				r.annotation(&fields{reader: r, item: n, known: c.Known}, &c.Cluster)
			}
			c.Members = append(c.Members, m)
		}
	}
	if permissions := r.inner(f, "users", "permissions", "permission"); permissions != nil {
		c.Known["users"] = true
		for _, n := range permissions {
			c.Users = append(c.Users, r.user(&fields{reader: r, item: n, known: Known{}}))
		}
	}
	for _, n := range r.inner(f, "dataSources", "datasources") {
		d := r.dataSource(&fields{reader: r, item: n, known: Known{}})
		d.ClusterID = c.Cluster.ID
		c.DataSources = append(c.DataSources, d)
	}
	if len(c.DataSources) > 0 {
		c.Known["dataSources"] = true
	}
	r.out.Clusters = append(r.out.Clusters, c)
}

// inner returns the objects of a list inside an item, which the older module
// prints as JSON in a text; nil where there is no such list.
func (r *reader) inner(f *fields, what string, names ...string) []*node {
	n := f.get(names...)
	if n == nil || n.kind == null {
		return nil
	}
	if n.kind == text {
		parsed := parseInner(n)
		if parsed == nil {
			r.fail(n, "JSON for "+what+" (ConvertTo-Json needs -Depth 5 to print them)", n.describe())
			return nil
		}
		r.dropSecrets(parsed)
		n = parsed.unwrap()
	}
	items := []*node{n}
	if n.kind == list {
		items = n.items
	}
	objects := make([]*node, len(items))
	for i, item := range items {
		objects[i] = item.unwrap()
		if objects[i].kind != object {
			r.fail(item, "an object for each of "+what+" (ConvertTo-Json needs -Depth 5 to print them)", item.describe())
			return nil
		}
	}
	return objects
}

// clusterProperties reads what a cluster and a row about one have in common.
func (r *reader) clusterProperties(f *fields, c *gateway.Cluster) {
	f.text("description", &c.Description, "description", "primaryDescription")
	f.text("region", &c.Region)
	f.text("department", &c.Department)
	f.text("contact", &c.Contact, "contactInformation")
	r.loadBalancing(f, &c.LoadBalancing)
	f.flag("allowCloudDatasourceRefresh", &c.AllowCloudDatasourceRefresh, "allowCloudDatasourceRefresh", "allowCloudConnectionRefresh", "cloudDatasourceRefresh")
	f.flag("allowCustomConnectors", &c.AllowCustomConnectors, "allowCustomConnectors", "customConnectors")
	if options := f.object("options"); options != nil {
		o := &fields{reader: r, item: options, known: f.known}
		o.flag("allowCloudDatasourceRefresh", &c.AllowCloudDatasourceRefresh, "CloudDatasourceRefresh")
		o.flag("allowCustomConnectors", &c.AllowCustomConnectors, "CustomConnectors")
	}
}

// object returns an object that may be printed as JSON in a text, or nil.
func (f *fields) object(names ...string) *node {
	n := f.get(names...)
	if n != nil && n.kind == text {
		n = parseInner(n)
	}
	if n == nil || n.kind != object {
		return nil
	}
	return n
}

// loadBalancing reads the mode under each of its names. In loadBalancingSettings
// it is a selector in JSON in a text; unset means Failover, as the older module
// has it.
func (r *reader) loadBalancing(f *fields, to *gateway.LoadBalancing) {
	if n := f.get("loadBalancingSettings"); n != nil {
		settings := f.object("loadBalancingSettings")
		if settings == nil && n.kind == text && n.text != "" {
			r.fail(n, `load balancing settings such as {"selector":1}`, n.describe())
		}
		*to, f.known["loadBalancing"] = gateway.Failover, true
		readEnum(&fields{reader: r, item: settings, known: f.known}, selectors, "loadBalancing", to, "selector")
		return
	}
	names := []string{"loadBalancing", "loadBalancingType", "loadBalancingSetting", "loadBalancingSelectorType"}
	if n := f.get(names...); n != nil && n.kind == number {
		readEnum(f, selectors, "loadBalancing", to, names...)
		return
	}
	readEnum(f, loadBalancings, "loadBalancing", to, names...)
	if *to == "DistributeEvenly" {
		*to = gateway.Random
	}
}

// annotation reads what the primary's annotation says of the cluster.
func (r *reader) annotation(f *fields, c *gateway.Cluster) {
	annotation := f.object("annotation", "gatewayAnnotation")
	if annotation == nil {
		return
	}
	a := &fields{reader: r, item: annotation, known: f.known}
	a.text("department", &c.Department, "gatewayDepartment")
	contacts := a.get("gatewayContactInformation")
	if contacts == nil || contacts.kind != list {
		return
	}
	var names []string
	for _, n := range contacts.items {
		if n.kind == text {
			names = append(names, n.text)
		}
	}
	if len(names) > 0 {
		c.Contact, f.known["contact"] = strings.Join(names, ", "), true
	}
}

// member reads a member of a cluster.
func (r *reader) member(f *fields) MemberFacts {
	m := MemberFacts{Known: f.known}
	f.text("id", &m.Member.ID, "gatewayObjectId", "nodeId", "id")
	f.text("machine", &m.Member.Machine, "gatewayMachine", "machine", "serverName")
	if annotation := f.object("annotation", "gatewayAnnotation"); annotation != nil {
		a := &fields{reader: r, item: annotation, known: f.known}
		a.text("machine", &m.Member.Machine, "gatewayMachine")
		a.text("version", &m.Member.Version, "gatewayVersion")
	}
	f.text("name", &m.Member.Name, "gatewayName", "nodeName", "displayName", "name")
	if m.Member.Name == "" && m.Member.Machine != "" { // a script's row that names the machine only
		m.Member.Name = m.Member.Machine
	}
	if m.Member.Name == "" {
		r.fail(f.item, "the name of a gateway member", "none")
	}
	f.text("version", &m.Member.Version, "version", "gatewayVersion")
	f.time("expiryDate", &m.Member.ExpiryDate)
	r.memberStatus(f, &m.Member.Status)
	r.enabled(f, &m.Member.Enabled)
	f.flag("primary", &m.Primary, "isAnchorGateway")
	delete(f.known, "primary")

	f.text("cluster", &m.ClusterID, "clusterId")
	delete(f.known, "cluster")
	return m
}

// memberStatus reads whether the service reaches the member. Scripts test for
// Live and treat None as inactive; Unreachable is what the older module makes
// up. The full list is not public, so other words are left out with a note.
func (r *reader) memberStatus(f *fields, to *gateway.MemberStatus) {
	n := f.get("gatewayStatus", "status")
	if n == nil || n.kind == null {
		return
	}
	switch strings.ToLower(n.text) {
	case "live", "online":
		*to, f.known["status"] = gateway.Online, true
	case "none", "offline", "unreachable":
		*to, f.known["status"] = gateway.Offline, true
	default:
		r.notes.add("unknown status "+n.describe()+" of a gateway member left out", n)
	}
}

// enabled reads whether the member takes part: a boolean in Fabric, Enabled or
// None elsewhere.
func (r *reader) enabled(f *fields, to *bool) {
	f.flag("enabled", to, "enabled")
	n := f.get("gatewayClusterStatus", "clusterMemberStatus", "state")
	if n == nil || n.kind == null {
		return
	}
	switch strings.ToLower(n.text) {
	case "enabled":
		*to, f.known["enabled"] = true, true
	case "none", "disabled":
		*to, f.known["enabled"] = false, true
	default:
		r.notes.add("unknown state "+n.describe()+" of a gateway member left out", n)
	}
}

// user reads a permission in either of the two forms that the service prints:
// with the principal's name, or with its id alone.
func (r *reader) user(f *fields) UserFacts {
	u := UserFacts{Known: f.known}
	f.text("id", &u.User.ID, "id", "principalObjectId")
	f.text("principal", &u.User.Principal, "principalEmail", "emailAddress", "principalDisplayName", "displayName")
	if u.User.Principal == "" {
		delete(f.known, "principal")
		u.User.Principal = u.User.ID
	}
	if u.User.Principal == "" {
		r.fail(f.item, "the id or name of a principal", "none")
	}
	readEnum(f, principalTypes, "principalType", &u.User.PrincipalType)
	readEnum(f, roles, "role", &u.User.Role)
	if u.User.Role == "" {
		r.fail(f.item, oneOf(roles.values)+" for role", "none")
	}
	if n := f.get("allowedDataSourceTypes", "allowedDataSources"); n != nil && n.kind == list {
		f.known["dataSourceTypes"] = true
		for _, item := range n.items {
			if item.kind != text {
				r.notes.add("data source types left out: they are printed as "+item.describe(), item)
				delete(f.known, "dataSourceTypes")
				u.User.DataSourceTypes = nil
				break
			}
			u.User.DataSourceTypes = append(u.User.DataSourceTypes, item.text)
		}
	}
	return u
}

func (r *reader) aloneMember(f *fields) { r.out.Members = append(r.out.Members, r.member(f)) }

func (r *reader) aloneDataSource(f *fields) {
	r.out.DataSources = append(r.out.DataSources, r.dataSource(f))
}

func (r *reader) aloneDataSourceUser(f *fields) {
	if user, ok := r.dataSourceUser(f); ok {
		r.out.DataSourceUsers = append(r.out.DataSourceUsers, user)
	}
}

// dataSource reads a data source. Credentials are never read.
func (r *reader) dataSource(f *fields) DataSourceFacts {
	d := DataSourceFacts{Known: f.known}
	f.text("id", &d.DataSource.ID)
	f.text("cluster", &d.ClusterID, "clusterId")
	delete(f.known, "cluster")
	f.text("type", &d.DataSource.Type, "datasourceType")
	r.connectionDetails(f, &d.DataSource.Connection)
	f.text("name", &d.DataSource.Name, "datasourceName")
	if d.DataSource.Name == "" {
		d.DataSource.Name = d.DataSource.Connection
	}
	if d.DataSource.Name == "" {
		r.fail(f.item, "the name of a data source", "none")
	}
	if users := r.inner(f, "users of a data source", "users", "datasourceUsers"); users != nil {
		f.known["users"] = true
		for _, n := range users {
			if user, ok := r.dataSourceUser(&fields{reader: r, item: n, known: Known{}}); ok {
				d.DataSource.Users = append(d.DataSource.Users, user)
			}
		}
	}
	return d
}

// connectionDetails makes "server;database", or the one place, of the connection
// details, which are JSON in a text. Nothing else in them is read: what a
// connection string holds may be secret.
func (r *reader) connectionDetails(f *fields, to *string) {
	details := f.object("connectionDetails")
	if details == nil {
		return
	}
	d := &fields{reader: r, item: details, known: Known{}}
	var server, database, place string
	d.text("server", &server)
	d.text("database", &database)
	d.text("place", &place, "path", "url", "sharePointSiteUrl", "account", "domain")
	switch {
	case server != "" && database != "":
		*to = server + ";" + database
	case server != "":
		*to = server
	case place != "":
		*to = r.withoutSecrets(place, details)
	default:
		r.notes.add("connection details left out: no server, path or url in them", details)
		return
	}
	f.known["connection"] = true
}

// withoutSecrets takes user, query and fragment from a URL, where keys and
// signatures travel.
func (r *reader) withoutSecrets(place string, at *node) string {
	u, err := url.Parse(place)
	if err != nil || u.Host == "" || u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return place
	}
	r.secrets.add("user or query of a data source's URL", at)
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// dataSourceUser reads who may use a data source; false for a principal that is
// listed with no right.
func (r *reader) dataSourceUser(f *fields) (gateway.DataSourceUser, bool) {
	var u gateway.DataSourceUser
	f.text("principal", &u.Principal, "emailAddress", "identifier", "displayName")
	if u.Principal == "" {
		r.fail(f.item, "the e-mail address or identifier of a data source user", "none")
	}
	readEnum(f, rights, "right", &u.Right, "datasourceAccessRight")
	return u, u.Right != "" && u.Right != "None"
}

// clusterRow reads a row that scripts write: the cluster, and a member beside it
// where the row has one by name or id.
func (r *reader) clusterRow(f *fields) {
	if r.personalOrVirtual(f) {
		return
	}
	c := ClusterFacts{Known: f.known}
	f.text("id", &c.Cluster.ID, "clusterId", "primaryId")
	f.name("gateway cluster", &c.Cluster.Name, "clusterName", "primaryName")
	r.clusterProperties(f, &c.Cluster)
	if f.get("nodeId", "nodeName") != nil {
		m := r.member(&fields{reader: r, item: f.item, known: Known{}})
		m.ClusterID = c.Cluster.ID
		m.Primary = m.Primary || sameID(m.Member.ID, c.Cluster.ID)
		c.Members = []MemberFacts{m}
		c.Known["members"] = true
	} else {
		r.notes.add("members left out: the row does not name them", f.item)
	}
	r.out.Clusters = append(r.out.Clusters, c)
}

// joinClusters makes one of the clusters that rows repeat.
func joinClusters(rows []ClusterFacts) []ClusterFacts {
	var clusters []ClusterFacts
	at := map[string]int{}
	for _, row := range rows {
		i, ok := at[strings.ToLower(row.Cluster.ID)]
		if !ok || row.Cluster.ID == "" {
			at[strings.ToLower(row.Cluster.ID)] = len(clusters)
			clusters = append(clusters, row)
			continue
		}
		clusters[i].Members = append(clusters[i].Members, row.Members...)
	}
	return clusters
}

// sameID compares ids that are there.
func sameID(a, b string) bool { return a != "" && strings.EqualFold(a, b) }
