package cmd

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExamples runs every line of every command's examples, each in a fresh
// copy of docs/examples with contoso.yaml as the state file.
func TestExamples(t *testing.T) {
	for _, c := range Tree().Commands() {
		lines := strings.Split(c.Example, "\n")
		if len(lines) < 2 || len(lines) > 3 {
			t.Errorf("%s has %d lines of examples; it should have two or three examples", c.Name(), len(lines))
		}
		for _, line := range lines {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") || needsService(line) {
				continue
			}
			t.Run(c.Name(), func(t *testing.T) {
				t.Parallel()
				if !strings.Contains(line, "gatepool ") {
					t.Fatalf("no example of gatepool: %s", line)
				}
				dir := exampleFolder(t)
				if before := setUp(c.Name()); before != "" {
					if out, err := shell(t, dir, before).CombinedOutput(); err != nil {
						t.Fatalf("%s\n%s%v", before, out, err)
					}
				}
				out, err := shell(t, dir, line).CombinedOutput()
				if strings.Contains(string(out), "there is no terminal to ask on") {
					// Somebody at a terminal would say yes.
					out, err = shell(t, dir, line+" --force").CombinedOutput()
				}
				var exit *exec.ExitError
				if errors.As(err, &exit) && exit.ExitCode() == exitFindings && strings.Contains(line, "--detailed-exitcode") {
					err = nil
				}
				if err != nil {
					t.Errorf("%s\n%s%v", line, out, err)
				}
			})
		}
	}
}

// setUp is what has to happen before a command's examples make sense.
func setUp(command string) string {
	switch command {
	case "new-state":
		return "rm gatepool.yaml"
	case "restore-state":
		return "gatepool drain-host hp-eu avd-eu-0.contoso.example"
	}
	return ""
}

// A line that begins with a cmdlet or with az asks a service that no test has.
var asksService = regexp.MustCompile(`^([A-Z][a-z]+-[A-Za-z]+|az) `)

func needsService(line string) bool { return asksService.MatchString(line) }

// exampleFolder is a fresh copy of docs/examples, whose contoso.yaml is the
// state file there.
func exampleFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../docs/examples")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "contoso.yaml"), filepath.Join(dir, "gatepool.yaml")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// shell is a command line to run in a folder, with gatepool in the path.
func shell(t *testing.T, dir, line string) *exec.Cmd {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here to run examples in")
	}
	c := exec.Command(sh, "-c", line)
	c.Dir = dir
	c.Env = append(os.Environ(), "GATEPOOL_STATE=", "NO_COLOR=", "TZ=UTC")
	return c
}
