// Package atomicfile changes a file as a whole: at every moment, whoever reads it finds the file as it was or the file as it was meant to
// become, and two programs that change it at once lose nothing of each other.
//
// An update resolves symbolic links, takes a lock on a side file (<file>.lock, never deleted), reads the file, lets the caller edit it, writes
// the new content to a temporary file in the same folder, syncs it, makes sure that nobody changed the file meanwhile, keeps the old file as
// <file>.bak, renames the temporary file over the file and syncs the folder. When it returns without an error, the content survives a power cut.
//
// Mode, owner and group are kept where the system allows it. Access control lists and extended attributes are not copied on unix; on Windows
// the access control list is. Other hard links to the file keep the old content, as with any program that renames.
package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// Options of an update.
type Options struct {
	// LockTimeout is how long to wait for the lock. 0 does not wait at all; a negative time waits until the context ends.
	LockTimeout time.Duration
	// MaxSize refuses to read more bytes than this (TooLargeError); 0 sets no bound.
	MaxSize int64
	// Create lets Update read a missing file as nil and create it with mode 0600. Otherwise a missing file is fs.ErrNotExist.
	Create bool
	// NoBackup leaves <file>.bak as it is. Restore ignores it.
	NoBackup bool

	// hook runs before each step of the protocol; tests use it to crash or to fail there.
	hook func(step string) error
}

// Result of an update.
type Result struct {
	Path    string // the real path that was (or would have been) written, symbolic links resolved
	Written bool   // false when the edit changed nothing
	Backup  string // where the file as it was before is kept, "" when there was none
}

// Update changes the file at path. edit gets its bytes (nil when the file is missing and Options.Create is set), which it must not modify, and
// returns the new content as segments that are written one after the other; they may be parts of the old bytes, so that a large file need not be
// copied to change one line. When edit returns nil or the same content, nothing is written. An error of edit is returned as it is.
//
// The errors that callers may want to tell apart are *LockedError, *ChangedError, *ReadOnlyError, *TooLargeError and *WriteError, fs.ErrNotExist
// for a missing file, and ctx.Err() when the context ended first. After all of them but a *WriteError with Old false, the file is untouched.
func Update(ctx context.Context, path string, o Options, edit func(old []byte) (new [][]byte, err error)) (Result, error) {
	return locked(ctx, path, o, o.Create, func(real string) (Result, error) {
		res := Result{Path: real}
		old, info, err := read(real, o.MaxSize)
		if err != nil && !(o.Create && errors.Is(err, fs.ErrNotExist)) {
			return res, err
		}
		content, err := edit(old)
		if err != nil || content == nil || info != nil && sameContent(content, old) {
			return res, err
		}
		r := replacement{path: real, info: info, keep: info != nil && !o.NoBackup, read: &reading{path: real, content: old}, hook: o.hook}
		return r.run(ctx, content)
	})
}

// Read returns the content of the file at path, which must be a regular file of at most maxSize bytes (0: no bound). It takes no lock: since files
// are replaced by rename, what it reads is whole.
func Read(path string, maxSize int64) ([]byte, error) {
	content, _, err := read(path, maxSize)
	return content, err
}

// Open opens the file at path, which must be a regular one, for those who want to read parts of it only. Like Read it takes no lock.
func Open(path string) (f *os.File, size int64, err error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Restore puts the backup <file>.bak in the place of the file, and the file in the place of the backup, so that a second Restore undoes the first.
// The file may hold anything, or be missing; its content is not read. The lock and the way of writing are those of Update. check, if not nil,
// gets the backup's bytes first; its error is returned as it is and nothing is written. A missing backup is fs.ErrNotExist.
func Restore(ctx context.Context, path string, o Options, check func([]byte) error) (Result, error) {
	return locked(ctx, path, o, true, func(real string) (Result, error) {
		res := Result{Path: real}
		content, backupInfo, err := read(real+backupSuffix, o.MaxSize)
		if err != nil {
			return res, fmt.Errorf("backup of %s: %w", real, err)
		}
		if check != nil {
			if err := check(content); err != nil {
				return res, err
			}
		}
		info, err := os.Stat(real)
		if errors.Is(err, fs.ErrNotExist) {
			r := replacement{path: real, info: backupInfo, hook: o.hook}
			return r.run(ctx, [][]byte{content})
		}
		if err != nil {
			return res, err
		}
		if same, err := holds(real, content); same || err != nil {
			return res, err
		}
		r := replacement{path: real, info: info, keep: true, hook: o.hook}
		return r.run(ctx, [][]byte{content})
	})
}

// locked runs change on the real path of the file, under its lock.
func locked(ctx context.Context, path string, o Options, create bool, change func(real string) (Result, error)) (Result, error) {
	real, err := resolve(path)
	if err != nil {
		return Result{Path: path}, err
	}
	info, err := writable(real, create)
	if err != nil {
		return Result{Path: real}, err
	}
	unlock, err := lock(ctx, real, info, o.LockTimeout)
	if err != nil {
		return Result{Path: real}, err
	}
	defer unlock()
	if err := sweep(real); err != nil {
		return Result{Path: real}, err
	}
	return change(real)
}

// resolve follows symbolic links as the system does, also to a target that does not exist yet.
func resolve(path string) (string, error) {
	const maxLinks = 40 // as Linux
	link := path
	for range maxLinks {
		dir, base := filepath.Split(link) // not Dir, which would shorten link/.. before the link is followed
		if dir == "" {
			dir = "."
		}
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return "", fmt.Errorf("folder of %s: %w", path, err)
		}
		real := filepath.Join(dir, base)
		target, err := os.Readlink(real)
		if err != nil {
			return real, nil
		}
		link = target
		if !filepath.IsAbs(target) {
			link = dir + string(filepath.Separator) + target
		}
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("too many symbolic links")}
}

// writable refuses, before anything is written, what a rename would replace without asking. It returns what is known of the file, nil if it is
// missing and may be created.
func writable(real string, create bool) (fs.FileInfo, error) {
	info, err := os.Stat(real)
	switch {
	case create && errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, notRegular(real, info)
	case info.Mode().Perm()&0o222 == 0: // root may write it, but whoever set these bits meant otherwise
		return nil, &ReadOnlyError{Path: real, Err: fs.ErrPermission}
	default:
		if err := accessFile(real); err != nil {
			return nil, &ReadOnlyError{Path: real, Err: err}
		}
	}
	if err := accessFolder(filepath.Dir(real)); err != nil {
		return nil, &ReadOnlyError{Path: real, Folder: filepath.Dir(real), Err: err}
	}
	return info, nil
}

// read returns content and facts of a regular file.
func read(path string, maxSize int64) ([]byte, fs.FileInfo, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if maxSize > 0 && info.Size() > maxSize {
		return nil, nil, &TooLargeError{Path: path, Size: info.Size(), Max: maxSize}
	}
	// One byte more than the size tells whether it is growing.
	content := make([]byte, info.Size()+1)
	n, err := readAt(f, content)
	switch {
	case errors.Is(err, io.EOF):
		return content[:n], info, nil
	case err != nil:
		return nil, nil, err
	}
	var from io.Reader = io.NewSectionReader(f, int64(n), math.MaxInt64-int64(n))
	if maxSize > 0 {
		from = io.LimitReader(from, maxSize+1-int64(n))
	}
	rest, err := io.ReadAll(from)
	if err != nil {
		return nil, nil, err
	}
	content = append(content, rest...)
	if size := int64(len(content)); maxSize > 0 && size > maxSize {
		return nil, nil, &TooLargeError{Path: path, Size: size, Max: maxSize}
	}
	return content, info, nil
}

// readAt fills content from the start of the file. Where the file is shorter, it returns how much there was, and io.EOF.
func readAt(f *os.File, content []byte) (n int, err error) {
	return inParts(len(content), func(start, end int) (int, error) {
		populate(content[start:end])
		return f.ReadAt(content[start:end], int64(start))
	})
}

// inParts calls do for the parts of a range, those of a large one at once, and returns how much was done before the first error. Most of the time
// that it takes to read a file goes into memory, which several processors touch sooner.
func inParts(size int, do func(start, end int) (n int, err error)) (n int, err error) {
	const least = 1 << 20 // bytes that are worth a goroutine
	parts := min(runtime.GOMAXPROCS(0), 1+size/least)
	done, errs := make([]int, parts), make([]error, parts)
	part := func(i int) { done[i], errs[i] = do(i*size/parts, (i+1)*size/parts) }
	var wait sync.WaitGroup
	for i := 1; i < parts; i++ {
		wait.Go(func() { part(i) })
	}
	part(0)
	wait.Wait()
	for i := range parts {
		n += done[i]
		if errs[i] != nil {
			return n, errs[i]
		}
	}
	return n, nil
}

// openRegular opens a file for reading, without hanging on a FIFO.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	f, err := openRead(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(path, info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func notRegular(path string, info fs.FileInfo) error {
	kind := "a device"
	switch mode := info.Mode(); {
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("it is %s, not a regular file", kind)}
}

// A reading is what was read of a file that is about to be replaced: nobody may have changed it since.
type reading struct {
	path    string
	content []byte      // nil: the file is missing
	info    fs.FileInfo // when the content was last compared
}

// unchanged compares the file with what was read, whole: size and time alone do not tell, for a save within the clock's tick can leave both.
func (r *reading) unchanged() error {
	if r.content == nil {
		if _, err := os.Lstat(r.path); err == nil {
			return &ChangedError{Path: r.path}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	info, err := os.Stat(r.path)
	same := false
	if err == nil {
		same, err = holds(r.path, r.content)
	}
	if err == nil && !same || errors.Is(err, fs.ErrNotExist) {
		return &ChangedError{Path: r.path}
	}
	r.info = info
	return err
}

// stillUnchanged is unchanged for a file that was compared after now, a moment ago. It is compared again unless the system tells that nothing about
// it was changed since some time before now.
func (r *reading) stillUnchanged(now time.Time) error {
	f, info, err := openRegular(r.path) // a network file system asks its server again when a file is opened
	if err != nil {
		return r.unchanged()
	}
	f.Close()
	if r.info == nil || !os.SameFile(info, r.info) || info.Size() != r.info.Size() {
		return r.unchanged()
	}
	was, known := changeTime(r.info)
	is, _ := changeTime(info)
	tick := 20 * time.Millisecond // at most a hundredth of a second
	if was.Nanosecond() == 0 {
		tick = 3 * time.Second // perhaps a file system whose times have no fractions
	}
	if !known || !is.Equal(was) || now.Sub(was) < tick {
		return r.unchanged()
	}
	return nil
}

// holds says whether the file's content is exactly want, without a second copy of it in memory.
func holds(path string, want []byte) (bool, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if info.Size() != int64(len(want)) {
		return false, nil
	}
	n, err := inParts(len(want), func(start, end int) (int, error) {
		buf := make([]byte, min(end-start, 128<<10))
		for at := start; at < end; {
			n, err := f.ReadAt(buf[:min(end-at, len(buf))], int64(at))
			if !bytes.Equal(buf[:n], want[at:at+n]) {
				return at - start, io.EOF
			}
			at += n
			if err != nil {
				return at - start, err
			}
		}
		return end - start, nil
	})
	if err == nil {
		_, err = f.ReadAt(make([]byte, 1), int64(n)) // it must end here
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return n == len(want) && err != nil, nil
}

func sameContent(segments [][]byte, old []byte) bool {
	for _, s := range segments {
		if !bytes.HasPrefix(old, s) {
			return false
		}
		old = old[len(s):]
	}
	return len(old) == 0
}
