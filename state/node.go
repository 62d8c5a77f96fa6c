package state

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// A node is one value of a document with the place where it stands, exact to
// the byte. yaml.v3's own nodes have only a line and a column for their start,
// which is not enough to replace a value without touching what is beside it.
type node struct {
	kind  nodeKind
	style nodeStyle
	value string // of a scalar, decoded
	start int    // offset in the file of the first byte
	end   int    // offset behind the last byte of the content, before blanks and comments
	items []node // a mapping's keys and values in turn, or a sequence's items
}

type nodeKind uint8

const (
	scalarNode nodeKind = iota
	nullNode            // a key without a value, ~ or null
	mappingNode
	sequenceNode
)

type nodeStyle uint8

const (
	plainStyle nodeStyle = iota
	singleStyle
	doubleStyle
	blockScalarStyle // literal or folded
	flowStyle
	blockStyle
)

// entry returns the key and value nodes of a key in a mapping, or nil.
func (n *node) entry(key string) (k, v *node) {
	for i := 0; i+1 < len(n.items); i += 2 {
		if n.items[i].value == key {
			return &n.items[i], &n.items[i+1]
		}
	}
	return nil, nil
}

// Bounds that no honest document meets. They stop a hostile file before it
// costs time and memory.
const (
	maxDepth      = 32
	maxParsedSize = 16 << 20 // of one document for yaml.v3, which needs about 20 bytes of memory a byte
)

// parse reads one document of the file, quickly where it has the form that
// gatepool writes and with yaml.v3 otherwise. Both ways give the same nodes.
// It returns nil for a document with nothing in it but comments.
func (f *file) parse(d *document, slab *nodeSlab) (*node, error) {
	if n, ok := recognise(f.data[d.start:d.end], d.start, slab); ok {
		return n, nil
	}
	return f.parseYAML(d)
}

// parseYAML reads one document with yaml.v3.
func (f *file) parseYAML(d *document) (root *node, err error) {
	text := f.data[d.start:d.end]
	if len(text) > maxParsedSize {
		return nil, f.errorAt(d.start, "this document has %d MB; only documents in the form that gatepool writes may be larger than %d MB", len(text)>>20, maxParsedSize>>20)
	}
	if err := f.checkCharacters(d.start, d.end); err != nil {
		return nil, err
	}
	// yaml.v3 reports what it can't read as errors; anything else it does on
	// hostile input must not take the program down.
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, f.errorAt(d.start, "this document can't be read as YAML: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if isEOF(err) {
			return nil, nil
		}
		return nil, f.syntaxError(d, err)
	}
	if err := decoder.Decode(&more); !isEOF(err) {
		return nil, f.errorAt(d.start, "this document is followed by another without a line --- between them")
	}
	c := converter{file: f, lines: lineStarts(text), base: d.start}
	n, err := c.convert(doc.Content[0], 0)
	if err != nil {
		return nil, err
	}
	return &n, nil
}

func isEOF(err error) bool { return err != nil && err.Error() == "EOF" }

var yamlErrorLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntaxError gives a yaml.v3 error the file, line and column. yaml.v3 knows
// the line only, so the column is that of the line's first character.
func (f *file) syntaxError(d *document, err error) error {
	m := yamlErrorLine.FindStringSubmatch(err.Error())
	if m == nil {
		return f.errorAt(d.start, "this document can't be read as YAML: %v", err)
	}
	offset := d.start
	if line, err := strconv.Atoi(m[1]); err == nil {
		starts := lineStarts(f.data[d.start:d.end])
		line = min(max(line, 1), len(starts))
		offset += starts[line-1]
		for offset < d.end && (f.data[offset] == ' ' || f.data[offset] == '\t') {
			offset++
		}
	}
	return f.errorAt(offset, "not valid YAML: %s", m[2])
}

// checkCharacters refuses what YAML allows but no editor shows as it is: line
// ends other than LF and CR LF, and tabs as indentation.
func (f *file) checkCharacters(start, end int) error {
	indent := true
	for i := start; i < end; i++ {
		switch c := f.data[i]; {
		case c == '\n':
			indent = true
			continue
		case c == '\t' && indent:
			// A tab on a line of blanks alone, or before a comment, is harmless.
			rest := bytes.TrimLeft(f.data[i:end], " \t")
			if len(rest) > 0 && rest[0] != '\n' && rest[0] != '\r' && rest[0] != '#' {
				return f.errorAt(i, "a tab as indentation: YAML wants blanks")
			}
		case c == '\r' && (i+1 == end || f.data[i+1] != '\n'):
			return f.errorAt(i, "a carriage return without a line feed: save the file with LF or CR LF line ends")
		case c == 0xC2 && i+1 < end && f.data[i+1] == 0x85,
			c == 0xE2 && i+2 < end && f.data[i+1] == 0x80 && (f.data[i+2] == 0xA8 || f.data[i+2] == 0xA9):
			r, _ := utf8.DecodeRune(f.data[i:end])
			return f.errorAt(i, "the invisible line separator U+%04X: remove it, or write \"\\u%04X\" in double quotes", r, r)
		}
		if c := f.data[i]; c != ' ' && c != '\t' {
			indent = false
		}
	}
	return nil
}

func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// A converter turns yaml.v3's nodes into ours.
type converter struct {
	file  *file
	lines []int // offsets of the document's lines
	base  int   // offset of the document in the file
}

// offset turns a yaml.v3 position (columns count characters) into an offset.
func (c *converter) offset(line, column int) int {
	if line < 1 || line > len(c.lines) {
		return c.base
	}
	at := c.base + c.lines[line-1]
	for ; column > 1 && at < len(c.file.data); column-- {
		_, size := utf8.DecodeRune(c.file.data[at:])
		at += size
	}
	return at
}

func (c *converter) convert(y *yaml.Node, depth int) (node, error) {
	start := c.offset(y.Line, y.Column)
	fail := func(format string, args ...any) (node, error) {
		return node{}, c.file.errorAt(start, format, args...)
	}
	switch {
	case depth > maxDepth:
		return fail("nested more than %d deep", maxDepth)
	case y.Kind == yaml.AliasNode:
		return fail("an alias (*%s): write the value out, the state file has none", y.Value)
	case y.Anchor != "":
		return fail("an anchor (&%s): remove it, the state file has none", y.Anchor)
	case y.Style&yaml.TaggedStyle != 0:
		return fail("a tag (%s): remove it, the state file has none", y.Tag)
	}
	n := node{start: start}
	switch y.Kind {
	case yaml.ScalarNode:
		return c.scalar(y, n)
	case yaml.MappingNode:
		n.kind = mappingNode
	case yaml.SequenceNode:
		n.kind = sequenceNode
	default:
		return fail("not a value that the state file can hold")
	}
	n.items = make([]node, len(y.Content))
	n.end = n.start + 1
	for i, child := range y.Content {
		item, err := c.convert(child, depth+1)
		if err != nil {
			return node{}, err
		}
		if n.kind == mappingNode && i%2 == 0 && item.kind != scalarNode {
			return node{}, c.file.errorAt(item.start, "a key must be a plain name")
		}
		n.items[i] = item
		n.end = item.end
	}
	n.style = blockStyle
	if y.Style&yaml.FlowStyle != 0 {
		n.style = flowStyle
		n.end = closingBracket(c.file.data, n.end) + 1
	}
	return n, nil
}

// closingBracket finds the bracket that ends a flow collection whose last item
// ends at the offset: only blanks, comments and a comma can stand between.
func closingBracket(data []byte, at int) int {
	for ; at < len(data)-1; at++ {
		switch data[at] {
		case '#':
			if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
				at += i
			}
		case '}', ']':
			return at
		}
	}
	return at
}

func (c *converter) scalar(y *yaml.Node, n node) (node, error) {
	data := c.file.data
	n.value = y.Value
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.style = doubleStyle
		n.end = n.start + 1
		for n.end < len(data) && data[n.end] != '"' {
			if data[n.end] == '\\' {
				n.end++
			}
			n.end++
		}
		n.end = min(n.end+1, len(data))
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.style = singleStyle
		n.end = n.start + 1
		for n.end < len(data) {
			if data[n.end] == '\'' {
				if n.end+1 == len(data) || data[n.end+1] != '\'' {
					break
				}
				n.end++
			}
			n.end++
		}
		n.end = min(n.end+1, len(data))
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		n.style = blockScalarStyle
		n.end = blockScalarEnd(data, n.start)
	case y.Tag == "!!null":
		n.kind, n.value, n.end = nullNode, "", n.start
		if bytes.HasPrefix(data[n.start:], []byte(y.Value)) {
			n.end += len(y.Value)
		}
	default:
		end, ok := plainEnd(data, n.start, y.Value)
		if !ok {
			return node{}, c.file.errorAt(n.start, "this value can't be told from what follows it: put it in quotes on one line")
		}
		n.end = end
	}
	return n, nil
}

// blockScalarEnd finds the end of the text behind | or >, trailing blank lines
// left out. Its lines are those at least as far in as the first.
func blockScalarEnd(data []byte, start int) int {
	line := start
	end := start
	indent := -1
	for {
		i := bytes.IndexByte(data[line:], '\n')
		if i < 0 {
			if indent >= 0 || end == start {
				return len(bytes.TrimRight(data, "\r\n"))
			}
			return end
		}
		if end == start {
			end = line + len(bytes.TrimRight(data[line:line+i], "\r"))
		}
		line += i + 1
		text := data[line:]
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[:i]
		}
		text = bytes.TrimRight(text, "\r")
		blanks := len(text) - len(bytes.TrimLeft(text, " "))
		if blanks == len(text) {
			continue
		}
		if indent < 0 {
			indent = blanks
			if blanks == 0 {
				return end
			}
		}
		if blanks < indent {
			return end
		}
		end = line + len(text)
	}
}

// plainEnd finds the end of an unquoted scalar by following its value through
// the source: a line break in the source stands for a blank in the value, and n
// of them for n-1 line feeds.
func plainEnd(data []byte, at int, value string) (end int, ok bool) {
	for len(value) > 0 {
		if at >= len(data) {
			return 0, false
		}
		run := len(data[at:]) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
		if breaks := bytes.Count(data[at:at+run], []byte{'\n'}); breaks > 0 {
			folded := " "
			if breaks > 1 {
				folded = strings.Repeat("\n", breaks-1)
			}
			if !strings.HasPrefix(value, folded) {
				return 0, false
			}
			value = value[len(folded):]
			at += run
			continue
		}
		if data[at] != value[0] {
			return 0, false
		}
		value = value[1:]
		at++
	}
	return at, true
}

func (k nodeKind) String() string {
	switch k {
	case scalarNode:
		return "a value"
	case nullNode:
		return "nothing"
	case mappingNode:
		return "a mapping"
	case sequenceNode:
		return "a list"
	}
	return fmt.Sprint(uint8(k))
}
