package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gatepool/pkg/exchange"
)

// powershellNames are names that a parameter must not have: automatic variables
// that can't be assigned or mean something else, and common parameters.
var powershellNames = strings.Fields(`args consolefilename enabledexperimentalfeatures error event eventargs
	eventsubscriber executioncontext false foreach home host input iscoreclr islinux ismacos iswindows lastexitcode
	matches myinvocation nestedpromptlevel null pid profile psboundparameters pscmdlet pscommandpath psculture
	psdebugcontext psedition pshome psitem psscriptroot pssenderinfo psuiculture psversiontable pwd sender shellid
	stacktrace switch this true
	debug erroraction errorvariable informationaction informationvariable outbuffer outvariable pipelinevariable
	progressaction verbose warningaction warningvariable whatif confirm`)

func TestFunctions(t *testing.T) {
	var verbs struct {
		Definitions struct {
			Verb struct {
				Enum []string `json:"enum"`
			} `json:"verb"`
		} `json:"definitions"`
	}
	readJSON(t, "testdata/crescendo-2022-06.schema.json", &verbs)
	all := functions()
	names := map[string]bool{}
	for _, f := range all {
		if names[strings.ToLower(f.name())] {
			t.Errorf("%s is there twice", f.name())
		}
		names[strings.ToLower(f.name())] = true
		if !slices.Contains(verbs.Definitions.Verb.Enum, f.verb) {
			t.Errorf("%s: %s is no approved verb", f.name(), f.verb)
		}
		if len(f.examples(all)) == 0 {
			t.Errorf("%s has no example", f.name())
		}
		taken := slices.Clone(powershellNames)
		for _, p := range f.parameters {
			for _, name := range append([]string{p.name}, p.aliases...) {
				if slices.Contains(taken, strings.ToLower(name)) && !slices.Contains(p.aliases, name) {
					t.Errorf("%s: -%s is taken", f.name(), name)
				}
				taken = append(taken, strings.ToLower(name))
			}
			if p.usage == "" {
				t.Errorf("%s: -%s has no help", f.name(), p.name)
			}
		}
	}
	for _, name := range []string{"Get-GatepoolHostPool", "Set-GatepoolHostPool", "New-GatepoolHostPool", "Remove-GatepoolHostPool",
		"Suspend-GatepoolHost", "Resume-GatepoolHost", "Connect-GatepoolUser", "Connect-GatepoolCluster", "Disable-GatepoolMember",
		"Import-GatepoolHostPool", "Set-GatepoolClusterLoadBalancing", "Get-GatepoolGatewayConfig", "Add-GatepoolDataSourceUser"} {
		if !names[strings.ToLower(name)] {
			t.Errorf("there is no %s", name)
		}
	}
}

// TestExamplesUseParametersThatExist reads the examples of the help again.
func TestExamplesUseParametersThatExist(t *testing.T) {
	all := functions()
	word := regexp.MustCompile(`'(?:[^']|'')*'|[^ ]+`)
	for _, f := range all {
		for _, example := range f.examples(all) {
			for call := range strings.SplitSeq(example, " | ") {
				words := word.FindAllString(call, -1)
				i := slices.IndexFunc(all, func(g function) bool { return g.name() == words[0] })
				if i < 0 {
					t.Errorf("%s: %q is no function", f.name(), words[0])
					continue
				}
				for _, w := range words[1:] {
					name, _, _ := strings.Cut(strings.TrimPrefix(w, "-"), ":")
					known := name == "WhatIf" && all[i].hasWhatIf || slices.ContainsFunc(all[i].parameters, func(p parameter) bool { return p.name == name })
					if w[0] == '-' && !known {
						t.Errorf("%s: %q: %s has no such parameter", f.name(), example, words[0])
					}
				}
			}
		}
	}
}

func TestQuoteArgument(t *testing.T) {
	for text, want := range map[string]string{
		"hp-eu": "hp-eu", "a,b": "'a,b'", "": "''", "-x": "'-x'", "a b": "'a b'", "hp-*": "'hp-*'", "a@b": "'a@b'", "a;b": "'a;b'", "$x": "'$x'", "é": "'é'",
	} {
		if got := quoteArgument(text); got != want {
			t.Errorf("%q is quoted %s, want %s", text, got, want)
		}
	}
}

func TestHelpText(t *testing.T) {
	for text, want := range map[string]string{
		"ends #> here <# and":          "ends # > here < # and",
		".SYNOPSIS\n.EXAMPLE":          " .SYNOPSIS\n .EXAMPLE",
		"use --max-session-limit N":    "use -MaxSessionLimit N",
		"--allow-new-session=false is": "-AllowNewSession:$false is",
		"sessions; =false is drain":    "sessions; :$false is drain",
		"naïve":                        "na?ve",
		"a -- b":                       "a -- b",
	} {
		if got := helpText(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestArgumentsSurvive runs the module's rule for quoting arguments on hostile
// values, and takes the line apart as programs do.
func TestArgumentsSurvive(t *testing.T) {
	rules := regexp.MustCompile(`-replace '([^']*)', '([^']*)'`).FindAllStringSubmatch(helpers, -1)
	if len(rules) != 2 {
		t.Fatalf("the module quotes by %d rules, want 2", len(rules))
	}
	quoted := func(text string) string {
		for _, rule := range rules {
			text = regexp.MustCompile(rule[1]).ReplaceAllString(text, strings.ReplaceAll(rule[2], "$1", "${1}"))
		}
		return `"` + text + `"`
	}
	values := []string{"", " ", "a b", `"`, `""`, `\`, `\\`, `a\`, `a\\`, `\"`, `a\"b`, `a\\"b\\`, `c:\dir with blank\`, "$(touch x)", "`calc`", "'; calc; '",
		"%PATH%", "^&|<>", "--force", "--", "*", "\t", "a\nb", "a\\\n", `\\server\share\`, "日本", "a=b:c"}
	var line []string
	for _, value := range values {
		line = append(line, quoted(value))
	}
	if got := takeApart(strings.Join(line, " ")); !slices.Equal(got, values) {
		t.Errorf("arguments arrive as\n%q, want\n%q", got, values)
	}
}

// takeApart splits a command line by the rules of Windows' C library, which
// .NET follows on the other systems, too.
func takeApart(line string) []string {
	var args []string
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		var arg []byte
		inQuotes := false
		for ; i < len(line) && (inQuotes || line[i] != ' ' && line[i] != '\t'); i++ {
			slashes := 0
			for i < len(line) && line[i] == '\\' {
				slashes++
				i++
			}
			if i < len(line) && line[i] == '"' {
				arg = append(arg, strings.Repeat(`\`, slashes/2)...)
				if slashes%2 == 1 {
					arg = append(arg, '"')
				} else {
					inQuotes = !inQuotes
				}
				continue
			}
			arg = append(arg, strings.Repeat(`\`, slashes)...)
			if i == len(line) || !inQuotes && (line[i] == ' ' || line[i] == '\t') {
				break
			}
			arg = append(arg, line[i])
		}
		args = append(args, string(arg))
	}
	return args
}

// TestPlainASCII: Windows PowerShell takes a file without a mark for one in the
// system's code page.
func TestPlainASCII(t *testing.T) {
	out := files{}
	if err := powershellModule(out); err != nil {
		t.Fatal(err)
	}
	for name, data := range out {
		if i := bytes.IndexFunc(data, func(r rune) bool { return r > '~' || r < ' ' && r != '\n' }); i >= 0 {
			t.Errorf("%s holds %q", name, data[max(0, i-20):i+4])
		}
	}
}

func TestCrescendoSchema(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	var schema any
	readJSON(t, "testdata/crescendo-2022-06.schema.json", &schema)
	if err := compiler.AddResource("crescendo.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("crescendo.json")
	if err != nil {
		t.Fatal(err)
	}
	data, err := crescendo(functions())
	if err != nil {
		t.Fatal(err)
	}
	var configuration any
	if err := json.Unmarshal(data, &configuration); err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(configuration); err != nil {
		t.Error(err)
	}
}

// TestModuleParses needs node and, in the folder that GATEPOOL_NODE names, what
// npm install tree-sitter-powershell web-tree-sitter makes.
func TestModuleParses(t *testing.T) {
	folder := os.Getenv("GATEPOOL_NODE")
	if folder == "" {
		t.Skip("GATEPOOL_NODE names no folder with tree-sitter-powershell and web-tree-sitter")
	}
	out := files{}
	if err := powershellModule(out); err != nil {
		t.Fatal(err)
	}
	all := functions()
	handler := all[0].crescendo(all).OutputHandlers[0].Handler
	var examples strings.Builder
	for _, f := range all {
		examples.WriteString(strings.Join(f.examples(all), "\n") + "\n")
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	parse := func(paths ...string) error {
		command := exec.Command("node", append([]string{"testdata/parse.cjs", folder}, paths...)...)
		command.Stderr = os.Stderr
		report, err := command.Output()
		if err != nil {
			t.Logf("%s", report)
		}
		return err
	}
	hostile := "Set-GatepoolHostPool " + exchange.QuotePowerShell("$(calc)' ; \u2019; calc #> @{") + " -Description " + exchange.QuotePowerShell("it's \"`\"") + "\n"
	if err := parse(
		write("Gatepool.psm1", string(out["completions/powershell/Gatepool.psm1"])),
		write("Gatepool.psd1", string(out["completions/powershell/Gatepool.psd1"])),
		write("handler.ps1", handler+"\n"),
		write("examples.ps1", examples.String()),
		write("hostile.ps1", hostile),
	); err != nil {
		t.Error(err)
	}
	if parse(write("broken.ps1", "function X { param([string $a) }\n")) == nil {
		t.Error("the parser takes anything for PowerShell")
	}
}

func readJSON(t *testing.T, path string, to any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}
