package gatewayconfig

import "fmt"

// FormatError says why a file can't be used: it is not well-formed, not in an
// encoding or of a size that is handled, not this program's configuration, or
// it holds a value that means nothing.
type FormatError struct {
	Rule    string // the rule of Check that the file breaks
	File    string // as given to Parse
	Line    int    // from 1; 0 where the fault is in the file as a whole
	Column  int    // from 1, in characters; 0 where Line is
	Message string
	Hint    string // what to do; may be empty

	offset int // of the fault, where it has a line
}

func (e *FormatError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// ValueError refuses a value that was to be set.
type ValueError struct {
	Name, Value string
	Want        string // what would be right, such as "a whole number from 0 to 100"
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("%s: %q is not valid; want %s", e.Name, e.Value, e.Want)
}

// UnknownSettingError refuses a name that is not in Known.
type UnknownSettingError struct {
	Name    string
	Nearest string // the known name most like it, or ""
}

func (e *UnknownSettingError) Error() string { return fmt.Sprintf("unknown setting %q", e.Name) }
