package state

import "fmt"

// InvalidError says that the state file is not what it must be, and where.
type InvalidError struct {
	File         string
	Line, Column int // from 1; columns count characters
	Message      string
	Hint         string
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// NotFoundError says that a named resource is not in the file.
type NotFoundError struct {
	File string
	Kind Kind
	Name string
	Near string // a name that is there and is spelt nearly so, or ""
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("%s %q is not in %s", e.Kind.words(), e.Name, e.File)
}

// NoFileError says that there is no state file.
type NoFileError struct{ File string }

func (e *NoFileError) Error() string { return "there is no state file " + e.File }

// ExistsError says that a resource of that name is in the file already.
type ExistsError struct {
	File string
	Kind Kind
	Name string
}

func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s %q is in %s already", e.Kind.words(), e.Name, e.File)
}

// EditError says that an edit can't be made without touching more than it
// means to, because of the way the file writes something. Nothing is written.
type EditError struct {
	File    string
	Line    int
	Message string
}

func (e *EditError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message) }

func (k Kind) words() string {
	if k == Cluster {
		return "cluster"
	}
	return "host pool"
}
