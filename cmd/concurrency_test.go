package cmd

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gatepool/pkg/hostpool"
	"gatepool/state"
)

// process starts gatepool as a process of its own and returns its exit code
// and output.
func process(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "GATEPOOL_TEST_RUN=1")
	b, err := cmd.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode(), string(b)
	}
	if err != nil {
		t.Error(err)
	}
	return 0, string(b)
}

// inParallel runs n functions at once and waits for them.
func inParallel(n int, fn func(i int)) {
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { fn(i) })
	}
	wait.Wait()
}

const crowdedPool = `# the pool
kind: HostPool
apiVersion: gatepool/v1
name: hp
maxSessionLimit: 12   # agreed
sessionHosts:
  - name: h0   # first
  - name: h1
  - name: h2
  - name: h3
  - name: h4
  - name: h5
  - name: h6
  - name: h7
  - name: h8
  - name: h9
    allowNewSession: true
`

func crowd(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gatepool.yaml")
	if err := os.WriteFile(path, []byte(crowdedPool), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readPool(t *testing.T, path string) *hostpool.Pool {
	t.Helper()
	s, err := state.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Pool("hp")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A hundred processes each connect another user: exactly a hundred sessions
// more, each user once, no host over its limit.
func TestHundredProcessesConnect(t *testing.T) {
	path := crowd(t)
	inParallel(100, func(i int) {
		if code, out := process(t, "connect", "--state", path, "--hostpool", "hp", "--user", fmt.Sprintf("u%d@x", i), "--lock-timeout", "5m"); code != 0 {
			t.Errorf("exit code %d: %s", code, out)
		}
	})
	users := map[string]bool{}
	for _, h := range readPool(t, path).SessionHosts {
		if len(h.Sessions) > 12 {
			t.Errorf("%s has %d sessions", h.Name, len(h.Sessions))
		}
		seats := map[string]bool{}
		for _, s := range h.Sessions {
			if users[s.User] || seats[s.ID] {
				t.Errorf("%s on seat %s of %s stands twice", s.User, s.ID, h.Name)
			}
			users[s.User], seats[s.ID] = true, true
		}
	}
	if len(users) != 100 {
		t.Errorf("%d sessions, want 100", len(users))
	}
}

// Two hundred processes of all kinds on one file: what each did is there in
// the end, every reader saw a whole file, and no seat was given twice.
func TestTwoHundredProcessesOfAllKinds(t *testing.T) {
	path := crowd(t)
	connected := make([]bool, 100)
	inParallel(200, func(i int) {
		switch kind := i % 4; kind {
		case 0, 1:
			n := i/4*2 + kind
			code, out := process(t, "connect", "--state", path, "--hostpool", "hp", "--user", fmt.Sprintf("u%d@x", n), "--lock-timeout", "5m")
			if code != 0 && code != exitRefused {
				t.Errorf("connect: exit code %d: %s", code, out)
			}
			connected[n] = code == 0
		case 2:
			verb := []string{"drain-host", "resume-host"}[i/4%2]
			if code, out := process(t, verb, "--state", path, "hp", "h9", "--lock-timeout", "5m"); code != 0 {
				t.Errorf("%s: exit code %d: %s", verb, code, out)
			}
		case 3:
			if i/4%2 == 0 {
				if code, out := process(t, "set-hostpool", "--state", path, "hp", "--description", fmt.Sprintf("change %d", i), "--lock-timeout", "5m"); code != 0 {
					t.Errorf("set-hostpool: exit code %d: %s", code, out)
				}
				return
			}
			if code, out := process(t, "get-host", "--state", path, "hp", "-o", "name"); code != 0 || strings.Count(out, "\n") != 10 {
				t.Errorf("get-host: exit code %d: %s", code, out)
			}
		}
	})
	want, got := 0, 0
	for _, ok := range connected {
		if ok {
			want++
		}
	}
	p := readPool(t, path)
	for _, h := range p.SessionHosts {
		got += len(h.Sessions)
		if len(h.Sessions) > 12 {
			t.Errorf("%s has %d sessions", h.Name, len(h.Sessions))
		}
	}
	if got != want || want < 90 {
		t.Errorf("%d sessions are recorded of %d that were granted", got, want)
	}
	if !strings.HasPrefix(p.Description, "change ") {
		t.Errorf("description is %q", p.Description)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, comment := range []string{"# the pool\n", "maxSessionLimit: 12   # agreed\n", "- name: h0   # first\n"} {
		if !strings.Contains(string(data), comment) {
			t.Errorf("the comment %q is gone", comment)
		}
	}
}
