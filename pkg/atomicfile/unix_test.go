//go:build unix

package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// asNobody makes the command run without root's rights.
func asNobody(t *testing.T, cmd *exec.Cmd, path string) *exec.Cmd {
	t.Helper()
	if os.Getuid() != 0 {
		return cmd
	}
	// Neither the folder of the test binary nor that of the test is open to others.
	binary, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "atomicfile")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	cmd.Path = filepath.Join(dir, "test")
	if err := errors.Join(os.WriteFile(cmd.Path, binary, 0o755), os.Chmod(dir, 0o755), os.Chmod(filepath.Dir(filepath.Dir(path)), 0o755)); err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return cmd
}

// TestReadOnly: a rename would go through for all of these but the last, so they are refused before.
func TestReadOnly(t *testing.T) {
	for _, tc := range []struct {
		name   string
		file   fs.FileMode
		folder fs.FileMode
		root   bool // run by root if the test is
		want   string
	}{
		{"file", 0o444, 0o777, false, "state.yaml is read-only (permission denied); nothing was written"},
		{"file, for root", 0o444, 0o777, true, "state.yaml is read-only (permission denied); nothing was written"},
		{"file of someone else", 0o644, 0o777, false, "state.yaml is read-only (permission denied); nothing was written"},
		{"folder", 0o666, 0o555, false, "its folder"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.name == "file of someone else" && os.Getuid() != 0 {
				t.Skip("needs root, to make a file of someone else's")
			}
			path := newFile(t, "old")
			if err := errors.Join(os.Chmod(path, tc.file), os.Chmod(filepath.Dir(path), tc.folder)); err != nil {
				t.Fatal(err)
			}
			cmd := other(t, "update", path, "new", "0s")
			if !tc.root {
				cmd = asNobody(t, cmd, path)
			}
			if o := outcomeOf(t, cmd); !strings.Contains(o.Err, tc.want) || !strings.Contains(o.Err, "nothing was written") || content(t, path) != "old" {
				t.Errorf("got %q, want %q; file %q", o.Err, tc.want, content(t, path))
			}
			os.Chmod(filepath.Dir(path), 0o755)
			wantFiles(t, path, "state.yaml")
		})
	}
	path := newFile(t, "old")
	put(t, path+".bak", "older")
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	var readOnly *ReadOnlyError
	if _, err := Restore(context.Background(), path, Options{}, nil); !errors.As(err, &readOnly) || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("restore: %v, want a ReadOnlyError", err)
	}
}

func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: socket}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir:         "it is a folder, not a regular file",
		pipe:        "it is a named pipe, not a regular file",
		socket:      "it is a socket, not a regular file",
		"/dev/null": "it is a device, not a regular file",
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, create := range []bool{false, true} {
				if _, err := Update(context.Background(), path, Options{Create: create}, to("new")); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("update of %s: %v, want %q", path, err, want)
				}
			}
			if _, err := Read(path, 0); err == nil || path != socket && !strings.Contains(err.Error(), want) {
				t.Errorf("read of %s: %v, want %q", path, err, want)
			}
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s hangs", path)
		}
	}
	wantFiles(t, pipe, "pipe", "socket")

	for _, suffix := range []string{".lock", ".bak"} {
		path := newFile(t, "old")
		if err := os.Mkdir(path+suffix, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := Update(context.Background(), path, Options{}, to("new")); err == nil || content(t, path) != "old" {
			t.Errorf("a folder as %s: %v, file %q", suffix, err, content(t, path))
		}
	}
	path := newFile(t, "old")
	if err := unix.Mkfifo(path+".lock", 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Update(context.Background(), path, Options{}, to("new")); err == nil || !strings.Contains(err.Error(), "a named pipe") {
		t.Errorf("a named pipe as lock file: %v", err)
	}
}

func TestSymlinks(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"real/deep", "links"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	real := filepath.Join(dir, "real", "state.yaml")
	targets := map[string]string{
		"absolute":          real,
		"relative":          "real/state.yaml",
		"links/up":          "../real/state.yaml",
		"chain":             "links/up",
		"folder":            "real",
		"deep":              "real/deep",
		"links/throughDeep": "../deep/../state.yaml", // what is above deep is real, not dir
	}
	for link, target := range targets {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"absolute", "relative", "links/up", "chain", "folder/state.yaml", "deep/../state.yaml", "links/throughDeep"} {
		for _, exists := range []bool{true, false} {
			t.Run(fmt.Sprint(path, " ", exists), func(t *testing.T) {
				for _, suffix := range []string{"", ".bak", ".lock"} {
					os.Remove(real + suffix)
				}
				want := []string{"deep", "state.yaml", "state.yaml.lock"}
				if exists {
					put(t, real, "old")
					want = []string{"deep", "state.yaml", "state.yaml.bak", "state.yaml.lock"}
				}
				path := dir + "/" + path // Join would shorten it
				if _, err := Update(context.Background(), path, Options{}, to("new")); !exists && !errors.Is(err, fs.ErrNotExist) || exists && err != nil {
					t.Errorf("without Create: %v", err)
				}
				res, err := Update(context.Background(), path, Options{Create: true}, to("newer"))
				if err != nil || res.Path != real || content(t, real) != "newer" {
					t.Errorf("got %+v, %v, want it written to %s", res, err, real)
				}
				for link, target := range targets {
					if got, err := os.Readlink(filepath.Join(dir, link)); got != target {
						t.Errorf("the link %s leads to %q, %v, want %q", link, got, err, target)
					}
				}
				wantFiles(t, real, want...)
			})
		}
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if _, err := Update(context.Background(), loop, Options{Create: true}, to("new")); err == nil || !strings.Contains(err.Error(), "too many symbolic links") {
		t.Errorf("a link to itself: %v", err)
	}

	// A relative path stays one, and a link in the lock file's place is not written through.
	t.Chdir(filepath.Join(dir, "links"))
	if res, err := Update(context.Background(), "state.yaml", Options{Create: true}, to("new")); err != nil || res.Path != "state.yaml" {
		t.Errorf("got %+v, %v", res, err)
	}
	put(t, "precious", "precious")
	if err := errors.Join(os.Remove("state.yaml.lock"), os.Symlink("precious", "state.yaml.lock")); err != nil {
		t.Fatal(err)
	}
	if _, err := Update(context.Background(), "state.yaml", Options{}, to("newer")); err == nil || content(t, "precious") != "precious" {
		t.Errorf("a link as lock file: %v, it leads to %q", err, content(t, "precious"))
	}
}

func TestModeAndOwner(t *testing.T) {
	path := newFile(t, "old")
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 1234, 2345
	}
	for _, mode := range []fs.FileMode{0o640, 0o666, 0o600} { // more than the umask allows, too
		if err := errors.Join(os.Remove(path+".lock"), os.Chown(path, uid, gid), os.Chmod(path, mode)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		mustUpdate(t, path, mode.String())
		for _, name := range []string{path, path + ".bak", path + ".lock"} {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			st := info.Sys().(*syscall.Stat_t)
			if info.Mode() != mode || int(st.Uid) != uid || int(st.Gid) != gid {
				t.Errorf("%s: mode %v, owner %d:%d, want %v, %d:%d", name, info.Mode(), st.Uid, st.Gid, mode, uid, gid)
			}
		}
	}
}

// TestBackupIsTheFileItself: a crash of another program may leave file and backup as one file with two names.
func TestBackupIsTheFileItself(t *testing.T) {
	path := newFile(t, "old")
	if err := os.Link(path, path+".bak"); err != nil {
		t.Skip("needs hard links: ", err)
	}
	mustUpdate(t, path, "new")
	if got := content(t, path+".bak"); got != "old" {
		t.Errorf("backup %q", got)
	}
	wantFiles(t, path, "state.yaml", "state.yaml.bak", "state.yaml.lock")
}

// TestFileSizeLimit: as with a full disk, writing stops half way.
func TestFileSizeLimit(t *testing.T) {
	path := newFile(t, "old")
	put(t, path+".bak", "older")
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(unix.SIGXFSZ)
	defer signal.Reset(unix.SIGXFSZ)
	low := limit
	low.Cur = 16 << 20 // more than the log that go test has this process keep
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &low); err != nil {
		t.Fatal(err)
	}
	_, err := Update(context.Background(), path, Options{}, to(strings.Repeat("x", 17<<20)))
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	var w *WriteError
	if !errors.As(err, &w) || !errors.Is(err, unix.EFBIG) || !w.Old || w.Step != "write the temporary file" {
		t.Errorf("got %v, want a WriteError", err)
	}
	if file, backup := content(t, path), content(t, path+".bak"); file != "old" || backup != "older" {
		t.Errorf("file %q, backup %q", file, backup)
	}
	wantFiles(t, path, "state.yaml", "state.yaml.bak", "state.yaml.lock")
	mustUpdate(t, path, "new")
}
