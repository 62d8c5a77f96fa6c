// Package output prints lists of objects in the form the reader needs: a table
// for eyes; json, ndjson, yaml, csv and name for programs.
//
// A command describes what it lists once, as columns, and the package does the
// rest. It knows nothing of terminals: the caller says how wide the stream is
// and whether it takes colour.
package output

import (
	"bufio"
	"fmt"
	"io"
)

// Format is a form of output, as it is named on the command line.
type Format string

// The formats.
const (
	Table  Format = "table"  // one row an object, without the columns marked Wide
	Wide   Format = "wide"   // a table of all columns
	JSON   Format = "json"   // one array, or one object from WriteOne
	NDJSON Format = "ndjson" // one object a line
	YAML   Format = "yaml"   // a sequence, or a mapping from WriteOne
	CSV    Format = "csv"    // all columns, RFC 4180 but for the line ends, which are LF
	Name   Format = "name"   // the first column alone, one a line
)

// Formats lists the formats in the order in which help shows them.
func Formats() []Format {
	return []Format{Table, Wide, JSON, NDJSON, YAML, CSV, Name}
}

// Machine reports whether f is meant for a program rather than for eyes.
func (f Format) Machine() bool { return f != Table && f != Wide }

// Options say how to print.
type Options struct {
	Format Format
	// Columns keeps to these columns, in this order; none means the format's
	// own choice. Names match without regard to case, hyphens and blanks. A
	// name given twice counts once. The objects of json, ndjson and yaml then
	// have exactly these properties: a property that the object leaves out is
	// null, and a column that is no property of it is the column's text.
	Columns   []string
	NoHeaders bool // leave out the header line of table, wide and csv
	Color     bool // the stream takes colour
	Width     int  // of the terminal, in columns; 0 is no terminal, where nothing is shortened
}

// A Column shows one property of T.
type Column[T any] struct {
	// Name is the property's name in the JSON form of T, such as
	// maxSessionLimit. The table's header is made from it: MAX SESSION LIMIT.
	Name string
	// Header is the table's header where the name's own words are too long.
	Header string
	// Wide columns are left out of Table unless Options.Columns names them.
	Wide bool
	// Value is the text of the cell; "" is <none> in a table, empty in csv.
	Value func(T) string
	// Style colours the cell where the stream takes colour; nil is Plain.
	Style func(T) Style
	// Right marks numbers: aligned to the right and never shortened.
	Right bool
}

// Style is what a cell's colour says about its value.
type Style int

// The styles: no colour, green, yellow, red, faint.
const (
	Plain Style = iota
	Good
	Warn
	Bad
	Dim
)

// code is what switches a terminal to s.
func (s Style) code() string {
	switch s {
	case Good:
		return "\x1b[32m"
	case Warn:
		return "\x1b[33m"
	case Bad:
		return "\x1b[31m"
	case Dim:
		return "\x1b[2m"
	}
	return ""
}

// Write prints rows to w in the format of o. columns must not be empty. An
// empty list is [] in json and yaml, a header alone in tables and csv, and
// nothing in ndjson and name.
//
// The error is a *ColumnError when o names a column that is not there, and then
// nothing has been printed. Otherwise it is the error of w, or of encoding/json
// for a row that is no JSON, and what has been printed is incomplete.
func Write[T any](w io.Writer, o Options, rows []T, columns []Column[T]) error {
	return write(w, o, rows, columns, false)
}

// WriteOne prints v alone: an object in json and yaml where Write prints an
// array, and one row in the other formats. It fails as Write does.
func WriteOne[T any](w io.Writer, o Options, v T, columns []Column[T]) error {
	return write(w, o, []T{v}, columns, true)
}

// write prints rows; with one there is a single row, and it stands alone.
func write[T any](w io.Writer, o Options, rows []T, columns []Column[T], one bool) error {
	columns, err := choose(o, columns)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	switch o.Format {
	case Table, Wide:
		err = writeTable(out, o, rows, columns)
	case JSON:
		err = writeJSON(out, o, rows, columns, one)
	case NDJSON:
		err = writeNDJSON(out, o, rows, columns)
	case YAML:
		err = writeYAML(out, o, rows, columns, one)
	case CSV:
		err = writeCSV(out, o, rows, columns)
	case Name:
		writeNames(out, rows, columns[0])
	default:
		err = fmt.Errorf("unknown output format %q", string(o.Format))
	}
	if err != nil {
		return err
	}
	return out.Flush()
}
