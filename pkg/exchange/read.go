package exchange

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Read reads an export, whatever its form: JSON of ARM, az, PowerShell or the
// gateway services, one value or several, or CSV. It recognises the form by
// itself. The error is a *FormatError when the file is none of them.
func Read(data []byte, name string) (*Export, error) {
	s, err := newSource(data, name)
	if err != nil {
		return nil, err
	}
	r := &reader{source: s, out: &Export{HostsOf: map[string]bool{}, SessionsOf: map[string]bool{}}}
	start := bytes.TrimSpace(s.text)
	switch {
	case len(start) == 0:
		return nil, s.errorAt(0, expectedExport, "an empty file")
	case start[0] == '{' || start[0] == '[':
		roots, err := parseJSON(s)
		if err != nil {
			return nil, err
		}
		for _, root := range roots {
			r.root(root)
		}
	default:
		header, rows, err := parseCSV(s)
		if header != nil && !r.recognises(header) && (len(rows) == 0 || !r.recognises(rows[0])) {
			return nil, s.errorAt(header.offset, expectedExport, "CSV with the columns "+header.shownNames())
		}
		if err != nil {
			return nil, err
		}
		r.list(rows)
	}
	if r.misfit != nil {
		return nil, r.err()
	}
	r.out.Clusters = joinClusters(r.out.Clusters)
	r.out.Notes = r.notes.lines(s)
	r.out.DroppedSecrets = r.secrets.lines(s)
	return r.out, nil
}

const expectedExport = "an export of host pools, session hosts, user sessions, gateway clusters, members or data sources (JSON of ARM, az, PowerShell or REST, or CSV)"

// root reads one JSON value of the file: a list, a list in an envelope, or one
// item.
func (r *reader) root(root *node) {
	items := root.unwrap()
	if inner := items.member("value").unwrap(); inner != nil && inner.kind == list {
		items = inner
	}
	for _, name := range []string{"nextLink", "@odata.nextLink", "continuationUri"} {
		if next := root.member(name); next != nil && next.kind == text && next.text != "" {
			r.out.NextLink = next.text
		}
	}
	if items.kind == list {
		r.list(items.items)
	} else {
		r.item(items)
	}
}

// list reads the items of one list, and what their standing together says.
func (r *reader) list(items []*node) {
	pools, hosts, sessions, clusters := len(r.out.Pools), len(r.out.Hosts), len(r.out.Sessions), len(r.out.Clusters)
	for _, item := range items {
		if r.item(item.unwrap()); r.misfit != nil {
			return
		}
	}
	if len(r.out.Pools) > pools {
		r.out.AllPools = true
	}
	if len(r.out.Clusters) > clusters {
		r.out.AllClusters = true
	}
	for _, h := range r.out.Hosts[hosts:] {
		r.out.HostsOf[strings.ToLower(h.Pool)] = true
	}
	r.out.noteSessionLists(r.out.Sessions[sessions:])
}

// item reads one thing.
func (r *reader) item(n *node) {
	if n.kind != object {
		r.fail(n, expectedExport, n.describe())
		return
	}
	r.dropSecrets(n)
	f := &fields{reader: r, item: n, known: Known{}}
	if read := r.readerOf(f); read != nil {
		read(f)
		return
	}
	found := n.describe()
	if failure := n.member("error"); failure != nil {
		found = "an error that a service answered"
		if code := failure.member("code"); code != nil && code.kind == text {
			found += ": " + quoted(code.text)
		}
	} else if kind := f.get("type"); kind != nil && kind.kind == text && strings.Contains(kind.text, "/") {
		found = "a resource of type " + quoted(kind.text)
	}
	r.fail(n, expectedExport, found)
}

func (r *reader) recognises(n *node) bool {
	return r.readerOf(&fields{reader: r, item: n}) != nil
}

// readerOf recognises an item: by the type that Azure names, else by the
// properties that only its kind has. It is nil for what is none.
func (r *reader) readerOf(f *fields) func(*fields) {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return f.get(name) == nil })
	}
	f.nullIsNone = true
	switch kind := azureType(f); {
	case kind == "hostpools":
		return r.pool
	case kind == "hostpools/sessionhosts":
		return r.host
	case kind == "hostpools/sessionhosts/usersessions":
		return r.session
	case kind != "":
		return nil
	case has("name", "loadBalancerType"), has("name", "hostPoolType"):
		return r.pool
	case has("name", "allowNewSession"):
		return r.host
	case has("userPrincipalName", "sessionState"):
		return r.session
	}
	f.nullIsNone = false
	switch n := f.item; {
	case isDataSource(n):
		return r.aloneDataSource
	case isDataSourceUser(n):
		return r.aloneDataSourceUser
	case isClusterRow(n):
		return r.clusterRow
	case isCluster(n):
		return r.cluster
	case isMember(n):
		return r.aloneMember
	}
	return nil
}

const desktopVirtualization = "microsoft.desktopvirtualization/"

// azureType returns an Azure resource's type in lower case, without the provider
// where that is Azure Virtual Desktop's. The id tells it where there is no type;
// "" if neither does.
func azureType(f *fields) string {
	if n := f.get("type"); n != nil && n.kind == text && strings.Contains(n.text, "/") {
		// Examples of the API have a slash in front.
		kind := strings.ToLower(strings.TrimPrefix(n.text, "/"))
		return strings.TrimPrefix(kind, desktopVirtualization)
	}
	if n := f.get("id"); n != nil && n.kind == text {
		id := parseARMID(n.text)
		switch {
		case id.session != "":
			return "hostpools/sessionhosts/usersessions"
		case id.host != "":
			return "hostpools/sessionhosts"
		case id.pool != "":
			return "hostpools"
		}
	}
	return ""
}

// armID is what an ARM resource id says, segment by segment.
type armID struct {
	resourceGroup, pool, host, session string
}

// parseARMID reads an id whose segment names may have any case.
func parseARMID(id string) armID {
	var parsed armID
	segments := strings.Split(strings.Trim(id, "/"), "/")
	for i := 0; i+1 < len(segments); i += 2 {
		switch strings.ToLower(segments[i]) {
		case "resourcegroups":
			parsed.resourceGroup = segments[i+1]
		case "hostpools":
			parsed.pool = segments[i+1]
		case "sessionhosts":
			parsed.host = segments[i+1]
		case "usersessions":
			parsed.session = segments[i+1]
		}
	}
	return parsed
}

// name reads a required name.
func (f *fields) name(what string, to *string, names ...string) {
	f.text("name", to, names...)
	if strings.TrimSpace(*to) == "" {
		f.fail(f.item, fmt.Sprintf("the name of a %s", what), "none")
	}
}
