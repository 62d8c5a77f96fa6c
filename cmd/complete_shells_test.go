package cmd

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

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
