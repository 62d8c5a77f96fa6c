package state

import (
	"fmt"
	"strings"
	"testing"
)

func TestComments(t *testing.T) {
	const text = "\uFEFF# file\n# of two\nkind: HostPool # pool\nname: hp#1\n" +
		"description: 'it''s # 1' #two\nfriendlyName: \"a \\\" # b\"\n" +
		"tags: {a: \"#\", b#c: d } # flow\n\n" +
		"# hosts\nsessionHosts:\n  - name: å # three\n  # last\n" +
		"--- # head\nkind: Cluster\nname: c\ndescription: |\n  # not one\n  x\n#   end\r\n---\n# nothing\n"
	s := snapshotOf(t, text)
	comments, err := s.Comments()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range comments {
		line := fmt.Sprintf("%d:%d %s/%s %s", c.Line, c.Column, c.Kind, c.Resource, c.Text)
		if c.Head {
			line += " head"
		}
		if c.OwnLine {
			line += " alone"
		}
		got = append(got, line)
	}
	want := []string{
		"1:1 HostPool/hp#1 file head alone",
		"2:1 HostPool/hp#1 of two head alone",
		"3:16 HostPool/hp#1 pool",
		"5:26 HostPool/hp#1 two",
		"7:25 HostPool/hp#1 flow",
		"9:1 HostPool/hp#1 hosts alone",
		"11:13 HostPool/hp#1 three",
		"12:3 HostPool/hp#1 last alone",
		"13:5 Cluster/c head head",
		"19:1 Cluster/c end alone",
		"21:1 / nothing head alone",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func TestLocateAll(t *testing.T) {
	s := snapshotOf(t, "# first\n---\n# second\nkind: HostPool\nname: hp\nsessionHosts:\n- name: h\n  sessions: [{id: \"7\", user: u}]\n  status: Available\n")
	paths := [][]string{nil, {"name"}, {"sessionHosts", "H", "status"}, {"sessionHosts", "h", "sessions", "7"}, {"sessionHosts", "h", "sessions", "u"}, {"sessionHosts", "x"}, {"maxSessionLimit"}}
	want := []Position{{4, 1}, {5, 1}, {9, 3}, {8, 14}, {8, 14}, {6, 1}, {4, 1}}
	got := s.LocateAll(HostPool, "HP", paths)
	for i := range paths {
		if one := s.Locate(HostPool, "HP", paths[i]); got[i] != want[i] || one != want[i] {
			t.Errorf("%q: %v and %v, want %v", paths[i], got[i], one, want[i])
		}
	}
	if got := s.Locate(Cluster, "hp", []string{"name"}); got != (Position{1, 1}) {
		t.Errorf("an unknown resource is at %v", got)
	}
}

func snapshotOf(t *testing.T, text string) *Snapshot {
	t.Helper()
	f, err := cut("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &Snapshot{file: f}
}
