package cmd

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatepool/pkg/gatewayconfig"
)

// runOn runs the program on a configuration file and returns its exit code and
// what it says.
func runOn(file, command string, args ...string) (code int, said string) {
	var out bytes.Buffer
	code = Main(append([]string{command, "--path", file}, args...), strings.NewReader(""), &out, &out)
	return code, out.String()
}

// TestSetAndSetBack sets every setting that a sample holds and adds every other
// one, undoes it, and compares the bytes.
func TestSetAndSetBack(t *testing.T) {
	samples, err := filepath.Glob("../pkg/gatewayconfig/testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	for _, sample := range samples {
		data, err := os.ReadFile(sample)
		if err != nil {
			t.Fatal(err)
		}
		before, err := gatewayconfig.Parse(data, sample)
		if err != nil {
			continue // no section; what is said of those is tested elsewhere
		}
		tested++
		file := filepath.Join(t.TempDir(), gatewayconfig.FileName)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var there, back []string
		for _, s := range gatewayconfig.Known() {
			old, present := before.Get(s.Name)
			switch {
			case s.ReadOnly:
				continue
			case present:
				back = append(back, "--setting", s.Name+"="+old)
			default:
				back = append(back, "--unset", s.Name)
			}
			there = append(there, "--setting", s.Name+"="+another(s, old))
		}
		for _, run := range []struct {
			args []string
			same bool
		}{{there, false}, {back, true}} {
			if code, said := runOn(file, "set-gatewayconfig", run.args...); code != exitOK {
				t.Fatalf("%s: set-gatewayconfig %v: exit %d, %s", sample, run.args, code, said)
			}
			if same := sum(t, file) == sha256.Sum256(data); same != run.same {
				t.Errorf("%s: after set-gatewayconfig %v the bytes are as before: %t, want %t", sample, run.args, same, run.same)
			}
		}
	}
	if tested < 3 {
		t.Errorf("%d samples hold a section", tested)
	}
}

func sum(t *testing.T, file string) [sha256.Size]byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(data)
}

// another is a valid value of a setting that differs from its old one.
func another(s gatewayconfig.Setting, old string) string {
	candidates := []string{`D:\Logs & more`, "*"}
	switch s.Kind {
	case gatewayconfig.Percent, gatewayconfig.Minutes, gatewayconfig.Count:
		candidates = []string{"100", "99"}
	case gatewayconfig.Bool:
		candidates = []string{"True", "False"}
	case gatewayconfig.Enum:
		candidates = s.Values
	}
	if candidates[0] != old {
		return candidates[0]
	}
	return candidates[1]
}

func TestDiffCountsLines(t *testing.T) {
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("line %d\n", i+1))
	}
	before := strings.Join(lines, "")
	lines[2], lines[5], lines[24] = "third\n", "sixth\nand more\n", "last\n"
	diff, err := unifiedDiff("f", before, strings.Join(lines, ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range []string{"@@ -1,9 +1,10 @@\n", "@@ -22,7 +23,7 @@\n"} {
		if !strings.Contains(diff, header) {
			t.Errorf("no %q in\n%s", header, diff)
		}
	}
}
