package cmd

import (
	"os"
	"path/filepath"
	"strings"

	"gatepool/pkg/gateway"
	"gatepool/pkg/gatewayconfig"
	"gatepool/pkg/hostpool"
	"gatepool/pkg/output"
	"gatepool/state"
)

// named is what may stand at a place of that name: in a usage line, as the
// value of a flag.
func (l *typedLine) named(a *app, place string) offer {
	switch place {
	case "":
		return offer{}
	case "FILE":
		return offer{files: true}
	case "FORMAT":
		var formats []string
		for _, f := range output.Formats() {
			formats = append(formats, string(f))
		}
		return offer{candidates: l.fixed(formats)}
	case "COMMAND|TOPIC":
		topics := l.commandNames()
		for _, t := range Topics() {
			topics = append(topics, candidate{t.Name, ascii(t.Title())})
		}
		return offer{candidates: l.pick(topics)}
	case "FORMAT=FILE":
		if strings.Contains(l.word, "=") {
			return offer{files: true}
		}
		return offer{candidates: l.pick(plain([]string{"json=", "junit=", "sarif=", "github="}))}
	case "NAME=VALUE":
		return offer{candidates: l.pick(settingValues(l.word))}
	case "NAME":
		if strings.HasSuffix(l.command.Name(), "-gatewayconfig") {
			return offer{candidates: l.pick(settings(""))}
		}
	}
	if strings.ToLower(place) == place {
		return offer{candidates: l.pick(plain(strings.Split(place, "|")))} // the words themselves
	}
	s, err := state.Open(a.statePath())
	if err != nil {
		return offer{}
	}
	return offer{candidates: l.pick(l.inState(s, place))}
}

// inState lists the names that the state file has for a place.
func (l *typedLine) inState(s *state.Snapshot, place string) []candidate {
	var n nameList
	switch place {
	case "NAME":
		n.add(s.Names(state.HostPool)...)
		n.add(s.Names(state.Cluster)...)
	case "POOL":
		n.add(s.Names(state.HostPool)...)
	case "CLUSTER":
		n.add(s.Names(state.Cluster)...)
	case "HOST":
		for _, p := range l.pools(s) {
			for _, h := range p.SessionHosts {
				about := string(h.Status)
				if !h.AllowNewSession {
					about += ", drained"
				}
				n.addWith(h.Name, about)
			}
		}
	case "OWNER":
		n.add(users(l.pools(s), true)...)
	case "USER":
		l.addUsers(&n, s)
	case "MEMBER":
		for _, c := range l.clusters(s, "") {
			for _, m := range c.Members {
				n.addWith(m.Name, string(m.Status))
			}
		}
	case "CLUSTER/MEMBER":
		cluster, _, named := strings.Cut(l.word, "/")
		if !named {
			for _, name := range s.Names(state.Cluster) {
				n.add(name + "/")
			}
		}
		for _, c := range l.clusters(s, cluster) {
			for _, m := range c.Members {
				if named {
					n.addWith(c.Name+"/"+m.Name, string(m.Status))
				}
			}
		}
	case "DATASOURCE":
		for _, c := range l.clusters(s, "") {
			for _, d := range c.DataSources {
				n.addWith(d.Name, d.Type)
			}
		}
	}
	return n.list
}

// addUsers adds the users of a data source, a cluster or a pool, whichever the
// line is about; in a pool also the sessions, by id, once the host is typed.
func (l *typedLine) addUsers(n *nameList, s *state.Snapshot) {
	if _, aboutCluster := l.nameOf("CLUSTER"); !aboutCluster {
		pools := l.pools(s)
		if !strings.Contains(l.word, "/") {
			n.add(users(pools, false)...)
			return
		}
		for _, p := range pools {
			for _, h := range p.SessionHosts {
				for _, session := range h.Sessions {
					if session.ID != "" {
						n.addWith(h.Name+"/"+session.ID, string(session.State))
					}
				}
			}
		}
		return
	}
	source, aboutSource := l.nameOf("DATASOURCE")
	for _, c := range l.clusters(s, "") {
		if !aboutSource {
			for _, u := range c.Users {
				n.addWith(u.Principal, string(u.Role))
			}
		}
		for _, d := range c.DataSources {
			if aboutSource && strings.EqualFold(d.Name, source) {
				for _, u := range d.Users {
					n.addWith(u.Principal, string(u.Right))
				}
			}
		}
	}
}

// users lists who has a session in the pools, or owns one of their desktops.
func users(pools []*hostpool.Pool, owners bool) []string {
	var names []string
	for _, p := range pools {
		for _, h := range p.SessionHosts {
			if owners {
				names = append(names, h.AssignedUser)
			}
			for _, session := range h.Sessions {
				names = append(names, session.User)
			}
		}
	}
	return names
}

// pools are the host pools that the line names so far, or all.
func (l *typedLine) pools(s *state.Snapshot) []*hostpool.Pool {
	name, named := l.nameOf("POOL")
	if named && newPattern(name).exact() {
		p, err := s.Pool(name)
		if err != nil {
			return nil
		}
		return []*hostpool.Pool{p}
	}
	pools, err := s.Pools(func(n string) bool { return !named || newPattern(name).matches(n) })
	if err != nil {
		return nil
	}
	return pools
}

// clusters are the clusters that the line names so far; name is one that the
// word itself names, or "".
func (l *typedLine) clusters(s *state.Snapshot, name string) []*gateway.Cluster {
	if name == "" {
		name, _ = l.nameOf("CLUSTER")
	}
	if newPattern(name).exact() && name != "" {
		c, err := s.Cluster(name)
		if err != nil {
			return nil
		}
		return []*gateway.Cluster{c}
	}
	clusters, err := s.Clusters(func(n string) bool { return name != "" && newPattern(name).matches(n) })
	if err != nil {
		return nil
	}
	return clusters
}

// nameList is a list of names of the state file, each once.
type nameList struct {
	list []candidate
	have map[string]bool
}

func (n *nameList) add(names ...string) {
	for _, name := range names {
		n.addWith(name, "")
	}
}

func (n *nameList) addWith(name, about string) {
	key := strings.ToLower(name)
	if n.have[key] || !offerable(name) {
		return
	}
	if n.have == nil {
		n.have = map[string]bool{}
	}
	n.have[key] = true
	n.list = append(n.list, candidate{name, ascii(about)})
}

// offerable reports whether a name of the state file may be put into a command
// line. One that could steer a terminal or that looks like two lines may not,
// nor one that would be taken for a flag or a wildcard there: it would choose
// something else than the thing of that name.
func offerable(name string) bool {
	return name != "" && output.Clean(name) == name && name[0] != '-' && !strings.ContainsAny(name, "*?[")
}

// settings lists the settings of a gateway's configuration file, each with end
// behind it.
func settings(end string) []candidate {
	var list []candidate
	for _, s := range gatewayconfig.Known() {
		list = append(list, candidate{s.Name + end, ascii(s.Meaning)})
	}
	return list
}

// settingValues lists what may stand as NAME=VALUE: names, and once one is
// typed its values.
func settingValues(word string) []candidate {
	name, _, named := strings.Cut(word, "=")
	if !named {
		return settings("=")
	}
	setting, _ := gatewayconfig.Lookup(name)
	values := setting.Values
	if setting.Kind == gatewayconfig.Bool {
		values = []string{"True", "False"}
	}
	var list []candidate
	for _, v := range values {
		list = append(list, candidate{value: setting.Name + "=" + v})
	}
	return list
}

func plain(values []string) []candidate {
	var list []candidate
	for _, v := range values {
		list = append(list, candidate{value: v})
	}
	return list
}

// expandHome makes of a path what the shell makes of it before the program
// sees it: completion sees it first.
func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return os.ExpandEnv(path)
}
