package state

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatepool/pkg/hostpool"
)

// seen is what is looked at in a pool, of texts those that may be kept.
type seen struct {
	pool     hostpool.Pool
	hosts    []hostpool.Host
	sessions string
}

func look(p *hostpool.Pool) seen {
	s := seen{pool: *p, sessions: "has"}
	s.pool.SessionHosts = nil
	for _, h := range p.SessionHosts {
		s.sessions += fmt.Sprintf(" %+v", h.Sessions)
		h.Sessions = nil
		s.hosts = append(s.hosts, h)
	}
	return s
}

// In whatever parts a file is surveyed, its pools are those that Open finds, or
// it is given back.
func TestSurvey(t *testing.T) {
	surveyed, several := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var docs []oddDocument
		if rapid.Bool().Draw(t, "odd") {
			_, docs, _ = drawOddFile(t)
		}
		for i := range rapid.SampledFrom([]int{0, 2, 3, 5}).Draw(t, "plain pools") {
			p := &hostpool.Pool{Name: fmt.Sprintf("plain-%d", i), HostPoolType: hostpool.Pooled, LoadBalancerType: hostpool.DepthFirst, Tags: map[string]string{"tag": "é"}}
			for h := range rapid.IntRange(0, 9).Draw(t, "hosts") {
				p.SessionHosts = append(p.SessionHosts, hostpool.Host{Name: fmt.Sprintf("h%d-%d", i, h), Status: hostpool.Shutdown,
					AssignedUser: fmt.Sprintf("u%d", h), Sessions: []hostpool.Session{{ID: "1", User: "a", State: hostpool.SessionPending}}})
			}
			docs = append(docs, oddDocument{resource: resource{pool: p}})
		}
		var texts []string
		for _, d := range docs {
			text := encode(d.resource, rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "line end"))
			if rapid.IntRange(0, 9).Draw(t, "damaged") == 0 {
				text = mutate(t, text)
			}
			texts = append(texts, text)
			if rapid.IntRange(0, 9).Draw(t, "empty") == 0 {
				texts = append(texts, rapid.SampledFrom([]string{"", "# comment\n", "\n\n"}).Draw(t, "nothing"))
			}
		}
		text := strings.Join(texts, rapid.SampledFrom([]string{"---\n", "--- # next\n", "---\r\n"}).Draw(t, "separator"))
		if rapid.IntRange(0, 9).Draw(t, "open") == 0 {
			text = strings.TrimSuffix(text, "\n")
		}
		names := rapid.SampledFrom([]string{"", "", "1"}).Draw(t, "names")
		wanted := func(name string) bool { return strings.Contains(name, names) }

		s := survey{strings.NewReader(text), len(text), rapid.IntRange(1, 300).Draw(t, "part"), rapid.IntRange(60, 300).Draw(t, "line"), 1}
		got, err := surveyPools(s, wanted, look)
		if err != nil {
			return
		}
		surveyed++
		if len(got) > 1 {
			several++
		}
		f, err := cut("test.yaml", []byte(text))
		if err != nil {
			t.Fatalf("surveyed what can't be opened: %v\n%s", err, text)
		}
		want, err := MapPools(&Snapshot{file: f}, wanted, look)
		if err != nil {
			t.Fatalf("surveyed what is wrong: %v\n%s", err, text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("surveyed\n%+v\nwant\n%+v\n%s", got, want, text)
		}
	})
	if !testing.Short() && several < 10 {
		t.Errorf("only %d files were surveyed, %d with several pools", surveyed, several)
	}
}

// A large file is surveyed, and everything that is not as usual is given back.
func TestSurveyOfFiles(t *testing.T) {
	var text strings.Builder
	for i := range 8 {
		fmt.Fprintf(&text, "%skind: HostPool\napiVersion: gatepool/v1\nname: hp-%d\ntags: {a-%d: b-%d}\nsessionHosts:\n", []string{"", "---\n"}[min(i, 1)], i, i, i)
		for h := range 1500 {
			fmt.Fprintf(&text, "  - name: host-%d-%d\n    agentVersion: 1.%d\n    sessions:\n      - {id: \"%d\", user: user%d@contoso.example, state: Active}\n", i, h, h, h, h)
		}
	}
	usual := text.String()
	all := func(string) bool { return true }
	path := filepath.Join(t.TempDir(), "state.yaml")
	for name, test := range map[string]struct {
		text string
		ok   bool
	}{
		"as usual":               {usual, true},
		"a comment":              {strings.Replace(usual, "name: host-3-7\n", "name: host-3-7 # é\n", 1), true},
		"a document of comments": {"# Contoso\n---\n" + usual, true},
		"small":                  {usual[:strings.Index(usual, "---")], false},
		"byte-order mark":        {"\ufeff" + usual, false},
		"a tab":                  {strings.Replace(usual, "name: host-3-7\n", "name: host-3-7\t# c\n", 1), false},
		"a long line":            {strings.Replace(usual, "name: host-3-7\n", "name: host-3-7 #"+strings.Repeat("x", 600<<10)+"\n", 1), false},
		"a mistake":              {strings.Replace(usual, "name: host-3-7\n", "nam: host-3-7\n", 1), false},
		"a name twice":           {strings.Replace(usual, "name: hp-7\n", "name: HP-3\n", 1), false},
		"small documents":        {usual + strings.Repeat("---\n", 4000), false},
		"an alias":               {strings.Replace(usual, "name: host-3-7\n", "name: *a\n", 1), false},
	} {
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, ok := Survey(path, all, look)
		if ok != test.ok {
			t.Errorf("%s: surveyed %t, want %t", name, ok, test.ok)
		}
		if !ok {
			continue
		}
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := MapPools(s, all, look); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the pools are other than those that Open finds (%v)", name, err)
		}
	}
	if _, ok := Survey(filepath.Join(t.TempDir(), "missing"), all, look); ok {
		t.Error("surveyed a missing file")
	}
	if _, ok := Survey(t.TempDir(), all, look); ok {
		t.Error("surveyed a folder")
	}
}
