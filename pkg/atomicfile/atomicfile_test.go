package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestUpdate(t *testing.T) {
	path := newFile(t, "one")
	for _, step := range []struct{ to, backup string }{{"two", "one"}, {"", "two"}, {"three", ""}} {
		res := mustUpdate(t, path, step.to)
		if want := (Result{Path: path, Written: true, Backup: path + ".bak"}); res != want {
			t.Errorf("result %+v, want %+v", res, want)
		}
		if got := content(t, res.Backup); got != step.backup {
			t.Errorf("backup %q, want %q", got, step.backup)
		}
	}
	wantFiles(t, path, "state.yaml", "state.yaml.bak", "state.yaml.lock")
}

func TestUpdateOfNothing(t *testing.T) {
	refused := errors.New("refused")
	for name, edit := range map[string]func(old []byte) ([][]byte, error){
		"nil":   func([]byte) ([][]byte, error) { return nil, nil },
		"same":  func(old []byte) ([][]byte, error) { return [][]byte{old[:2], {}, []byte(string(old[2:]))}, nil },
		"error": func([]byte) ([][]byte, error) { return [][]byte{[]byte("x")}, refused },
	} {
		t.Run(name, func(t *testing.T) {
			path := newFile(t, "content")
			before, _ := os.Stat(path)
			res, err := Update(context.Background(), path, Options{}, edit)
			if want := (Result{Path: path}); res != want || (err == nil) != (name != "error") || err != nil && err != refused {
				t.Errorf("got %+v, %v", res, err)
			}
			if after, _ := os.Stat(path); !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
				t.Error("the file was written")
			}
			wantFiles(t, path, "state.yaml", "state.yaml.lock")
		})
	}
}

func TestUpdateWithoutBackup(t *testing.T) {
	path := newFile(t, "two")
	put(t, path+".bak", "one")
	res, err := Update(context.Background(), path, Options{NoBackup: true}, to("three"))
	if err != nil || res.Backup != "" || content(t, path) != "three" || content(t, path+".bak") != "one" {
		t.Errorf("got %+v, %v, file %q, backup %q", res, err, content(t, path), content(t, path+".bak"))
	}
}

func TestCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.yaml")
	if _, err := Update(context.Background(), path, Options{}, to("one")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file without Create: %v, want fs.ErrNotExist", err)
	}
	wantFiles(t, path)
	nothing := func(old []byte) ([][]byte, error) { return nil, nil }
	if res, err := Update(context.Background(), path, Options{Create: true}, nothing); err != nil || res.Written {
		t.Errorf("an edit to nothing: %+v, %v", res, err)
	}
	wantFiles(t, path, "state.yaml.lock")
	res, err := Update(context.Background(), path, Options{Create: true}, func(old []byte) ([][]byte, error) {
		if old != nil {
			t.Errorf("read %q, want nil", old)
		}
		return [][]byte{}, nil
	})
	if want := (Result{Path: path, Written: true}); err != nil || res != want {
		t.Errorf("got %+v, %v, want %+v", res, err, want)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("created %v, %v, want an empty file with mode 0600", info, err)
	}
	missing := filepath.Join(t.TempDir(), "no", "state.yaml")
	if _, err := Update(context.Background(), missing, Options{Create: true}, to("")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a missing folder: %v", err)
	}
}

// TestSegments writes content cut anywhere, and finds that equal content is equal however it is cut.
func TestSegments(t *testing.T) {
	path := newFile(t, "")
	rapid.Check(t, func(t *rapid.T) {
		segments := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 5000), 1, 5).Draw(t, "segments")
		want := bytes.Join(segments, nil)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		res, err := Update(context.Background(), path, Options{NoBackup: true}, func([]byte) ([][]byte, error) { return segments, nil })
		if err != nil || res.Written == bytes.Equal(before, want) {
			t.Fatalf("%+v, %v, with %d bytes before and %d after", res, err, len(before), len(want))
		}
		if got, err := Read(path, int64(len(want))); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("read %d bytes, %v, want %d", len(got), err, len(want))
		}
		cut := rapid.IntRange(0, len(want)).Draw(t, "cut")
		res, err = Update(context.Background(), path, Options{}, func(old []byte) ([][]byte, error) { return [][]byte{old[:cut], want[cut:]}, nil })
		if err != nil || res.Written {
			t.Fatalf("the same content: %+v, %v", res, err)
		}
	})
}

// TestChanged lets an editor, which knows no lock, save in the middle of an update.
func TestChanged(t *testing.T) {
	for _, tc := range []struct {
		name string
		save func(path string) error
		want string
	}{
		{"in place", func(path string) error { return os.WriteFile(path, []byte("by an editor"), 0o644) }, "by an editor"},
		{"same size and time", func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return errors.Join(os.WriteFile(path, []byte("ONE"), 0o644), os.Chtimes(path, info.ModTime(), info.ModTime()))
		}, "ONE"},
		{"appended", func(path string) error { return os.WriteFile(path, []byte("one and more"), 0o644) }, "one and more"},
		{"by rename", func(path string) error {
			return errors.Join(os.WriteFile(path+"~", []byte("by an editor"), 0o644), os.Rename(path+"~", path))
		}, "by an editor"},
		{"removed", os.Remove, ""},
		{"created", func(path string) error { return os.WriteFile(path, nil, 0o644) }, ""},
	} {
		for _, when := range []string{"while it is edited", "write the temporary file", "sync the temporary file"} {
			t.Run(tc.name+", "+when, func(t *testing.T) {
				path := newFile(t, "one")
				if tc.name == "created" {
					os.Remove(path)
				}
				put(t, path+".bak", "zero")
				if when == "sync the temporary file" {
					time.Sleep(50 * time.Millisecond) // so that the file's times alone can tell
				}
				o := Options{Create: true, hook: func(step string) error {
					if step == when {
						return tc.save(path)
					}
					return nil
				}}
				res, err := Update(context.Background(), path, o, func([]byte) ([][]byte, error) {
					if when == "while it is edited" {
						return [][]byte{[]byte("two")}, tc.save(path)
					}
					return [][]byte{[]byte("two")}, nil
				})
				var changed *ChangedError
				if !errors.As(err, &changed) || changed.Path != path || res.Written {
					t.Errorf("got %+v, %v, want a ChangedError", res, err)
				}
				if tc.name == "removed" {
					wantFiles(t, path, "state.yaml.bak", "state.yaml.lock")
					return
				}
				if got := content(t, path); got != tc.want {
					t.Errorf("the file holds %q, want what the editor saved, %q", got, tc.want)
				}
				if got := content(t, path+".bak"); got != "zero" {
					t.Errorf("backup %q", got)
				}
				wantFiles(t, path, "state.yaml", "state.yaml.bak", "state.yaml.lock")
			})
		}
	}
}

func TestTooLarge(t *testing.T) {
	path := newFile(t, "12345")
	if got, err := Read(path, 5); err != nil || string(got) != "12345" {
		t.Errorf("at the bound: %q, %v", got, err)
	}
	if err := os.Truncate(path, 1<<30); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, readErr := Read(path, 1000)
	_, updateErr := Update(context.Background(), path, Options{MaxSize: 1000}, to(""))
	runtime.ReadMemStats(&after)
	for _, err := range []error{readErr, updateErr} {
		var tooLarge *TooLargeError
		if !errors.As(err, &tooLarge) || *tooLarge != (TooLargeError{Path: path, Size: 1 << 30, Max: 1000}) {
			t.Errorf("got %v, want a TooLargeError", err)
		}
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("refusing 1 GiB took %d bytes", used)
	}
}

func TestRestore(t *testing.T) {
	path := newFile(t, "one")
	if _, err := Restore(context.Background(), path, Options{}, nil); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "backup") {
		t.Errorf("without a backup: %v", err)
	}
	mustUpdate(t, path, "two")
	put(t, path, strings.Repeat("\x00broken", 1000))
	broken := content(t, path)
	bad := errors.New("bad")
	res, err := Restore(context.Background(), path, Options{}, func(backup []byte) error {
		if string(backup) != "one" {
			t.Errorf("checked %q", backup)
		}
		return bad
	})
	if err != bad || res.Written || content(t, path) != broken || content(t, path+".bak") != "one" {
		t.Errorf("a backup that does not pass: %+v, %v", res, err)
	}
	for _, want := range [][2]string{{"one", broken}, {broken, "one"}, {"one", broken}} {
		res, err := Restore(context.Background(), path, Options{MaxSize: 7000, NoBackup: true}, nil)
		if full := (Result{Path: path, Written: true, Backup: path + ".bak"}); err != nil || res != full {
			t.Errorf("got %+v, %v, want %+v", res, err, full)
		}
		if got := [2]string{content(t, path), content(t, path+".bak")}; got != want {
			t.Errorf("file and backup %.20q, want %.20q", got, want)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	res, err = Restore(context.Background(), path, Options{}, nil)
	if want := (Result{Path: path, Written: true}); err != nil || res != want || content(t, path) != broken || content(t, path+".bak") != broken {
		t.Errorf("of a missing file: %+v, %v", res, err)
	}
	if res, err = Restore(context.Background(), path, Options{}, nil); err != nil || res.Written {
		t.Errorf("of the same content: %+v, %v", res, err)
	}
	wantFiles(t, path, "state.yaml", "state.yaml.bak", "state.yaml.lock")
}

func TestContext(t *testing.T) {
	path := newFile(t, "one")
	ctx, cancel := context.WithCancel(context.Background())
	res, err := Update(ctx, path, Options{}, func([]byte) ([][]byte, error) {
		cancel()
		return [][]byte{[]byte("two")}, nil
	})
	if err != context.Canceled || res.Written || content(t, path) != "one" {
		t.Errorf("ended in the edit: %+v, %v", res, err)
	}
	_, err = Update(ctx, path, Options{}, func([]byte) ([][]byte, error) {
		t.Error("edited although the context had ended")
		return nil, nil
	})
	if err != context.Canceled {
		t.Errorf("ended before: %v", err)
	}
	wantFiles(t, path, "state.yaml", "state.yaml.lock")
}

// TestLock: the lock is held by another process, which then dies.
func TestLock(t *testing.T) {
	path := newFile(t, "one")
	holder := other(t, "hold", path)
	in, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}

	for _, timeout := range []time.Duration{0, 50 * time.Millisecond} {
		start := time.Now()
		_, err := Update(context.Background(), path, Options{LockTimeout: timeout}, to("two"))
		took := time.Since(start)
		var locked *LockedError
		if !errors.As(err, &locked) {
			t.Fatalf("got %v, want a LockedError", err)
		}
		host, _ := os.Hostname()
		if want := (Holder{PID: holder.Process.Pid, Program: filepath.Base(os.Args[0]), Host: host}); locked.Holder != want || locked.Path != path {
			t.Errorf("%+v, want holder %+v", locked, want)
		}
		if locked.Waited < timeout || took < timeout || took > timeout+5*time.Second {
			t.Errorf("waited %v, took %v, want %v", locked.Waited, took, timeout)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := Update(ctx, path, Options{LockTimeout: -1}, to("two")); err != context.DeadlineExceeded {
		t.Errorf("the context ended: %v", err)
	}
	if got, err := Read(path, 0); err != nil || string(got) != "one" {
		t.Errorf("a reader beside the holder: %q, %v", got, err)
	}

	waiting := make(chan error)
	go func() {
		_, err := Update(context.Background(), path, Options{LockTimeout: time.Minute}, to("two"))
		waiting <- err
	}()
	time.Sleep(20 * time.Millisecond)
	holder.Process.Kill()
	holder.Wait()
	if err := <-waiting; err != nil {
		t.Errorf("after the holder's death: %v", err)
	}
	if _, err := Update(context.Background(), path, Options{LockTimeout: 10 * time.Second}, to("three")); err != nil {
		t.Errorf("after waits that were given up: %v", err)
	}
	if got := content(t, path+".lock"); got != "" {
		t.Errorf("the lock is free, its file says %q", got)
	}
}

// TestForeignLockFile: what stands in the lock file is not trusted.
func TestForeignLockFile(t *testing.T) {
	for _, text := range []string{"", "4711", "null", `{"pid":"x"}`, `{"pid":1`, strings.Repeat("x", 100_000), "{\"pid\":1,\"program\":\"\x1b[2J\"}"} {
		path := newFile(t, "one")
		put(t, path+".lock", text)
		if h := readHolder(path + ".lock"); h.PID != 0 {
			t.Errorf("%.20q names process %d", text, h.PID)
		}
		_, err := Update(context.Background(), path, Options{}, func([]byte) ([][]byte, error) {
			if h := readHolder(path + ".lock"); h.PID != os.Getpid() {
				t.Errorf("after %.20q, the lock file names process %d", text, h.PID)
			}
			return nil, nil
		})
		if err != nil {
			t.Errorf("with %.20q in the lock file: %v", text, err)
		}
	}
	h := Holder{PID: 1, Program: "\x1b[2J", Host: "a\nb"}
	if got := h.String(); strings.ContainsAny(got, "\x1b\n") {
		t.Errorf("%q reaches the terminal", got)
	}
}

// TestSweep clears up what it knows for its own, and nothing else.
func TestSweep(t *testing.T) {
	path := newFile(t, "one")
	dir := filepath.Dir(path)
	kept := []string{".other.yaml.tmp-1", ".state.yaml.tmp-", ".state.yaml.tmp-1.yaml", ".state.yaml.tmp-x", ".state.yaml.tmp-5.tmp-1", "state.yaml.tmp-1"}
	for _, name := range append(kept, ".state.yaml.tmp-1", ".state.yaml.tmp-1.bak", ".state.yaml.tmp-4294967295") {
		put(t, filepath.Join(dir, name), name)
	}
	mustUpdate(t, path, "two")
	wantFiles(t, path, ".other.yaml.tmp-1", ".state.yaml.tmp-", ".state.yaml.tmp-1.yaml", ".state.yaml.tmp-5.tmp-1", ".state.yaml.tmp-x",
		"state.yaml", "state.yaml.bak", "state.yaml.lock", "state.yaml.tmp-1")
}

func TestMessages(t *testing.T) {
	cause := errors.New("cause")
	for _, tc := range []struct {
		err  error
		want string
	}{
		{&LockedError{Path: "s.yaml", Holder: Holder{42, "gatepool", "ws1"}, Waited: 30 * time.Second},
			`s.yaml is locked by process 42 ("gatepool" on "ws1"); nothing was written (waited 30s)`},
		{&LockedError{Path: "s.yaml"}, `s.yaml is locked by another process; nothing was written (waited 0s)`},
		{&ChangedError{Path: "s.yaml"}, "s.yaml was changed by another program meanwhile; it was left as that program saved it, nothing was written"},
		{&ReadOnlyError{Path: "s.yaml", Err: cause}, "s.yaml is read-only (cause); nothing was written"},
		{&ReadOnlyError{Path: "d/s.yaml", Folder: "d", Err: cause}, "d/s.yaml cannot be replaced, its folder d is read-only (cause); nothing was written"},
		{&TooLargeError{Path: "s.yaml", Size: 11, Max: 10}, "s.yaml has 11 bytes, more than the 10 that are read at most"},
		{&WriteError{Path: "s.yaml", Step: "sync the folder", Err: cause, Old: false},
			"s.yaml: could not sync the folder: cause; the file holds the new content, but may lose it in a power cut"},
		{&WriteError{Path: "s.yaml", Step: "write the temporary file", Err: cause, Old: true},
			"s.yaml: could not write the temporary file: cause; the file is as it was before"},
	} {
		if got := tc.err.Error(); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
		if u, ok := tc.err.(interface{ Unwrap() error }); ok && u.Unwrap() != cause {
			t.Errorf("%T does not unwrap", tc.err)
		}
	}
}

// A large file is compared in parts.
func TestHolds(t *testing.T) {
	want := bytes.Repeat([]byte("0123456789abcde\n"), 3<<20/16)
	for name, content := range map[string][]byte{
		"first byte":      slices.Concat([]byte("x"), want[1:]),
		"around the half": slices.Concat(want[:len(want)/2], []byte("x"), want[len(want)/2+1:]),
		"before the half": slices.Concat(want[:len(want)/2-1], []byte("x"), want[len(want)/2:]),
		"last byte":       slices.Concat(want[:len(want)-1], []byte("x")),
		"one byte more":   slices.Concat(want, []byte("x")),
		"one byte less":   want[:len(want)-1],
		"nothing":         nil,
	} {
		if same, err := holds(newFile(t, string(content)), want); same || err != nil {
			t.Errorf("another %s is not noticed (%v)", name, err)
		}
	}
	for _, size := range []int{0, 1, 128 << 10, 1 << 20, 3 << 20} {
		if same, err := holds(newFile(t, string(want[:size])), want[:size]); !same || err != nil {
			t.Errorf("%d bytes are not found the same (%v)", size, err)
		}
	}
}
