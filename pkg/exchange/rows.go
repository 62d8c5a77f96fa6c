package exchange

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// The reports of the on-premises data gateway are CSV with a header, but not
// always well-formed: values with commas may stand unquoted, and an upgrade can
// put a second and wider header into a file. So rows are read by the header above
// them, a row with too many values is repaired where only one way fits, and what
// does not fit is counted and reported.

const (
	maxRow     = 16 << 20  // bytes in a row: query texts are large
	maxLogRows = 2_000_000 // rows that are kept
)

var errTooMany = fmt.Errorf("more than %d rows", maxLogRows)

// Skipped is the rows of a file that could not be read.
type Skipped struct {
	Count int
	First []*FormatError // the first ten of them
}

func (s *Skipped) add(describe func() *FormatError) {
	if s.Count++; len(s.First) < 10 {
		s.First = append(s.First, describe())
	}
}

// report describes one kind of log file.
type report struct {
	name        string
	what        string
	required    []string // columns that the header must have
	alternative []string // or these; nil: no other way
	texts       []string // columns whose values can hold commas
	decimals    []string // columns of numbers, which a machine may write with decimal commas
}

// read gives each row to take. A row that take has an error for is skipped.
func (p report) read(r io.Reader, take func(*row) error) (Skipped, error) {
	var skipped Skipped
	var columns map[string]int
	width := 0
	none := func(line int, found string) error {
		return &FormatError{File: p.name, Line: line, Column: 1,
			Expected: p.what + " (CSV with the columns " + strings.Join(p.required, ", ") + ")", Found: found}
	}
	err := readRows(r, func(line int, cells []string, whole bool) error {
		bad := func(expected, found string) {
			skipped.add(func() *FormatError {
				return &FormatError{File: p.name, Line: line, Column: 1, Expected: expected, Found: found}
			})
		}
		switch {
		case !whole:
			bad("a closing quote", "none")
			return nil
		case isHeader(cells):
			columns = map[string]int{}
			for i, cell := range cells {
				columns[strings.ToLower(strings.TrimSpace(cell))] = i
			}
			width = len(cells)
			if !hasAll(columns, p.required) && (p.alternative == nil || !hasAll(columns, p.alternative)) {
				return none(line, "the columns "+quoted(strings.Join(cells, ",")))
			}
			return nil
		case columns == nil:
			return none(line, quoted(strings.Join(cells, ",")))
		case len(cells) < width:
			bad(fmt.Sprintf("%d values as in the header", width), fmt.Sprint(len(cells)))
			return nil
		}
		var first error
		for _, candidate := range p.alignments(cells, columns, width) {
			err := take(&row{file: p.name, line: line, columns: columns, cells: candidate})
			if err == nil {
				return nil
			}
			if errors.Is(err, errTooMany) {
				return &FormatError{File: p.name, Line: line, Column: 1, Expected: fmt.Sprintf("at most %d rows", maxLogRows), Found: "more"}
			}
			if first == nil {
				first = err
			}
		}
		var format *FormatError
		if len(cells) == width && errors.As(first, &format) {
			skipped.add(func() *FormatError { return format })
		} else {
			bad(fmt.Sprintf("%d values as in the header", width), fmt.Sprint(len(cells)))
		}
		return nil
	})
	if errors.Is(err, bufio.ErrTooLong) {
		err = &FormatError{File: p.name, Expected: fmt.Sprintf("rows of at most %d MiB", maxRow>>20), Found: "a longer one"}
	}
	if err == nil && columns == nil {
		err = none(1, "an empty file")
	}
	return skipped, err
}

// alignments are the ways to read a row: as it is or, when it has too many
// values, with one of the text columns holding all the commas that are too many,
// or with a decimal comma in each number.
func (p report) alignments(cells []string, columns map[string]int, width int) [][]string {
	extra := len(cells) - width
	if extra == 0 {
		return [][]string{cells}
	}
	var ways [][]string
	for _, name := range p.texts {
		if i, ok := columns[strings.ToLower(name)]; ok {
			joined := strings.Join(cells[i:i+extra+1], ",")
			ways = append(ways, slices.Concat(cells[:i], []string{joined}, cells[i+extra+1:]))
		}
	}
	if extra == len(p.decimals) && hasAll(columns, p.decimals) {
		var way []string
		rest := cells
		for i := range width {
			if slices.ContainsFunc(p.decimals, func(name string) bool { return columns[strings.ToLower(name)] == i }) {
				way, rest = append(way, rest[0]+"."+rest[1]), rest[2:]
			} else {
				way, rest = append(way, rest[0]), rest[1:]
			}
		}
		ways = append(ways, way)
	}
	return ways
}

// isHeader recognises a header, also in mid-file: every report has this column.
func isHeader(cells []string) bool {
	return slices.ContainsFunc(cells, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), "GatewayObjectId") })
}

func hasAll(columns map[string]int, names []string) bool {
	for _, name := range names {
		if _, ok := columns[strings.ToLower(name)]; !ok {
			return false
		}
	}
	return true
}

// row is one row under its header. The first value that does not fit is kept in
// err.
type row struct {
	file    string
	line    int
	columns map[string]int
	cells   []string
	err     error
}

func (r *row) has(column string) bool {
	_, ok := r.columns[strings.ToLower(column)]
	return ok
}

// get returns a value, or "" where there is no such column.
func (r *row) get(column string) string {
	if i, ok := r.columns[strings.ToLower(column)]; ok {
		return strings.TrimSpace(r.cells[i])
	}
	return ""
}

func (r *row) fail(column, expected string) error {
	if r.err == nil {
		r.err = &FormatError{File: r.file, Line: r.line, Column: 1, Expected: expected + " for " + column, Found: quoted(r.get(column))}
	}
	return r.err
}

func (r *row) time(column string) time.Time {
	t, err := parseTime(r.get(column))
	if err != nil || t.IsZero() {
		_ = r.fail(column, "a time")
	}
	return t
}

func (r *row) number(column string, most float64) float64 {
	v, err := strconv.ParseFloat(r.get(column), 64)
	if err != nil || !(v >= 0 && v <= most) {
		_ = r.fail(column, fmt.Sprintf("a number from 0 to %g", most))
	}
	return v
}

// finite checks the value of a counter that is not kept.
func (r *row) finite(column string) error {
	if v, err := strconv.ParseFloat(r.get(column), 64); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return r.fail(column, "a number")
	}
	return nil
}

// readRows splits a log into rows and cells. Rows end at the end of a line that
// is not inside quotes. Where quotes do not close within maxRow, the line that
// opened them is given as not whole, and reading goes on with the next.
func readRows(r io.Reader, take func(line int, cells []string, whole bool) error) error {
	lines := bufio.NewScanner(transform.NewReader(r, unicode.BOMOverride(transform.Nop)))
	lines.Buffer(nil, maxRow)
	number := 0
	var open []string // lines that wait for a closing quote
	size := 0
	giveUp := func() error {
		for i, text := range open {
			cells, closed := splitRow(text)
			if err := take(number-len(open)+1+i, cells, closed); err != nil {
				return err
			}
		}
		open, size = nil, 0
		return nil
	}
	inside := false
	for lines.Scan() {
		number++
		text := lines.Text()
		if len(open) == 0 && strings.TrimSpace(text) == "" {
			continue
		}
		open = append(open, text)
		size += len(text) + 1
		if inside = endsInside(text, inside); inside {
			if size > maxRow {
				inside = false
				if err := giveUp(); err != nil {
					return err
				}
			}
			continue
		}
		cells, _ := splitRow(strings.Join(open, "\n"))
		first := number - len(open) + 1
		open, size = nil, 0
		if err := take(first, cells, true); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return giveUp()
}

// splitRow splits at commas outside of quotes. A cell is quoted when it begins
// with a quote; a quote elsewhere is itself. It reports false when a quoted cell
// does not end.
func splitRow(text string) (cells []string, closed bool) {
	for {
		quotedCell, isQuoted := strings.CutPrefix(text, `"`)
		if !isQuoted {
			cell, rest, more := strings.Cut(text, ",")
			cells = append(cells, cell)
			if !more {
				return cells, true
			}
			text = rest
			continue
		}
		end := closingQuote(quotedCell)
		if end < 0 {
			return append(cells, quotedCell), false
		}
		cells = append(cells, strings.ReplaceAll(quotedCell[:end], `""`, `"`))
		rest, more := strings.CutPrefix(quotedCell[end+1:], ",")
		if !more {
			return cells, true
		}
		text = rest
	}
}

// closingQuote is the index of the quote that ends a quoted cell: one that is
// not doubled and has a comma or nothing behind it; -1 if none does.
func closingQuote(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '"' {
			i++
			continue
		}
		if i+1 == len(s) || s[i+1] == ',' {
			return i
		}
	}
	return -1
}

// endsInside reports whether a line ends inside a quoted cell, given whether it
// began inside one.
func endsInside(text string, inside bool) bool {
	if inside {
		end := closingQuote(text)
		if end < 0 {
			return true
		}
		rest, more := strings.CutPrefix(text[end+1:], ",")
		if !more {
			return false
		}
		text = rest
	}
	_, closed := splitRow(text)
	return !closed
}
