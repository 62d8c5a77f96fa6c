package cmd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/spf13/pflag"
	"pgregory.net/rapid"

	"gatepool/pkg/output"
)

// completions asks as a completion script does and returns the lines of the
// answer, the directive last.
func completions(t *testing.T, state string, words ...string) []string {
	t.Helper()
	t.Setenv("GATEPOOL_STATE", state)
	var stdout, stderr bytes.Buffer
	if code := Main(append([]string{"__complete"}, words...), strings.NewReader(""), &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Errorf("%q: exit code %d, stderr %q", words, code, stderr.String())
	}
	return strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
}

// values are the candidates without their descriptions, and the directive.
func values(lines []string) string {
	for i, line := range lines {
		lines[i], _, _ = strings.Cut(line, "\t")
	}
	return strings.Join(lines, " ")
}

const contoso = "../docs/examples/contoso.yaml"

func TestComplete(t *testing.T) {
	for _, test := range []struct{ words, want string }{
		// Commands, as they are and as PowerShell writes them.
		{"drain-", "drain-host :4"},
		{"set-hostp", "set-hostpool :4"},
		{"Set-Hostp", "Set-Hostpool :4"},
		{"Get-AzWvdH", "Get-AzWvdHostPool :4"},
		{"get-azwvdh", "Get-AzWvdHostPool :4"},
		{"Get-Da", "Get-Datasource Get-Datasource-User Get-DataGatewayCluster Get-DataGatewayClusterStatus Get-DataGatewayClusterDatasource Get-DataGatewayClusterDatasourceUser Get-DataGatewayClusterDatasourceUsers :4"},
		{"nonsense|", ":4"},
		{"nonsense|--", ":4"},
		{"--state|x.yaml|drain-", "drain-host :4"},
		{"help|drain-", "drain-host :4"},
		{"help|exit", "exit-codes :4"},
		{"completion|", "bash zsh fish powershell :4"},
		{"completion|bash|", ":4"},

		// Flags, and none twice.
		{"set-hostpool|hp-eu|--max", "--max-session-limit :4"},
		{"set-hostpool|hp-eu|--Max", "--MaxSessionLimit :4"},
		{"set-hostpool|hp-eu|-Max", "-MaxSessionLimit :4"},
		{"set-hostpool|hp-eu|-max", "-MaxSessionLimit :4"},
		{"set-hostpool|hp-eu|-Max|12|-Max", ":4"},
		{"set-hostpool|hp-eu|--algorithm|depth-first|--load", ":4"},
		{"set-hostpool|hp-eu|--dry", ":4"},
		{"set-hostpool|hp-eu|--|--max", ":4"},
		{"set-gatewayconfig|--unset|A|--uns", "--unset :4"},
		{"get-host|-o", "-o :4"},
		{"get-host|--he", "--help :4"},
		{"--vers", "--version :4"},
		{"Update-AzWvdHostPool|-Max", "-MaxSessionLimit :4"},
		{"Update-AzWvdHostPool|-Name|hp-eu|-Na", ":4"},
		{"Update-AzWvdHostPool|-Wha", "-WhatIf :4"},
		{"Update-AzWvdHostPool|-Re", "-ResourceGroupName :4"},
		{"Update-AzWvdHostPool|-Ring", ":4"},
		{"Update-AzWvdHostPool|-Out", "-Output :4"},
		{"Set-OnPremisesDataGatewayCluster|-LoadB", "-LoadBalancingType :4"},
		{"Update-AzWvdHostPool|--out", "--output :4"},

		// Values of flags.
		{"set-hostpool|hp-eu|--load-balancer-type|", "breadth-first depth-first persistent multiple-persistent :4"},
		{"set-hostpool|hp-eu|--algorithm|De", "DepthFirst :4"},
		{"set-hostpool|hp-eu|--algorithm=d", "--algorithm=depth-first :4"},
		{"set-hostpool|hp-eu|-LoadBalancerType:", "-LoadBalancerType:BreadthFirst -LoadBalancerType:DepthFirst -LoadBalancerType:Persistent -LoadBalancerType:MultiplePersistent :4"},
		{"set-hostpool|hp-eu|--start-vm-on-connect=", "--start-vm-on-connect=true --start-vm-on-connect=false :4"},
		{"Update-AzWvdHostPool|-LoadB|D", "DepthFirst :4"},
		{"set-hostpool|hp-eu|--description|", ":4"},
		{"set-hostpool|hp-eu|--nonsense=", ":4"},
		{"get-host|-o|n", "ndjson name :4"},
		{"-o=w", "-o=wide :4"},
		{"measure-cluster|finance|--mode|failover,r", "failover,random failover,round-robin :4"},
		{"get-session|--session-state|d", "disconnected :4"},

		// Names in the state file, by what stands before.
		{"get-hostpool|", "hp-eu hp-dev :4"},
		{"get-hostpool|HP-D", "hp-dev :4"},
		{"get-hostpool|hp-eu|", "hp-dev :4"},
		{"get-host|hp-dev|", "dev-0.contoso.example dev-1.contoso.example :4"},
		{"get-host|hp-*|de", "dev-0.contoso.example dev-1.contoso.example :4"},
		{"get-host|nonsense|", ":4"},
		{"drain-host|hp-dev|dev-0.contoso.example|", "dev-1.contoso.example :4"},
		{"drain-host|--|hp-dev|dev-0", "dev-0.contoso.example :4"},
		{"new-hostpool|", ":4"},
		{"add-host|hp-d", "hp-dev :4"},
		{"add-host|hp-dev|", ":4"},
		{"add-member|finance|", ":4"},
		{"new-cluster|x|--member|", ":4"},
		{"connect|--hostpool|hp-d", "hp-dev :4"},
		{"connect|--hostpool=hp-eu|--user|", "alice@contoso.example bob@contoso.example carol@contoso.example :4"},
		{"connect|--user|c", "carol@contoso.example :4"},
		{"connect|--hostpool|hp-dev|--user|", "alice@contoso.example :4"},
		{"connect|--hostpool|hp-dev|--host|", "dev-0.contoso.example dev-1.contoso.example :4"},
		{"connect|", ":4"},
		{"remove-session|hp-dev|", ":4"},
		{"remove-session|hp-eu|al", "alice@contoso.example :4"},
		{"remove-session|hp-eu|avd-eu-0.contoso.example/", "avd-eu-0.contoso.example/1 avd-eu-0.contoso.example/2 :4"},
		{"get-cluster|", "finance :4"},
		{"get-member|finance|gw-fin-02", "GW-FIN-02 :4"},
		{"set-cluster|finance|", ":4"},
		{"remove-cluster-user|finance|", "dba@contoso.example :4"},
		{"get-datasource|finance|", "sales :4"},
		{"get-datasource-user|finance|sales|", "analyst@contoso.example :4"},
		{"get-gatewayconfig|--member|", "finance/ :6"},
		{"get-gatewayconfig|--member|finance/GW-FIN-03", "finance/GW-FIN-03 :4"},
		{"get-gatewayconfig|CPU", "CPUUtilizationPercentageThreshold :4"},
		{"set-gatewayconfig|--setting|Bypass", "BypassConcurrentOperationLimit= :6"},
		{"set-gatewayconfig|--setting|BypassConcurrentOperationLimit=f", "BypassConcurrentOperationLimit=False :4"},
		{"export-json|", "hp-eu hp-dev finance :4"},
		{"Get-AzWvdSessionHost|-HostPoolName|hp-dev|-Name|", "dev-0.contoso.example dev-1.contoso.example :4"},
		{"Update-AzWvdSessionHost|-Name|dev-0|-HostPoolName|hp-d", "hp-dev :4"},
		{"Update-AzWvdSessionHost|-HostPoolName:hp-dev|-Name:dev-1", "-Name:dev-1.contoso.example :4"},
		{"Update-AzWvdSessionHost|-Name|dev-0|hp-d", "hp-dev :4"},
		{"Get-AzWvdSessionHost|-HostPoolName|hp-dev|dev-0.contoso.example|", "dev-1.contoso.example :4"},
		{"get-hostpool|--state|testdata/complete/hostile.yaml|po", "pool one :4"},
		{"--state=testdata/complete/hostile.yaml|get-hostpool|po", "pool one :4"},

		// Files only where a file is expected.
		{"import-host|", ":0"},
		{"import-host|a.json|", ":0"},
		{"compare-state|--live|a.json|", ":0"},
		{"get-gatewayconfig|--path|", ":0"},
		{"set-member|finance|GW-FIN-01|--config-file|", ":0"},
		{"get-host|--state|", ":0"},
		{"--state=", ":0"},
		{"get-state|", ":4"},
		{"test-state|--report|js", "json= :6"},
		{"test-state|--report|json=", ":0"},

		// What is wrong before the cursor is no matter.
		{"set-hostpool|--max-session-limit|many|--nonsense|hp-d", "hp-dev :4"},
	} {
		if got := values(completions(t, contoso, strings.Split(test.words, "|")...)); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.words, got, test.want)
		}
	}
}

func TestCompleteSaysWhatItIs(t *testing.T) {
	for words, want := range map[string]string{
		"drain-":                  "drain-host\tPut session hosts in drain mode",
		"Get-AzWvdH":              "Get-AzWvdHostPool\tsame as get-hostpool",
		"get-host|hp-eu|avd-eu-1": "avd-eu-1.contoso.example\tAvailable, drained",
		"get-host|--no-col":       "--no-color\tprint without colour",
	} {
		if got := completions(t, contoso, strings.Split(words, "|")...)[0]; got != want {
			t.Errorf("%s: got %q, want %q", words, got, want)
		}
	}
}

// TestCompleteIsSilent: no state file makes TAB fail or say a word.
func TestCompleteIsSilent(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	huge := write("huge.yaml", "")
	if err := os.Truncate(huge, 1<<30); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"missing":  filepath.Join(dir, "missing.yaml"),
		"folder":   dir,
		"empty":    write("empty.yaml", ""),
		"broken":   write("broken.yaml", "kind: HostPool\nname: [\n"),
		"binary":   write("binary.yaml", "\x00\xff\xfe"),
		"no names": write("unnamed.yaml", "kind: HostPool\napiVersion: gatepool/v1\n"),
		"huge":     huge,
		"misspelt": write("misspelt.yaml", "kind: HostPool\napiVersion: gatepool/v1\nname: hp\nsessionHost: []\n"),
	} {
		for _, words := range [][]string{{"get-host", "hp", ""}, {"connect", "--cluster", ""}, {"get-session", "--user", ""}} {
			if got := values(completions(t, path, words...)); got != ":4" {
				t.Errorf("%s: %q: got %q", name, words, got)
			}
		}
	}
}

func TestInTime(t *testing.T) {
	found := offer{files: true}
	if !inTime(time.Minute, func() offer { return found }).files {
		t.Error("what is found in time is not offered")
	}
	release := make(chan struct{})
	defer close(release)
	if inTime(time.Millisecond, func() offer { <-release; return found }).files {
		t.Error("nobody waits, but something is offered")
	}
}

// TestCompleteNames: what a name may hold that reaches a command line.
func TestCompleteNames(t *testing.T) {
	want := "pool one $(touch x) it's; touch x say \"hi\"! eu:west a=b{c,d} ~root back\\slash 東京 プール :4"
	if got := values(completions(t, "testdata/complete/hostile.yaml", "get-host", "")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		if !offerable(name) {
			return
		}
		if output.Clean(name) != name || strings.ContainsFunc(name, unicode.IsControl) || !newPattern(name).exact() {
			t.Errorf("%q is offered", name)
		}
		if _, dashed := splitFlag(name); dashed {
			t.Errorf("%q is offered and is a flag", name)
		}
	})
}

// TestCompleteMany: the few that are offered of many begin alike as all do.
func TestCompleteMany(t *testing.T) {
	var state strings.Builder
	state.WriteString("kind: HostPool\napiVersion: gatepool/v1\nname: hp\nhostPoolType: Pooled\nloadBalancerType: BreadthFirst\nsessionHosts:\n")
	for i := range 5000 {
		fmt.Fprintf(&state, "  - name: host-%05d\n", i)
	}
	path := filepath.Join(t.TempDir(), "many.yaml")
	if err := os.WriteFile(path, []byte(state.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	lines := completions(t, path, "get-host", "hp", "")
	if len(lines) != mostOffered+1 || !strings.HasPrefix(lines[0], "host-00000") || !strings.HasPrefix(lines[mostOffered-1], "host-04999") {
		t.Errorf("%d lines from %s to %s", len(lines), lines[0], lines[len(lines)-2])
	}
}

// TestCompleteEverywhere asks at each argument and flag of each command:
// whatever is offered can be shown, and usage lines name only what is known.
func TestCompleteEverywhere(t *testing.T) {
	known := []string{"POOL", "HOST", "USER", "CLUSTER", "MEMBER", "DATASOURCE", "FILE", "NAME", "COMMAND|TOPIC", "bash|zsh|fish|powershell"}
	described := regexp.MustCompile(`^[^\t\p{Cc}]+(\t[ -~]+)?$`)
	check := func(words ...string) {
		for _, line := range completions(t, contoso, words...) {
			if !described.MatchString(line) {
				t.Errorf("%q: %q", words, line)
			}
		}
	}
	for _, c := range Tree().Commands() {
		words := []string{c.Name()}
		places, _ := ReadUse(c.Use)
		for _, place := range places {
			if !slices.Contains(known, place.Name) {
				t.Errorf("%s: nobody knows what %s names", c.Use, place.Name)
			}
			check(append(slices.Clone(words), "")...)
			words = append(words, "x")
		}
		check(c.Name(), "-")
		check(c.Name(), "-A")
		c.Flags().VisitAll(func(f *pflag.Flag) { check(c.Name(), "--"+f.Name, "") })
	}
}
