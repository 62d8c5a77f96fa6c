package atomicfile

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	backupSuffix = ".bak"
	tempInfix    = ".tmp-" // temporary files of <file> are .<file>.tmp-<digits> and, for the coming backup, .<file>.tmp-<digits>.bak
)

// replacement is one go at replacing a file.
type replacement struct {
	path string
	info fs.FileInfo // gives the new file its mode and owner; nil: 0600 and whoever runs the program
	keep bool        // the file is kept as the backup
	read *reading    // what the content was made from; nil: it does not matter what the file holds
	hook func(step string) error

	temp    *os.File  // the new file, until it is in place
	written time.Time // when, by the file system's clock
	old     string    // second, temporary name of the old file, which is to become the backup
	done    bool      // the new file is in place
}

// run replaces the file by content, unless somebody changed it since it was read, which is looked at as late as possible.
//
// The backup is renamed last: until the file itself is renamed, every failure leaves the earlier backup alone, and in Restore, the content of
// the backup is never in a temporary file only. A crash between the two renames is made up for by sweep.
func (r *replacement) run(ctx context.Context, content [][]byte) (Result, error) {
	res := Result{Path: r.path}
	defer r.discard()
	for _, s := range []struct {
		name string
		do   func() error
	}{
		{"create a temporary file", r.create},
		{"write the temporary file", func() error { return r.write(content) }},
		{"set the mode of the temporary file", r.adopt},
	} {
		if err := r.step(s.name, s.do); err != nil {
			return res, err
		}
	}
	// The disk is busy for a while: time to compare, and to let go of the cached content of the backup that is about to be replaced.
	var changed error
	var meanwhile sync.WaitGroup
	if r.read != nil {
		meanwhile.Go(func() { changed = r.read.unchanged() })
	}
	if r.keep {
		meanwhile.Go(func() { forget(r.path + backupSuffix) })
	}
	err := r.step("sync the temporary file", r.sync)
	meanwhile.Wait()
	if err != nil {
		return res, err
	}
	if changed == nil && r.read != nil {
		changed = r.read.stillUnchanged(r.written)
	}
	if changed != nil {
		return res, changed
	}
	if err := ctx.Err(); err != nil {
		return res, err
	}
	if r.keep {
		if err := r.step("keep the old file", r.keepOld); err != nil {
			return res, err
		}
	}
	if err := r.step("rename the temporary file", r.replace); err != nil {
		return res, err
	}
	res.Written = true
	if r.keep {
		if err := r.step("rename the backup", r.replaceBackup); err != nil {
			return res, err
		}
		res.Backup = r.path + backupSuffix
	}
	return res, r.step("sync the folder", func() error { return syncPath(filepath.Dir(r.path)) })
}

func (r *replacement) step(name string, do func() error) error {
	var err error
	if r.hook != nil {
		err = r.hook(name)
	}
	if err == nil {
		err = do()
	}
	if err != nil {
		return &WriteError{Path: r.path, Step: name, Err: err, Old: !r.done}
	}
	return nil
}

func (r *replacement) create() (err error) {
	r.temp, err = os.CreateTemp(filepath.Dir(r.path), "."+filepath.Base(r.path)+tempInfix+"*")
	return err
}

// write hands each part of a large file to the disk at once, so that the sync has little left to wait for.
func (r *replacement) write(content [][]byte) error {
	const part = 2 << 20
	w := bufio.NewWriter(r.temp)
	var writeback sync.WaitGroup
	defer writeback.Wait()
	var written int64
	for _, segment := range content {
		for len(segment) > 0 {
			n, err := w.Write(segment[:min(len(segment), part)])
			if err != nil {
				return err
			}
			segment = segment[n:]
			if n == part {
				from := written
				writeback.Go(func() { startWriteback(r.temp, from, part) })
			}
			written += int64(n)
		}
	}
	return w.Flush()
}

func (r *replacement) adopt() error {
	if r.info == nil {
		return nil
	}
	return adopt(r.temp, r.path, r.info)
}

func (r *replacement) sync() error {
	info, err := r.temp.Stat()
	if err == nil {
		r.written = info.ModTime()
	}
	return errors.Join(err, r.temp.Sync(), r.temp.Close())
}

// keepOld gives the old file a second, temporary name. Where a hard link cannot be had it makes a copy.
func (r *replacement) keepOld() error {
	if info, err := os.Lstat(r.path + backupSuffix); err == nil && info.IsDir() {
		return notRegular(r.path+backupSuffix, info)
	}
	r.old = r.temp.Name() + backupSuffix
	if link(r.path, r.old) == nil {
		return syncPath(r.old) // whoever saved it may not have
	}
	return copyFile(r.path, r.old, r.info)
}

func copyFile(from, to string, info fs.FileInfo) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	if _, err := io.Copy(dst, src); err != nil {
		return err
	}
	if err := adopt(dst, from, info); err != nil {
		return err
	}
	return dst.Sync()
}

func (r *replacement) replace() error {
	err := rename(r.temp.Name(), r.path)
	r.done = err == nil
	return err
}

func (r *replacement) replaceBackup() error {
	err := rename(r.old, r.path+backupSuffix)
	if err == nil {
		os.Remove(r.old) // still there if the backup was a hard link to the same file: POSIX makes that rename do nothing
	}
	return err
}

// discard removes what a failed replacement leaves. Once the new file is in place, the old one stays for sweep to make it the backup.
func (r *replacement) discard() {
	if r.done || r.temp == nil {
		return
	}
	r.temp.Close()
	removeTemp(r.temp.Name(), r.old)
}

// removeTemp removes a temporary file and the old file kept beside it, if any. That goes first, or sweep could take it for the backup of a
// finished replacement; what is left now, sweep removes the next time.
func removeTemp(temp, old string) {
	if old != "" {
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
	os.Remove(temp)
}

// sweep clears up after a replacement that was killed. The lock is held, so none of the temporary files is in use. A kept old file without its
// temporary file shows that the new file is in place: then it becomes the backup, as it would have.
func sweep(real string) error {
	dir, base := filepath.Dir(real), filepath.Base(real)
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	names, err := folder.Readdirnames(-1)
	folder.Close()
	if err != nil {
		return err
	}
	var temps []string
	kept := make(map[string]string) // by temporary file
	for _, name := range names {
		digits, ok := strings.CutPrefix(name, "."+base+tempInfix)
		if !ok {
			continue
		}
		digits, isKept := strings.CutSuffix(digits, backupSuffix)
		if _, err := strconv.ParseUint(digits, 10, 64); err != nil {
			continue
		}
		path := filepath.Join(dir, name)
		if isKept {
			kept[strings.TrimSuffix(path, backupSuffix)] = path
		} else {
			temps = append(temps, path)
		}
	}
	for _, temp := range temps {
		removeTemp(temp, kept[temp])
		delete(kept, temp)
	}
	for _, old := range kept {
		r := replacement{path: real, old: old}
		if err := r.replaceBackup(); err != nil {
			return err
		}
	}
	return nil
}
