package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"gatepool/pkg/gatewayconfig"
)

// TestHostileConfig gives each command that reads a configuration file one that
// is not, as a process of its own, and looks at what it costs.
func TestHostileConfig(t *testing.T) {
	good, err := os.ReadFile("../pkg/gatewayconfig/testdata/GatewayCore.lf.xml")
	if err != nil {
		t.Fatal(err)
	}
	var utf16le bytes.Buffer
	utf16le.WriteString("\xff\xfe")
	for _, u := range utf16.Encode([]rune(string(good))) {
		utf16le.Write([]byte{byte(u), byte(u >> 8)})
	}
	declared := func(encoding string) []byte {
		return bytes.Replace(good, []byte(`encoding="utf-8"`), []byte(`encoding="`+encoding+`"`), 1)
	}
	const most = 100_000
	tests := []struct {
		name    string
		content []byte
		reason  string
	}{
		{"UTF-16", utf16le.Bytes(), "the file is UTF-16, not UTF-8"},
		{"windows-1252 declared", declared("windows-1252"), "declares the encoding windows-1252"},
		{"windows-1252", bytes.Replace(good, []byte("<configuration>"), []byte("<!-- caf\xe9 -->\n<configuration>"), 1), "byte 0xe9 is not UTF-8"},
		{"DOCTYPE", []byte("<!DOCTYPE configuration [<!ENTITY a \"b\">]>\n<configuration/>"), "<!DOCTYPE"},
		{"two roots", append(bytes.Clone(good), "<configuration/>"...), "second root element"},
		{"junk after the root", append(bytes.Clone(good), "junk"...), "text outside the root element"},
		{"deeply nested", []byte(strings.Repeat("<a>", most) + strings.Repeat("</a>", most)), "more than the 524288 that are read"},
		{"deeply nested and small", []byte(strings.Repeat("<a>", most/2) + "</a>"), "nested more than 100 deep"},
		{"empty", nil, "the file is empty"},
		{"200 MB", nil, "more than the 524288 that are read"},
	}
	for _, test := range tests {
		folder := t.TempDir()
		file := filepath.Join(folder, gatewayconfig.FileName)
		if err := os.WriteFile(file, test.content, 0o600); err != nil {
			t.Fatal(err)
		}
		if test.name == "200 MB" {
			if err := os.Truncate(file, 200<<20); err != nil {
				t.Fatal(err)
			}
		}
		state := filepath.Join(t.TempDir(), "gatepool.yaml")
		text := "kind: Cluster\napiVersion: gatepool/v1\nname: finance\nmembers:\n  - name: GW-FIN-01\n    configFile: " + file + "\n"
		if err := os.WriteFile(state, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{
			{"get-gatewayconfig", "--path", file},
			{"set-gatewayconfig", "--path", file, "--cpu", "80"},
			{"test-gatewayconfig", "--path", file, "--fix", "--detailed-exitcode"},
			{"connect", "--state", state, "--cluster", "finance"},
		} {
			t.Run(test.name+"/"+command[0], func(t *testing.T) { refusesCheaply(t, command, test.reason) })
		}
		if entries, err := os.ReadDir(folder); err != nil || len(entries) > 2 { // the file, and a lock that test-gatewayconfig --fix took
			t.Errorf("%s: %v in the folder, %v", test.name, entries, err)
		}
		if now, err := os.ReadFile(file); err != nil || test.name != "200 MB" && !bytes.Equal(now, test.content) {
			t.Errorf("%s: the file was changed (%v)", test.name, err)
		}
	}
}

// refusesCheaply runs a command that must fail with a reason, in little time and
// memory.
func refusesCheaply(t *testing.T, command []string, reason string) {
	t.Helper()
	c := exec.Command(os.Args[0], command...)
	c.Args[0] = "gatepool" // as TestMain knows it
	status := filepath.Join(t.TempDir(), "status")
	c.Env = append(os.Environ(), "GATEPOOL_TEST_STATUS="+status)
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	want := exitInvalid
	if command[0] == "test-gatewayconfig" && !strings.Contains(reason, "are read") {
		want = exitFindings
	}
	if code := c.ProcessState.ExitCode(); code != want || !strings.Contains(string(out), reason) {
		t.Errorf("exit %d, want %d because of %q:\n%.500s", code, want, reason, out)
	}
	if used := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); used > time.Second {
		t.Errorf("took %s of processor time", used)
	}
	text, err := os.ReadFile(status)
	if err != nil {
		t.Fatal(err)
	}
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if peak == nil {
		t.Fatalf("no peak of memory in\n%s", text)
	}
	if kilobytes, _ := strconv.Atoi(string(peak[1])); kilobytes > 200<<10 {
		t.Errorf("took %d KiB of memory", kilobytes)
	}
}
