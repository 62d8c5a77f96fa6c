package state

import (
	"strings"
	"testing"
)

func TestLocate(t *testing.T) {
	text := "\ufeff# top\r\n" + strings.ReplaceAll(head, "\n", "\r\n") +
		"tags: {ü: v, owner: it}\r\nsessionHosts:\r\n  - status: Available\r\n    name: a\r\n    sessions: [{id: \"1\", user: U@x}]\r\n---\r\n# two\r\n\r\nkind: Cluster\r\napiVersion: gatepool/v1\r\nname: fin\r\nid: 9f\r\nusers:\r\n  - {principal: p, role: Admin, dataSourceTypes: [Sql]}\r\n"
	f, err := cut("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := &Snapshot{file: f}
	for _, test := range []struct {
		kind         Kind
		name, path   string
		line, column int
	}{
		{HostPool, "HP", "", 2, 1},
		{HostPool, "hp", "name", 4, 1},
		{HostPool, "hp", "tags", 5, 1},
		{HostPool, "hp", "tags/owner", 5, 14},
		{HostPool, "hp", "description", 2, 1},                        // not in the file: the document
		{HostPool, "hp", "sessionHosts/A", 7, 5},                     // names without regard to case
		{HostPool, "hp", "sessionHosts/a/status", 7, 5},              //
		{HostPool, "hp", "sessionHosts/a/allowNewSession", 7, 5},     // not in the file: the host
		{HostPool, "hp", "sessionHosts/b", 6, 1},                     // not in the file: the list
		{HostPool, "hp", "sessionHosts/a/sessions/u@x/state", 9, 16}, // not in the file: the session
		{HostPool, "hp", "sessionHosts/a/sessions/u@x/user", 9, 26},
		{Cluster, "9F", "users/p/dataSourceTypes/Sql", 18, 51},
		{Cluster, "fin", "", 13, 1},
		{Cluster, "hp", "name", 1, 1},
	} {
		var path []string
		if test.path != "" {
			path = strings.Split(test.path, "/")
		}
		if got := s.Locate(test.kind, test.name, path); got != (Position{test.line, test.column}) {
			t.Errorf("%s %s %s: %v, want %d:%d", test.kind, test.name, test.path, got, test.line, test.column)
		}
	}
}
