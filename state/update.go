// Package state owns the YAML state file: a stream of documents, one a host
// pool or a gateway cluster. It reads strictly, parses only the documents that
// are asked for, and edits so that nothing but the meant bytes change.
//
// A file is read with Open. It is changed with Update, whose function gets a Tx
// and changes the pools and clusters that it takes out of it; Preview does the
// same and writes nothing.
package state

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"gatepool/pkg/atomicfile"
)

// Options says which state file, and how long to wait for its lock.
type Options struct {
	Path        string
	LockTimeout time.Duration
}

// A Change is what an update did, or a preview would do.
type Change struct {
	Path       string           // the file, symbolic links resolved
	Backup     string           // where the file as it was before is kept, "" for none
	Written    bool             // false after a preview, and when nothing differs
	Properties []PropertyChange // in the order of the file
}

// Update changes the state file: fn takes out of the transaction what it needs
// and changes it. When fn fails, nothing is written and its error is returned.
// Errors besides: those of Open, *EditError, *ExistsError for a new name that
// is taken, and those of atomicfile.Update.
func Update(ctx context.Context, o Options, fn func(*Tx) error) (Change, error) {
	var change Change
	result, err := atomicfile.Update(ctx, o.Path, o.atomic(), func(old []byte) ([][]byte, error) {
		pieces, properties, err := edit(o.Path, old, fn)
		change.Properties = properties
		return pieces, err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = &NoFileError{File: o.Path}
	}
	change.Path, change.Backup, change.Written = result.Path, result.Backup, result.Written
	return change, err
}

// Preview decides everything that Update would and writes nothing. It takes no
// lock.
func Preview(o Options, fn func(*Tx) error) (Change, error) {
	s, err := Open(o.Path)
	if err != nil {
		return Change{}, err
	}
	_, properties, err := edit(o.Path, s.file.data, fn)
	return Change{Path: o.Path, Properties: properties}, err
}

// Create makes a new state file with that content, which must be valid. The
// error for a file that is there is fs.ErrExist.
func Create(ctx context.Context, o Options, content []byte) error {
	if err := valid(o.Path, content); err != nil {
		return err
	}
	options := o.atomic()
	options.Create = true
	_, err := atomicfile.Update(ctx, o.Path, options, func(old []byte) ([][]byte, error) {
		if old != nil {
			return nil, fs.ErrExist
		}
		return [][]byte{content}, nil
	})
	return err
}

// Restore puts the backup in the place of the file, whatever the file holds;
// a second Restore undoes the first. The backup must be valid.
func Restore(ctx context.Context, o Options) (Change, error) {
	result, err := atomicfile.Restore(ctx, o.Path, o.atomic(), func(data []byte) error {
		return valid(o.Path+".bak", data)
	})
	return Change{Path: result.Path, Backup: result.Backup, Written: result.Written}, err
}

func (o Options) atomic() atomicfile.Options {
	return atomicfile.Options{LockTimeout: o.LockTimeout, MaxSize: MaxSize}
}

// valid reads the whole of a state file.
func valid(path string, data []byte) error {
	f, err := cut(path, data)
	if err != nil {
		return err
	}
	s := &Snapshot{file: f}
	for _, kind := range []Kind{HostPool, Cluster} {
		if _, err := s.loadAll(kind, func(string) bool { return true }, ""); err != nil {
			return err
		}
	}
	return nil
}

// edit runs fn on the file's bytes and returns the new content, or nil when
// nothing differs.
func edit(path string, data []byte, fn func(*Tx) error) ([][]byte, []PropertyChange, error) {
	f, err := cut(path, data)
	if err != nil {
		return nil, nil, err
	}
	tx := &Tx{Snapshot: Snapshot{file: f}, loaded: map[*document]*tracked{}, removed: map[*document]bool{}}
	if err := fn(tx); err != nil {
		return nil, nil, err
	}
	return tx.commit()
}
