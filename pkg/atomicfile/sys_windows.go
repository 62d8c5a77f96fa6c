package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

const lockFlags = 0

func openRead(path string) (f *os.File, err error) {
	err = retry(func() error {
		f, err = os.Open(path)
		return err
	})
	return f, err
}

// lockRange is one byte far behind the content, which must stay readable while it is locked: locks are mandatory here.
func lockRange() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }

func tryLockFile(f *os.File) (bool, error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, lockRange())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, lockRange())
}

func unlockFile(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, lockRange())
}

// accessFile and accessFolder leave the question to the rename: access control lists can't be judged beforehand, and the read-only attribute
// shows in the mode.
func accessFile(string) error   { return nil }
func accessFolder(string) error { return nil }

// adopt gives f the access control list of the file at path; entries that come from the folder are inherited anew.
func adopt(f *os.File, path string, _ fs.FileInfo) error {
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // then f keeps what it got from the folder
	}
	if err != nil {
		return err
	}
	dacl, _, err := sd.DACL()
	if err != nil {
		return err
	}
	control, _, err := sd.Control()
	if err != nil {
		return err
	}
	what := windows.SECURITY_INFORMATION(windows.DACL_SECURITY_INFORMATION | windows.UNPROTECTED_DACL_SECURITY_INFORMATION)
	if control&windows.SE_DACL_PROTECTED != 0 {
		what = windows.DACL_SECURITY_INFORMATION | windows.PROTECTED_DACL_SECURITY_INFORMATION
	}
	return windows.SetNamedSecurityInfo(f.Name(), windows.SE_FILE_OBJECT, what, nil, nil, dacl, nil)
}

// link refuses: a link cannot be renamed while somebody has the file open under its other name.
func link(string, string) error { return errors.ErrUnsupported }

// rename waits for what takes the place of the folder's sync on unix: the change is on the disk when it returns.
func rename(from, to string) error {
	src, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	dst, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	err = retry(func() error {
		return windows.MoveFileEx(src, dst, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
	})
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// syncPath does nothing: folders cannot be synced here, nor files that were opened for reading.
func syncPath(string) error { return nil }

// retry repeats do for up to two seconds while another program, a virus scanner for instance, has the file open.
func retry(do func() error) error {
	const limit, pause = 2 * time.Second, 10 * time.Millisecond
	for start := time.Now(); ; time.Sleep(pause) {
		err := do()
		busy := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !busy || time.Since(start) > limit {
			return err
		}
	}
}
