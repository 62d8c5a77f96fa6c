package gatewayconfig

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// splice replaces the bytes [start, end) by text.
type splice struct {
	start, end int
	text       string
}

// apply makes the splices, which must not overlap.
func apply(data []byte, splices []splice) []byte {
	slices.SortFunc(splices, func(a, b splice) int { return cmp.Compare(a.start, b.start) })
	var b bytes.Buffer
	from := 0
	for _, s := range splices {
		b.Write(data[from:s.start])
		b.WriteString(s.text)
		from = s.end
	}
	b.Write(data[from:])
	return b.Bytes()
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

const cdataStart, cdataEnd = "<![CDATA[", "]]>"

// piece is a stretch of text in an element: what is between the brackets of a
// CDATA section, or between two of anything else.
type piece struct {
	start, end int
	cdata      bool
}

// pieces returns the text that stands directly in an element's content, as
// offsets in it.
func pieces(content []byte) []piece {
	var found []piece
	depth := 0
	d := xml.NewDecoder(bytes.NewReader(content))
	for start := 0; ; start = int(d.InputOffset()) {
		token, err := d.RawToken()
		if err != nil {
			return found
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth > 0 {
				continue
			}
			p := piece{start: start, end: int(d.InputOffset())}
			if bytes.HasPrefix(content[p.start:], []byte(cdataStart)) {
				p = piece{p.start + len(cdataStart), p.end - len(cdataEnd), true}
			}
			found = append(found, p)
		}
	}
}

// replaceValue makes value the entry's value. Comments, a CDATA section and,
// where the gateway ignores them, the blanks around the old value stay.
func (f *File) replaceValue(e *Entry, value string) []splice {
	s, _ := lookupExact(e.Name)
	return f.replace(e, value, s.Kind.trims())
}

// replaceText is replaceValue without regard to blanks: they go.
func (f *File) replaceText(e *Entry, value string) []splice { return f.replace(e, value, false) }

// replace puts value in the place of the first piece of text; others go.
func (f *File) replace(e *Entry, value string, keepBlanks bool) []splice {
	tag := f.spans[e.value]
	if tag.selfClosing() {
		start, end := opened(f.data[tag.start:tag.end], e.value.FullTag())
		return []splice{{tag.start, tag.end, start + escape(value) + end}}
	}
	content := f.data[tag.inner:tag.innerEnd]
	all := pieces(content)
	hasText := func(p piece) bool { return len(bytes.TrimSpace(content[p.start:p.end])) > 0 }
	target := max(0, slices.IndexFunc(all, hasText))
	if len(all) == 0 {
		all = []piece{{}}
	}

	var splices []splice
	for i, p := range all {
		old, text := string(content[p.start:p.end]), ""
		if i == target {
			text = pieceText(old, value, p.cdata, keepBlanks)
		} else if !hasText(p) {
			continue
		}
		splices = append(splices, splice{tag.inner + p.start, tag.inner + p.end, text})
	}
	if only := splices[0]; only.text == "" && only.end-only.start == len(content) {
		if closed, ok := closed(f.data[tag.start:tag.inner], f.data[tag.innerEnd:tag.end]); ok {
			return []splice{{tag.start, tag.end, closed}}
		}
	}
	return splices
}

// pieceText is a piece of text that has had its value replaced.
func pieceText(old, value string, cdata, keepBlanks bool) string {
	if cdata {
		value = strings.ReplaceAll(value, cdataEnd, "]]"+cdataEnd+cdataStart+">")
	} else {
		value = escape(value)
	}
	if !keepBlanks {
		return value
	}
	bare := strings.TrimSpace(old)
	before, after, _ := strings.Cut(old, bare)
	return before + value + after
}

// opened turns a self-closing tag into a start and an end tag. The blank that
// .NET writes before the slash stays where it is; a tag without one gets it in
// the end tag. It does no harm there, and by it closed knows what the element
// was, so that emptying it again gives the bytes that were there before.
func opened(tag []byte, name string) (start, end string) {
	start = strings.TrimSuffix(string(tag), "/>")
	if isBlank(start[len(start)-1]) {
		return start + ">", "</" + name + ">"
	}
	return start + ">", "</" + name + " >"
}

// closed turns the tags of an empty element that opened has opened into the
// self-closing tag they were. ok is false for other tags.
func closed(start, end []byte) (tag string, ok bool) {
	bare := strings.TrimSuffix(string(start), ">")
	if !isBlank(bare[len(bare)-1]) && !isBlank(end[len(end)-2]) {
		return "", false
	}
	return bare + "/>", true
}

// layout is how a file sets out a setting: what stands before its start tag,
// before <value>, and before its end tag.
type layout struct {
	beforeSetting, beforeValue, beforeEnd string
}

// layout follows the last setting that starts a line, or else the last one.
// In a section without settings it goes by the section's own indentation.
func (f *File) layout() layout {
	var found *layout
	for i := len(f.entries) - 1; i >= 0; i-- {
		e := &f.entries[i]
		if e.value == nil {
			continue
		}
		setting := f.spans[e.element]
		l := layout{f.gap(setting.start), f.gap(f.spans[e.value].start), f.gap(setting.innerEnd)}
		if strings.Contains(l.beforeSetting, "\n") {
			return l
		}
		if found == nil {
			found = &l
		}
	}
	if found != nil {
		return *found
	}
	section := f.spans[f.section]
	if !section.selfClosing() && !bytes.Contains(f.data[section.inner:section.innerEnd], []byte("\n")) {
		return layout{}
	}
	newline := f.gap(section.start)
	if !strings.Contains(newline, "\n") {
		return layout{}
	}
	unit := "  "
	if parent := f.section.Parent(); f.spans[parent].end > 0 {
		if deeper, ok := strings.CutPrefix(newline, f.gap(f.spans[parent].start)); ok && deeper != "" {
			unit = deeper
		}
	}
	return layout{newline + unit, newline + unit + unit, newline + unit}
}

// gap returns the blanks before an offset, from the last line end on.
func (f *File) gap(offset int) string {
	before := f.data[:offset]
	blanks := before[len(bytes.TrimRight(before, " \t\r\n")):]
	if i := bytes.LastIndexByte(blanks, '\n'); i > 0 && blanks[i-1] == '\r' {
		blanks = blanks[i-1:]
	} else if i >= 0 {
		blanks = blanks[i:]
	}
	return string(blanks)
}

// insert adds a setting behind everything that is in the section.
func (f *File) insert(name, value string) splice {
	l := f.layout()
	element := "<value />"
	if value != "" {
		element = "<value>" + escape(value) + "</value>"
	}
	text := l.beforeSetting + `<setting name="` + escapeAttribute(name) + `" serializeAs="String">` +
		l.beforeValue + element + l.beforeEnd + "</setting>"

	section := f.spans[f.section]
	if section.selfClosing() {
		start, end := opened(f.data[section.start:section.end], f.section.FullTag())
		return splice{section.start, section.end, start + text + f.gap(section.start) + end}
	}
	content := bytes.TrimRight(f.data[section.inner:section.innerEnd], " \t\r\n")
	return splice{section.inner + len(content), section.inner + len(content), text}
}

func escapeAttribute(s string) string { return strings.ReplaceAll(escape(s), `"`, "&quot;") }

// remove takes a setting away with the lines it has for itself. A section that
// insert has opened is closed again with its last setting.
func (f *File) remove(e *etree.Element) splice {
	tag, section := f.spans[e], f.spans[f.section]
	gap := f.gap(tag.start)
	cut := splice{tag.start - len(gap), tag.end, ""}
	before, after := f.data[section.inner:cut.start], f.data[cut.end:section.innerEnd]
	if len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(after)) == 0 {
		if closed, ok := closed(f.data[section.start:section.inner], f.data[section.innerEnd:section.end]); ok {
			return splice{section.start, section.end, closed}
		}
	}
	rest, _, _ := bytes.Cut(after, []byte("\n"))
	if strings.Contains(gap, "\n") && len(bytes.TrimSpace(rest)) > 0 {
		cut.start = tag.start // what stands behind it, a comment say, keeps its line
	}
	return cut
}
