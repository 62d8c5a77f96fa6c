package atomicfile

import (
	"bufio"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// TestWriters: a hundred processes add five each while others read.
func TestWriters(t *testing.T) {
	processes, each := 100, 5
	if testing.Short() {
		processes = 20
	}
	path := newFile(t, counter(0))
	start, gate, err := os.Pipe() // closed for all at once
	if err != nil {
		t.Fatal(err)
	}
	var writers []*exec.Cmd
	for range processes {
		w := other(t, "increment", path, strconv.Itoa(each))
		w.Stdin = start
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		writers = append(writers, w)
	}
	start.Close()

	finished := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			last, reads := 0, 0
			for {
				select {
				case <-finished:
					if reads < 10 {
						t.Errorf("only %d reads", reads)
					}
					return
				default:
				}
				b, err := Read(path, 0)
				if err != nil {
					t.Error(err)
					return
				}
				n, err := count(b)
				if err != nil || n < last {
					t.Errorf("read %d after %d: %v", n, last, err)
					return
				}
				last, reads = n, reads+1
				time.Sleep(time.Millisecond) // on Windows, nobody can write while others read all the time
			}
		})
	}
	gate.Close()
	for _, w := range writers {
		if err := w.Wait(); err != nil {
			t.Error(err)
		}
	}
	close(finished)
	readers.Wait()
	if n, err := count([]byte(content(t, path))); err != nil || n != processes*each {
		t.Errorf("counted %d, %v, want %d", n, err, processes*each)
	}
	if n, err := count([]byte(content(t, path+".bak"))); err != nil || n != processes*each-1 {
		t.Errorf("backup %d, %v, want %d", n, err, processes*each-1)
	}
	wantFiles(t, path, "state.yaml", "state.yaml.bak", "state.yaml.lock")
}

// TestWritersOfOneProcess: the lock also keeps goroutines apart.
func TestWritersOfOneProcess(t *testing.T) {
	path := newFile(t, counter(0))
	var writers sync.WaitGroup
	for range 10 {
		writers.Go(func() {
			for range 5 {
				if _, err := Update(context.Background(), path, Options{LockTimeout: time.Minute}, increment); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	if n, err := count([]byte(content(t, path))); err != nil || n != 50 {
		t.Errorf("counted %d, %v, want 50", n, err)
	}
}

// TestKill kills a busy writer at random moments.
func TestKill(t *testing.T) {
	kills := 300
	if testing.Short() {
		kills = 30
	}
	path := newFile(t, counter(0))
	last := 0
	for range kills {
		w := other(t, "increment-until-killed", path)
		out, err := w.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatalf("%q, %v", line, err)
		}
		time.Sleep(time.Duration(rand.IntN(8000)) * time.Microsecond)
		w.Process.Kill()
		w.Wait()

		n, err := count([]byte(content(t, path)))
		if err != nil || n <= last {
			t.Fatalf("killed: file %d after %d: %v", n, last, err)
		}
		if old, err := os.ReadFile(path + ".bak"); err == nil {
			if b, err := count(old); err != nil || b > n || b < n-2 {
				t.Fatalf("killed: backup %d beside %d: %v", b, n, err)
			}
		}
		if _, err := Update(context.Background(), path, Options{}, increment); err != nil {
			t.Fatalf("the update after a kill: %v", err)
		}
		last = n + 1
		if b, err := count([]byte(content(t, path+".bak"))); err != nil || b != n {
			t.Fatalf("backup after the next update %d, %v, want %d", b, err, n)
		}
		wantFiles(t, path, "state.yaml", "state.yaml.bak", "state.yaml.lock")
	}
}

// steps lists the steps of an operation on a file with a backup, by running it.
func steps(t *testing.T, run func(path string, o Options) error) []string {
	t.Helper()
	path := newFile(t, "old")
	put(t, path+".bak", "older")
	var names []string
	o := Options{hook: func(step string) error {
		names = append(names, step)
		return nil
	}}
	if err := run(path, o); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(names, "rename the temporary file") {
		t.Fatalf("steps %q", names)
	}
	return names
}

func runUpdate(path string, o Options) error {
	_, err := Update(context.Background(), path, o, to("new"))
	return err
}

func runRestore(path string, o Options) error {
	_, err := Restore(context.Background(), path, o, nil)
	return err
}

// TestCrashAtEveryStep ends the process before each step: the file is old or new and the backup whole, and the next update has both right.
func TestCrashAtEveryStep(t *testing.T) {
	for _, op := range []struct {
		role string
		run  func(string, Options) error
		new  string
	}{
		{"update-crashing-at", runUpdate, "new"},
		{"restore-crashing-at", runRestore, "older"},
	} {
		want := "old"
		for _, step := range steps(t, op.run) {
			t.Run(op.role+" "+step, func(t *testing.T) {
				path := newFile(t, "old")
				put(t, path+".bak", "older")
				err := other(t, op.role, path, step, "new").Run()
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.ExitCode() != crashed {
					t.Fatalf("did not crash: %v", err)
				}
				if got := content(t, path); got != want {
					t.Errorf("file %q, want %q", got, want)
				}
				if got := content(t, path+".bak"); got != "older" && !(want == op.new && got == "old") {
					t.Errorf("backup %q", got)
				}
				// What was begun is finished or undone before anything else.
				backup := "older"
				if want == op.new {
					backup = "old"
				}
				if _, err := Update(context.Background(), path, Options{}, func([]byte) ([][]byte, error) { return nil, nil }); err != nil {
					t.Fatal(err)
				}
				if got := content(t, path+".bak"); got != backup {
					t.Errorf("backup after the next command %q, want %q", got, backup)
				}
				wantFiles(t, path, "state.yaml", "state.yaml.bak", "state.yaml.lock")
				mustUpdate(t, path, "next")
				if got := content(t, path+".bak"); got != want {
					t.Errorf("backup after the next update %q, want %q", got, want)
				}
			})
			if step == "rename the temporary file" {
				want = op.new
			}
		}
	}
}

func TestCrashInCreate(t *testing.T) {
	exists := false
	for _, step := range steps(t, func(path string, o Options) error {
		os.Remove(path)
		o.Create = true
		return runUpdate(path, o)
	}) {
		path := newFile(t, "")
		os.Remove(path)
		other(t, "update-crashing-at", path, step, "new").Run()
		got, err := os.ReadFile(path)
		if exists != (err == nil) || exists && string(got) != "new" {
			t.Errorf("before %q: %q, %v", step, got, err)
		}
		if _, err := Update(context.Background(), path, Options{Create: true}, to("next")); err != nil {
			t.Errorf("the update after a crash before %q: %v", step, err)
		}
		exists = exists || step == "rename the temporary file"
	}
}

// TestFailureAtEveryStep: the error says which step, and truly whether the file is old or new, and a step that fails leaves nothing behind.
func TestFailureAtEveryStep(t *testing.T) {
	boom := errors.New("boom")
	for _, op := range []struct {
		name string
		run  func(string, Options) error
		new  string
	}{
		{"update", runUpdate, "new"},
		{"restore", runRestore, "older"},
	} {
		old := true
		for _, step := range steps(t, op.run) {
			t.Run(op.name+" "+step, func(t *testing.T) {
				path := newFile(t, "old")
				put(t, path+".bak", "older")
				err := op.run(path, Options{hook: func(s string) error {
					if s == step {
						return boom
					}
					return nil
				}})
				var w *WriteError
				if !errors.As(err, &w) || !errors.Is(err, boom) || w.Step != step || w.Path != path || w.Old != old {
					t.Fatalf("got %v (%+v), want the failure of %q, Old %v", err, w, step, old)
				}
				file, backup := "old", "older"
				if !old {
					file, backup = op.new, "old"
				}
				if got := content(t, path); got != file {
					t.Errorf("file %q, want %q", got, file)
				}
				if old {
					wantFiles(t, path, "state.yaml", "state.yaml.bak", "state.yaml.lock")
				}
				if _, err := Update(context.Background(), path, Options{}, func([]byte) ([][]byte, error) { return nil, nil }); err != nil {
					t.Fatal(err)
				}
				if got := content(t, path+".bak"); got != backup {
					t.Errorf("backup %q, want %q", got, backup)
				}
				wantFiles(t, path, "state.yaml", "state.yaml.bak", "state.yaml.lock")
			})
			old = old && step != "rename the temporary file"
		}
	}
}
