package atomicfile

import (
	"fmt"
	"time"
)

// LockedError says that another process held the lock for longer than Options.LockTimeout. Nothing was written.
type LockedError struct {
	Path   string        // the file whose lock was wanted
	Holder Holder        // who holds it, as far as known
	Waited time.Duration // how long the lock was waited for
}

// Holder is a process that holds a lock, as it wrote itself into the lock file.
type Holder struct {
	PID     int    `json:"pid"`     // 0: unknown
	Program string `json:"program"` // file name of the program
	Host    string `json:"host"`    // the machine on which PID counts
}

func (h Holder) String() string {
	if h.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d (%q on %q)", h.PID, h.Program, h.Host) // quoted: the lock file may hold anything
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s is locked by %s; nothing was written (waited %s)", e.Path, e.Holder, e.Waited.Round(time.Millisecond))
}

// ChangedError says that a program which does not know the lock, such as an editor, changed, created or removed the file during the update.
// Nothing was written; the file is as that program left it.
type ChangedError struct {
	Path string
}

func (e *ChangedError) Error() string {
	return e.Path + " was changed by another program meanwhile; it was left as that program saved it, nothing was written"
}

// ReadOnlyError says that the file, or the folder in which its replacement would be made, may not be written. Nothing was written.
type ReadOnlyError struct {
	Path   string
	Folder string // the folder if it is what may not be written, "" if it is the file
	Err    error
}

func (e *ReadOnlyError) Error() string {
	if e.Folder != "" {
		return fmt.Sprintf("%s cannot be replaced, its folder %s is read-only (%v); nothing was written", e.Path, e.Folder, e.Err)
	}
	return fmt.Sprintf("%s is read-only (%v); nothing was written", e.Path, e.Err)
}

func (e *ReadOnlyError) Unwrap() error { return e.Err }

// TooLargeError says that a file is larger than the caller allows. No more than Max bytes of it were read.
type TooLargeError struct {
	Path string
	Size int64 // in bytes; at least this much, if the file is growing
	Max  int64 // in bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s has %d bytes, more than the %d that are read at most", e.Path, e.Size, e.Max)
}

// WriteError says that a step of writing failed, and what the file holds now.
type WriteError struct {
	Path string
	Step string // what could not be done, as in "could not " + Step
	Err  error
	// Old says that the file is exactly as it was, or still missing. If false, the file holds the whole new content, but a power cut may bring
	// the old one back.
	Old bool
}

func (e *WriteError) Error() string {
	state := "the file is as it was before"
	if !e.Old {
		state = "the file holds the new content, but may lose it in a power cut"
	}
	return fmt.Sprintf("%s: could not %s: %v; %s", e.Path, e.Step, e.Err, state)
}

func (e *WriteError) Unwrap() error { return e.Err }
