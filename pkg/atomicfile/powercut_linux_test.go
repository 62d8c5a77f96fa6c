package atomicfile

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// disk is a file system in a file, whose power can be cut.
type disk struct {
	image, dir string
}

func newDisk(t *testing.T) *disk {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a file system")
	}
	mkfs, err := exec.LookPath("mkfs.ext4")
	if err != nil {
		t.Skip("needs mkfs.ext4")
	}
	d := &disk{image: filepath.Join(t.TempDir(), "image"), dir: t.TempDir()}
	if err := errors.Join(os.WriteFile(d.image, nil, 0o600), os.Truncate(d.image, 16<<20)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(mkfs, "-q", d.image).CombinedOutput(); err != nil {
		t.Fatalf("mkfs.ext4: %v %s", err, out)
	}
	if out, err := d.mount(); err != nil {
		t.Skipf("needs to mount a loop device: %v %s", err, out)
	}
	t.Cleanup(func() { unix.Unmount(d.dir, unix.MNT_DETACH) })
	return d
}

// mount makes the disk as careless as it can be: nothing is written that was not synced.
func (d *disk) mount() ([]byte, error) {
	return exec.Command("mount", "-o", "loop,noauto_da_alloc,data=writeback", d.image, d.dir).CombinedOutput()
}

// cut loses everything that was not made durable. Until restart, every call fails.
func (d *disk) cut(t *testing.T) {
	t.Helper()
	const (
		shutdown   = 0x8004587d // FS_IOC_SHUTDOWN, from linux/fs.h
		noLogFlush = 2
	)
	f, err := os.Open(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.IoctlSetPointerInt(int(f.Fd()), shutdown, noLogFlush); err != nil {
		t.Skip("needs FS_IOC_SHUTDOWN: ", err)
	}
}

func (d *disk) restart(t *testing.T) {
	t.Helper()
	if err := unix.Unmount(d.dir, 0); err != nil {
		t.Fatal(err)
	}
	if out, err := d.mount(); err != nil {
		t.Fatalf("mount: %v %s", err, out)
	}
}

func (d *disk) put(t *testing.T, path, content string) {
	t.Helper()
	put(t, path, content)
	if err := syncPath(path); err != nil {
		t.Fatal(err)
	}
	if err := syncPath(d.dir); err != nil {
		t.Fatal(err)
	}
}

// TestPowerCut cuts the power before each step, and after the last.
func TestPowerCut(t *testing.T) {
	d := newDisk(t)
	path := filepath.Join(d.dir, "state.yaml")

	d.put(t, path, "old")
	put(t, path, "not synced")
	d.cut(t)
	d.restart(t)
	if got := content(t, path); got == "not synced" {
		t.Fatal("the power cut loses nothing: this test cannot fail")
	}

	const afterwards = "after the last"
	for _, op := range []struct {
		name string
		run  func(string, Options) error
		new  string
	}{
		{"update", runUpdate, "new"},
		{"restore", runRestore, "older"},
	} {
		want := []string{"old"}
		for _, step := range append(steps(t, op.run), afterwards) {
			t.Run(op.name+" "+step, func(t *testing.T) {
				d.put(t, path, "old")
				os.Remove(path + ".bak")
				d.put(t, path+".bak", "older")
				if step == afterwards {
					put(t, path, "old") // by an editor that does not sync: the backup is durable all the same
				}
				err := op.run(path, Options{hook: func(s string) error {
					if s == step {
						d.cut(t)
					}
					return nil
				}})
				if step == afterwards {
					if err != nil {
						t.Fatal(err)
					}
					want = []string{op.new} // exit 0 means durable
					d.cut(t)
				} else if err == nil {
					t.Fatal("success without power")
				}
				d.restart(t)
				got := content(t, path)
				if !slices.Contains(want, got) {
					t.Errorf("file %q, want one of %q", got, want)
				}
				if backup := content(t, path+".bak"); backup != "older" && !(backup == "old" && got == op.new) || step == afterwards && backup != "old" {
					t.Errorf("backup %q beside %q", backup, got)
				}
				mustUpdate(t, path, "next")
				if backup := content(t, path+".bak"); backup != got {
					t.Errorf("backup after the next update %q, want %q", backup, got)
				}
				wantFiles(t, path, "lost+found", "state.yaml", "state.yaml.bak", "state.yaml.lock")
			})
			if step == "rename the temporary file" {
				want = []string{"old", op.new}
			}
		}
	}
}
