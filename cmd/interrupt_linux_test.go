package cmd

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatepool/state"
)

// Ctrl-C while a command waits for the lock ends it, and says that nothing
// happened.
func TestInterrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gatepool.yaml")
	if err := os.WriteFile(path, []byte(crowdedPool), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0], "set-hostpool", "hp", "--max-session-limit", "13", "--state", path)
	c.Env = append(os.Environ(), "GATEPOOL_TEST_RUN=1")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	_, err := state.Update(context.Background(), state.Options{Path: path}, func(*state.Tx) error {
		if err := c.Start(); err != nil {
			return err
		}
		for deadline := time.Now().Add(30 * time.Second); !opened(c.Process.Pid, path+".lock") && time.Now().Before(deadline); {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(300 * time.Millisecond)
		if err := c.Process.Signal(os.Interrupt); err != nil {
			return err
		}
		_ = c.Wait()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if code := c.ProcessState.ExitCode(); code != exitInterrupted || out.String() != "error: interrupted: nothing was written\n" {
		t.Errorf("exit %d\n%s", code, &out)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != crowdedPool {
		t.Errorf("the file was changed (%v)", err)
	}
}

// opened reports whether a process has a file open, or has ended.
func opened(pid int, path string) bool {
	folder := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return true
	}
	for _, e := range entries {
		if target, err := os.Readlink(filepath.Join(folder, e.Name())); err == nil && strings.HasSuffix(target, filepath.Base(path)) {
			return true
		}
	}
	return false
}
