package atomicfile

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// mounted mounts a file system for the test.
func mounted(t *testing.T, what, kind, options string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a file system")
	}
	dir := t.TempDir()
	if err := unix.Mount(what, dir, kind, 0, options); err != nil {
		t.Skip("needs to mount a file system: ", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// TestDiskFull fills a disk of 256 KiB: file and backup stay as they are, whatever is left.
func TestDiskFull(t *testing.T) {
	dir := mounted(t, "none", "tmpfs", "size=256k")
	path := filepath.Join(dir, "state.yaml")
	old, older := strings.Repeat("old\n", 10<<10), strings.Repeat("older\n", 6<<10)
	put(t, path, old)
	put(t, path+".bak", older)
	fill := filepath.Join(dir, "fill")
	full := 0
	for free := 256 << 10; free >= 0; free -= 4 << 10 {
		os.Remove(fill)
		os.WriteFile(fill, make([]byte, 256<<10), 0o600) // as much as there is room for
		info, err := os.Stat(fill)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(fill, max(0, info.Size()-int64(free))); err != nil {
			t.Fatal(err)
		}
		for _, op := range []func() error{
			func() error {
				_, err := Update(context.Background(), path, Options{}, to(strings.Repeat("new\n", 12<<10)))
				return err
			},
			func() error {
				_, err := Restore(context.Background(), path, Options{}, nil)
				return err
			},
		} {
			err := op()
			if err == nil { // there was room; back to where it was
				os.Remove(fill)
				put(t, path, old)
				os.Remove(path + ".bak")
				put(t, path+".bak", older)
				continue
			}
			full++
			var w *WriteError
			if !errors.As(err, &w) || !errors.Is(err, unix.ENOSPC) || !w.Old {
				t.Fatalf("%d bytes free: %v, want a WriteError of a full disk", free, err)
			}
			if content(t, path) != old || content(t, path+".bak") != older {
				t.Fatalf("%d bytes free: file or backup changed", free)
			}
			wantFiles(t, path, "fill", "state.yaml", "state.yaml.bak", "state.yaml.lock")
		}
	}
	if full < 10 {
		t.Errorf("the disk was full %d times", full)
	}
	os.Remove(fill)
	mustUpdate(t, path, "new")
}

func TestReadOnlyFileSystem(t *testing.T) {
	dir := mounted(t, "none", "tmpfs", "size=256k")
	path := filepath.Join(dir, "state.yaml")
	put(t, path, "old")
	if err := unix.Mount("none", dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skip("needs to remount: ", err)
	}
	for _, path := range []string{path, filepath.Join(dir, "other.yaml")} {
		_, err := Update(context.Background(), path, Options{Create: true}, to("new"))
		var readOnly *ReadOnlyError
		if !errors.As(err, &readOnly) || !errors.Is(err, unix.EROFS) {
			t.Errorf("got %v, want a ReadOnlyError", err)
		}
	}
	wantFiles(t, path, "state.yaml")
}

// TestSizeUnknown reads files that say they have no bytes.
func TestSizeUnknown(t *testing.T) {
	const path = "/proc/self/limits"
	b, err := Read(path, 0)
	if err != nil || len(b) == 0 {
		t.Errorf("read %q, %v", b, err)
	}
	var tooLarge *TooLargeError
	if _, err := Read(path, 10); !errors.As(err, &tooLarge) || tooLarge.Size != 11 {
		t.Errorf("got %v, want a TooLargeError", err)
	}
}

// strace runs a command that plays a role under strace and returns the calls it saw.
func strace(t *testing.T, cmd *exec.Cmd, options ...string) (outcome, string) {
	t.Helper()
	tool, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("needs strace")
	}
	if out, err := exec.Command(tool, "-qq", "-e", "trace=none", "true").CombinedOutput(); err != nil {
		t.Skipf("needs strace to be allowed: %v %s", err, out)
	}
	trace := filepath.Join(t.TempDir(), "trace")
	cmd.Args = append(append([]string{tool, "-f", "-qq", "-o", trace}, options...), append([]string{os.Args[0]}, cmd.Args[1:]...)...)
	cmd.Path = tool
	return outcomeOf(t, cmd), content(t, trace)
}

// TestInjectedErrors lets the system's calls fail one after the other.
func TestInjectedErrors(t *testing.T) {
	const rename = "/^rename"
	for _, tc := range []struct {
		calls, inject string
		step          string // that fails, "" if the update goes through all the same
		old           bool
	}{
		{"fsync", "error=EIO:when=1", "sync the temporary file", true},
		{"fsync", "error=EIO:when=2", "keep the old file", true},
		{"fsync", "error=EIO:when=3", "sync the folder", false},
		{"fsync", "error=EINVAL:when=3", "", false}, // as file systems say that cannot sync folders
		{rename, "error=EIO:when=1", "rename the temporary file", true},
		{rename, "error=ENOSPC:when=2", "rename the backup", false},
		{"/^link", "error=EPERM", "", false}, // as file systems say that have no hard links
		{"/^f?chmod", "error=EPERM", "set the mode of the temporary file", true},
	} {
		t.Run(tc.calls+" "+tc.inject, func(t *testing.T) {
			path := newFile(t, "old")
			put(t, path+".bak", "older")
			put(t, path+".lock", "") // as after the first use
			o, trace := strace(t, other(t, "update", path, "new", "0s"), "-e", "trace="+tc.calls, "-e", "inject="+tc.calls+":"+tc.inject)
			if n := strings.Count(trace, "(INJECTED)"); n != 1 {
				t.Fatalf("injected %d times in\n%s", n, trace)
			}
			file, backup := "new", "old"
			if tc.old {
				file, backup = "old", "older"
			}
			switch {
			case tc.step == "":
				if o.Err != "" || o.Result.Backup == "" {
					t.Errorf("got %+v, want success", o)
				}
			case o.Write == nil || o.Write.Step != tc.step || o.Write.Old != tc.old || o.Result.Written == tc.old:
				t.Errorf("got %+v, %+v, want a failure to %s, Old %v", o, o.Write, tc.step, tc.old)
			}
			if got := content(t, path); got != file {
				t.Errorf("file %q, want %q", got, file)
			}
			if tc.old {
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
	}
}

// TestGroupNotKept: where the group cannot be kept, another one does not get its rights.
func TestGroupNotKept(t *testing.T) {
	path := newFile(t, "old")
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	_, trace := strace(t, other(t, "update", path, "new", "0s"), "-e", "trace=fchown", "-e", "inject=fchown:error=EPERM")
	if !strings.Contains(trace, "(INJECTED)") {
		t.Fatalf("nothing injected in\n%s", trace)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o644 || content(t, path) != "new" {
		t.Errorf("mode %v, %v, want -rw-r--r--", info.Mode(), err)
	}
}

// TestWaitIsNotPolled counts the calls of a process that waits in vain.
func TestWaitIsNotPolled(t *testing.T) {
	path := newFile(t, "old")
	_, err := Update(context.Background(), path, Options{}, func([]byte) ([][]byte, error) {
		o, trace := strace(t, other(t, "update", path, "new", "300ms"), "-e", "trace=flock")
		if o.Locked == nil || o.Locked.Holder.PID != os.Getpid() {
			t.Errorf("got %+v, want a LockedError naming process %d", o, os.Getpid())
		}
		if n := strings.Count(trace, "LOCK_EX"); n < 1 || n > 3 {
			t.Errorf("asked %d times for the lock:\n%s", n, trace)
		}
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
}
