package state

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatepool/pkg/hostpool"
)

// sameValues makes sure that a document of the simple form is decoded without
// nodes just as it is with them, and handed over if it has a mistake.
func sameValues(t interface {
	Helper()
	Errorf(string, ...any)
}, text string) (decoded bool) {
	t.Helper()
	var nodes nodeSink
	if !simpleCharacters(text) || !recognise(text, &nodes) {
		return false
	}
	fast, ok := newValueSink().read(text)
	root := &nodes.stack[0]
	slow, err := (&file{path: "test.yaml", data: []byte(text), eol: "\n"}).decode(root)
	switch {
	case ok && err != nil:
		t.Errorf("decoded what is wrong: %v\n%q", err, text)
	case ok && !reflect.DeepEqual(fast, slow):
		t.Errorf("decoded %+v%+v, want %+v%+v\n%q", fast.pool, fast.cluster, slow.pool, slow.cluster, text)
	case !ok && err == nil && kindFirst(root):
		t.Errorf("handed over without need: %q", text)
	}
	return ok
}

// kindFirst reports whether a document says its kind before any property.
func kindFirst(root *node) bool {
	at := slices.IndexFunc(root.items, func(n node) bool { return n.value == "kind" })
	return at == 0 || at == 2 && root.items[0].value == "apiVersion"
}

// Documents of the simple form, with whether all is right in them. That what is
// wrong gets the right message is TestMistakes' matter.
var valueCases = []struct {
	text    string
	decoded bool
}{
	{head, true},
	{"apiVersion: gatepool/v1\nkind: HostPool\nname: hp\n", true},
	{"name: hp\nkind: HostPool\napiVersion: gatepool/v1\n", false},
	{"kind: HostPool\nname: hp\napiVersion: gatepool/v1\n", true},
	{"kind: HostPool\nname: hp\n", false},
	{"kind: HostPool\napiVersion: gatepool/v2\nname: hp\n", false},
	{"kind: HostPool\napiVersion: gatepool/v1\n", false},
	{"kind: Hostpool\napiVersion: gatepool/v1\nname: hp\n", false},
	{head + "kind: HostPool\n", false},
	{head + "apiVersion: gatepool/v1\n", false},
	{head + "name: hp\n", false},
	{head + "members: []\n", false},
	{head + "tags: {a: b, kind: c}\nsessionHosts: []\n", true},
	{head + "tags: {a: b, a: c}\n", false},
	{head + "tags: [a]\n", false},
	{head + "tags: a\n", false},
	{head + "tags: {a: {b: c}}\n", false},
	{head + "tags: {a: [b]}\n", false},
	{head + "name: {a: b}\n", false},
	{head + "description: [a]\n", false},
	{head + "maxSessionLimit: 12\nstartVMOnConnect: true\nloadBalancerType: DepthFirst\n", true},
	{head + "maxSessionLimit: '12'\n", false},
	{head + "maxSessionLimit: 1000000\n", false},
	{head + "startVMOnConnect: \"true\"\n", false},
	{head + "loadBalancerType: depthfirst\n", false},
	{head + "sessionHosts: a\n", false},
	{head + "sessionHosts: {name: a}\n", false},
	{head + "sessionHosts: [a]\n", false},
	{head + "sessionHosts: [[]]\n", false},
	{head + "sessionHosts: [{name: a}, {name: A}]\n", false},
	{head + "sessionHosts: [{name: a, kind: b}]\n", false},
	{head + "sessionHosts: [{status: Available}]\n", false},
	{head + "sessionHosts:\n- name: a\n  lastHeartBeat: 2026-11-29T08:00:00.5+01:00\n  sessions:\n  - user: a\n  - {user: a, id: 1}\n- name: b\n  sessions: []\n", true},
	{head + "sessionHosts:\n- name: a\n  lastHeartBeat: 2026-02-30T08:00:00Z\n", false},
	{head + "sessionHosts:\n- {name: a, sessions: [{user: a, id: 1}, {user: b, id: 1}]}\n", false},
	{"kind: Cluster\napiVersion: gatepool/v1\nname: c\nmembers:\n- {name: a, limits: {cpu: 80}, counters: [{from: 2026-11-29T08:00:00Z, to: 2026-11-29T08:05:00Z, cpu: 4.5}]}\n- name: b\nusers:\n- {principal: a, role: ConnectionCreator, dataSourceTypes: [Sql, \"x\"]}\n", true},
	{"kind: Cluster\napiVersion: gatepool/v1\nname: c\nmembers:\n- {name: a, limits: 80}\n", false},
	{"kind: Cluster\napiVersion: gatepool/v1\nname: c\nmembers:\n- {name: a, limits: [80]}\n", false},
	{"kind: Cluster\napiVersion: gatepool/v1\nname: c\nusers:\n- {principal: a, role: ConnectionCreator, dataSourceTypes: [[Sql]]}\n", false},
	{"kind: Cluster\napiVersion: gatepool/v1\nname: c\nusers:\n- {principal: a, role: ConnectionCreator, dataSourceTypes: Sql}\n", false},
	{"a", false},
	{"- a\n", false},
	{"[]", false},
	{"{}", false},
}

func TestValuesEqualNodes(t *testing.T) {
	for _, test := range valueCases {
		if got := sameValues(t, test.text); got != test.decoded {
			t.Errorf("%q: decoded %t, want %t", test.text, got, test.decoded)
		}
	}
	example, err := os.ReadFile("../docs/examples/contoso.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i, doc := range strings.Split(string(example), "---\n") {
		if !sameValues(t, doc) {
			t.Errorf("document %d of the example is handed over", i)
		}
	}
}

func TestValuesEqualNodesOnRandomDocuments(t *testing.T) {
	decoded := 0
	rapid.Check(t, func(t *rapid.T) {
		_, docs, _ := drawOddFile(t)
		for _, d := range docs {
			if sameValues(t, encode(d.resource, "\n")) {
				decoded++
			}
			sameValues(t, mutate(t, encode(d.resource, "\n")))
			sameValues(t, d.text)
		}
	})
	if !testing.Short() && decoded < 10 {
		t.Errorf("only %d documents were decoded: the generator is too wild to say anything", decoded)
	}
}

func FuzzValues(f *testing.F) {
	for _, test := range valueCases {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) { sameValues(t, text) })
}

// One sink reads many documents. What it read before stays as it is, and what
// it takes back leaves nothing behind.
func TestValueSinkIsUsedAgain(t *testing.T) {
	documents := func(hosts int, property string) []string {
		var texts []string
		for i := range 4 {
			var b strings.Builder
			b.WriteString(head + "sessionHosts:\n")
			for h := range hosts / (i + 1) {
				fmt.Fprintf(&b, "- name: h%d\n  %s\n  sessions: [{user: a, id: %d}, {user: b}]\n", h, property, i)
			}
			texts = append(texts, b.String())
		}
		return texts
	}
	for _, hosts := range []int{4, 100, 20000} {
		texts := append(documents(hosts, "assignedUser: x"), documents(hosts, "agentVersion: y")...)
		for _, recycle := range []bool{false, true} {
			sink := newValueSink()
			var kept []resource
			for i, text := range texts {
				r, ok := sink.read(text)
				if !ok {
					t.Fatalf("%d hosts, document %d is handed over", hosts, i)
				}
				if recycle {
					if want, _ := newValueSink().read(text); !reflect.DeepEqual(r, want) {
						t.Fatalf("%d hosts, document %d is read otherwise than by a new sink", hosts, i)
					}
					sink.recycle()
				}
				kept = append(kept, r)
			}
			for i, r := range kept {
				if want, _ := newValueSink().read(texts[i]); !recycle && !reflect.DeepEqual(r, want) {
					t.Errorf("%d hosts, document %d has changed since", hosts, i)
				}
			}
		}
	}
}

// What is appended to a list does not run into the next one.
func TestListsOfOneRoomAreApart(t *testing.T) {
	r, ok := newValueSink().read(head + "sessionHosts: [{name: a, sessions: [{user: a}]}, {name: b, sessions: [{user: b}]}]\n")
	if !ok {
		t.Fatal("handed over")
	}
	hosts := r.pool.SessionHosts
	hosts[0].Sessions = append(hosts[0].Sessions, hostpool.Session{User: "c"})
	if user := hosts[1].Sessions[0].User; user != "b" {
		t.Errorf("the session of the next host is now that of %s", user)
	}
}

func TestDayReadsAsTimeParse(t *testing.T) {
	var d day
	for _, text := range []string{"2026-11-29T08:00:00Z", "2026-11-29T23:59:59Z", "2026-11-29T24:00:00Z", "2026-11-29T08:60:00Z", "2026-11-29T08:00:60Z",
		"2026-11-30T00:00:00Z", "2024-02-29T01:02:03Z", "2025-02-29T01:02:03Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-11-2aT08:00:00Z",
		"2026-11-29t08:00:00Z", "2026-11-29T08:00:00z", "2026-11-29T08.00.00Z", "2026-11-29T8:00:000Z", "2026-11-29T 8:00:00Z", "2026-11-29T08:00:0/Z", "2026-11-29 08:00:00Z", "",
		"2026-11-29T08:00:00+01:00", "2026-11-29T08:00:00.5Z"} {
		var got time.Time
		want, err := time.Parse(time.RFC3339, text)
		if ok := d.set(&got, text); ok && (err != nil || got != want) {
			t.Errorf("%q is read as %v, want %v, %v", text, got, want, err)
		} else if !ok && err == nil && len(text) == 20 {
			t.Errorf("%q is not read", text)
		}
	}
}
