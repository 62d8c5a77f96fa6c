package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gatepool/pkg/atomicfile"
)

var (
	exitsLine  = regexp.MustCompile(`(?m)^exits (\d+) gatepool (.*)$`)
	quotedWord = regexp.MustCompile(`'[^']*'|\S+`)
)

// TestExitCodes compares the codes that the sessions in testdata/script see
// with the declared ones, both ways: no command ends with a code that its page
// lacks, and for each code there is a command that ends with it.
func TestExitCodes(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	root := Tree()
	seen := map[int]bool{exitOK: true}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range exitsLine.FindAllStringSubmatch(string(text), -1) {
			code, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			seen[code] = true
			name, _ := commandName(quotedWord.FindAllString(m[2], -1), root.PersistentFlags())
			if alias := findCmdlet(name); alias != nil {
				name = alias.command
			}
			if c := named(root, name); c != nil && !slices.Contains(ExitCodes(c), code) {
				t.Errorf("%s: %s ends with %d, which is not among %v", filepath.Base(script), name, code, ExitCodes(c))
			}
		}
	}
	for _, e := range exitCodes() {
		if !seen[e.code] && e.code != exitInterrupted && e.code != exitFailure && e.code != exitLocked {
			t.Errorf("no session ends with %d", e.code)
		}
	}
}

// TestLocked runs a command while another has the file.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gatepool.yaml")
	text := []byte("kind: HostPool\napiVersion: gatepool/v1\nname: hp\nsessionHosts:\n  - name: h\n")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := atomicfile.Update(t.Context(), path, atomicfile.Options{}, func([]byte) ([][]byte, error) {
		for _, args := range [][]string{{"drain-host", "hp", "h"}, {"connect", "--hostpool", "hp", "--user", "u@x"}} {
			var stdout, stderr strings.Builder
			args = append(args, "--state", path, "--lock-timeout", "10ms", "-o", "json")
			if code := Main(args, strings.NewReader(""), &stdout, &stderr); code != exitLocked || !strings.Contains(stderr.String(), `"code":"locked"`) {
				t.Errorf("%s ends with %d: %s", args[0], code, &stderr)
			}
		}
		return [][]byte{text}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestUnknownFlag gives every command a flag that it lacks.
func TestUnknownFlag(t *testing.T) {
	for _, c := range Tree().Commands() {
		var stdout, stderr strings.Builder
		if code := Main([]string{c.Name(), "--no-such-flag"}, strings.NewReader(""), &stdout, &stderr); code != exitUsage {
			t.Errorf("%s --no-such-flag ends with %d: %s", c.Name(), code, &stderr)
		}
	}
}

// TestTopicHasEveryExitCode keeps gatepool help exit-codes complete.
func TestTopicHasEveryExitCode(t *testing.T) {
	topic := Topics()[0]
	for _, e := range exitCodes() {
		if !strings.Contains(topic.Text, fmt.Sprintf("\n    %-4d  ", e.code)) {
			t.Errorf("help %s lacks %d", topic.Name, e.code)
		}
	}
}
