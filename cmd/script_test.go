package cmd

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if os.Getenv("GATEPOOL_TEST_RUN") != "" {
		// Started by a test as gatepool itself.
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"gatepool": func() {
			code := Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
			if file := os.Getenv("GATEPOOL_TEST_STATUS"); file != "" {
				// What Linux says of this process, its most memory among it: what
				// the parent learns from wait counts the parent's own.
				if status, err := os.ReadFile("/proc/self/status"); err == nil {
					_ = os.WriteFile(file, status, 0o600)
				}
			}
			os.Exit(code)
		},
	})
}

// TestScript runs the sessions in testdata/script, one a command. GATEPOOL_UPDATE=1
// rewrites the outputs that they compare with.
func TestScript(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("GATEPOOL_UPDATE") != "",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"pairs": pairs,
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			// Under the race detector each process would wait a second at its end.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
	})
}

// exits runs a command and demands an exit code: exits 4 gatepool connect …
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		var exit interface{ ExitCode() int }
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = strconv.Itoa(exit.ExitCode())
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}
