package gatewayconfig

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"gatepool/pkg/atomicfile"
	"gatepool/pkg/gateway"
)

// SectionName is the element that holds the settings, in
// /configuration/applicationSettings. A namespace may precede it: any name
// that ends so is taken.
const SectionName = "GatewayCoreSettings"

// File is a parsed configuration. It never changes: edits return a new one.
type File struct {
	name    string
	data    []byte
	spans   map[*etree.Element]span
	section *etree.Element
	entries []Entry
}

// Entry is a setting that is present in a file.
type Entry struct {
	Name        string `json:"name"`  // as written
	Value       string `json:"value"` // decoded; without the blanks around it where the gateway ignores them
	Line        int    `json:"line"`  // of the <setting>
	Column      int    `json:"column"`
	ValueLine   int    `json:"valueLine"` // of what follows <value>; the setting's where it has none
	ValueColumn int    `json:"valueColumn"`

	element *etree.Element
	value   *etree.Element // nil unless the setting has exactly one
	text    string         // Value with the blanks around it
}

// Open parses the file at path. A file over MaxSize is an
// *atomicfile.TooLargeError.
func Open(path string) (*File, error) {
	data, err := atomicfile.Read(path, MaxSize)
	if err != nil {
		return nil, err
	}
	return Parse(data, path)
}

// Parse reads a configuration; name is the file's, for messages. A file that
// the gateway would start with but that holds faults is accepted: Check finds
// them. A section that stands alone, as documentation prints it, is accepted
// too. The error is a *FormatError.
func Parse(data []byte, name string) (*File, error) {
	f, err := parse(data)
	if err != nil {
		err.File = name
		return nil, err
	}
	f.name = name
	return f, nil
}

func parse(data []byte) (*File, *FormatError) {
	if err := checkEncoding(data); err != nil {
		return nil, err
	}
	at := newLocator(data)
	spans, err := scan(data, at)
	if err != nil {
		return nil, err
	}
	doc := etree.NewDocument()
	doc.ReadSettings = etree.ReadSettings{ValidateInput: true, PreserveDuplicateAttrs: true}
	// What follows the root has been checked; ValidateInput would refuse even a line end there.
	if err := doc.ReadFromBytes(bytes.TrimPrefix(data[:spans[0].end], []byte(bom))); err != nil {
		return nil, &FormatError{Rule: RuleNotWellFormed, Message: "not well-formed: " + err.Error()}
	}
	f := &File{data: data, spans: make(map[*etree.Element]span, len(spans))}
	f.match(doc.Root(), spans)
	if err := f.findSection(doc.Root(), at); err != nil {
		return nil, err
	}
	for _, e := range f.section.SelectElements("setting") {
		f.entries = append(f.entries, f.entry(e, at))
	}
	return f, nil
}

// match gives e and what is in it the first of the spans, and returns the rest:
// both are in the order of start tags.
func (f *File) match(e *etree.Element, spans []span) []span {
	f.spans[e], spans = spans[0], spans[1:]
	for _, child := range e.ChildElements() {
		spans = f.match(child, spans)
	}
	return spans
}

// findSection looks for the section where the gateway looks for it, and says
// what is there instead.
func (f *File) findSection(root *etree.Element, at *locator) *FormatError {
	var here, elsewhere []*etree.Element
	for _, e := range append([]*etree.Element{root}, root.FindElements(".//*")...) {
		if !strings.HasSuffix(e.Tag, SectionName) {
			continue
		}
		if p := e.GetPath(); e == root || strings.HasPrefix(p, "/configuration/applicationSettings/") && strings.Count(p, "/") == 3 {
			here = append(here, e)
		} else {
			elsewhere = append(elsewhere, e)
		}
	}
	start := func(e *etree.Element) int { return f.spans[e].start }
	switch {
	case len(here) > 1:
		first, _ := at.position(start(here[0]))
		return at.refuse(RuleSectionTwice, start(here[1]), "move all settings into one section and remove the other",
			"the section %s is here and in line %d; the gateway accepts one", here[1].Tag, first)
	case len(here) == 1:
		f.section = here[0]
		return nil
	case len(elsewhere) > 0:
		return at.refuse(RuleNoSection, start(elsewhere[0]), "move it into /configuration/applicationSettings",
			"the section %s is in %s, where the gateway doesn't look", elsewhere[0].Tag, elsewhere[0].Parent().GetPath())
	}
	hint := "name the gateway's " + FileName
	for _, group := range root.SelectElements("applicationSettings") {
		for _, section := range group.ChildElements() {
			return at.refuse(RuleNoSection, start(section), hint, "this is another program's file: it holds the section %s, not %s", section.Tag, SectionName)
		}
	}
	return at.refuse(RuleNoSection, start(root), hint, "<%s> holds no section %s", root.Tag, SectionName)
}

func (f *File) entry(e *etree.Element, at *locator) Entry {
	entry := Entry{Name: e.SelectAttrValue("name", ""), element: e}
	entry.Line, entry.Column = at.position(f.spans[e].start)
	entry.ValueLine, entry.ValueColumn = entry.Line, entry.Column
	if values := e.SelectElements("value"); len(values) == 1 {
		entry.value = values[0]
		entry.text = text(entry.value)
		entry.ValueLine, entry.ValueColumn = at.position(f.spans[entry.value].inner)
	}
	entry.Value = entry.text
	if s, _ := lookupExact(entry.Name); s.Kind.trims() {
		entry.Value = strings.TrimSpace(entry.text)
	}
	return entry
}

// text is what .NET makes of a value: its pieces of text without the comments
// between them, and without pieces that are nothing but blanks.
func text(value *etree.Element) string {
	var b strings.Builder
	for _, token := range value.Child {
		if piece, ok := token.(*etree.CharData); ok && !piece.IsWhitespace() {
			b.WriteString(piece.Data)
		}
	}
	return b.String()
}

// Bytes returns the file's content. It must not be changed.
func (f *File) Bytes() []byte { return f.data }

// Settings lists the settings that are present, in file order.
func (f *File) Settings() []Entry { return f.entries }

// Get returns the value of the setting of exactly that name. Where a name
// stands twice the last counts, as in .NET.
func (f *File) Get(name string) (value string, present bool) {
	e := f.last(name)
	if e == nil {
		return "", false
	}
	return e.Value, true
}

func (f *File) last(name string) *Entry {
	for i := len(f.entries) - 1; i >= 0; i-- {
		if f.entries[i].Name == name {
			return &f.entries[i]
		}
	}
	return nil
}

// Limits returns the limits that the file gives a member. Where a setting is
// absent or empty the built-in default applies. BypassConcurrentOperationLimit
// True gives a concurrency of 0: no limit. A value that means nothing is a
// *FormatError, although the gateway would silently take the default.
func (f *File) Limits() (gateway.Limits, error) {
	limits := gateway.DefaultLimits()
	for _, l := range []struct {
		name string
		to   *int
	}{
		{CPUThreshold, &limits.CPU},
		{MemoryThreshold, &limits.Memory},
		{AggregationMinutes, &limits.AggregationMinutes},
		{ConcurrencyLimit, &limits.Concurrency},
	} {
		value, err := f.effective(l.name)
		if err != nil {
			return gateway.Limits{}, err
		}
		if *l.to, err = strconv.Atoi(value); err != nil {
			return gateway.Limits{}, err
		}
	}
	bypass, err := f.effective(ConcurrencyBypass)
	if err != nil {
		return gateway.Limits{}, err
	}
	if strings.EqualFold(bypass, "True") {
		limits.Concurrency = 0
	}
	return limits, nil
}

// effective returns a known setting's valid value, or its default.
func (f *File) effective(name string) (string, error) {
	setting, _ := Lookup(name)
	e := f.last(name)
	if e == nil || e.Value == "" {
		return setting.Default, nil
	}
	if !setting.valid(e.Value) {
		return "", f.refuse(RuleValueInvalid, e.ValueLine, e.ValueColumn, "", "%s is %q; want %s", name, e.Value, setting.Range())
	}
	return e.Value, nil
}

func (f *File) refuse(rule string, line, column int, hint, format string, args ...any) *FormatError {
	return &FormatError{Rule: rule, File: f.name, Line: line, Column: column, Message: fmt.Sprintf(format, args...), Hint: hint}
}
