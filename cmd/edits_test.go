package cmd

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// oddState is valid and as people may write it: block and flow, quoted and
// plain, comments and blank lines everywhere, blanks at line ends, a list no
// further in than its key.
const oddState = `# Contoso   
# the whole of it

kind: HostPool          # pools first
apiVersion: gatepool/v1
name: "hp-eu"
description: 'old, and "quoted"'
loadBalancerType: BreadthFirst

maxSessionLimit: 12     # agreed
sessionHosts:
# the hosts
- name: avd-0   
  # why it is here
  allowNewSession: true # for now
  status: Available
  sessions: [{user: alice@x, id: "1", state: Active}, {user: bob@x, id: "2", state: Disconnected}] # two

- {name: avd-1, status: Shutdown, allowNewSession: true}
  # behind the last one
tags: {owner: it, "cost center": '12'}
--- # another
kind: HostPool
apiVersion: gatepool/v1
name: hp-dev
hostPoolType: Personal
loadBalancerType: Persistent
sessionHosts:
    - name: dev-0
      assignedUser: alice@x     # hers
---
kind: Cluster
apiVersion: gatepool/v1
name: finance
loadBalancing: Failover
members:

  - name: GW-1
    enabled: true   # yes
    version: 3000.1.2
    # its limits
    limits: {cpu: 80, memory: 80}
  - name: GW-2
    enabled: true
users:
  - {principal: dba@x, role: Admin}   # the one
dataSources:
  - name: sales
    type: "Sql"
    users:
    - principal: ann@x
      right: Read
# the end
`

// An oddEdit is a command, how many lines of oddState it may touch, and what
// undoes it; nil where the file's words for what goes can't come back.
type oddEdit struct {
	do, undo []string
	lines    int
}

func oddEdits() []oddEdit {
	words := strings.Fields
	return []oddEdit{
		{words("set-hostpool hp-eu --max-session-limit 14"), words("set-hostpool hp-eu --max-session-limit 12"), 1},
		{words("set-hostpool hp-eu --start-vm-on-connect"), words("set-hostpool hp-eu --start-vm-on-connect=false"), 1},
		{[]string{"set-hostpool", "hp-eu", "--description", "new: 'text'"}, []string{"set-hostpool", "hp-eu", "--description", `old, and "quoted"`}, 1},
		{words("new-hostpool hp-uk"), words("remove-hostpool hp-uk --force"), 6},
		{words("remove-hostpool hp-dev --force"), words("restore-state"), 9},
		{words("add-host hp-eu avd-2"), words("remove-host hp-eu avd-2 --force"), 3},
		{words("add-host hp-dev dev-1"), words("remove-host hp-dev dev-1 --force"), 3},
		{words("remove-host hp-eu avd-1 --force"), nil, 1},
		{words("set-host hp-eu avd-0 --status unavailable"), words("set-host hp-eu avd-0 --status available"), 1},
		{words("drain-host hp-eu avd-0 avd-1"), words("resume-host hp-eu avd-0 avd-1"), 2},
		{words("drain-host hp-dev dev-0"), words("resume-host hp-dev dev-0"), 1},
		{words("resume-host hp-eu avd-0"), words("resume-host hp-eu avd-0"), 0},
		{words("connect --hostpool hp-eu --user new@x"), words("remove-session hp-eu new@x --force"), 1},
		{words("connect --hostpool hp-dev --user alice@x"), words("remove-session hp-dev alice@x --force"), 2},
		{words("disconnect-session hp-eu alice@x"), words("connect --hostpool hp-eu --user alice@x"), 1},
		{words("remove-session hp-eu bob@x --force"), nil, 1},
		{words("new-cluster it --member GW-9"), words("remove-cluster it --force"), 9},
		{words("remove-cluster finance --force"), nil, 25},
		{words("set-cluster finance --department IT"), []string{"set-cluster", "finance", "--department", ""}, 1},
		{words("set-cluster-loadbalancing finance --mode random"), words("set-cluster-loadbalancing finance --mode failover"), 1},
		{words("add-member finance GW-3"), words("remove-member finance GW-3 --force"), 3},
		{words("remove-member finance GW-2 --force"), nil, 2},
		{words("set-member finance GW-1 --cpu 90"), words("set-member finance GW-1 --cpu 80"), 1},
		{words("disable-member finance GW-2"), words("enable-member finance GW-2"), 1},
		{words("enable-member finance GW-1"), words("enable-member finance GW-1"), 0},
		{words("add-cluster-user finance bob@x --role connection-creator"), words("remove-cluster-user finance bob@x --force"), 1},
		{words("remove-cluster-user finance dba@x --force"), nil, 2},
		{words("add-datasource finance hr --type sql"), words("remove-datasource finance hr --force"), 2},
		{words("set-datasource finance sales --connection sql01"), []string{"set-datasource", "finance", "sales", "--connection", ""}, 1},
		{words("remove-datasource finance sales --force"), nil, 6},
		{words("add-datasource-user finance sales bob@x"), words("remove-datasource-user finance sales bob@x --force"), 2},
		{words("remove-datasource-user finance sales ann@x --force"), nil, 3},
	}
}

// Every command that changes the state file touches the lines that it means to
// and no other byte, however the file is written, and the command that undoes
// it gives the file back.
func TestEveryCommandEditsOnlyWhatItMeansTo(t *testing.T) {
	variants := map[string]func(string) string{
		"as it is":          func(s string) string { return s },
		"CRLF":              func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"byte-order mark":   func(s string) string { return "\uFEFF" + s },
		"no final line end": func(s string) string { return strings.TrimSuffix(s, "\n") },
		"ends with an item": func(s string) string { return strings.TrimSuffix(s, "\n# the end\n") },
	}
	for name, variant := range variants {
		before := variant(oddState)
		for _, e := range oddEdits() {
			t.Run(name+"/"+strings.Join(e.do, " "), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "gatepool.yaml")
				if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
					t.Fatal(err)
				}
				after := editedBy(t, path, e.do)
				if gone, come := differentLines(before, after); max(gone, come) > e.lines || e.lines > 0 && gone+come == 0 {
					t.Errorf("%d lines went and %d came, want at most %d:\n%s", gone, come, e.lines, after)
				}
				if e.undo == nil {
					return
				}
				if undone := editedBy(t, path, e.undo); undone != before {
					t.Errorf("undone by %q the file is\n%q\nwant\n%q", e.undo, undone, before)
				}
			})
		}
	}
}

// editedBy runs a command on a state file and returns what the file holds then.
func editedBy(t *testing.T, path string, args []string) string {
	t.Helper()
	var stderr bytes.Buffer
	if code := Main(append(slices.Clone(args), "--state", path), strings.NewReader(""), io.Discard, &stderr); code != exitOK {
		t.Fatalf("%q: exit code %d: %s", args, code, &stderr)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// differentLines counts the lines that only one of two texts has.
func differentLines(before, after string) (gone, come int) {
	count := map[string]int{}
	for line := range strings.SplitSeq(before, "\n") {
		count[strings.TrimSuffix(line, "\r")]++
	}
	for line := range strings.SplitSeq(after, "\n") {
		count[strings.TrimSuffix(line, "\r")]--
	}
	for _, n := range count {
		gone += max(n, 0)
		come += max(-n, 0)
	}
	return gone, come
}

// The tables of edits leave out no command that changes the state file. Those on
// gateways' configuration files change others.
func TestEveryCommandThatEditsIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, e := range oddEdits() {
		tried[e.do[0]] = true
		if e.undo != nil {
			tried[e.undo[0]] = true
		}
	}
	for _, e := range fleetEdits() {
		if e.becomes != nil {
			tried[strings.Fields(e.command)[0]] = true
		}
	}
	for _, c := range Tree().Commands() {
		if c.Flags().Lookup("what-if") != nil && !tried[c.Name()] && !strings.Contains(c.Name(), "gatewayconfig") {
			t.Errorf("%s changes the state file and is not tried", c.Name())
		}
	}
}
