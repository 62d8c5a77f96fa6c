package state

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("state.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("state.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asJSON reads a document as an editor's checker would: times are texts.
func asJSON(t *testing.T, document string) any {
	t.Helper()
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(document), &n); err != nil {
		t.Fatal(err)
	}
	return plainValue(t, n.Content[0])
}

func plainValue(t *testing.T, n *yaml.Node) any {
	t.Helper()
	switch {
	case n.Kind == yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plainValue(t, n.Content[i+1])
		}
		return m
	case n.Kind == yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, plainValue(t, item))
		}
		return list
	case n.Tag == "!!timestamp":
		return n.Value
	}
	var v any
	if err := n.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSchemaAcceptsTheExamples(t *testing.T) {
	s := compiledSchema(t)
	files, err := filepath.Glob("../docs/examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, document := range strings.Split(string(text), "\n---\n") {
			if err := s.Validate(asJSON(t, document)); err != nil {
				t.Errorf("%s, document %d: %v", file, i+1, err)
			}
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	const (
		pool    = "kind: HostPool\napiVersion: gatepool/v1\nname: hp\n"
		cluster = "kind: Cluster\napiVersion: gatepool/v1\nname: fin\n"
	)
	s := compiledSchema(t)
	for _, valid := range []string{pool, cluster} {
		if err := s.Validate(asJSON(t, valid)); err != nil {
			t.Errorf("%q: %v", valid, err)
		}
	}
	for name, document := range map[string]string{
		"no kind":              "apiVersion: gatepool/v1\nname: hp\n",
		"unknown kind":         "kind: Hostpool\napiVersion: gatepool/v1\nname: hp\n",
		"no version":           "kind: HostPool\nname: hp\n",
		"newer version":        "kind: HostPool\napiVersion: gatepool/v2\nname: hp\n",
		"no name":              "kind: HostPool\napiVersion: gatepool/v1\n",
		"empty name":           "kind: HostPool\napiVersion: gatepool/v1\nname: ''\n",
		"misspelt key":         pool + "maxSessionLimt: 12\n",
		"key of another kind":  pool + "members: []\n",
		"text for a number":    pool + "maxSessionLimit: many\n",
		"fraction":             pool + "maxSessionLimit: 3.7\n",
		"out of range":         pool + "maxSessionLimit: 1000000\n",
		"negative":             pool + "maxSessionLimit: -1\n",
		"text for a boolean":   pool + "startVMOnConnect: 'yes'\n",
		"null":                 pool + "description: ~\n",
		"wrong case":           pool + "loadBalancerType: depthFirst\n",
		"list for a mapping":   pool + "tags: [a]\n",
		"number as a tag":      pool + "tags: {a: 1}\n",
		"mapping for a list":   pool + "sessionHosts: {name: a}\n",
		"host without a name":  pool + "sessionHosts: [{status: Available}]\n",
		"session without user": pool + "sessionHosts: [{name: a, sessions: [{state: Active}]}]\n",
		"no time":              pool + "sessionHosts: [{name: a, lastHeartBeat: yesterday}]\n",
		"load over 100":        cluster + "members: [{name: a, counters: [{from: 2026-11-29T08:00:00Z, to: 2026-11-29T08:05:00Z, cpu: 101}]}]\n",
		"user without a role":  cluster + "users: [{principal: p}]\n",
	} {
		if err := s.Validate(asJSON(t, document)); err == nil {
			t.Errorf("%s: accepted %q", name, document)
		}
	}
}

// Whatever the schema says of a document, reading it says the same, so the two
// can't drift apart.
func TestSchemaAgreesWithReading(t *testing.T) {
	s := compiledSchema(t)
	for _, p := range []string{"resourceGroup: x", "maxSessionLimit: 0", "maxSessionLimit: 999999", "maxSessionLimit: 1000000", "tags: {}", "sessionHosts: []",
		"sessionHosts: [{name: a, anonymousSessions: 3}]", "sessionHosts: [{name: a, sesions: []}]", "hostPoolType: BYODesktop", "hostPoolType: byod", "validationEnvironment: false"} {
		document := "kind: HostPool\napiVersion: gatepool/v1\nname: hp\n" + p + "\n"
		reading := valid("test.yaml", []byte(document))
		if schema := s.Validate(asJSON(t, document)); (schema == nil) != (reading == nil) {
			t.Errorf("%s: the schema says %v, reading says %v", p, schema, reading)
		}
	}
}
