package state

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// parseYAML reads one document with yaml.v3.
func (f *file) parseYAML(d *document) (root *node, err error) {
	text := f.data[d.start:d.end]
	if len(text) > maxParsedSize {
		return nil, f.errorAt(d.start, "this document has %d MB; only documents in the form that gatepool writes may be larger than %d MB", len(text)>>20, maxParsedSize>>20)
	}
	if err := f.checkCharacters(d.start, d.end); err != nil {
		return nil, err
	}
	if at := f.content(d); at < d.end && f.data[at] == '%' {
		return nil, f.errorAt(at, "a directive: remove the line, the state file has none")
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
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, f.syntaxError(d, err)
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		at := d.start + bytes.Index(text, []byte("\n...")) + 1
		return nil, f.errorAt(at, "another document follows this line: write --- in its place")
	}
	c := converter{file: f, lines: lineStarts(text), base: d.start}
	n, err := c.convert(doc.Content[0], 0)
	if err != nil {
		return nil, err
	}
	return &n, nil
}

var (
	yamlError = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`) })
	// yamlParserError is what yaml.v3's parser says; it counts lines from 0,
	// its scanner from 1.
	yamlParserError = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^did not find expected (node content|key|'-' indicator|',' or|<)`)
	})
	yamlUnknownAlias = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^unknown anchor '(.*)' referenced$`) })
)

// syntaxError gives a yaml.v3 error the file, line and column. yaml.v3 knows
// the line only, so the column is that of the line's first character.
func (f *file) syntaxError(d *document, err error) error {
	m := yamlError().FindStringSubmatch(err.Error())
	if m == nil {
		return f.errorAt(d.start, "this document can't be read as YAML: %v", err)
	}
	if alias := yamlUnknownAlias().FindStringSubmatch(m[2]); alias != nil {
		at := d.start + max(0, strings.Index(f.text(d), "*"+alias[1]))
		return f.errorAt(at, "an alias (*%s): write the value out, the state file has none", alias[1])
	}
	line, err := strconv.Atoi(m[1])
	if err != nil {
		return f.errorAt(f.content(d), "not valid YAML: %s", m[2])
	}
	if yamlParserError().MatchString(m[2]) {
		line++
	}
	starts := lineStarts(f.data[d.start:d.end])
	at := d.start + starts[min(max(line, 1), len(starts))-1]
	for at < d.end && (f.data[at] == ' ' || f.data[at] == '\t') {
		at++
	}
	return f.errorAt(at, "not valid YAML: %s", m[2])
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

	// The last place that was asked for: nodes come in the order of the text,
	// so the next one in a long line need not be counted from its start.
	line, column, at int
}

// offset turns a yaml.v3 position (columns count characters) into an offset.
func (c *converter) offset(line, column int) int {
	if line < 1 || line > len(c.lines) {
		return c.base
	}
	if line != c.line || column < c.column {
		c.line, c.column, c.at = line, 1, c.base+c.lines[line-1]
	}
	for ; c.column < column && c.at < len(c.file.data); c.column++ {
		_, size := utf8.DecodeRune(c.file.data[c.at:])
		c.at += size
	}
	return c.at
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
		if y.Style&yaml.FlowStyle != 0 && c.file.data[start] != '{' {
			return fail("a key and its value in a list: put braces around them")
		}
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

// blockScalarEnd finds the end of the text behind | or >. Its lines are those
// at least as far in as the first. Blank lines at the end belong to it only
// behind |+ and >+.
func blockScalarEnd(data []byte, start int) int {
	lineEnd := func(at int) int {
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			return at + i
		}
		return len(data)
	}
	end := lineEnd(start)
	header, _, _ := bytes.Cut(data[start:end], []byte{'#'})
	keep := bytes.IndexByte(header, '+') >= 0
	indent := -1
	for at := end + 1; at < len(data); {
		stop := lineEnd(at)
		text := bytes.TrimRight(data[at:stop], "\r")
		blanks := len(text) - len(bytes.TrimLeft(text, " "))
		switch {
		case blanks == len(text) && !keep:
			at = stop + 1
			continue
		case blanks == len(text):
		case indent < 0 && blanks > 0:
			indent = blanks
		case blanks < max(indent, 1):
			return trimCR(data, end)
		}
		end = stop
		at = stop + 1
	}
	return trimCR(data, end)
}

// trimCR steps back over the first half of a line end CR LF.
func trimCR(data []byte, end int) int {
	if data[end-1] == '\r' {
		return end - 1
	}
	return end
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
		want := string(data[at : at+max(run, 1)])
		if breaks := bytes.Count(data[at:at+run], []byte{'\n'}); breaks > 1 {
			want = strings.Repeat("\n", breaks-1)
		} else if breaks == 1 {
			want = " "
		}
		if !strings.HasPrefix(value, want) {
			return 0, false
		}
		value = value[len(want):]
		at += max(run, 1)
	}
	return at, true
}
