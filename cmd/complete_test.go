package cmd

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
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
		{"Update-AzWvdHostPool|-Out", "-Output :4"},
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
		for _, place := range places(c.Use) {
			place = strings.TrimSuffix(place, "...")
			if !slices.Contains(known, place) {
				t.Errorf("%s: nobody knows what %s names", c.Use, place)
			}
			check(append(slices.Clone(words), "")...)
			words = append(words, "x")
		}
		check(c.Name(), "-")
		check(c.Name(), "-A")
		c.Flags().VisitAll(func(f *pflag.Flag) { check(c.Name(), "--"+f.Name, "") })
	}
}

func TestReadBash(t *testing.T) {
	t.Setenv("POOL", "hp-eu")
	for line, want := range map[string][]string{
		`gatepool `:                    {"gatepool", ""},
		`gatepool get-host`:            {"gatepool", "get-host"},
		`gatepool  get-host 	hp`:       {"gatepool", "get-host", "hp"},
		`g 'a b`:                       {"g", "a b"},
		`g 'a b' `:                     {"g", "a b", ""},
		`g "a \"b\" \x`:                {"g", `a "b" \x`},
		`g a\ b\$c`:                    {"g", "a b$c"},
		`g a\`:                         {"g", "a"},
		`g '' x`:                       {"g", "", "x"},
		`g --x="a b"c`:                 {"g", "--x=a bc"},
		`g $POOL "${POOL}x" '$POOL' x`: {"g", "hp-eu", "hp-eux", "$POOL", "x"},
		"g $(touch x) `touch x` ":      {"g", "$(touch", "x)", "`touch", "x`", ""},
		`g ${POOL x`:                   {"g", "${POOL", "x"},
		`g a > out b 2>&1 c`:           {"g", "a", "b", "c"},
		`g <in a`:                      {"g", "a"},
		`g '>' a`:                      {"g", ">", "a"},
		`g 東京 プ`:                       {"g", "東京", "プ"},
	} {
		if l := readBash(line); !slices.Equal(l.words, want) || l.redirected {
			t.Errorf("%s: %q, want %q", line, l.words, want)
		}
	}
	for _, line := range []string{"g > ", "g a >out", "g a 2>err", "g a >> ", "g < x"} {
		if !readBash(line).redirected {
			t.Errorf("%s: the last word is no file", line)
		}
	}
}

// TestQuoteBash: bash reads what is offered as nothing but itself, in all three
// ways of quoting. The shell tests do the same with a real bash.
func TestQuoteBash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~é東]*`).Draw(t, "text")
		for _, quote := range []string{"", "'", `"`} {
			var q byte
			if quote != "" {
				q = quote[0]
			}
			l := readBash("g " + quote + quoteBash(text, q))
			if len(l.words) != 2 || l.words[1] != text || l.quote != 0 {
				t.Errorf("%q in %s is offered as %s and read as %q", text, quote, quoteBash(text, q), l.words)
			}
		}
	})
	for text, want := range map[string][3]string{
		"a b":        {`a\ b`, `a b'`, `a b"`},
		"$(touch x)": {`\$\(touch\ x\)`, `$(touch x)'`, `\$(touch x)"`},
		"`x`":        {"\\`x\\`", "`x`'", "\\`x\\`\""},
		"it's":       {`it\'s`, `it'\''s'`, `it's"`},
		`"hi"!`:      {`\"hi\"\!`, `"hi"!'`, `\"hi\""'!'""`},
		"~":          {`\~`, `~'`, `~"`},
		"東京":         {"東京", "東京'", `東京"`},
	} {
		if got := [3]string{quoteBash(text, 0), quoteBash(text, '\''), quoteBash(text, '"')}; got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestCompleteBash(t *testing.T) {
	t.Setenv("GATEPOOL_STATE", "testdata/complete/hostile.yaml")
	for _, test := range []struct {
		line, text, kind string
		want             string
	}{
		{"gatepool get-host po", "po", "9", `pool\ one|:4`},
		{"gatepool get-host --hostpool=x", "x", "9", ":4"},
		{"gatepool connect --hostpool=", "", "9", `pool\ one|\$\(touch\ x\)|it\'s\;\ touch\ x|say\ \"hi\"\!|eu:west|a=b\{c,d\}|\~root|back\\slash|東京\ プール|:4`},
		{"gatepool connect --hostpool=eu:w", "w", "9", "west|:4"},
		{"gatepool get-host", "get-host", "63", "get-host      (List session hosts)|get-hostpool  (List host pools)|:4"},
		{"gatepool get-host", "get-host", "9", "get-host|get-hostpool|:4"},
		{"gatepool get-host pool\\ one host", "host", "63", `host\ one.contoso.example|:4`},
		{"gatepool import-host x", "x", "9", ":0"},
		{"gatepool get-state >", "", "9", ":0"},
		{"gatepool", "gatepool", "9", ":4"},
	} {
		var stdout bytes.Buffer
		Main([]string{"__completeBash", test.line, test.text, test.kind, "80"}, nil, &stdout, nil)
		if got := strings.ReplaceAll(strings.TrimSuffix(stdout.String(), "\n"), "\n", "|"); got != test.want {
			t.Errorf("%s: got %s\nwant %s", test.line, got, test.want)
		}
	}
}

// TestSameCase: readline puts in what all candidates have in common, and that
// must not be less than what is typed.
func TestSameCase(t *testing.T) {
	of := func(names ...string) []string { return sameCase(plain(names), "HP-e") }
	if got, want := of("hp-eu", "hp-east"), []string{"hp-eu", "hp-east"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := of("hp-eu", "Hp-East"), []string{"HP-eu", "HP-east"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestListing(t *testing.T) {
	list := []candidate{{"a", strings.Repeat("long ", 20)}, {"bcd", ""}, {"東京", "x"}}
	want := []string{"a    (" + strings.Repeat("long ", 5) + "lo...)", "bcd", "東京   (x)"}
	got := listing(list, 38)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// powerShellWords are words and how they have to stand in a PowerShell line.
var powerShellWords = map[string]string{
	"hp-eu":                        "hp-eu",
	"alice@contoso.example":        "alice@contoso.example",
	"finance/GW-FIN-01":            "finance/GW-FIN-01",
	"-MaxSessionLimit":             "-MaxSessionLimit",
	"--max-session-limit":          "--max-session-limit",
	"--algorithm=depth-first":      "--algorithm=depth-first",
	"-LoadBalancerType:DepthFirst": "-LoadBalancerType:DepthFirst",
	"-Name:avd-eu-0.contoso":       "'-Name:avd-eu-0.contoso'",
	"東京":                           "東京",
	"a b":                          "'a b'",
	"--hostpool=a b":               "'--hostpool=a b'",
	"$(touch x)":                   "'$(touch x)'",
	"`touch x`":                    "'`touch x`'",
	"it's":                         "'it''s'",
	"it’s":                         "'it’’s'",
	`say "hi"`:                     `'say "hi"'`,
	"a,b":                          "'a,b'",
	"a;b":                          "'a;b'",
	"a|b&c":                        "'a|b&c'",
	"@home":                        "'@home'",
	"#1":                           "'#1'",
	"{x}":                          "'{x}'",
	"10.0.0.1":                     "'10.0.0.1'",
	"%x":                           "'%x'",
	"~":                            "'~'",
	"a=b":                          "'a=b'",
}

func TestQuotePowerShellWord(t *testing.T) {
	for word, want := range powerShellWords {
		if got := quotePowerShellWord(word); got != want {
			t.Errorf("%s is quoted %s, want %s", word, got, want)
		}
	}
}

func TestCompletePowerShell(t *testing.T) {
	t.Setenv("GATEPOOL_STATE", "testdata/complete/hostile.yaml")
	for words, want := range map[string]string{
		"get-host\npo":   "pool one > 'pool one' > pool one|:4",
		"get-host\n$":    "$(touch x) > '$(touch x)' > $(touch x)|:4",
		"get-host\n東":    "東京 プール > '東京 プール' > 東京 プール|:4",
		"drain-":         "drain-host > drain-host > Put session hosts in drain mode|:4",
		"get-host\nnone": ":4",
		"import-host\n":  ":0",
	} {
		var stdout bytes.Buffer
		Main([]string{"__completePowerShell", url.PathEscape(words)}, nil, &stdout, nil)
		if strings.ContainsFunc(stdout.String(), func(r rune) bool { return r > '~' }) {
			t.Errorf("%q: the answer is not ASCII: %s", words, stdout.String())
		}
		var got []string
		for line := range strings.Lines(stdout.String()) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			for i := range fields {
				fields[i], _ = url.PathUnescape(fields[i])
			}
			if len(fields) == 3 {
				fields[0], fields[1] = fields[1], fields[0]
			}
			got = append(got, strings.Join(fields, " > "))
		}
		if got := strings.Join(got, "|"); got != want {
			t.Errorf("%q: got %s\nwant %s", words, got, want)
		}
	}
	// Windows PowerShell leaves an empty argument out.
	var stdout bytes.Buffer
	Main([]string{"__completePowerShell"}, nil, &stdout, nil)
	if !strings.Contains(stdout.String(), "drain-host\t") {
		t.Errorf("no argument: %q", stdout.String())
	}
}

// TestPowerShellParses needs node and the grammar; see the test of the module
// in docs/gen.
func TestPowerShellParses(t *testing.T) {
	folder := os.Getenv("GATEPOOL_NODE")
	if folder == "" {
		t.Skip("GATEPOOL_NODE names no folder with tree-sitter-powershell and web-tree-sitter")
	}
	script, _ := completionScript("powershell")
	var lines strings.Builder
	for word := range powerShellWords {
		if !strings.HasPrefix(word, "--algorithm=") { // which the grammar does not know without quotes
			lines.WriteString("gatepool x " + quotePowerShellWord(word) + " y\n")
		}
	}
	parse := func(text string) ([]byte, error) {
		path := filepath.Join(t.TempDir(), "script.ps1")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return exec.Command("node", "../docs/gen/testdata/parse.cjs", folder, path).CombinedOutput()
	}
	if out, err := parse(script.Text + lines.String()); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := parse(script.Text + "foreach ($x in"); err == nil {
		t.Error("the parser takes anything for PowerShell")
	}
	// Windows PowerShell reads a script without a mark in the code page of the
	// system.
	if strings.ContainsFunc(script.Text, func(r rune) bool { return r > '~' }) {
		t.Error("the script is not ASCII")
	}
}

// TestShellsRead: each shell takes its script for one.
func TestShellsRead(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			program, err := exec.LookPath(shell)
			if err != nil {
				t.Skip(err)
			}
			script, _ := completionScript(shell)
			for text, want := range map[string]bool{script.Text: true, script.Text + "\nif true; (": false} {
				path := filepath.Join(t.TempDir(), "script")
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command(program, "-n", path).CombinedOutput(); (err == nil) != want {
					t.Errorf("%s -n: %v: %s", shell, err, out)
				}
			}
		})
	}
}

func TestCompletionCommand(t *testing.T) {
	for _, s := range CompletionScripts() {
		var stdout bytes.Buffer
		if code := Main([]string{"completion", s.Shell}, nil, &stdout, nil); code != 0 || stdout.String() != s.Text {
			t.Errorf("completion %s: exit code %d, %q", s.Shell, code, stdout.String())
		}
	}
	var stderr bytes.Buffer
	if code := Main([]string{"completion", "tcsh"}, nil, nil, &stderr); code != exitUsage || !strings.Contains(stderr.String(), "expected bash, zsh, fish or powershell") {
		t.Errorf("completion tcsh: exit code %d, %s", code, stderr.String())
	}
}
