package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"gopkg.in/yaml.v3"
)

// The width of characters such as … depends on the locale; the tests choose.
func TestMain(m *testing.M) {
	twwidth.SetEastAsian(false)
	os.Exit(m.Run())
}

type host struct {
	Name            string   `json:"name"`
	Status          string   `json:"status"`
	AllowNewSession bool     `json:"allowNewSession"`
	Sessions        int      `json:"sessions"`
	MaxSessionLimit int      `json:"maxSessionLimit,omitempty"`
	AssignedUser    string   `json:"assignedUser,omitempty"`
	Tags            []string `json:"tags,omitempty"`
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func hostColumns() []Column[host] {
	return []Column[host]{
		{Name: "name", Value: func(h host) string { return h.Name }},
		{Name: "status", Value: func(h host) string { return h.Status }, Style: func(h host) Style {
			switch h.Status {
			case "Available":
				return Good
			case "Upgrading":
				return Warn
			case "Shutdown":
				return Dim
			}
			return Bad
		}},
		{Name: "allowNewSession", Value: func(h host) string { return strconv.FormatBool(h.AllowNewSession) }},
		{Name: "sessions", Value: func(h host) string { return strconv.Itoa(h.Sessions) }, Right: true},
		{Name: "maxSessionLimit", Value: func(h host) string { return number(h.MaxSessionLimit) }, Right: true},
		{Name: "free", Value: func(h host) string {
			if h.MaxSessionLimit == 0 {
				return "unlimited"
			}
			return strconv.Itoa(h.MaxSessionLimit - h.Sessions)
		}, Right: true},
		{Name: "assignedUser", Wide: true, Value: func(h host) string { return h.AssignedUser }},
	}
}

func twoHosts() []host {
	return []host{
		{Name: "avd-eu-0.contoso.example", Status: "Available", AllowNewSession: true, Sessions: 7, MaxSessionLimit: 12, Tags: []string{"a&b"}},
		{Name: "avd-eu-1", Status: "Shutdown", Sessions: 0, AssignedUser: "Ann, \"the boss\" <ann@contoso.example>"},
	}
}

func print[T any](t *testing.T, o Options, rows []T, columns []Column[T]) string {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, o, rows, columns); err != nil {
		t.Fatalf("Write(%+v): %v", o, err)
	}
	return buf.String()
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestEachFormat(t *testing.T) {
	tests := []struct {
		options Options
		want    string
	}{
		{Options{Format: Table}, `
NAME                      STATUS     ALLOW NEW SESSION  SESSIONS  MAX SESSION LIMIT       FREE
avd-eu-0.contoso.example  Available  true                      7                 12          5
avd-eu-1                  Shutdown   false                     0             <none>  unlimited
`},
		{Options{Format: Wide}, `
NAME                      STATUS     ALLOW NEW SESSION  SESSIONS  MAX SESSION LIMIT       FREE  ASSIGNED USER
avd-eu-0.contoso.example  Available  true                      7                 12          5  <none>
avd-eu-1                  Shutdown   false                     0             <none>  unlimited  Ann, "the boss" <ann@contoso.example>
`},
		{Options{Format: Table, NoHeaders: true}, `
avd-eu-0.contoso.example  Available  true   7      12          5
avd-eu-1                  Shutdown   false  0  <none>  unlimited
`},
		{Options{Format: Table, Columns: []string{"assigned-user", "NAME"}}, `
ASSIGNED USER                          NAME
<none>                                 avd-eu-0.contoso.example
Ann, "the boss" <ann@contoso.example>  avd-eu-1
`},
		{Options{Format: JSON}, `
[
  {
    "name": "avd-eu-0.contoso.example",
    "status": "Available",
    "allowNewSession": true,
    "sessions": 7,
    "maxSessionLimit": 12,
    "tags": [
      "a&b"
    ]
  },
  {
    "name": "avd-eu-1",
    "status": "Shutdown",
    "allowNewSession": false,
    "sessions": 0,
    "assignedUser": "Ann, \"the boss\" <ann@contoso.example>"
  }
]
`},
		{Options{Format: NDJSON}, `
{"name":"avd-eu-0.contoso.example","status":"Available","allowNewSession":true,"sessions":7,"maxSessionLimit":12,"tags":["a&b"]}
{"name":"avd-eu-1","status":"Shutdown","allowNewSession":false,"sessions":0,"assignedUser":"Ann, \"the boss\" <ann@contoso.example>"}
`},
		{Options{Format: YAML}, `
- name: avd-eu-0.contoso.example
  status: Available
  allowNewSession: true
  sessions: 7
  maxSessionLimit: 12
  tags:
    - a&b
- name: avd-eu-1
  status: Shutdown
  allowNewSession: false
  sessions: 0
  assignedUser: Ann, "the boss" <ann@contoso.example>
`},
		{Options{Format: CSV}, `
name,status,allowNewSession,sessions,maxSessionLimit,free,assignedUser
avd-eu-0.contoso.example,Available,true,7,12,5,
avd-eu-1,Shutdown,false,0,,unlimited,"Ann, ""the boss"" <ann@contoso.example>"
`},
		{Options{Format: CSV, NoHeaders: true, Columns: []string{"free", "status"}}, `
5,Available
unlimited,Shutdown
`},
		{Options{Format: Name}, `
avd-eu-0.contoso.example
avd-eu-1
`},
		{Options{Format: Name, Columns: []string{"Status", "name"}}, `
Available
Shutdown
`},
		// free is no property: a number where it is one. maxSessionLimit is one
		// that the second host leaves out, and tags have no column.
		{Options{Format: NDJSON, Columns: []string{"free", "max session limit", "name", "free"}}, `
{"free":5,"maxSessionLimit":12,"name":"avd-eu-0.contoso.example"}
{"free":"unlimited","maxSessionLimit":null,"name":"avd-eu-1"}
`},
		{Options{Format: JSON, Columns: []string{"AssignedUser", "allownewsession"}}, `
[
  {
    "assignedUser": null,
    "allowNewSession": true
  },
  {
    "assignedUser": "Ann, \"the boss\" <ann@contoso.example>",
    "allowNewSession": false
  }
]
`},
		{Options{Format: YAML, Columns: []string{"sessions", "free", "maxSessionLimit"}}, `
- sessions: 7
  free: 5
  maxSessionLimit: 12
- sessions: 0
  free: unlimited
  maxSessionLimit: null
`},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s %v", test.options.Format, test.options.Columns), func(t *testing.T) {
			check(t, print(t, test.options, twoHosts(), hostColumns()), strings.TrimPrefix(test.want, "\n"))
		})
	}
}

func TestEmptyList(t *testing.T) {
	want := map[Format]string{
		Table:  "NAME  STATUS  ALLOW NEW SESSION  SESSIONS  MAX SESSION LIMIT  FREE\n",
		Wide:   "NAME  STATUS  ALLOW NEW SESSION  SESSIONS  MAX SESSION LIMIT  FREE  ASSIGNED USER\n",
		JSON:   "[]\n",
		NDJSON: "",
		YAML:   "[]\n",
		CSV:    "name,status,allowNewSession,sessions,maxSessionLimit,free,assignedUser\n",
		Name:   "",
	}
	for _, f := range Formats() {
		for _, rows := range [][]host{nil, {}} {
			check(t, print(t, Options{Format: f}, rows, hostColumns()), want[f])
		}
		if !f.Machine() || f == CSV {
			check(t, print(t, Options{Format: f, NoHeaders: true}, nil, hostColumns()), "")
		}
	}
}

func TestWriteOne(t *testing.T) {
	tests := []struct {
		options Options
		want    string
	}{
		{Options{Format: Table, Columns: []string{"name", "sessions"}}, "NAME                      SESSIONS\navd-eu-0.contoso.example         7\n"},
		{Options{Format: JSON, Columns: []string{"name", "free"}}, "{\n  \"name\": \"avd-eu-0.contoso.example\",\n  \"free\": 5\n}\n"},
		{Options{Format: NDJSON, Columns: []string{"name"}}, "{\"name\":\"avd-eu-0.contoso.example\"}\n"},
		{Options{Format: YAML}, "name: avd-eu-0.contoso.example\nstatus: Available\nallowNewSession: true\nsessions: 7\nmaxSessionLimit: 12\ntags:\n  - a&b\n"},
		{Options{Format: CSV, Columns: []string{"name"}}, "name\navd-eu-0.contoso.example\n"},
		{Options{Format: Name}, "avd-eu-0.contoso.example\n"},
	}
	for _, test := range tests {
		var buf bytes.Buffer
		if err := WriteOne(&buf, test.options, twoHosts()[0], hostColumns()); err != nil {
			t.Fatal(err)
		}
		check(t, buf.String(), test.want)
	}
}

func TestMachine(t *testing.T) {
	for f, want := range map[Format]bool{Table: false, Wide: false, JSON: true, NDJSON: true, YAML: true, CSV: true, Name: true} {
		if f.Machine() != want {
			t.Errorf("%s.Machine() = %v", f, !want)
		}
		if !slices.Contains(Formats(), f) {
			t.Errorf("Formats() lacks %s", f)
		}
	}
}

func TestUnknownColumn(t *testing.T) {
	valid := []string{"name", "status", "allowNewSession", "sessions", "maxSessionLimit", "free", "assignedUser"}
	tests := []struct{ name, nearest string }{
		{"max-sesion-limit", "maxSessionLimit"},
		{"Statsu", "status"},
		{"nam", "name"},
		{"session", "sessions"},
		{"tags", ""},
		{"x", ""},
		{"", ""},
		{"assigned user!", "assignedUser"},
	}
	for _, test := range tests {
		for _, f := range Formats() {
			var buf bytes.Buffer
			err := Write(&buf, Options{Format: f, Columns: []string{"name", test.name}}, twoHosts(), hostColumns())
			var unknown *ColumnError
			if !errors.As(err, &unknown) {
				t.Fatalf("-o %s --columns %s: error is %v", f, test.name, err)
			}
			if unknown.Name != test.name || unknown.Nearest != test.nearest || !slices.Equal(unknown.Valid, valid) {
				t.Errorf("-o %s --columns %s: %+v", f, test.name, *unknown)
			}
			if buf.Len() > 0 {
				t.Errorf("-o %s --columns %s printed %q", f, test.name, buf.String())
			}
		}
	}
	err := &ColumnError{Name: "a\x1b", Valid: []string{"name", "status"}}
	check(t, err.Error(), `there is no column "a\x1b"; the columns are name, status`)
}

func TestUnknownFormat(t *testing.T) {
	for _, f := range []Format{"", "xml", "JSON"} {
		if err := Write(io.Discard, Options{Format: f}, twoHosts(), hostColumns()); err == nil {
			t.Errorf("format %q: no error", f)
		}
	}
}

// A full is a writer that takes so many bytes and no more.
type full struct{ room int }

var errFull = errors.New("no space left")

func (w *full) Write(p []byte) (int, error) {
	if len(p) > w.room {
		n := w.room
		w.room = 0
		return n, errFull
	}
	w.room -= len(p)
	return len(p), nil
}

func TestWriterErrors(t *testing.T) {
	for _, f := range Formats() {
		for _, n := range []int{1, 10, 1000} { // tables: by tablewriter, and padded
			rows := slices.Repeat(twoHosts(), n)
			o := Options{Format: f}
			length := len(print(t, o, rows, hostColumns()))
			for _, room := range []int{0, 1, length / 2, length - 1} {
				if err := Write(&full{room}, o, rows, hostColumns()); !errors.Is(err, errFull) {
					t.Errorf("%s, %d rows, room for %d of %d bytes: error is %v", f, len(rows), room, length, err)
				}
			}
			if err := Write(&full{length}, o, rows, hostColumns()); err != nil {
				t.Errorf("%s, %d rows, room for all: %v", f, len(rows), err)
			}
		}
	}
}

func TestRowThatIsNoJSON(t *testing.T) {
	columns := []Column[func()]{{Name: "name", Value: func(func()) string { return "x" }}}
	for _, o := range []Options{{Format: JSON}, {Format: NDJSON}, {Format: YAML}, {Format: JSON, Columns: []string{"name"}}} {
		var buf bytes.Buffer
		if err := Write(&buf, o, []func(){nil}, columns); err == nil {
			t.Errorf("%s: no error, printed %q", o.Format, buf.String())
		}
	}
}

// Rows need be no structs, and a column may show what JSON hides.
func TestColumnsOfOtherRows(t *testing.T) {
	type secretive struct {
		Shown  string `json:"shown"`
		Hidden string `json:"-"`
		Absent string `json:",omitempty"`
	}
	columns := []Column[*secretive]{
		{Name: "hidden", Value: func(s *secretive) string { return s.Hidden }},
		{Name: "shown", Value: func(s *secretive) string { return s.Shown }},
		{Name: "Absent", Value: func(s *secretive) string { return "nothing" }},
		{Name: "odd", Right: true, Value: func(s *secretive) string { return s.Shown }},
	}
	o := Options{Format: NDJSON, Columns: []string{"hidden", "shown", "absent", "odd"}}
	for shown, odd := range map[string]string{"": `null`, "true": `"true"`, "-3.5e2": `-3.5e2`, "-": `"-"`, "12 %": `"12 %"`, "0x10": `"0x10"`, `"x"`: `"\"x\""`} {
		text, _ := json.Marshal(shown)
		got := print(t, o, []*secretive{{Hidden: "7", Shown: shown}}, columns)
		check(t, got, fmt.Sprintf(`{"hidden":"7","shown":%s,"Absent":null,"odd":%s}`+"\n", text, odd))
	}
	pairs := []map[string]any{{"b": 1, "a": "<x>"}}
	ofMaps := []Column[map[string]any]{
		{Name: "c", Value: func(map[string]any) string { return "text" }},
		{Name: "a", Value: func(m map[string]any) string { return fmt.Sprint(m["a"]) }},
	}
	check(t, print(t, Options{Format: NDJSON, Columns: []string{"c", "a"}}, pairs, ofMaps), `{"c":"text","a":"<x>"}`+"\n")
}

func TestHeader(t *testing.T) {
	for name, want := range map[string]string{
		"name":             "NAME",
		"maxSessionLimit":  "MAX SESSION LIMIT",
		"startVMOnConnect": "START VM ON CONNECT",
		"osVersion":        "OS VERSION",
		"OSVersion":        "OS VERSION",
		"resourceId":       "RESOURCE ID",
		"resourceID":       "RESOURCE ID",
		"p95Sessions":      "P95 SESSIONS",
	} {
		check(t, header(name), want)
	}
}

func TestHeaderOfItsOwn(t *testing.T) {
	columns := []Column[host]{
		{Name: "name", Value: func(h host) string { return h.Name }},
		{Name: "maxSessionLimit", Header: "LIMIT", Value: func(h host) string { return number(h.MaxSessionLimit) }, Right: true},
	}
	var b strings.Builder
	if err := Write(&b, Options{Format: Table, Columns: []string{"limit"}}, twoHosts(), columns); err != nil {
		t.Fatal(err)
	}
	check(t, b.String(), " LIMIT\n    12\n<none>\n")
	b.Reset()
	if err := Write(&b, Options{Format: CSV, Columns: []string{"limit"}}, twoHosts(), columns); err != nil {
		t.Fatal(err)
	}
	check(t, b.String(), "maxSessionLimit\n12\n\"\"\n")
}

// hostile texts try to steer the terminal, forge lines or cells, or run.
var hostile = []string{
	"\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\u009b31m", "a\rb", "two\nlines", "a\tb", "nul\x00", "del\x7f",
	"$(touch x)", "`touch x`", "%PATH%", "-rf", "=cmd|'/c calc'!A1", `quote " and , comma`, `\.`, "'", "&amp;<b>",
	"\u202egnp.exe", "\u2066x\u2069", "\u200f", "\u061c", "line\u2028sep", "para\u2029sep", "\u0085", "bad\xff\xfeutf8", "\xed\xa0\x80",
	" lead", "trail ", " ", "\u3000", "\ufeffbom", "\uffff", "\ufffd", "- x", "# x", "x: y", "!!str x", "&a", "*a", "{", "[]", "|", ">", "%", "@", "?", "---", "...",
	"yes", "No", "on", "y", "null", "~", "true", "12", "0x1f", "010", "1e3", ".5", "12:30:45", "190:20", "2024-02-30", "2024-01-01T00:00:00Z", "<<", "=", ".inf", ".NaN", "+1", "1_000",
	"日本語のホスト", "👩‍💻", "👍🏽", "❤️", "🇩🇪", "e\u0301", "\u0301", "עברית", "ห้อง", strings.Repeat("x", 3000), strings.Repeat("\n", 20),
}

func hostileHosts() []host {
	var rows []host
	for _, s := range hostile {
		rows = append(rows, host{Name: s, Status: s, AssignedUser: s, Tags: []string{s}})
	}
	return rows
}

// loose reports whether r steers a terminal, other than by ending a line.
func loose(r rune) bool { return r != '\n' && r != utf8.RuneError && steers(r) }

// No format but csv, which keeps bytes, lets a control character through; and
// a table and a list of names has one line for each row.
func TestHostileText(t *testing.T) {
	rows := hostileHosts()
	for _, f := range Formats() {
		if f == CSV {
			continue
		}
		for _, times := range []int{1, 4} {
			rows := slices.Repeat(rows, times)
			got := print(t, Options{Format: f, NoHeaders: true}, rows, hostColumns())
			if at := strings.IndexFunc(got, loose); at >= 0 || !utf8.ValidString(got) {
				t.Errorf("%s: unclean at %d: %q", f, at, got)
			}
			if lines := strings.Count(got, "\n"); (f == Table || f == Wide || f == Name || f == NDJSON) && lines != len(rows) {
				t.Errorf("%s: %d lines of %d rows", f, lines, len(rows))
			}
		}
	}
}

// decode reads back what a format printed of the hosts.
func decode(t *testing.T, f Format, text string) []host {
	t.Helper()
	var hosts []host
	var err error
	switch f {
	case JSON:
		err = json.Unmarshal([]byte(text), &hosts)
	case NDJSON:
		for line := range strings.Lines(text) {
			var h host
			if err := json.Unmarshal([]byte(line), &h); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			hosts = append(hosts, h)
		}
	case YAML:
		var generic any
		if err := yaml.Unmarshal([]byte(text), &generic); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		again, err := json.Marshal(generic)
		if err != nil {
			t.Fatal(err)
		}
		return decode(t, JSON, string(again))
	}
	if err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return hosts
}

// FuzzSameData checks that json, ndjson and yaml carry any text unharmed, and
// no character that steers.
func FuzzSameData(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := string([]rune(s)) // a byte that is no UTF-8 becomes U+FFFD
		rows := []host{{Name: s, Status: "x" + s, Tags: []string{s, s + "x"}}}
		for _, format := range []Format{JSON, NDJSON, YAML} {
			text := print(t, Options{Format: format}, rows, hostColumns())
			got := decode(t, format, text)
			if len(got) != 1 || got[0].Name != want || got[0].Status != "x"+want || !slices.Equal(got[0].Tags, []string{want, want + "x"}) {
				t.Errorf("%s of %q reads as %+v", format, s, got)
			}
			if strings.ContainsFunc(text, loose) || !utf8.ValidString(text) {
				t.Errorf("%s of %q is %q", format, s, text)
			}
		}
	})
}
