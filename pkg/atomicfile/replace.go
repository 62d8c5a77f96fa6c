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
	hook func(step string) error

	temp string // the new file until it is renamed, "" before it is there and after
	bak  string // the old file until it is renamed to the backup, "" before it is there and after
	done bool   // the new file is in place
}

// run replaces the file by content, unless confirm, called as late as possible, objects.
//
// The backup is renamed last, because then every failure before the rename of the file leaves the earlier backup alone, and Restore
// never has the backup's content in a temporary file only. A crash between the two renames is made up for by sweep.
func (r *replacement) run(ctx context.Context, content [][]byte, confirm func() error) (Result, error) {
	res := Result{Path: r.path}
	defer r.discard()
	err := r.step("write a temporary file", func() error { return r.prepare(content) })
	if err != nil {
		return res, err
	}
	if err := confirm(); err != nil {
		return res, err
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
	return res, r.step("sync the folder", func() error { return syncFolder(filepath.Dir(r.path)) })
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

// prepare writes the new file under a temporary name, complete and synced.
func (r *replacement) prepare(content [][]byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(r.path), "."+filepath.Base(r.path)+tempInfix+"*")
	if err != nil {
		return err
	}
	r.temp = f.Name()
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	for _, segment := range content {
		if _, err := w.Write(segment); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if r.info != nil {
		if err := adopt(f, r.path, r.info); err != nil {
			return err
		}
	}
	return f.Sync()
}

// keepOld gives the old file a second, temporary name. Where hard links are not supported it makes a copy.
func (r *replacement) keepOld() error {
	if info, err := os.Lstat(r.path + backupSuffix); err == nil && info.IsDir() {
		return notRegular(r.path+backupSuffix, info)
	}
	r.bak = r.temp + backupSuffix
	if os.Link(r.path, r.bak) == nil {
		return nil
	}
	return copyFile(r.path, r.bak, r.info)
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
	if err := rename(r.temp, r.path); err != nil {
		return err
	}
	r.temp, r.done = "", true
	return nil
}

func (r *replacement) replaceBackup() error {
	err := rename(r.bak, r.path+backupSuffix)
	if err == nil {
		os.Remove(r.bak) // still there if the backup was the same file already: POSIX makes that rename do nothing
		r.bak = ""
	}
	return err
}

// discard removes what a failed replacement leaves. Once the new file is in place, the old one stays for sweep to make it the backup.
func (r *replacement) discard() {
	if r.done {
		return
	}
	if r.bak != "" {
		os.Remove(r.bak) // first, or sweep could take it for that of a finished replacement
	}
	if r.temp != "" {
		os.Remove(r.temp)
	}
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
	kept := make(map[string]bool)
	for _, name := range names {
		digits, ok := strings.CutPrefix(name, "."+base+tempInfix)
		if !ok {
			continue
		}
		digits, isKept := strings.CutSuffix(digits, backupSuffix)
		if _, err := strconv.ParseUint(digits, 10, 64); err != nil {
			continue
		}
		if isKept {
			kept[strings.TrimSuffix(name, backupSuffix)] = true
		} else {
			temps = append(temps, name)
		}
	}
	for _, temp := range temps {
		if kept[temp] {
			os.Remove(filepath.Join(dir, temp+backupSuffix)) // before temp, see discard
			delete(kept, temp)
		}
		os.Remove(filepath.Join(dir, temp))
	}
	for temp := range kept {
		r := replacement{path: real, bak: filepath.Join(dir, temp+backupSuffix), done: true}
		if err := r.replaceBackup(); err != nil {
			return err
		}
	}
	return nil
}
