package state

import (
	"strings"
	"unicode/utf8"
)

// The state file is nearly always in the form that gatepool writes: block
// mappings and sequences, plain or simply quoted scalars on one line, flow
// collections on one line. A recogniser reads that form, and nothing else, some
// fifty times as fast as yaml.v3. Whatever it does not know for certain it
// hands over. What it reads goes to a sink: nodeSink makes the nodes that
// yaml.v3 gives (a fuzz test says so), valueSink decodes without any.

// A sink takes what a recogniser reads, in the order of the text, with the
// offsets in it. The texts share the document's memory. An answer of false
// hands the document over.
type sink interface {
	open(kind nodeKind, style nodeStyle, start int) bool
	close(end int) bool
	key(text string, start int) bool
	scalar(text string, style nodeStyle, start, end int) bool
}

// recognise reads a document of simple characters. It answers false for
// anything that is not of the simple form, and where the sink does.
func recognise(text string, into sink) bool {
	r := recogniser{text: text, sink: into}
	indent, any := r.nextLine()
	return any && r.block(indent, 0) && r.at == len(r.text)
}

// headSize is how much of a document readHead looks at, in bytes.
const headSize = 1 << 10

// readHead reads the lines at the top of a document that each hold a key and a
// plain or quoted value. It answers false when name or a known kind are not among
// them.
func readHead(text string) (h heading, ok bool) {
	top := text[:min(len(text), headSize)]
	if len(top) < len(text) {
		top = top[:strings.LastIndexByte(top, '\n')+1]
	}
	if !simpleCharacters(top) {
		return heading{}, false
	}
	var line headSink
	r := recogniser{text: top, sink: &line}
	indent, more := r.nextLine()
	for more && r.key() && r.value(indent, 0, true) {
		// Only the next line shows that the value does not go on there.
		var ok bool
		if more, ok = r.sameBlock(indent); !ok || !more && len(top) < len(text) && !isAlnum(text[len(top)]) {
			break
		}
		switch line.name {
		case "kind":
			h.kind = Kind(line.value)
		case "name":
			h.name = line.value
		case "id":
			h.id = line.value
		}
	}
	return h, h.kind.known() && h.name != ""
}

// A headSink keeps the last key and value, and takes no collections.
type headSink struct{ name, value string }

func (s *headSink) open(nodeKind, nodeStyle, int) bool { return false }
func (s *headSink) close(int) bool                     { return false }

func (s *headSink) key(text string, _ int) bool {
	s.name = text
	return true
}

func (s *headSink) scalar(text string, _ nodeStyle, _, _ int) bool {
	s.value = text
	return true
}

// A recogniser reads on from at. Its methods answer false for what is not of
// the simple form.
type recogniser struct {
	text string
	at   int // offset in text of the next character
	end  int // where the last value ended
	sink sink
}

// nextLine moves to the first character of the next line that holds more than
// blanks and a comment, and returns how far in it stands.
func (r *recogniser) nextLine() (indent int, ok bool) {
	for r.at < len(r.text) {
		start := r.at
		r.blanks()
		if r.at == len(r.text) {
			return 0, false
		}
		switch r.text[r.at] {
		case '\n':
			r.at++
		case '\r', '#':
			r.skipLine()
		default:
			return r.at - start, true
		}
	}
	return 0, false
}

func (r *recogniser) skipLine() {
	if i := strings.IndexByte(r.text[r.at:], '\n'); i >= 0 {
		r.at += i + 1
	} else {
		r.at = len(r.text)
	}
}

func (r *recogniser) blanks() { r.at = skipBlanks(r.text, r.at) }

func skipBlanks(text string, at int) int {
	for at < len(text) && text[at] == ' ' {
		at++
	}
	return at
}

// lineEnd accepts blanks and a comment up to the end of the line, and moves
// behind it.
func (r *recogniser) lineEnd() bool {
	start := r.at
	r.blanks()
	if r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '\n':
			r.at++
		case c == '\r' || c == '#' && r.at > start:
			r.skipLine()
		default:
			return false
		}
	}
	return true
}

// block reads the mapping or sequence whose first key or dash stands at r.at,
// and moves to the line behind it that belongs to an outer collection.
func (r *recogniser) block(indent, depth int) bool {
	if r.text[r.at] == '-' {
		return r.sequence(indent, depth)
	}
	return r.mapping(indent, depth)
}

func (r *recogniser) mapping(indent, depth int) bool {
	if depth > maxDepth || !r.sink.open(mappingNode, blockStyle, r.at) {
		return false
	}
	for {
		if !r.key() || !r.value(indent, depth, true) {
			return false
		}
		more, ok := r.sameBlock(indent)
		if !ok {
			return false
		}
		if !more {
			return r.sink.close(r.end)
		}
	}
}

func (r *recogniser) sequence(indent, depth int) bool {
	if depth > maxDepth || !r.sink.open(sequenceNode, blockStyle, r.at) {
		return false
	}
	for {
		r.at++
		if r.at < len(r.text) && r.text[r.at] != ' ' && r.text[r.at] != '\n' && r.text[r.at] != '\r' || !r.item(indent, depth) {
			return false
		}
		lineStart := r.at
		more, ok := r.sameBlock(indent)
		if !ok {
			return false
		}
		if !more || r.text[r.at] != '-' {
			// A sequence may be no further in than its key: then the next key
			// ends it.
			r.at = lineStart
			return r.sink.close(r.end)
		}
	}
}

// item reads what follows a dash.
func (r *recogniser) item(indent, depth int) bool {
	start := r.at
	r.blanks()
	if keyEnd(r.text, r.at) >= 0 {
		return r.mapping(indent+1+r.at-start, depth+1)
	}
	r.at = start
	return r.value(indent, depth, false)
}

// value reads what follows a key's colon or a dash, on the same line or as a
// block below it.
func (r *recogniser) value(indent, depth int, ofKey bool) bool {
	start := r.at
	r.blanks()
	switch {
	case r.at == len(r.text) || r.text[r.at] == '#' && r.at == start:
		return false
	case r.text[r.at] != '\n' && r.text[r.at] != '\r' && r.text[r.at] != '#':
		r.at = r.inline(r.at, depth+1, false)
		return r.at >= 0 && r.lineEnd()
	}
	r.skipLine()
	inner, ok := r.nextLine()
	if !ok || inner < indent || inner == indent && (!ofKey || r.text[r.at] != '-') {
		return false
	}
	return r.block(inner, depth+1)
}

// sameBlock moves to the next line that holds something and reports whether it
// goes on with the block at that indentation. A line further in would continue
// the value before it: not the simple form.
func (r *recogniser) sameBlock(indent int) (more, ok bool) {
	lineStart := r.at
	inner, any := r.nextLine()
	switch {
	case !any:
		return false, true
	case inner > indent:
		return false, false
	case inner < indent:
		r.at = lineStart // an outer block looks at this line again
		return false, true
	}
	return true, true
}

// key reads a plain key and its colon.
func (r *recogniser) key() bool {
	r.at = r.keyAt(r.at)
	return r.at >= 0
}

// What stands within a line takes nearly all of the time. So it is read with the
// offset in hand: the following functions get where it begins and return where it
// ends, or -1.

func (r *recogniser) keyAt(at int) (end int) {
	end = keyEnd(r.text, at)
	if end < 0 || isNull(r.text[at:end]) || !r.sink.key(r.text[at:end], at) {
		return -1
	}
	return end + 1
}

// keyEnd finds the colon of the plain key that stands there, if one does.
func keyEnd(text string, at int) int {
	end := at
	for end < len(text) && class[text[end]]&inKey != 0 {
		end++
	}
	if end == at || end-at > 100 || !isAlnum(text[at]) || end == len(text) || text[end] != ':' {
		return -1
	}
	if after := end + 1; after < len(text) && text[after] != ' ' && text[after] != '\n' && text[after] != '\r' {
		return -1
	}
	return end
}

// inline reads a scalar or a flow collection on one line.
func (r *recogniser) inline(at, depth int, inFlow bool) (end int) {
	if at == len(r.text) || depth > maxDepth {
		return -1
	}
	switch c := r.text[at]; c {
	case '{':
		return r.flow(at, mappingNode, '}', depth)
	case '[':
		return r.flow(at, sequenceNode, ']', depth)
	case '"', '\'':
		return r.quoted(at, c)
	}
	return r.plain(at, inFlow)
}

func (r *recogniser) flow(at int, kind nodeKind, closing byte, depth int) (end int) {
	if !r.sink.open(kind, flowStyle, at) {
		return -1
	}
	text := r.text
	at = skipBlanks(text, at+1)
	for at < len(text) && text[at] != closing {
		if kind == mappingNode {
			if at = r.keyAt(at); at < 0 || at == len(text) || text[at] != ' ' {
				return -1
			}
			at = skipBlanks(text, at)
		}
		if at = r.inline(at, depth+1, true); at < 0 {
			return -1
		}
		at = skipBlanks(text, at)
		if at < len(text) && text[at] == ',' {
			at = skipBlanks(text, at+1)
			if at < len(text) && text[at] == closing {
				return -1
			}
		} else if at == len(text) || text[at] != closing {
			return -1
		}
	}
	if at == len(text) {
		return -1
	}
	r.end = at + 1
	if !r.sink.close(r.end) {
		return -1
	}
	return r.end
}

// quoted reads a quoted scalar without escapes.
func (r *recogniser) quoted(at int, quote byte) (end int) {
	text, style := r.text, doubleStyle
	if quote == '\'' {
		style = singleStyle
	}
	for end = at + 1; end < len(text); end++ {
		switch text[end] {
		case '\n', '\r':
			return -1
		case '\\':
			if quote == '"' {
				return -1
			}
		case quote:
			end++
			if end < len(text) && text[end] == quote {
				return -1
			}
			return r.scalar(text[at+1:end-1], style, at, end)
		}
	}
	return -1
}

// plain reads an unquoted scalar.
func (r *recogniser) plain(at int, inFlow bool) (end int) {
	text := r.text
	if c := text[at]; !isAlnum(c) && c < utf8.RuneSelf && strings.IndexByte("_./+(\\$", c) < 0 {
		return -1
	}
	end = at
scan:
	for ; end < len(text); end++ {
		c := text[end]
		if class[c]&endsPlain == 0 {
			continue
		}
		switch c {
		case '\n', '\r':
			break scan
		case ',', '}', ']':
			if inFlow {
				break scan
			}
		case '{', '[', '?':
			if inFlow {
				return -1
			}
		case ':':
			if end+1 == len(text) || class[text[end+1]]&afterKey != 0 {
				return -1
			}
		case '#':
			if text[end-1] == ' ' {
				break scan
			}
		}
	}
	for text[end-1] == ' ' {
		end--
	}
	if isNull(text[at:end]) {
		return -1
	}
	return r.scalar(text[at:end], plainStyle, at, end)
}

func (r *recogniser) scalar(text string, style nodeStyle, at, end int) int {
	r.end = end
	if !r.sink.scalar(text, style, at, end) {
		return -1
	}
	return end
}

func isNull(s string) bool { return s == "null" || s == "Null" || s == "NULL" }

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// What a byte can be, looked up once a byte of the file.
const (
	inKey     = 1 << iota // may stand in a key
	endsPlain             // may end an unquoted scalar
	afterKey              // makes a colon before it the end of a key
)

var class = func() (class [256]uint8) {
	for c := range class {
		if isAlnum(byte(c)) || strings.IndexByte("_-.", byte(c)) >= 0 {
			class[c] |= inKey
		}
		if strings.IndexByte("\n\r,}]{[?:#", byte(c)) >= 0 {
			class[c] |= endsPlain
		}
		if strings.IndexByte(" \r\n,[]{}", byte(c)) >= 0 {
			class[c] |= afterKey
		}
	}
	return class
}()
