package cmd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocs runs the sessions in README.md and the guides: every fenced block
// marked console, from the top of the page to its end in one shell. Lines that
// begin with "$ " are commands, the lines below what they print to both streams.
// There "..." stands for any text, and alone on a line for any lines.
//
// A page begins with docs/examples in docs/examples and otherwise empty, and
// "go run ." is the program under test. GATEPOOL_UPDATE=1 writes what commands
// print now into the pages.
func TestDocs(t *testing.T) {
	guides, err := filepath.Glob("../docs/guides/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(guides, "../README.md") {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			got := runPage(t, string(text))
			if os.Getenv("GATEPOOL_UPDATE") == "" || got == string(text) {
				return
			}
			if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A step is a command in a page and the lines that it should print.
type step struct {
	command    string
	want       string
	start, end int // of want in the page
}

var consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// steps finds the commands of a page. A command goes on in the next line after
// a backslash.
func steps(page string) []step {
	var all []step
	for _, block := range consoleBlock.FindAllStringSubmatchIndex(page, -1) {
		at := block[2]
		continued := false
		for line := range strings.Lines(page[block[2]:block[3]]) {
			at += len(line)
			switch command, ok := strings.CutPrefix(line, "$ "); {
			case continued:
				all[len(all)-1].command += line
				all[len(all)-1].start, all[len(all)-1].end = at, at
				continued = strings.HasSuffix(line, "\\\n")
			case ok:
				all = append(all, step{command: command, start: at, end: at})
				continued = strings.HasSuffix(line, "\\\n")
			case len(all) > 0:
				all[len(all)-1].want += line
				all[len(all)-1].end = at
			}
		}
	}
	return all
}

// runPage runs a page's commands and returns the page with what they print now.
func runPage(t *testing.T, page string) string {
	t.Helper()
	all := steps(page)
	if len(all) == 0 {
		t.Fatal("the page has no commands")
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "docs", "examples"), os.DirFS("../docs/examples")); err != nil {
		t.Fatal(err)
	}
	// A line that no program prints parts the output of one command from the
	// next. $? is kept across it.
	const mark = "-- 8< --"
	var script strings.Builder
	script.WriteString("exec 2>&1\n")
	for _, s := range all {
		script.WriteString(strings.ReplaceAll(s.command, "go run .", "gatepool"))
		script.WriteString("{ rc=$?; echo '" + mark + "'; (exit $rc); }\n")
	}
	out, err := shell(t, dir, script.String()).Output()
	printed := strings.Split(string(out), mark+"\n")
	if len(printed) != len(all)+1 {
		t.Fatalf("the commands ended early: %v\n%s", err, out)
	}
	var updated strings.Builder
	at := 0
	for i, s := range all {
		// A terminal shows the line ends of a Windows file as any others.
		got := strings.ReplaceAll(printed[i], "\r\n", "\n")
		if got != "" && !strings.HasSuffix(got, "\n") {
			got += "\n"
		}
		updated.WriteString(page[at:s.start])
		at = s.end
		switch {
		case matches(got, s.want):
			updated.WriteString(s.want)
		case os.Getenv("GATEPOOL_UPDATE") != "":
			updated.WriteString(got)
		default:
			t.Errorf("$ %sprints:\n%s\nand not:\n%s", s.command, got, s.want)
			updated.WriteString(s.want)
		}
	}
	return updated.String() + page[at:]
}

// matches compares what a command prints with a page's lines.
func matches(got, want string) bool {
	var re strings.Builder
	re.WriteString("^")
	for line := range strings.Lines(want) {
		if line == "...\n" {
			re.WriteString("(?s:.*)")
			continue
		}
		re.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, ".*"))
	}
	re.WriteString("$")
	return regexp.MustCompile(re.String()).MatchString(got)
}
