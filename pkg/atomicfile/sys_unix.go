//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockFlags keep a lock file that is a link, or a FIFO, from making us write elsewhere, or hang.
const lockFlags = unix.O_NOFOLLOW | unix.O_NONBLOCK

func openRead(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
}

func tryLockFile(f *os.File) (bool, error) {
	err := flock(f, unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func lockFile(f *os.File) error { return flock(f, unix.LOCK_EX) }

func unlockFile(f *os.File) error { return flock(f, unix.LOCK_UN) }

func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func accessFile(path string) error { return unix.Access(path, unix.W_OK) }

func accessFolder(path string) error { return unix.Access(path, unix.W_OK|unix.X_OK) }

// adopt gives f the mode, owner and group of the file at path, described by info.
func adopt(f *os.File, _ string, info fs.FileInfo) error {
	perm := info.Mode().Perm()
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		uid, gid := int(st.Uid), int(st.Gid)
		if f.Chown(uid, gid) != nil && f.Chown(-1, gid) != nil {
			perm = perm&^0o070 | perm&0o007<<3 // what its group may, our group need not: it gets what everyone gets
		}
	}
	return f.Chmod(perm)
}

func link(from, to string) error { return os.Link(from, to) }

func rename(from, to string) error { return os.Rename(from, to) }

// syncPath makes a folder or a file that someone else wrote durable.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil // a file system, of a network for instance, that cannot sync folders
	}
	return err
}
