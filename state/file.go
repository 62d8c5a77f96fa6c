package state

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// MaxSize is the largest state file that is read, in bytes: ten times the file
// of 10,000 hosts and 100,000 sessions, twice over.
const MaxSize = 256 << 20

// A file is the whole state file, cut into its documents. Only their kinds,
// names and ids are known; a document is parsed when it is asked for.
type file struct {
	path string
	data []byte
	docs []document
	eol  string // the file's line end
}

// A document is one resource of the stream, or a piece without any: comments
// before the first separator, say.
type document struct {
	separator int // offset of its line ---, or -1 for what stands before the first one
	start     int // offset of its content
	end       int
	simple    bool // it has simple characters only
	heading
}

// A heading is what a document is about.
type heading struct {
	kind Kind // "" for a document with nothing in it
	name string
	id   string // "" if it isn't among the first lines
}

var utf8BOM = []byte{0xEF, 0xBB, 0xBF}

// cut divides the file at its lines ---. A line that begins with --- is a
// document boundary wherever it stands, so nothing need be parsed for that.
func cut(path string, data []byte) (*file, error) {
	f := &file{path: path, data: data, eol: "\n"}
	if err := f.checkEncoding(); err != nil {
		return nil, err
	}
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		f.eol = "\r\n"
	}
	doc := document{separator: -1}
	if bytes.HasPrefix(data, utf8BOM) {
		doc.start = len(utf8BOM)
	}
	first := doc.start
	marks := scan(data[first:])
	for _, sep := range marks.separators {
		sep += first
		doc.end = sep
		f.docs = append(f.docs, doc)
		at := sep + len("---")
		doc = document{separator: sep, start: at}
		// A tab before a comment is fine there, but not at the start of a text.
		if rest := bytes.TrimLeft(data[at:], " \t"); len(rest) > 0 && rest[0] == '#' {
			doc.start = len(data) - len(rest)
		}
	}
	doc.end = len(data)
	f.docs = append(f.docs, doc)

	err := onAllCores(len(f.docs), len(data), func() func(int) error {
		return func(i int) error {
			d := &f.docs[i]
			d.simple = !marks.oddBetween(max(d.separator, first)-first, d.end-first)
			if !d.simple {
				if err := f.checkText(d); err != nil {
					return err
				}
			}
			return f.identify(d)
		}
	})
	if err != nil {
		return nil, err
	}
	seen := make(map[string]int, len(f.docs))
	for i := range f.docs {
		d := &f.docs[i]
		if d.kind == "" {
			continue
		}
		key := nameKey(d.kind, d.name)
		if first, twice := seen[key]; twice {
			return nil, f.errorAt(f.content(d), "%s %q is already in line %d: names must differ by more than case", d.kind, d.name, f.line(f.content(&f.docs[first])))
		}
		seen[key] = i
	}
	return f, nil
}

// nameKey is what must differ between the resources of a file.
func nameKey(kind Kind, name string) string { return string(kind) + "/" + strings.ToLower(name) }

func (f *file) checkEncoding() error {
	switch {
	case bytes.HasPrefix(f.data, []byte{0xFF, 0xFE}), bytes.HasPrefix(f.data, []byte{0xFE, 0xFF}),
		len(f.data) >= 2 && (f.data[0] == 0) != (f.data[1] == 0):
		return &InvalidError{File: f.path, Line: 1, Column: 1,
			Message: "the file is UTF-16; the state file must be UTF-8",
			Hint:    fmt.Sprintf("in PowerShell: (Get-Content %[1]s) | Set-Content -Encoding utf8 %[1]s", f.path)}
	}
	return nil
}

// checkText refuses bytes that are no UTF-8 text.
func (f *file) checkText(d *document) error {
	text := f.data[d.start:d.end]
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return f.errorAt(d.start+i, "a NUL byte: this is not a text file")
	}
	if utf8.Valid(text) {
		return nil
	}
	at := d.start
	for {
		r, size := utf8.DecodeRune(f.data[at:])
		if r == utf8.RuneError && size == 1 {
			return f.errorAt(at, "byte 0x%02X is not UTF-8: save the file as UTF-8", f.data[at])
		}
		at += size
	}
}

// text is the content of a document. It shares the file's memory, which is
// never written to: copying it would cost more than reading it does.
func (f *file) text(d *document) string {
	if d.start == d.end {
		return ""
	}
	return unsafe.String(&f.data[d.start], d.end-d.start)
}

// identify finds a document's kind, name and id. In the usual form they stand
// in its first lines; anything else is parsed.
func (f *file) identify(d *document) error {
	if h, ok := readHead(f.text(d)); ok {
		d.heading = h
		return nil
	}
	root, err := f.parse(d)
	if err != nil || root == nil {
		return err
	}
	d.heading = heading{Kind(scalarAt(root, "kind")), scalarAt(root, "name"), scalarAt(root, "id")}
	if !d.kind.known() || d.name == "" {
		_, err = f.decode(root) // says exactly what is wrong
	}
	return err
}

func scalarAt(root *node, key string) string {
	if root.kind == mappingNode {
		if _, v := root.entry(key); v != nil && v.kind == scalarNode {
			return v.value
		}
	}
	return ""
}

// content is where a document's first line with more than blanks and comments
// begins, or its end if it has none.
func (f *file) content(d *document) int {
	at := d.start
	for at < d.end {
		switch f.data[at] {
		case ' ', '\t', '\r', '\n':
			at++
		case '#':
			at = min(f.nextLine(at), d.end)
		default:
			return at
		}
	}
	return at
}

// find returns the document of that kind whose name or id matches; an ARM id
// also matches by the name at its end.
func (f *file) find(kind Kind, name string) *document {
	for _, matches := range []func(d *document) bool{
		func(d *document) bool { return strings.EqualFold(d.name, name) },
		func(d *document) bool { return name != "" && strings.EqualFold(f.idOf(d), name) },
		func(d *document) bool { return strings.EqualFold(d.name, lastSegment(name)) },
	} {
		for i := range f.docs {
			if d := &f.docs[i]; d.kind == kind && matches(d) {
				return d
			}
		}
	}
	return nil
}

// idOf is the id of a document's resource, which may stand anywhere in it.
func (f *file) idOf(d *document) string {
	if d.id == "" && strings.Contains(f.text(d), "\nid:") {
		if root, err := f.parse(d); err == nil {
			return scalarAt(root, "id")
		}
	}
	return d.id
}

// lastSegment returns the last part of an ARM id, or any other name unchanged.
func lastSegment(name string) string {
	if strings.HasPrefix(name, "/") {
		return name[strings.LastIndexByte(name, '/')+1:]
	}
	return name
}

// line is the number of the line that holds an offset, from 1.
func (f *file) line(offset int) int { return bytes.Count(f.data[:offset], []byte{'\n'}) + 1 }

// position is the place of an offset.
func (f *file) position(offset int) Position {
	offset = min(offset, len(f.data))
	return Position{
		Line:   f.line(offset),
		Column: utf8.RuneCount(f.data[f.lineStart(offset):offset]) + 1,
	}
}

// errorAt makes an error about the place at an offset.
func (f *file) errorAt(offset int, format string, args ...any) error {
	at := f.position(offset)
	return &InvalidError{File: f.path, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)}
}
