package state

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/unicode"

	"gatepool/pkg/atomicfile"
	"gatepool/pkg/hostpool"
)

// Every mistake is told with its exact place, and with what would be right.
func TestMistakes(t *testing.T) {
	const finance = "kind: Cluster\napiVersion: gatepool/v1\nname: fin\n"
	tests := []struct {
		text         string
		line, column int
		message      string
	}{
		// What a document is.
		{"a\n", 1, 1, "a document must be a mapping that begins with kind: HostPool or kind: Cluster, not a value"},
		{"# c\n- a\n", 2, 1, "a document must be a mapping that begins with kind: HostPool or kind: Cluster, not a list"},
		{"name: hp\n", 1, 1, "the document has no kind: write kind: HostPool or kind: Cluster"},
		{"name: hp\nkind:  Hostpool # x\n", 2, 8, `unknown kind "Hostpool"; did you mean HostPool?`},
		{"kind: HostPool\nname: hp\n", 1, 1, "the document has no apiVersion: write apiVersion: gatepool/v1"},
		{"kind: HostPool\napiVersion: gatepool/v2\nname: hp\n", 2, 13, `apiVersion "gatepool/v2" is not one that this gatepool reads: it knows gatepool/v1; a newer gatepool may have written the file`},
		{"kind: HostPool\napiVersion: gatepool/v1\n", 1, 1, "name is missing"},
		{"kind: HostPool\napiVersion: gatepool/v1\nname: ''\n", 3, 7, "name is empty"},
		{head + "--- # two\n\n" + strings.Replace(head, "hp", "HP", 1), 6, 1, `HostPool "HP" is already in line 1: names must differ by more than case`},
		{head + "...\n" + head, 4, 1, "another document follows this line: write --- in its place"},
		{"%YAML 1.2\n---\n" + head, 1, 1, "a directive: remove the line, the state file has none"},

		// Keys.
		{head + "maxSessionLimt: 12\n", 4, 1, `unknown key "maxSessionLimt"; did you mean maxSessionLimit?`},
		{head + "sessionHosts:\n  - name: a\n    alowNewSession: true\n", 6, 5, `unknown key "alowNewSession"; did you mean allowNewSession?`},
		{head + "sessionHosts:\n  - {name: a, sessions: [{user: ü, stat: Active}]}\n", 5, 36, `unknown key "stat"; did you mean state?`},
		{head + "members: []\n", 4, 1, `unknown key "members"`},
		{head + "name: hp2\n", 4, 1, "name stands twice: it is already in line 3"},
		{head + "kind: HostPool\n", 4, 1, "kind stands twice: it is already in line 1"},
		{head + "tags: {a: b, a: c}\n", 4, 14, `tags holds "a" twice`},
		{head + "? [a]\n: b\n", 4, 3, "a key must be a plain name"},
		{head + "<<: {description: x}\n", 4, 1, `unknown key "<<"`},

		// Values.
		{head + "maxSessionLimit: 010\n", 4, 18, `maxSessionLimit is "010"; expected a whole number from 0 to 999999`},
		{head + "maxSessionLimit: 3.7\n", 4, 18, `maxSessionLimit is "3.7"; expected a whole number from 0 to 999999`},
		{head + "maxSessionLimit: 0x10\n", 4, 18, `maxSessionLimit is "0x10"; expected a whole number from 0 to 999999`},
		{head + "maxSessionLimit: 1_000\n", 4, 18, `maxSessionLimit is "1_000"; expected a whole number from 0 to 999999`},
		{head + "maxSessionLimit: '12'\n", 4, 18, `maxSessionLimit is "12"; expected a whole number from 0 to 999999`},
		{head + "maxSessionLimit: 1000000\n", 4, 18, `maxSessionLimit is "1000000"; expected a whole number from 0 to 999999`},
		{head + "maxSessionLimit: 99999999999999999999\n", 4, 18, `maxSessionLimit is "99999999999999999999"; expected a whole number from 0 to 999999`},
		{head + "startVMOnConnect: yes\n", 4, 19, `startVMOnConnect is "yes"; expected true or false, without quotes`},
		{head + "startVMOnConnect: 'true'\n", 4, 19, `startVMOnConnect is "true"; expected true or false, without quotes`},
		{head + "startVMOnConnect: True\n", 4, 19, `startVMOnConnect is "True"; expected true or false, without quotes`},
		{head + "description: ~\n", 4, 1, "description has no value: give it one, or remove the line"},
		{head + "description:\n", 4, 1, "description has no value: give it one, or remove the line"},
		{head + "description: null\n", 4, 1, "description has no value: give it one, or remove the line"},
		{head + "description: [a]\n", 4, 14, "description is a list; expected a text"},
		{head + "loadBalancerType: depth-first\n", 4, 19, `loadBalancerType is "depth-first"; expected BreadthFirst, DepthFirst, Persistent, MultiplePersistent; did you mean DepthFirst?`},
		{head + "tags: [a]\n", 4, 7, "tags is a list; expected a mapping of texts"},
		{head + "tags: {a: [b]}\n", 4, 8, `tags "a" must be a text, not a list`},
		{head + "sessionHosts: {a: b}\n", 4, 15, "sessionHosts is a mapping; expected a list"},
		{head + "sessionHosts: [a]\n", 4, 16, "a value stands here; expected a mapping with name, status, "},
		{head + "sessionHosts:\n  - status: Available\n", 5, 5, "name is missing"},
		{head + "sessionHosts:\n  - name: a\n  - name: A\n", 6, 5, `sessionHosts holds "A" twice: it is already in line 5`},
		{head + "sessionHosts: [name: a]\n", 4, 16, "a key and its value in a list: put braces around them"},
		{head + "sessionHosts:\n  - name: a\n    lastHeartBeat: yesterday\n", 6, 20, `lastHeartBeat is "yesterday"; expected a time such as 2026-11-29T08:00:00Z`},
		{finance + "members:\n  - {name: a, limits: {cpu: 101}}\n", 5, 29, `cpu is "101"; expected a whole number from 0 to 100`},
		{finance + "members:\n  - {name: a, counters: [{from: 2026-11-29T08:00:00Z, to: 2026-11-29T08:05:00Z, cpu: .inf}]}\n", 5, 86, `cpu is ".inf"; expected a number from 0 to 100`},
		{finance + "users:\n  - {principal: p}\n", 5, 5, "role is missing"},
		{finance + "users:\n  - {principal: p, role: Admin, dataSourceTypes: [[a]]}\n", 5, 51, "dataSourceTypes holds texts, not a list"},

		// YAML that the file does not have.
		{head + "description: &a x\n", 4, 14, "an anchor (&a): remove it, the state file has none"},
		{head + "description: *a\n", 4, 14, "an alias (*a): write the value out, the state file has none"},
		{head + "sessionHosts: &a [*a]\n", 4, 15, "an anchor (&a): remove it, the state file has none"},
		{head + "description: !!str x\n", 4, 14, "a tag (!!str): remove it, the state file has none"},
		{head + "description: x\n  : y\n", 5, 3, "not valid YAML: did not find expected key"},
		{head + "description: x: y\n", 4, 1, "not valid YAML: mapping values are not allowed in this context"},
		{head + "\tdescription: x\n", 4, 1, "a tab as indentation: YAML wants blanks"},
		{head + "description: [x\n", 4, 1, "not valid YAML: did not find expected ',' or ']'"},
		{head + "description: a\u2028b\n", 4, 15, `the invisible line separator U+2028: remove it, or write "\u2028" in double quotes`},
		{head + "description: a\rname: b\n", 4, 15, "a carriage return without a line feed: save the file with LF or CR LF line ends"},

		// Bytes.
		{head + "description: a\x00\n", 4, 15, "a NUL byte: this is not a text file"},
		{head + "description: caf\xe9\n", 4, 17, "byte 0xE9 is not UTF-8: save the file as UTF-8"},
		{"\ufeff" + strings.ReplaceAll(head, "\n", "\r\n") + "startVMOnConnect:  ja\r\n", 4, 20, `startVMOnConnect is "ja"; expected true or false, without quotes`},
	}
	for _, test := range tests {
		err := valid("f.yaml", []byte(test.text))
		var invalid *InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		want := fmt.Sprintf("f.yaml:%d:%d: %s", test.line, test.column, test.message)
		if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s", test.text, err, want)
		}
		sameValues(t, test.text)
	}
}

func TestNothingInTheFile(t *testing.T) {
	for _, text := range []string{"", "\ufeff", "\n", "# only\n# comments\n", "---\n", "--- # x\n---\n"} {
		f, err := cut("f.yaml", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		s := Snapshot{file: f}
		if names := append(s.Names(HostPool), s.Names(Cluster)...); names != nil {
			t.Errorf("%q holds %v", text, names)
		}
		after := edited(t, text, func(tx *Tx) error {
			return tx.AddPool(&hostpool.Pool{Name: "new", HostPoolType: hostpool.Pooled, LoadBalancerType: hostpool.BreadthFirst})
		})
		if !strings.HasPrefix(after, text) {
			t.Errorf("%q became %q", text, after)
		}
		if back := edited(t, after, func(tx *Tx) error { return tx.Remove(HostPool, "new") }); back != text {
			t.Errorf("%q came back as %q", text, back)
		}
	}
}

func TestUTF16IsRefusedWithTheWayOut(t *testing.T) {
	for name, encoding := range map[string]unicode.BOMPolicy{"with": unicode.UseBOM, "without": unicode.IgnoreBOM} {
		for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
			text, err := unicode.UTF16(order, encoding).NewEncoder().String(head)
			if err != nil {
				t.Fatal(err)
			}
			var invalid *InvalidError
			if err := valid("f.yaml", []byte(text)); !errors.As(err, &invalid) || !strings.Contains(invalid.Message, "UTF-16") || !strings.Contains(invalid.Hint, "Set-Content") {
				t.Errorf("%s byte-order mark: %v", name, err)
			}
		}
	}
}

// Hostile files cost little: each is refused, or read, in less than a second
// and 200 MB.
func TestHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const huge = 3 << 19
	var bomb strings.Builder
	bomb.WriteString(head + "a: &a0 [x, x]\n")
	for i := range 40 {
		fmt.Fprintf(&bomb, "b%d: &a%d [*a%d, *a%d, *a%d, *a%d]\n", i, i+1, i, i, i, i)
	}
	keys := func(format, between string, n int) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteString(between)
			}
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	deep := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"brackets":            strings.Repeat("[", 100_000),
		"brackets in a value": head + "description: " + strings.Repeat("[", 100_000),
		"braces":              strings.Repeat("{a: ", 100_000),
		"dashes":              strings.Repeat("- ", 100_000),
		"question marks":      strings.Repeat("? ", 100_000),
		"deep blocks":         head + deep(1500),
		"keys":                head + keys("k%d: v", "\n", 300_000),
		"keys on one line":    head + "tags: {" + keys("k%d: v", ", ", 300_000) + "}\n",
		"keys by yaml.v3":     head + "tags: {" + keys("k%d: v", ",\n ", 130_000) + "}\n",
		"keys and no values":  head + "tags: {" + keys("k%d", ", ", 230_000) + "}\n",
		"alias bomb":          bomb.String(),
		"cycle":               head + "description: &a [*a, *a]\n",
		"huge plain scalar":   head + "description: " + strings.Repeat("x", huge) + "\n",
		"huge quoted scalar":  head + "description: \"" + strings.Repeat("\\x41", huge/4) + "\"\n",
		"huge block scalar":   head + "description: |\n" + strings.Repeat("  x\n", huge/4),
		"blanks in a scalar":  head + "description: a" + strings.Repeat(" ", huge) + "b'\n  c\n",
		"line breaks":         head + "description: a" + strings.Repeat("\n", huge) + "  b\n",
		"comments":            head + strings.Repeat("#\n", huge/2),
		"tabs":                head + "description: x" + strings.Repeat("\t", huge) + "# c\n",
		"separators":          strings.Repeat("---\n", 300_000),
		"documents":           keys(strings.Replace(head, "hp", "hp%d", 1), "---\n", 50_000),
		"a large document":    head + "description: '''" + strings.Repeat("x\n  ", 8<<20) + "'\n",
		"tabs before text":    head + strings.Repeat("\t\n", huge/2) + "x\n",
		"quotes":              head + "description: '" + strings.Repeat("''", huge/2),
		"carriage returns":    strings.Repeat("\r\n", huge/2) + "x",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.yaml")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			bounded(t, func() {
				var invalid *InvalidError
				if err := valid(path, []byte(text)); err != nil && !errors.As(err, &invalid) {
					t.Errorf("not an InvalidError: %v", err)
				}
			})
		})
	}
	t.Run("a file of 1 GB", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "f.yaml")
		if err := os.WriteFile(path, []byte(head), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 1<<30); err != nil {
			t.Skip("the file system has no sparse files: ", err)
		}
		bounded(t, func() {
			var large *atomicfile.TooLargeError
			if _, err := Open(path); !errors.As(err, &large) {
				t.Errorf("Open: %v", err)
			}
			if _, err := Update(context.Background(), Options{Path: path}, pool(func(*hostpool.Pool) {})); !errors.As(err, &large) {
				t.Errorf("Update: %v", err)
			}
		})
	})
}

// bounded fails when fn allocates more than 400 MB, of which less than half is in
// use at any time, or takes long. On an idle machine everything here takes less
// than a second; the limit allows for the race detector on a busy one, and still
// tells what is quadratic, which takes minutes.
func bounded(t *testing.T, fn func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	fn()
	elapsed := time.Since(start)
	runtime.ReadMemStats(&after)
	t.Logf("%v, %d MB", elapsed.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 400<<20 {
		t.Errorf("%d MB allocated", allocated>>20)
	}
	if elapsed > 30*time.Second {
		t.Errorf("%v", elapsed)
	}
}

// FuzzUpdate reads arbitrary bytes and edits what can be read. It must not
// panic, and what it would write must read as what was meant.
func FuzzUpdate(f *testing.F) {
	example, err := os.ReadFile("../docs/examples/contoso.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(example)
	for _, text := range []string{head, "\ufeff" + head, head + "sessionHosts: [{name: a}]", head + "sessionHosts:\n- name: a\n  sessions: []\n", head + "description: |+\n  a\n\n", head + "tags: {a: b}\n...\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := cut("f.yaml", bytes.Clone(data))
		if err != nil {
			return
		}
		s := Snapshot{file: file}
		for _, name := range s.Names(HostPool) {
			want, err := s.Pool(name)
			if err != nil {
				continue
			}
			want.MaxSessionLimit = 7
			want.Description = "x"
			want.SessionHosts = append(want.SessionHosts, hostpool.Host{Name: "fuzz", Status: hostpool.Available})
			edited, err := replaced(data, HostPool, name, resource{pool: want})
			if refused := (*EditError)(nil); err != nil && !errors.As(err, &refused) {
				if taken := (*ExistsError)(nil); !errors.As(err, &taken) {
					t.Fatalf("%v\n%q", err, data)
				}
			}
			if err != nil {
				continue
			}
			again, err := cut("f.yaml", edited)
			if err != nil {
				t.Fatalf("%v\n%q\n%q", err, data, edited)
			}
			got, err := (&Snapshot{file: again}).Pool(name)
			if err != nil || !(resource{pool: got}).same(resource{pool: want}) {
				t.Fatalf("%v\n%q\n%q", err, data, edited)
			}
		}
	})
}
