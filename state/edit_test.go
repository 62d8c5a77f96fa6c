package state

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// edited writes the content to a file, runs fn on it, and returns what the file
// holds then.
func edited(t *testing.T, content string, fn func(*Tx) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gatepool.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Update(context.Background(), Options{Path: path}, fn); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func pool(fn func(*hostpool.Pool)) func(*Tx) error {
	return func(tx *Tx) error {
		p, err := tx.Pool("hp")
		if err == nil {
			fn(p)
		}
		return err
	}
}

func cluster(fn func(*gateway.Cluster)) func(*Tx) error {
	return func(tx *Tx) error {
		c, err := tx.Cluster("fin")
		if err == nil {
			fn(c)
		}
		return err
	}
}

const head = "kind: HostPool\napiVersion: gatepool/v1\nname: hp\n"

func addHost(p *hostpool.Pool) {
	p.SessionHosts = append(p.SessionHosts, hostpool.Host{Name: "new", Status: hostpool.Available, AllowNewSession: true})
}

func TestEditChangesOnlyWhatItMeansTo(t *testing.T) {
	tests := []struct {
		name   string
		before string
		edit   func(*Tx) error
		after  string
		undo   func(*Tx) error // nil: there is none
	}{
		{
			name:   "scalar with a comment",
			before: head + "maxSessionLimit: 12   # agreed\n\n\n# end\n",
			edit:   pool(func(p *hostpool.Pool) { p.MaxSessionLimit = 14 }),
			after:  head + "maxSessionLimit: 14   # agreed\n\n\n# end\n",
			undo:   pool(func(p *hostpool.Pool) { p.MaxSessionLimit = 12 }),
		},
		{
			name:   "absent property",
			before: head + "startVMOnConnect: true # yes",
			edit:   pool(func(p *hostpool.Pool) { p.MaxSessionLimit = 14 }),
			after:  head + "maxSessionLimit: 14\nstartVMOnConnect: true # yes",
			undo:   pool(func(p *hostpool.Pool) { p.MaxSessionLimit = 0 }),
		},
		{
			name:   "absent property at the end of a file without a line end",
			before: head + "hostPoolType: 'Pooled'",
			edit:   pool(func(p *hostpool.Pool) { p.MaxSessionLimit = 14 }),
			after:  head + "hostPoolType: 'Pooled'\nmaxSessionLimit: 14",
			undo:   pool(func(p *hostpool.Pool) { p.MaxSessionLimit = 0 }),
		},
		{
			name:   "quotes stay",
			before: head + "description: \"old\"\r\nfriendlyName: 'old'\r\n",
			edit:   pool(func(p *hostpool.Pool) { p.Description, p.FriendlyName = "new", "it's new" }),
			after:  head + "description: \"new\"\r\nfriendlyName: 'it''s new'\r\n",
			undo:   pool(func(p *hostpool.Pool) { p.Description, p.FriendlyName = "old", "old" }),
		},
		{
			name:   "drain with CRLF and a byte-order mark",
			before: "\ufeff" + strings.ReplaceAll(head+"sessionHosts:\n- name: a\n  # why\n  allowNewSession: true  \n- name: b\n", "\n", "\r\n"),
			edit:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = false }),
			after:  "\ufeff" + strings.ReplaceAll(head+"sessionHosts:\n- name: a\n  # why\n  allowNewSession: false  \n- name: b\n", "\n", "\r\n"),
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = true }),
		},
		{
			name:   "drain where the default is left out, and resume",
			before: head + "sessionHosts:\n  - name: a\n  - name: b # c\n",
			edit:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = false }),
			after:  head + "sessionHosts:\n  - name: a\n    allowNewSession: false\n  - name: b # c\n",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = true }),
		},
		{
			name:   "drain where the default is written, and resume",
			before: head + "sessionHosts:\n  - name: a\n    allowNewSession: true\n  - name: b\n    allowNewSession: true\n",
			edit:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = false }),
			after:  head + "sessionHosts:\n  - name: a\n    allowNewSession: false\n  - name: b\n    allowNewSession: true\n",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = true }),
		},
		{
			name:   "drain a host that all is written of, and resume",
			before: head + "sessionHosts:\n  - name: a\n    status: Available\n    allowNewSession: true\n",
			edit:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = false }),
			after:  head + "sessionHosts:\n  - name: a\n    status: Available\n    allowNewSession: false\n",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = true }),
		},
		{
			name:   "drain in flow where the default is left out, and resume",
			before: head + "sessionHosts: [{name: a}, {name: b}]",
			edit:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = false }),
			after:  head + "sessionHosts: [{name: a, allowNewSession: false}, {name: b}]",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = true }),
		},
		{
			name:   "resume a host whose line has a comment",
			before: head + "sessionHosts:\n  - name: a\n    allowNewSession: false # patching\n  - name: b\n",
			edit:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = true }),
			after:  head + "sessionHosts:\n  - name: a\n    allowNewSession: true # patching\n  - name: b\n",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = false }),
		},
		{
			name:   "a host's only session becomes what other hosts' sessions say and hosts leave out",
			before: head + "sessionHosts:\n  - name: a\n    sessions: [{user: u@x, state: Disconnected}]\n  - name: b\n    sessions: [{user: v@x, state: Active}]\n",
			edit:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].Sessions[0].State = hostpool.SessionActive }),
			after:  head + "sessionHosts:\n  - name: a\n    sessions: [{user: u@x, state: Active}]\n  - name: b\n    sessions: [{user: v@x, state: Active}]\n",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].Sessions[0].State = hostpool.SessionDisconnected }),
		},
		{
			name:   "resume a host that was drained by hand where the default is left out",
			before: head + "sessionHosts:\n  - name: a\n    allowNewSession: false\n  - name: b\n",
			edit:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = true }),
			after:  head + "sessionHosts:\n  - name: a\n  - name: b\n",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].AllowNewSession = false }),
		},
		{
			name:   "the only property of its kind goes, a comment above it stays",
			before: head + "sessionHosts:\n  - friendlyName: x\n    # why\n    name: a\n",
			edit:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].FriendlyName = "" }),
			after:  head + "sessionHosts:\n  -\n    # why\n    name: a\n",
		},
		{
			name:   "text behind | stays in that form",
			before: head + "description: | # long\n  one\n  two\nlocation: x\n",
			edit:   pool(func(p *hostpool.Pool) { p.Description = "three" }),
			after:  head + "description: |- # long\n  three\nlocation: x\n",
			undo:   pool(func(p *hostpool.Pool) { p.Description = "one\ntwo\n" }),
		},
		{
			name:   "a host and a session at once, behind lines that go",
			before: head + "sessionHosts:\n  - name: a\n    sessions:\n      - {user: u@x}\n      - {user: v@x}",
			edit: pool(func(p *hostpool.Pool) {
				p.SessionHosts[0].Sessions = p.SessionHosts[0].Sessions[:1]
				p.SessionHosts[0].AnonymousSessions = 2
				addHost(p)
			}),
			after: head + "sessionHosts:\n  - name: a\n    sessions:\n      - {user: u@x}\n    anonymousSessions: 2\n  - name: new\n    status: Available\n    allowNewSession: true",
		},
		{
			name:   "the pool that a file begins with goes, the file's own comment stays",
			before: "# file\n\n# pool\n" + head + "---\n" + strings.Replace(head, "hp", "hp2", 1),
			edit:   func(tx *Tx) error { return tx.Remove(HostPool, "hp") },
			after:  "# file\n\n---\n" + strings.Replace(head, "hp", "hp2", 1),
		},
		{
			name:   "first host",
			before: head,
			edit:   pool(addHost),
			after:  head + "sessionHosts:\n  - name: new\n    status: Available\n    allowNewSession: true\n",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts = nil }),
		},
		{
			name:   "host behind others, comments after them",
			before: head + "sessionHosts:\n    # hosts\n    -   name: a # first\n\n    # the end\ntags: {a: b}\n",
			edit:   pool(addHost),
			after:  head + "sessionHosts:\n    # hosts\n    -   name: a # first\n    - name: new\n      status: Available\n      allowNewSession: true\n\n    # the end\ntags: {a: b}\n",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts = p.SessionHosts[:1] }),
		},
		{
			name:   "flow hosts",
			before: head + "sessionHosts: [{name: a}, {name: b, allowNewSession: true}] # all",
			edit:   pool(addHost),
			after:  head + "sessionHosts: [{name: a}, {name: b, allowNewSession: true}, {name: new, status: Available, allowNewSession: true}] # all",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts = p.SessionHosts[:2] }),
		},
		{
			name:   "flow hosts on lines of their own, with comments behind them",
			before: head + "sessionHosts: [\n  {name: a}, # one\n  {name: b} # two\n]\n",
			edit: pool(func(p *hostpool.Pool) {
				addHost(p)
				p.SessionHosts[0].AllowNewSession = false
			}),
			after: head + "sessionHosts: [\n  {name: a, allowNewSession: false}, # one\n  {name: b}, # two\n  {name: new, status: Available, allowNewSession: true}\n]\n",
			undo: pool(func(p *hostpool.Pool) {
				p.SessionHosts = p.SessionHosts[:2]
				p.SessionHosts[0].AllowNewSession = true
			}),
		},
		{
			name:   "two flow hosts behind and one between others with comments behind them",
			before: head + "sessionHosts: [\n  {name: a}, # one\n  {name: b}, # two\n]\n",
			edit: pool(func(p *hostpool.Pool) {
				addHost(p)
				p.SessionHosts = append(p.SessionHosts, hostpool.Host{Name: "d", Status: hostpool.Available, AllowNewSession: true})
				p.SessionHosts = slices.Insert(p.SessionHosts, 1, hostpool.Host{Name: "c", Status: hostpool.Available, AllowNewSession: true})
			}),
			after: head + "sessionHosts: [\n  {name: a}, # one\n  {name: c, status: Available, allowNewSession: true},\n  {name: b}, # two\n" +
				"  {name: new, status: Available, allowNewSession: true},\n  {name: d, status: Available, allowNewSession: true},\n]\n",
		},
		{
			name:   "two flow hosts behind one with a comment behind it and no comma",
			before: head + "sessionHosts: [\n  {name: a}, # one\n  {name: b} # two\n]\n",
			edit: pool(func(p *hostpool.Pool) {
				addHost(p)
				p.SessionHosts = append(p.SessionHosts, hostpool.Host{Name: "d", Status: hostpool.Available, AllowNewSession: true})
			}),
			after: head + "sessionHosts: [\n  {name: a}, # one\n  {name: b}, # two\n  {name: new, status: Available, allowNewSession: true},\n  {name: d, status: Available, allowNewSession: true}\n]\n",
		},
		{
			name:   "empty list",
			before: head + "sessionHosts: [ ]\n",
			edit:   pool(addHost),
			after:  head + "sessionHosts: [{name: new, status: Available, allowNewSession: true} ]\n",
			undo:   pool(func(p *hostpool.Pool) { p.SessionHosts = nil }),
		},
		{
			name:   "last session goes, its comment stays",
			before: head + "sessionHosts:\n  - name: a\n    sessions:\n      # a ghost?\n      - {user: u@x}\n    friendlyName: A\n",
			edit:   pool(func(p *hostpool.Pool) { p.SessionHosts[0].Sessions = nil }),
			after:  head + "sessionHosts:\n  - name: a\n    sessions: []\n      # a ghost?\n    friendlyName: A\n",
		},
		{
			name:   "session in the middle, others untouched",
			before: head + "sessionHosts:\n  - name: a\n    sessions:\n      - {user: u@x,   state: Active}\n      - user: v@x\n        # odd\n        state: Disconnected\n      - {user: w@x}\n",
			edit: pool(func(p *hostpool.Pool) {
				s := p.SessionHosts[0].Sessions
				p.SessionHosts[0].Sessions = append(s[:1:1], s[2])
			}),
			after: head + "sessionHosts:\n  - name: a\n    sessions:\n      - {user: u@x,   state: Active}\n      - {user: w@x}\n",
		},
		{
			name:   "all sessions replaced",
			before: head + "sessionHosts:\n  - name: a\n    sessions:\n      - {user: u@x}\n      - {user: v@x}",
			edit: pool(func(p *hostpool.Pool) {
				p.SessionHosts[0].Sessions = []hostpool.Session{{User: "y@x", State: hostpool.SessionActive}}
			}),
			after: head + "sessionHosts:\n  - name: a\n    sessions:\n      - {user: y@x, state: Active}",
		},
		{
			name:   "tags",
			before: head + "tags: {owner: it, cost: \"12\"}\n",
			edit:   pool(func(p *hostpool.Pool) { p.Tags["owner"] = "desk team"; delete(p.Tags, "cost"); p.Tags["env"] = "prod" }),
			after:  head + "tags: {owner: desk team, env: prod}\n",
		},
		{
			name:   "limits of a member",
			before: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers:\n  - name: a\n    limits: {cpu: 80} # x\n  - {name: b}\n",
			edit: cluster(func(c *gateway.Cluster) {
				c.Members[0].Limits.Memory = 85
				c.Members[1].Limits = &gateway.Limits{CPU: 1, AggregationMinutes: 5, Concurrency: 40}
			}),
			after: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers:\n  - name: a\n    limits: {cpu: 80, memory: 85} # x\n  - {name: b, limits: {cpu: 1, memory: 0, aggregationMinutes: 5, concurrency: 40}}\n",
		},
		{
			name:   "members change places with the comments above them",
			before: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers:\n  - name: a # the old one\n    version: 3000.1\n\n  # the new one\n  - {name: b}\n  - {name: c}",
			edit: cluster(func(c *gateway.Cluster) {
				c.Members[0], c.Members[1] = c.Members[1], c.Members[0]
				c.Members[0].Status = gateway.Offline
			}),
			after: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers:\n  # the new one\n  - {name: b, status: Offline}\n\n  - name: a # the old one\n    version: 3000.1\n  - {name: c}",
		},
		{
			name:   "members change places and back with the comments above them",
			before: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers:\n  # all of them\n\n  # the old one\n  - name: a\n  # the new one,\n  # for now\n  - {name: b}\n\n  # more\n\n  - {name: c}\n  # end\n",
			edit:   cluster(func(c *gateway.Cluster) { c.Members[0], c.Members[1] = c.Members[1], c.Members[0] }),
			after:  "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers:\n  # all of them\n\n  # the new one,\n  # for now\n  - {name: b}\n  # the old one\n  - name: a\n\n  # more\n\n  - {name: c}\n  # end\n",
			undo:   cluster(func(c *gateway.Cluster) { c.Members[0], c.Members[1] = c.Members[1], c.Members[0] }),
		},
		{
			name:   "texts change places and one goes, the comment above it stays",
			before: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nusers:\n  - principal: p@x\n    role: ConnectionCreator\n    dataSourceTypes:\n      - Sql\n      # gone?\n      - File\n      # why\n      - Web\n",
			edit:   cluster(func(c *gateway.Cluster) { c.Users[0].DataSourceTypes = []string{"Web", "Oracle", "Sql"} }),
			after:  "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nusers:\n  - principal: p@x\n    role: ConnectionCreator\n    dataSourceTypes:\n      # why\n      - Web\n      - Oracle\n      # gone?\n      - Sql\n",
		},
		{
			name:   "a member moves and gets a default that the others are of two minds about",
			before: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers: [{name: a, enabled: true}, {name: b, status: Offline, enabled: false}, {name: c}]\n",
			edit: cluster(func(c *gateway.Cluster) {
				c.Members[1].Enabled = true
				c.Members[0], c.Members[1] = c.Members[1], c.Members[0]
			}),
			after: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers: [{name: b, status: Offline}, {name: a, enabled: true}, {name: c}]\n",
		},
		{
			name:   "members on lines of one list change places and back",
			before: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers: [ # two\n  {name: a},\n  {name: b}\n]\n",
			edit:   cluster(func(c *gateway.Cluster) { c.Members[0], c.Members[1] = c.Members[1], c.Members[0] }),
			after:  "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers: [ # two\n  {name: b},\n  {name: a}\n]\n",
			undo:   cluster(func(c *gateway.Cluster) { c.Members[0], c.Members[1] = c.Members[1], c.Members[0] }),
		},
		{
			name:   "members on one line change places",
			before: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers: [{name: a}, {name: b}] # two\n",
			edit: cluster(func(c *gateway.Cluster) {
				c.Members = []gateway.Member{c.Members[1], c.Members[0], {Name: "c", Status: gateway.Online, Enabled: true}}
			}),
			after: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers: [{name: b}, {name: a}, {name: c, status: Online, enabled: true}] # two\n",
		},
		{
			name:   "rename keeps the member's lines",
			before: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers:\n  - name: a # one\n    version: 3000.1 # two\n",
			edit:   cluster(func(c *gateway.Cluster) { c.Members[0].Name = "z" }),
			after:  "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers:\n  - name: z # one\n    version: 3000.1 # two\n",
			undo:   cluster(func(c *gateway.Cluster) { c.Members[0].Name = "a" }),
		},
		{
			name:   "two members get other names, known by their ids",
			before: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers:\n  - name: a # one\n    id: m1\n    enabled: true # yes\n  - {name: b, id: M2} # two\n",
			edit: cluster(func(c *gateway.Cluster) {
				c.Members[0].Name, c.Members[1].Name = "x", "z"
				c.Members = append(c.Members, gateway.Member{Name: "a", ID: "m3", Status: gateway.Online, Enabled: true})
			}),
			after: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nmembers:\n  - name: x # one\n    id: m1\n    enabled: true # yes\n  - {name: z, id: M2} # two\n  - {name: a, id: m3, status: Online, enabled: true}\n",
			undo: cluster(func(c *gateway.Cluster) {
				c.Members[0].Name, c.Members[1].Name = "a", "b"
				c.Members = c.Members[:2]
			}),
		},
		{
			name:   "one session ends and another begins: its comment is not the other's",
			before: head + "sessionHosts:\n  - name: a\n    sessions:\n      - {id: \"1\", user: u@x, state: Active}\n      - {id: \"2\", user: 'v@x', state: Active} # a ghost?\n",
			edit: pool(func(p *hostpool.Pool) {
				p.SessionHosts[0].Sessions[1] = hostpool.Session{ID: "3", User: "w@x", State: hostpool.SessionActive}
			}),
			after: head + "sessionHosts:\n  - name: a\n    sessions:\n      - {id: \"1\", user: u@x, state: Active}\n      - {id: \"3\", user: w@x, state: Active}\n",
		},
		{
			name:   "a user comes back with another session behind the others, which stay",
			before: head + "sessionHosts:\n  - name: a\n    sessions: [\n      {id: \"1\", user: u@x},\n      {id: \"2\", user: v@x}, # second\n      {id: \"3\", user: w@x}\n    ]\n",
			edit: pool(func(p *hostpool.Pool) {
				p.SessionHosts[0].Sessions = append(p.SessionHosts[0].Sessions[1:], hostpool.Session{ID: "4", User: "u@x", State: hostpool.SessionActive})
			}),
			after: head + "sessionHosts:\n  - name: a\n    sessions: [\n      {id: \"2\", user: v@x}, # second\n      {id: \"3\", user: w@x},\n      {id: \"4\", user: u@x, state: Active}\n    ]\n",
		},
		{
			name:   "texts of a user",
			before: "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nusers:\n  - principal: p@x\n    role: ConnectionCreator\n    dataSourceTypes:\n      - Sql\n      - Web # why\n",
			edit:   cluster(func(c *gateway.Cluster) { c.Users[0].DataSourceTypes = []string{"Oracle", "Web", "File"} }),
			after:  "kind: Cluster\napiVersion: gatepool/v1\nname: fin\nusers:\n  - principal: p@x\n    role: ConnectionCreator\n    dataSourceTypes:\n      - Oracle\n      - Web # why\n      - File\n",
		},
		{
			name:   "new pool in an empty file",
			before: "# nothing yet\n",
			edit: func(tx *Tx) error {
				return tx.AddPool(&hostpool.Pool{Name: "hp", HostPoolType: hostpool.Pooled, LoadBalancerType: hostpool.BreadthFirst})
			},
			after: "# nothing yet\n---\nkind: HostPool\napiVersion: gatepool/v1\nname: hp\nhostPoolType: Pooled\nloadBalancerType: BreadthFirst\n",
		},
		{
			name:   "new pool behind another without a final line end",
			before: head[:len(head)-1],
			edit: func(tx *Tx) error {
				return tx.AddPool(&hostpool.Pool{Name: "hp 2", HostPoolType: hostpool.Pooled, LoadBalancerType: hostpool.BreadthFirst})
			},
			after: head + "---\nkind: HostPool\napiVersion: gatepool/v1\nname: hp 2\nhostPoolType: Pooled\nloadBalancerType: BreadthFirst",
			undo:  func(tx *Tx) error { return tx.Remove(HostPool, "HP 2") },
		},
		{
			name:   "first pool goes",
			before: head + "---\n# two\n" + strings.Replace(head, "hp", "hp2", 1),
			edit:   func(tx *Tx) error { return tx.Remove(HostPool, "hp") },
			after:  "# two\n" + strings.Replace(head, "hp", "hp2", 1),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := edited(t, test.before, test.edit)
			if got != test.after {
				t.Fatalf("got\n%s\nwant\n%s", got, test.after)
			}
			if test.undo == nil {
				return
			}
			if got := edited(t, test.after, test.undo); got != test.before {
				t.Errorf("undone, got\n%q\nwant\n%q", got, test.before)
			}
		})
	}
}

// An edit of every host costs what the document is long, not its square.
func TestEditsOfManyHosts(t *testing.T) {
	const hosts = 25_000
	var b strings.Builder
	b.WriteString(head + "sessionHosts:\n")
	for i := range hosts {
		fmt.Fprintf(&b, "  - name: h%d\n    sessions: [{user: u@x, state: Disconnected}]\n", i)
	}
	bounded(t, func() {
		after := edited(t, b.String(), pool(func(p *hostpool.Pool) {
			for i := range p.SessionHosts {
				p.SessionHosts[i].Sessions[0].State = hostpool.SessionActive
			}
		}))
		if n := strings.Count(after, "Disconnected"); n > 0 {
			t.Errorf("%d sessions stayed as they were", n)
		}
	})
}
