package state

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// Backup reads what Restore would bring back. Errors are those of Open, about
// the backup's own file.
func Backup(path string) (*Snapshot, error) {
	real, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		real = path // the backup may be there all the same
	case err != nil:
		return nil, err
	}
	return Open(real + ".bak")
}
