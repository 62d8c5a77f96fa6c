package atomicfile

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// lock takes the exclusive lock of the file real and returns what releases it. The lock file gets mode and owner of the file, if there is one, so
// that whoever may write the file may lock it. It is never deleted: a process waiting on a deleted lock file would lock nothing.
func lock(ctx context.Context, real string, info fs.FileInfo, timeout time.Duration) (unlock func(), err error) {
	f, err := openLock(real, info)
	if err != nil {
		return nil, fmt.Errorf("lock file of %s: %w", real, err)
	}
	if err := acquire(ctx, f, real, timeout); err != nil {
		return nil, err
	}
	if err := writeHolder(f); err != nil { // the disk is full, perhaps: who holds the lock is a courtesy
		f.Truncate(0)
	}
	return func() {
		f.Truncate(0)
		unlockFile(f)
		f.Close()
	}, nil
}

func openLock(real string, info fs.FileInfo) (*os.File, error) {
	path := real + ".lock"
	f, err := os.OpenFile(path, os.O_RDWR|lockFlags, 0)
	if os.IsNotExist(err) {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|lockFlags, 0o600)
		if err == nil && info != nil {
			err = adopt(f, real, info)
		}
	}
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = notRegular(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// acquire locks f, or closes it and fails. The system's lock call cannot be given a time limit, and asking again and again is unfair and slow, so
// the wait goes on in a goroutine of its own; one that was given up ends when it gets the lock, which it drops at once.
func acquire(ctx context.Context, f *os.File, real string, timeout time.Duration) error {
	start := time.Now()
	if err := ctx.Err(); err != nil {
		f.Close()
		return err
	}
	locked, err := tryLockFile(f)
	if err != nil {
		f.Close()
		return &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	if locked {
		return nil
	}
	if timeout == 0 {
		defer f.Close()
		return &LockedError{Path: real, Holder: readHolder(f.Name())}
	}
	var expired <-chan time.Time
	if timeout > 0 {
		expired = time.After(timeout)
	}
	got, givenUp := make(chan error), make(chan struct{})
	go func() {
		err := lockFile(f)
		select {
		case got <- err:
		case <-givenUp:
			f.Close()
		}
	}()
	select {
	case err := <-got:
		if err != nil {
			f.Close()
			return &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
		return nil
	case <-ctx.Done():
		close(givenUp)
		return ctx.Err()
	case <-expired:
		defer close(givenUp)
		return &LockedError{Path: real, Holder: readHolder(f.Name()), Waited: time.Since(start)}
	}
}

// writeHolder tells the others who holds the lock. The lock itself is the system's, so what a dead process left here is not believed by anyone.
func writeHolder(f *os.File) error {
	host, _ := os.Hostname()
	record, err := json.Marshal(Holder{PID: os.Getpid(), Program: filepath.Base(os.Args[0]), Host: host})
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(record, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(record)))
}

// readHolder returns the zero Holder if the holder cannot be told. It opens the lock file anew, since on Windows reading from a file that a
// goroutine of ours is about to lock waits for that lock.
func readHolder(path string) Holder {
	record, err := Read(path, 1024)
	var h Holder
	if err != nil || json.Unmarshal(record, &h) != nil {
		return Holder{}
	}
	return h
}
