package state

import "fmt"

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
	if i := n.find(key); i >= 0 {
		return &n.items[2*i], &n.items[2*i+1]
	}
	return nil, nil
}

// find returns the index of a key's entry in a mapping, or -1.
func (n *node) find(key string) int {
	for i := range len(n.items) / 2 {
		if n.items[2*i].value == key {
			return i
		}
	}
	return -1
}

// Bounds that no honest document meets. They stop a hostile file before it
// costs time and memory.
const (
	maxDepth      = 32
	maxParsedSize = 2 << 20 // of one document for yaml.v3, in bytes; it takes up to 300 ns and 100 bytes of memory for each
)

// parse reads one document of the file, quickly where it has the form that
// gatepool writes and with yaml.v3 otherwise. Both ways give the same nodes.
// It returns nil for a document with nothing in it but comments.
func (f *file) parse(d *document) (*node, error) {
	if f.content(d) == d.end {
		return nil, nil
	}
	if d.simple {
		nodes := nodeSink{base: d.start}
		if recognise(f.text(d), &nodes) {
			return &nodes.stack[0], nil
		}
	}
	return f.parseYAML(d)
}

// A nodeSink makes nodes of a document that begins at base in the file. The
// root is the only one on the stack in the end.
type nodeSink struct {
	base  int
	stack []node // open collections, each followed by its items so far
	opens []int  // where the open collections are on the stack
	free  []node // room for the items of closed ones
}

func (s *nodeSink) open(kind nodeKind, style nodeStyle, start int) bool {
	s.opens = append(s.opens, len(s.stack))
	s.stack = append(s.stack, node{kind: kind, style: style, start: s.base + start})
	return true
}

func (s *nodeSink) close(end int) bool {
	last := len(s.opens) - 1
	at := s.opens[last]
	s.opens = s.opens[:last]
	s.stack[at].end = s.base + end
	s.stack[at].items = s.keep(s.stack[at+1:])
	s.stack = s.stack[:at+1]
	return true
}

func (s *nodeSink) key(text string, start int) bool {
	return s.scalar(text, plainStyle, start, start+len(text))
}

func (s *nodeSink) scalar(text string, style nodeStyle, start, end int) bool {
	s.stack = append(s.stack, node{style: style, value: text, start: s.base + start, end: s.base + end})
	return true
}

func (s *nodeSink) keep(items []node) []node {
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
