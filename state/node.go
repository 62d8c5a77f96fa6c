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
func (f *file) parse(d *document, slab *nodeSlab) (*node, error) {
	if f.content(d) == d.end {
		return nil, nil
	}
	if n, ok := recognise(f.text(d), d.start, slab); ok {
		return n, nil
	}
	return f.parseYAML(d)
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
