package state

import (
	"strings"
	"unicode/utf8"
)

// The state file is nearly always in the form that gatepool writes: block
// mappings and sequences, plain or simply quoted scalars on one line, flow
// collections on one line. recognise reads that form, and nothing else, some
// fifty times as fast as yaml.v3. Whatever it does not know for certain it
// hands over. Its nodes equal those that yaml.v3 gives (a fuzz test says so).

// recognise reads one document that begins at base in the file. It answers
// false for anything that is not of the simple form. The nodes' values share
// the text's memory.
func recognise(text string, base int, slab *nodeSlab) (root *node, ok bool) {
	if !simpleCharacters(text) {
		return nil, false
	}
	r := recogniser{text: text, base: base, slab: slab}
	slab.stack = slab.stack[:0]
	indent, any := r.nextLine()
	if !any || !r.block(indent, 0) || r.at < len(r.text) {
		return nil, false
	}
	return &r.slab.keep(slab.stack)[0], true
}

// headSize is how much of a document readHead looks at, in bytes.
const headSize = 1 << 10

// readHead reads kind, name and id from the lines at the top of a document that
// each hold a key and a plain or quoted value. It answers false when kind or
// name are not among them.
func readHead(text string, slab *nodeSlab) (kind Kind, name, id string, ok bool) {
	top := text[:min(len(text), headSize)]
	if len(top) < len(text) {
		top = top[:strings.LastIndexByte(top, '\n')+1]
	}
	if !simpleCharacters(top) {
		return "", "", "", false
	}
	r := recogniser{text: top, slab: slab}
	indent, more := r.nextLine()
	for more {
		slab.stack = slab.stack[:0]
		if !r.key() {
			break
		}
		r.blanks()
		if r.at == len(r.text) || strings.IndexByte("\r\n#{[", r.text[r.at]) >= 0 || !r.inline(0, false) || !r.lineEnd() {
			break
		}
		// Only the next line shows that the value does not go on there.
		var ok bool
		if more, ok = r.sameBlock(indent); !ok || !more && len(top) < len(text) && !isAlnum(text[len(top)]) {
			break
		}
		switch key, value := slab.stack[0].value, slab.stack[1].value; key {
		case "kind":
			kind = Kind(value)
		case "name":
			name = value
		case "id":
			id = value
		}
	}
	return kind, name, id, kind != "" && name != ""
}

// simpleCharacters reports whether the text has only characters that mean the
// same to everyone: no tabs, no controls, no invisible line separators.
func simpleCharacters(text string) bool {
	for i := 0; i < len(text); i++ {
		for i+8 <= len(text) && allPrintable(text[i:i+8]) {
			i += 8
		}
		if i == len(text) {
			break
		}
		switch c := text[i]; {
		case c >= 0x20 && c < 0x7F || c == '\n':
		case c == '\r':
			if i+1 == len(text) || text[i+1] != '\n' {
				return false
			}
		case c < utf8.RuneSelf:
			return false
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			if r < 0xA0 || r == '\u2028' || r == '\u2029' || r == '\uFEFF' || r >= 0xFFFE && r <= 0xFFFF || r == utf8.RuneError {
				return false
			}
			i += size - 1
		}
	}
	return true
}

// allPrintable reports whether each of eight bytes is from 0x20 to 0x7E. Adding
// 1 to a byte sets its highest bit from 0x7F on, and taking 0x20 from it does so
// below 0x20; a carry between bytes can only make the answer false.
func allPrintable(s string) bool {
	const ones = 0x0101010101010101
	b := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	return (b|(b+ones)|(b-0x20*ones))&(0x80*ones) == 0
}

// A nodeSlab hands out runs of nodes. It may be reset once the nodes handed out
// are no longer needed, which makes reading thousands of documents cheap.
type nodeSlab struct {
	free  []node
	stack []node // items of the collections that are still open
}

func (s *nodeSlab) reset() { s.free = s.free[:0] }

func (s *nodeSlab) keep(items []node) []node {
	if len(items) == 0 {
		return nil
	}
	if cap(s.free)-len(s.free) < len(items) {
		s.free = make([]node, 0, max(256, 2*cap(s.free), len(items)))
	}
	at := len(s.free)
	s.free = append(s.free, items...)
	return s.free[at:len(s.free):len(s.free)]
}

// A recogniser reads on from at. Its methods answer false for what is not of
// the simple form; those that read a node push it on the slab's stack.
type recogniser struct {
	text string
	base int
	at   int // offset in text of the next character
	slab *nodeSlab
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
		case '\n', '\r', '#':
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

func (r *recogniser) blanks() {
	for r.at < len(r.text) && r.text[r.at] == ' ' {
		r.at++
	}
}

// lineEnd accepts blanks and a comment up to the end of the line, and moves
// behind it.
func (r *recogniser) lineEnd() bool {
	start := r.at
	r.blanks()
	if r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '\n' || c == '\r':
		case c == '#' && r.at > start:
		default:
			return false
		}
		r.skipLine()
	}
	return true
}

// column returns how far into its line r.at stands.
func (r *recogniser) column() int {
	return r.at - 1 - strings.LastIndexByte(r.text[:r.at], '\n')
}

// close puts a collection in the place of its items, which are those on the
// stack from mark on.
func (r *recogniser) close(mark int, n node) bool {
	n.items = r.slab.keep(r.slab.stack[mark:])
	r.slab.stack = append(r.slab.stack[:mark], n)
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
	if depth > maxDepth {
		return false
	}
	n := node{kind: mappingNode, style: blockStyle, start: r.base + r.at}
	mark := len(r.slab.stack)
	for {
		if !r.key() || !r.value(indent, depth, true) {
			return false
		}
		more, ok := r.sameBlock(indent)
		if !ok {
			return false
		}
		if !more {
			n.end = r.slab.stack[len(r.slab.stack)-1].end
			return r.close(mark, n)
		}
	}
}

func (r *recogniser) sequence(indent, depth int) bool {
	if depth > maxDepth {
		return false
	}
	n := node{kind: sequenceNode, style: blockStyle, start: r.base + r.at}
	mark := len(r.slab.stack)
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
			n.end = r.slab.stack[len(r.slab.stack)-1].end
			return r.close(mark, n)
		}
	}
}

// item reads what follows a dash.
func (r *recogniser) item(indent, depth int) bool {
	start, mark := r.at, len(r.slab.stack)
	r.blanks()
	at := r.at
	isMapping := r.key()
	r.slab.stack = r.slab.stack[:mark]
	if isMapping {
		r.at = at
		return r.mapping(r.column(), depth+1)
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
		return r.inline(depth+1, false) && r.lineEnd()
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
	start := r.at
	for r.at < len(r.text) && class[r.text[r.at]]&inKey != 0 {
		r.at++
	}
	end := r.at
	if end == start || end-start > 100 || !isAlnum(r.text[start]) || end == len(r.text) || r.text[end] != ':' {
		return false
	}
	r.at++
	if r.at < len(r.text) && r.text[r.at] != ' ' && r.text[r.at] != '\n' && r.text[r.at] != '\r' {
		return false
	}
	return r.scalar(plainStyle, start, end, start, end)
}

// scalar pushes a scalar that stands from start to end, its value from first
// to last.
func (r *recogniser) scalar(style nodeStyle, start, end, first, last int) bool {
	value := r.text[first:last]
	if style == plainStyle && isNull(value) {
		return false
	}
	r.slab.stack = append(r.slab.stack, node{style: style, value: value, start: r.base + start, end: r.base + end})
	return true
}

// inline reads a scalar or a flow collection on one line.
func (r *recogniser) inline(depth int, inFlow bool) bool {
	if r.at == len(r.text) || depth > maxDepth {
		return false
	}
	switch c := r.text[r.at]; {
	case c == '{':
		return r.flow(mappingNode, '}', depth)
	case c == '[':
		return r.flow(sequenceNode, ']', depth)
	case c == '"' || c == '\'':
		return r.quoted(c)
	default:
		return r.plain(inFlow)
	}
}

func (r *recogniser) flow(kind nodeKind, closing byte, depth int) bool {
	n := node{kind: kind, style: flowStyle, start: r.base + r.at}
	mark := len(r.slab.stack)
	r.at++
	r.blanks()
	for r.at < len(r.text) && r.text[r.at] != closing {
		if kind == mappingNode {
			if !r.key() || r.at == len(r.text) || r.text[r.at] != ' ' {
				return false
			}
			r.blanks()
		}
		if !r.inline(depth+1, true) {
			return false
		}
		r.blanks()
		if r.at < len(r.text) && r.text[r.at] == ',' {
			r.at++
			r.blanks()
			if r.at < len(r.text) && r.text[r.at] == closing {
				return false
			}
		} else if r.at == len(r.text) || r.text[r.at] != closing {
			return false
		}
	}
	if r.at == len(r.text) {
		return false
	}
	r.at++
	n.end = r.base + r.at
	return r.close(mark, n)
}

// quoted reads a quoted scalar without escapes.
func (r *recogniser) quoted(quote byte) bool {
	start := r.at
	style := doubleStyle
	if quote == '\'' {
		style = singleStyle
	}
	for r.at++; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '\n', '\r':
			return false
		case '\\':
			if quote == '"' {
				return false
			}
		case quote:
			r.at++
			if r.at < len(r.text) && r.text[r.at] == quote {
				return false
			}
			return r.scalar(style, start, r.at, start+1, r.at-1)
		}
	}
	return false
}

// plain reads an unquoted scalar.
func (r *recogniser) plain(inFlow bool) bool {
	start := r.at
	if c := r.text[start]; !isAlnum(c) && c < utf8.RuneSelf && strings.IndexByte("_./+(\\$", c) < 0 {
		return false
	}
scan:
	for ; r.at < len(r.text); r.at++ {
		c := r.text[r.at]
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
				return false
			}
		case ':':
			if r.at+1 == len(r.text) || strings.IndexByte(" \r\n,[]{}", r.text[r.at+1]) >= 0 {
				return false
			}
		case '#':
			if r.text[r.at-1] == ' ' {
				break scan
			}
		}
	}
	end := r.at
	for r.text[end-1] == ' ' {
		end--
	}
	r.at = end
	return r.scalar(plainStyle, start, end, start, end)
}

func isNull(s string) bool { return s == "null" || s == "Null" || s == "NULL" }

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// What a byte can be, looked up once a byte of the file.
const (
	inKey     = 1 << iota // may stand in a key
	endsPlain             // may end an unquoted scalar
)

var class = func() (class [256]uint8) {
	for c := range class {
		if isAlnum(byte(c)) || strings.IndexByte("_-.", byte(c)) >= 0 {
			class[c] |= inKey
		}
		if strings.IndexByte("\n\r,}]{[?:#", byte(c)) >= 0 {
			class[c] |= endsPlain
		}
	}
	return class
}()
