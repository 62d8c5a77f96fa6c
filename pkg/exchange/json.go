package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Bounds that no real export comes near, so that a hostile one costs little.
const (
	maxDepth   = 64        // nested arrays and objects
	maxMembers = 2_000     // names in one object
	maxValues  = 3_000_000 // values in one file
)

type kind byte

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

// node is a JSON value that knows where it stands. A row of a CSV file is an
// object of texts.
type node struct {
	kind   kind
	offset int
	text   string   // of a boolean, number or text
	names  []string // of an object, in order
	items  []*node  // of a list, or an object's values
}

// member returns an object's value of that name: spelt exactly so or, failing
// that, in any case. It is nil where there is none.
func (n *node) member(name string) *node {
	if n == nil || n.kind != object {
		return nil
	}
	var near *node
	for i, have := range n.names {
		if have == name {
			return n.items[i]
		}
		if near == nil && strings.EqualFold(have, name) {
			near = n.items[i]
		}
	}
	return near
}

// has reports whether an object has all those names.
func (n *node) has(names ...string) bool {
	for _, name := range names {
		if n.member(name) == nil {
			return false
		}
	}
	return true
}

// describe is the node as the "found" of an error.
func (n *node) describe() string {
	switch n.kind {
	case null:
		return "null"
	case text:
		return quoted(n.text)
	case list:
		return fmt.Sprintf("a list of %d", len(n.items))
	case object:
		if len(n.names) == 0 {
			return "an empty object"
		}
		return "an object with " + n.shownNames()
	}
	return short(n.text)
}

// shownNames lists the first names of an object.
func (n *node) shownNames() string {
	names, more := n.names, ""
	if len(names) > 6 {
		names, more = names[:6], ", …"
	}
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = strings.Trim(quoted(name), `"`)
	}
	return strings.Join(shown, ", ") + more
}

// wrapped are the names of the objects that ConvertTo-Json puts around a value:
// arrays with Count, dates with DisplayHint, enumerations of other processes.
var wrapped = map[string]bool{"value": true, "count": true, "displayhint": true, "datetime": true}

// unwrap takes away the object that a deep ConvertTo-Json puts around a value.
// An enumeration from another process has both its number as "value" and its
// name as "Value"; the name is what counts.
func (n *node) unwrap() *node {
	if n == nil || n.kind != object || n.member("value") == nil {
		return n
	}
	var inner *node
	for i, name := range n.names {
		name = strings.ToLower(name)
		if !wrapped[name] {
			return n
		}
		if name == "value" && (inner == nil || n.items[i].kind == text) {
			inner = n.items[i]
		}
	}
	return inner
}

// parseJSON reads all JSON values of a text: usually one, several when files or
// lines were put together.
func parseJSON(s *source) ([]*node, error) { return parseBounded(s, maxValues) }

// parseBounded is parseJSON with another limit of values.
func parseBounded(s *source, most int) ([]*node, error) {
	p := &jsonParser{source: s, decoder: json.NewDecoder(bytes.NewReader(s.text)), most: most, names: map[string]string{}}
	p.decoder.UseNumber()
	var roots []*node
	for {
		n, err := p.value(0)
		if errors.Is(err, io.EOF) {
			return roots, nil
		}
		if err != nil {
			return nil, p.located(err)
		}
		roots = append(roots, n)
	}
}

// parseInner reads the JSON that stands inside a text value. Its nodes stand
// where that text stands. It is nil where the text is not one JSON value.
func parseInner(n *node) *node {
	roots, err := parseJSON(&source{text: []byte(n.text)})
	if err != nil || len(roots) != 1 {
		return nil
	}
	var move func(*node)
	move = func(inner *node) {
		inner.offset = n.offset
		for _, item := range inner.items {
			move(item)
		}
	}
	move(roots[0])
	return roots[0]
}

type jsonParser struct {
	source  *source
	decoder *json.Decoder
	values  int
	most    int               // values
	names   map[string]string // one copy of each name
}

// located gives an error of the decoder its place.
func (p *jsonParser) located(err error) error {
	var format *FormatError
	if errors.As(err, &format) {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return p.source.errorAt(len(p.source.text), "the rest of the JSON", "the end of the file")
	}
	return p.source.errorAt(p.next(" \t\r\n"), "JSON", err.Error())
}

// next is the offset of what stands behind the last token and these bytes.
func (p *jsonParser) next(skip string) int {
	offset := int(p.decoder.InputOffset())
	for offset < len(p.source.text) && strings.IndexByte(skip, p.source.text[offset]) >= 0 {
		offset++
	}
	return offset
}

// separators stand between a token and the value behind it.
const separators = " \t\r\n,:"

// token returns the next token inside a value, which may not end here.
func (p *jsonParser) token() (json.Token, error) {
	token, err := p.decoder.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return token, err
}

func (p *jsonParser) value(depth int) (*node, error) {
	n := &node{offset: p.next(separators)}
	next := p.token
	if depth == 0 {
		next = p.decoder.Token
	}
	token, err := next()
	if err != nil {
		return nil, err
	}
	if p.values++; p.values > p.most {
		return nil, p.source.errorAt(n.offset, fmt.Sprintf("at most %d values", p.most), "more")
	}
	switch token := token.(type) {
	case nil:
	case bool:
		n.kind, n.text = boolean, fmt.Sprint(token)
	case json.Number:
		n.kind, n.text = number, token.String()
	case string:
		n.kind, n.text = text, token
	case json.Delim:
		if depth == maxDepth {
			return nil, p.source.errorAt(n.offset, fmt.Sprintf("at most %d nested lists and objects", maxDepth), "more")
		}
		if token == '[' {
			n.kind = list
			err = p.list(n, depth)
		} else {
			n.kind = object
			err = p.object(n, depth)
		}
	}
	return n, err
}

func (p *jsonParser) list(n *node, depth int) error {
	for p.decoder.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	return p.close()
}

func (p *jsonParser) object(n *node, depth int) error {
	seen := map[string]bool{}
	for p.decoder.More() {
		offset := p.next(separators)
		token, err := p.token()
		if err != nil {
			return err
		}
		name := token.(string) // the decoder gives nothing else here
		if seen[name] {
			return p.source.errorAt(offset, "each name once in an object", quoted(name)+" a second time")
		}
		if len(seen) == maxMembers {
			return p.source.errorAt(offset, fmt.Sprintf("at most %d names in an object", maxMembers), "more")
		}
		seen[name] = true
		if _, ok := p.names[name]; !ok {
			p.names[name] = name
		}
		n.names = append(n.names, p.names[name])
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	return p.close()
}

// close takes the closing bracket.
func (p *jsonParser) close() error {
	_, err := p.token()
	return err
}
