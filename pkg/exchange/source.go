package exchange

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// FormatError tells that a file is none of the forms that can be read, or that
// a value in it is not what it has to be.
type FormatError struct {
	File     string
	Line     int // from 1; 0 when the file as a whole is meant
	Column   int // from 1, in characters
	Expected string
	Found    string
}

func (e *FormatError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	return fmt.Sprintf("%s: expected %s, found %s", where, e.Expected, e.Found)
}

// source is a file's text, as UTF-8 without a byte-order mark.
type source struct {
	name string
	text []byte
}

// newSource takes UTF-8 with or without a byte-order mark and UTF-16 with one,
// which Windows PowerShell writes.
func newSource(data []byte, name string) (*source, error) {
	whole := func(expected, found string) error {
		return &FormatError{File: name, Expected: expected, Found: found}
	}
	if len(data) > MaxSize {
		return nil, whole(fmt.Sprintf("at most %d MiB", MaxSize>>20), "more")
	}
	text, _, err := transform.Bytes(unicode.BOMOverride(transform.Nop), data)
	if err != nil {
		return nil, whole("UTF-8 or UTF-16 text", err.Error())
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, whole("UTF-8 text, or UTF-16 with a byte-order mark", "NUL bytes")
	}
	return &source{name, text}, nil
}

// errorAt is a FormatError about what begins at an offset into the text.
func (s *source) errorAt(offset int, expected, found string) *FormatError {
	before := s.text[:min(offset, len(s.text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return &FormatError{
		File:     s.name,
		Line:     bytes.Count(before, []byte{'\n'}) + 1,
		Column:   utf8.RuneCount(before[start:]) + 1,
		Expected: expected,
		Found:    found,
	}
}

// quoted is a text from a file made fit for a message: escaped and short.
func quoted(s string) string { return fmt.Sprintf("%q", short(s)) }

func short(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
