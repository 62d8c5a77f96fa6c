package exchange

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// sample reads a file of testdata.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// read reads a sample that has to be an export.
func read(t testing.TB, name string) *Export {
	t.Helper()
	e, err := Read(sample(t, name), name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// lines shows an export, one fact a line, with the properties that are known.
func show(t *testing.T, e *Export) string {
	t.Helper()
	var b strings.Builder
	line := func(what string, value any, known Known) {
		b.WriteString(what)
		v := reflect.ValueOf(value)
		for i := range v.NumField() {
			name := propertyName(v.Type().Field(i))
			if known[name] {
				text, err := json.Marshal(v.Field(i).Interface())
				if err != nil {
					t.Fatal(err)
				}
				b.WriteString(" " + name + "=" + string(text))
			}
		}
		b.WriteByte('\n')
	}
	member := func(m MemberFacts) {
		what := "member of " + m.ClusterID
		if m.Primary {
			what = "primary of " + m.ClusterID
		}
		line(what, m.Member, m.Known)
	}
	for _, p := range e.Pools {
		line("pool", p.Pool, p.Known)
	}
	for _, h := range e.Hosts {
		h.Host.AnonymousSessions = h.Count
		line("host of "+h.Pool, h.Host, h.Known)
	}
	for _, s := range e.Sessions {
		line("session of "+s.Pool+"/"+s.Host, s.Session, s.Known)
	}
	for _, c := range e.Clusters {
		line("cluster", c.Cluster, c.Known.without("members", "users", "dataSources"))
		for _, m := range c.Members {
			member(m)
		}
		for _, u := range c.Users {
			line("user "+u.User.Principal, u.User, u.Known)
		}
	}
	for _, m := range e.Members {
		member(m)
	}
	for _, d := range e.DataSources {
		line("data source of "+d.ClusterID, d.DataSource, d.Known)
	}
	for _, u := range e.DataSourceUsers {
		line("data source user", u, Known{"principal": true, "right": true})
	}
	for _, s := range e.DroppedSecrets {
		b.WriteString("dropped " + s + "\n")
	}
	for _, n := range e.Notes {
		b.WriteString("note " + n + "\n")
	}
	return b.String()
}
