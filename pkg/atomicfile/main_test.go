package atomicfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The test binary is also the other process: with roleVar set it plays one of the roles instead of running tests.
const roleVar = "ATOMICFILE_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		os.Exit(play(role, os.Args[1], os.Args[2:]))
	}
	os.Exit(m.Run())
}

// outcome is what a role reports about its update on stdout.
type outcome struct {
	Result Result
	Err    string
	Write  *WriteError
	Locked *LockedError
}

func report(res Result, err error) int {
	o := outcome{Result: res}
	if err != nil {
		o.Err = err.Error()
	}
	if errors.As(err, &o.Write) {
		o.Write.Err = nil // does not survive JSON
	}
	errors.As(err, &o.Locked)
	if err := json.NewEncoder(os.Stdout).Encode(o); err != nil {
		return 1
	}
	return 0
}

func play(role, path string, args []string) int {
	runtime.LockOSThread() // strace counts calls by thread
	ctx := context.Background()
	wait := Options{LockTimeout: time.Minute}
	switch role {
	case "increment": // n times, once stdin is closed
		n, _ := strconv.Atoi(args[0])
		io.Copy(io.Discard, os.Stdin)
		for range n {
			if _, err := Update(ctx, path, wait, increment); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
	case "increment-until-killed":
		for n := 0; ; n++ {
			if _, err := Update(ctx, path, wait, increment); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			if n == 0 {
				fmt.Println("wrote")
			}
		}
	case "hold": // the lock, until stdin is closed
		_, err := Update(ctx, path, wait, func([]byte) ([][]byte, error) {
			fmt.Println("held")
			io.Copy(io.Discard, os.Stdin)
			return nil, nil
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	case "update-crashing-at", "restore-crashing-at": // a step
		o := Options{Create: true, hook: func(step string) error {
			if step == args[0] {
				os.Exit(crashed)
			}
			return nil
		}}
		if role == "restore-crashing-at" {
			return report(Restore(ctx, path, o, nil))
		}
		return report(Update(ctx, path, o, to(args[1])))
	case "update": // to the content given, with the lock timeout given
		timeout, _ := time.ParseDuration(args[1])
		return report(Update(ctx, path, Options{LockTimeout: timeout}, to(args[0])))
	default:
		fmt.Fprintf(os.Stderr, "no such role: %s\n", role)
		return 1
	}
	return 0
}

const crashed = 77 // exit code of a role that died as it was told

// other makes a command that plays a role, within a minute.
func other(t testing.TB, role, path string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0], append([]string{path}, args...)...)
	cmd.Env = append(os.Environ(), roleVar+"="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

// outcomeOf runs a command that plays a role.
func outcomeOf(t testing.TB, cmd *exec.Cmd) outcome {
	t.Helper()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	var o outcome
	if err := json.Unmarshal(out, &o); err != nil {
		t.Fatalf("%s: %v in %q", cmd, err, out)
	}
	return o
}

// to makes an edit that replaces everything.
func to(content string) func([]byte) ([][]byte, error) {
	return func([]byte) ([][]byte, error) { return [][]byte{[]byte(content)}, nil }
}

// A counter file holds one number on every line, so that a mix of two versions, or a part of one, shows.
const counterLines = 500

func counter(n int) string { return strings.Repeat(fmt.Sprintf("count %d\n", n), counterLines) }

func count(content []byte) (int, error) {
	line, _, _ := bytes.Cut(content, []byte("\n"))
	n, err := strconv.Atoi(strings.TrimPrefix(string(line), "count "))
	if err != nil || string(content) != counter(n) {
		return 0, fmt.Errorf("not whole: %d bytes, %q…", len(content), line)
	}
	return n, nil
}

func increment(old []byte) ([][]byte, error) {
	n, err := count(old)
	return [][]byte{[]byte(counter(n + 1))}, err
}

// newFile makes a file in a folder of its own.
func newFile(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.yaml")
	put(t, path, content)
	return path
}

func put(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func content(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// wantFiles checks the names in the folder of path: nothing may be left over.
func wantFiles(t testing.TB, path string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("files %q, want %q", got, want)
	}
}

// mustUpdate shows that the file can be updated, at once.
func mustUpdate(t testing.TB, path, want string) Result {
	t.Helper()
	res, err := Update(context.Background(), path, Options{}, to(want))
	if err != nil {
		t.Fatalf("update: %v", err)
	}
	if got := content(t, path); got != want || !res.Written {
		t.Fatalf("update wrote %q (%+v), want %q", got, res, want)
	}
	return res
}
