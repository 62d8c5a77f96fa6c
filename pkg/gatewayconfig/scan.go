package gatewayconfig

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"unicode/utf8"
)

// Bounds on what is read, far above any real file (tens of kilobytes, some
// hundred settings, six levels), so that a hostile one costs little.
const (
	MaxSize       = 512 << 10 // bytes
	maxElements   = 3000
	maxAttributes = 100 // of one element
	maxDepth      = 100
)

const bom = "\ufeff"

// span is where an element's bytes are: its start tag is [start, inner), its
// end tag [innerEnd, end). Of a self-closing element all is in the start tag.
type span struct {
	start, inner, innerEnd, end int
}

func (s span) selfClosing() bool { return s.innerEnd == s.end }

// locator turns offsets into lines and columns.
type locator struct {
	data  []byte
	lines []int // offset of each line's first byte

	// The last answer, from which counting goes on: a file can be one long line.
	offset, line, column int
}

func newLocator(data []byte) *locator {
	l := &locator{data: data, lines: []int{0}}
	if bytes.HasPrefix(data, []byte(bom)) {
		l.lines[0] = len(bom)
	}
	for i, b := range data {
		if b == '\n' {
			l.lines = append(l.lines, i+1)
		}
	}
	return l
}

// position returns the line and the column, in characters, of an offset.
func (l *locator) position(offset int) (line, column int) {
	line = max(1, sort.SearchInts(l.lines, offset+1))
	from, column := l.lines[line-1], 1
	if line == l.line && l.offset <= offset {
		from, column = l.offset, l.column
	}
	column += utf8.RuneCount(l.data[from:max(from, offset)])
	l.offset, l.line, l.column = offset, line, column
	return line, column
}

// refuse makes the error for a fault at an offset.
func (l *locator) refuse(rule string, offset int, hint, format string, args ...any) *FormatError {
	line, column := l.position(offset)
	return &FormatError{Rule: rule, Line: line, Column: column, Message: fmt.Sprintf(format, args...), Hint: hint, offset: offset}
}

// checkEncoding refuses what isn't UTF-8, or is too large to look at.
func checkEncoding(data []byte) *FormatError {
	switch {
	case len(data) > MaxSize:
		return &FormatError{Rule: RuleTooLarge, Message: fmt.Sprintf("larger than %d KiB; a gateway's file has some tens", MaxSize>>10)}
	case len(bytes.TrimSpace(bytes.TrimPrefix(data, []byte(bom)))) == 0:
		return &FormatError{Rule: RuleEmpty, Message: "the file is empty", Hint: "restore it from a backup, or repair the gateway's installation"}
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")),
		bytes.HasPrefix(data, []byte("<\x00")), bytes.HasPrefix(data, []byte("\x00<")):
		return &FormatError{Rule: RuleEncoding, Message: "the file is UTF-16, not UTF-8",
			Hint: "save it as UTF-8; in PowerShell: (Get-Content -Raw FILE) | Set-Content -NoNewline -Encoding UTF8 FILE"}
	}
	if !utf8.Valid(data) {
		valid := bytes.ToValidUTF8(data, nil)
		at := 0
		for at < len(valid) && valid[at] == data[at] {
			at++
		}
		return newLocator(data).refuse(RuleEncoding, at, "save the file as UTF-8", "byte %#02x is not UTF-8", data[at])
	}
	return nil
}

// scan checks that data is one well-formed element with nothing around it that
// would hide something, and returns the spans of all elements in the order of
// their start tags.
func scan(data []byte, at *locator) ([]span, *FormatError) {
	offset := 0
	if bytes.HasPrefix(data, []byte(bom)) {
		offset = len(bom)
	}
	base := offset
	d := xml.NewDecoder(bytes.NewReader(data[base:]))
	d.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, at.refuse(RuleEncoding, base, "save the file as UTF-8 and declare that", "the file declares the encoding %s; only UTF-8 is handled", charset)
	}
	var spans []span
	type open struct {
		name  xml.Name
		index int
	}
	var stack []open
	for {
		start := offset
		token, err := d.RawToken()
		offset = base + int(d.InputOffset())
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, syntaxError(data, at, start, offset, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch {
			case len(stack) == 0 && len(spans) > 0:
				return nil, at.refuse(RuleNotWellFormed, start, "", "<%s> is a second root element; a file has one", qname(t.Name))
			case len(stack) == maxDepth:
				return nil, at.refuse(RuleTooLarge, start, "", "elements are nested more than %d deep", maxDepth)
			case len(t.Attr) > maxAttributes:
				return nil, at.refuse(RuleTooLarge, start, "", "<%s> has more than %d attributes", qname(t.Name), maxAttributes)
			case len(spans) == maxElements:
				return nil, at.refuse(RuleTooLarge, start, "", "more than %d elements", maxElements)
			}
			stack = append(stack, open{t.Name, len(spans)})
			spans = append(spans, span{start: start, inner: offset})
		case xml.EndElement:
			if len(stack) == 0 {
				return nil, at.refuse(RuleNotWellFormed, start, "", "</%s> ends nothing", qname(t.Name))
			}
			top := stack[len(stack)-1]
			if top.name != t.Name {
				line, _ := at.position(spans[top.index].start)
				return nil, at.refuse(RuleNotWellFormed, start, "", "</%s> where </%s> must come first, for line %d", qname(t.Name), qname(top.name), line)
			}
			stack = stack[:len(stack)-1]
			spans[top.index].innerEnd, spans[top.index].end = start, offset
		case xml.CharData:
			if len(stack) == 0 && len(bytes.TrimSpace(t)) > 0 {
				return nil, at.refuse(RuleNotWellFormed, start+leadingBlanks(data[start:offset]), "", "text outside the root element")
			}
		case xml.Directive:
			return nil, at.refuse(RuleDoctype, start, "remove it; the gateway's own file has none", "<!%.20s…> is not accepted", t)
		case xml.ProcInst:
			if t.Target == "xml" && start != base {
				return nil, at.refuse(RuleNotWellFormed, start, "", "<?xml …?> must be the very first thing in the file")
			}
		}
	}
	if len(stack) > 0 {
		top := stack[len(stack)-1]
		return nil, at.refuse(RuleNotWellFormed, spans[top.index].start, "", "<%s> is never closed", qname(top.name))
	}
	if len(spans) == 0 {
		return nil, &FormatError{Rule: RuleEmpty, Message: "the file holds no element"}
	}
	return spans, nil
}

// syntaxError gives the decoder's error a place: the tag or comment it is in,
// or in text the character where reading stopped.
func syntaxError(data []byte, at *locator, start, offset int, err error) *FormatError {
	var refused *FormatError
	if errors.As(err, &refused) {
		return refused
	}
	if data[start] != '<' {
		start = max(start, offset-1)
	}
	message := strings.TrimPrefix(err.Error(), "xml: ")
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		message = syntax.Msg
	}
	return at.refuse(RuleNotWellFormed, start, "", "not well-formed: %s", message)
}

// qname is a name as the file spells it.
func qname(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

func leadingBlanks(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t\r\n")) }

// attribute is where a start tag has an attribute, as offsets in the tag.
type attribute struct {
	name            string
	value, valueEnd int // between the quotes
}

// attributes finds the attributes of a well-formed start tag.
func attributes(tag []byte) []attribute {
	var found []attribute
	for i := bytes.IndexAny(tag, " \t\r\n"); i >= 0 && i < len(tag); {
		if isBlank(tag[i]) {
			i++
			continue
		}
		equals := bytes.IndexByte(tag[i:], '=')
		if equals < 0 {
			break
		}
		name := string(bytes.TrimSpace(tag[i : i+equals]))
		quote := i + equals + 1
		for isBlank(tag[quote]) {
			quote++
		}
		end := quote + 1 + bytes.IndexByte(tag[quote+1:], tag[quote])
		found = append(found, attribute{name, quote + 1, end})
		i = end + 1
	}
	return found
}
