package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A reader turns the items of one file into an Export. The first thing that
// does not fit is kept; what is read after it does not matter any more.
type reader struct {
	*source
	out     *Export
	misfit  *misfit
	notes   tally
	secrets tally
}

// misfit is a FormatError to be. Finding its line costs a walk through the file,
// which those that are only counted are spared.
type misfit struct {
	offset          int
	expected, found string
}

func (r *reader) fail(at *node, expected, found string) {
	if r.misfit == nil {
		r.misfit = &misfit{at.offset, expected, found}
	}
}

func (r *reader) err() *FormatError {
	return r.errorAt(r.misfit.offset, r.misfit.expected, r.misfit.found)
}

// tally keeps messages in order of their first appearance, with the place of
// that and a count, so that a thousand of a kind are one line.
type tally struct {
	order []string
	seen  map[string]*sighting
}

type sighting struct {
	offset, count int
}

func (t *tally) add(message string, at *node) {
	if s := t.seen[message]; s != nil {
		s.count++
		return
	}
	if t.seen == nil {
		t.seen = map[string]*sighting{}
	}
	t.seen[message] = &sighting{at.offset, 1}
	t.order = append(t.order, message)
}

// lines are the messages, each with where it was met first. Beyond twenty
// different ones only their number is told.
func (t *tally) lines(s *source) []string {
	const most = 20
	var lines []string
	for i, message := range t.order {
		if i == most {
			return append(lines, fmt.Sprintf("%d more of other kinds", len(t.order)-most))
		}
		at := s.errorAt(t.seen[message].offset, "", "")
		line := fmt.Sprintf("%s:%d:%d: %s", s.name, at.Line, at.Column, message)
		if count := t.seen[message].count; count > 1 {
			line += fmt.Sprintf(" (and %d more)", count-1)
		}
		lines = append(lines, line)
	}
	return lines
}

// fields reads the properties of one item: of the object itself, and of its
// "properties" where it has that envelope. Each reading method takes the name of
// the property in the state file, where to put it, and the names that exports
// have for it (none: the same one). It marks the property as known.
type fields struct {
	*reader
	item  *node
	known Known
	// nullIsNone tells that a null means an empty value, not an unknown one.
	nullIsNone bool
}

// get returns the first of these properties that is there and no null, else one
// that is null, else nil.
func (f *fields) get(names ...string) *node {
	properties := f.item.member("properties").unwrap()
	var none *node
	for _, name := range names {
		for _, n := range [...]*node{f.item, properties} {
			v := n.member(name).unwrap()
			if v != nil && v.kind != null {
				return v
			}
			if v != nil {
				none = v
			}
		}
	}
	return none
}

func (f *fields) find(property string, names []string) *node {
	if len(names) == 0 {
		return f.get(property)
	}
	return f.get(names...)
}

// text reads a text; a number is taken as it is written.
func (f *fields) text(property string, to *string, names ...string) {
	n := f.find(property, names)
	switch {
	case n == nil:
	case n.kind == null:
		if f.nullIsNone {
			f.known[property] = true
		}
	case n.kind == text || n.kind == number:
		*to, f.known[property] = n.text, true
	default:
		f.fail(n, "text for "+property, n.describe())
	}
}

// flag reads a boolean, also as the text that Export-Csv writes, and as the
// object of a PowerShell switch.
func (f *fields) flag(property string, to *bool, names ...string) {
	n := f.find(property, names)
	if inner := n.member("IsPresent"); inner != nil {
		n = inner
	}
	if n == nil || n.kind == null {
		return
	}
	value, err := strconv.ParseBool(strings.ToLower(n.text))
	if err != nil || n.kind == number {
		f.fail(n, "true or false for "+property, n.describe())
		return
	}
	*to, f.known[property] = value, true
}

// integer reads a whole number from 0 to most.
func (f *fields) integer(property string, to *int, most int, names ...string) {
	n := f.find(property, names)
	if n == nil || n.kind == null {
		return
	}
	value, err := strconv.Atoi(n.text)
	if err != nil || value < 0 || value > most {
		f.fail(n, fmt.Sprintf("a whole number from 0 to %d for %s", most, property), n.describe())
		return
	}
	*to, f.known[property] = value, true
}

// time reads a time as any of the tools writes it. A time without an offset is
// UTC; 0001-01-01T00:00:00 is none.
func (f *fields) time(property string, to *time.Time, names ...string) {
	n := f.find(property, names)
	if n == nil || n.kind == null {
		return
	}
	value, err := parseTime(n.text)
	if err != nil {
		f.fail(n, "a time such as 2026-11-29T08:00:00Z for "+property, n.describe())
		return
	}
	if !value.IsZero() {
		*to, f.known[property] = value, true
	}
}

// parseTime reads ISO 8601 with any number of fraction digits, and the
// /Date(milliseconds)/ of Windows PowerShell.
func parseTime(s string) (time.Time, error) {
	if inner, ok := strings.CutPrefix(s, "/Date("); ok {
		digits, _, _ := strings.Cut(inner, ")")
		if i := strings.LastIndexAny(digits, "+-"); i > 0 { // an offset changes how it is shown, not when it was
			digits = digits[:i]
		}
		ms, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return time.Time{}, err
		}
		return inRange(time.UnixMilli(ms).UTC())
	}
	var first error
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
		"1/2/2006, 3:04:05 PM", // CSV of the Azure portal, month first
	} {
		t, err := time.Parse(layout, s)
		if err == nil {
			return inRange(t.UTC())
		}
		if first == nil {
			first = err
		}
	}
	return time.Time{}, first
}

// inRange makes years that no service means an error, and the first one, which
// .NET writes for "none", the zero time.
func inRange(t time.Time) (time.Time, error) {
	switch {
	case t.Year() <= 1:
		return time.Time{}, nil
	case t.Year() > 9999:
		return time.Time{}, fmt.Errorf("year %d", t.Year())
	}
	return t, nil
}

// unknownValue says what becomes of a value that an enumeration does not have.
type unknownValue int

const (
	refuse  unknownValue = iota // the file is refused
	leave                       // the property is left out, with a note
	replace                     // the fallback stands for it, with a note
)

// enumeration reads one of the values, which stand in the order of the service's
// API description, by name in any case or by its number in that order.
type enumeration struct {
	values   []string
	unknown  unknownValue
	fallback string // for replace
	nullable bool   // a null can mean that there is none
	numbered bool   // the numbers are documented, so using them needs no note
}

func readEnum[T ~string](f *fields, e enumeration, property string, to *T, names ...string) {
	n := f.find(property, names)
	if n == nil {
		return
	}
	found := ""
	switch n.kind {
	case null:
		if e.nullable && f.nullIsNone {
			f.known[property] = true
		}
		return
	case text:
		if n.text == "" {
			return
		}
		found = n.text
	case number:
		i, err := strconv.Atoi(n.text)
		if err != nil || i < 0 || i >= len(e.values) {
			f.fail(n, fmt.Sprintf("%s, or their numbers 0 to %d, for %s", oneOf(e.values), len(e.values)-1, property), n.describe())
			return
		}
		found = e.values[i]
		if !e.numbered {
			f.notes.add(fmt.Sprintf("%s %d read as %s: numbers are taken to count from 0 in the order of the service's API description", property, i, found), n)
		}
	default:
		f.fail(n, fmt.Sprintf("%s for %s (if PowerShell printed it so, print its ToString(), or use az or REST)", oneOf(e.values), property), n.describe())
		return
	}
	if i := slices.IndexFunc(e.values, func(v string) bool { return strings.EqualFold(v, found) }); i >= 0 {
		*to, f.known[property] = T(e.values[i]), true
		return
	}
	switch e.unknown {
	case refuse:
		f.fail(n, oneOf(e.values)+" for "+property, n.describe())
	case leave:
		f.notes.add(fmt.Sprintf("unknown %s %s left out", property, quoted(found)), n)
	case replace:
		*to, f.known[property] = T(e.fallback), true
		f.notes.add(fmt.Sprintf("unknown %s %s read as %s", property, quoted(found), e.fallback), n)
	}
}

// oneOf lists values as a sentence does: A, B or C.
func oneOf(values []string) string {
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}
