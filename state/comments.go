package state

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A Comment of the state file.
type Comment struct {
	Position
	Text string // behind the #, without blanks around it
	// Kind and Resource say in whose document it stands; "" in one that holds
	// nothing else.
	Kind     Kind
	Resource string
	Head     bool // it stands before everything else in its document
	OwnLine  bool // nothing else is on its line
}

// Comments lists the comments of the file in its order. A # within a value is
// none. It fails as reading does.
func (s *Snapshot) Comments() ([]Comment, error) {
	var all []Comment
	line, counted := 1, 0 // the line of the offset up to which lines are counted
	for i := range s.file.docs {
		d := &s.file.docs[i]
		root, err := s.file.parse(d)
		if err != nil {
			return nil, err
		}
		begin := d.end
		var values []*node
		if root != nil {
			begin = root.start
			values = scalars(root, nil)
		}
		for at := d.start; at < d.end; {
			hash := bytes.IndexByte(s.file.data[at:d.end], '#')
			if hash < 0 {
				break
			}
			hash += at
			for len(values) > 0 && values[0].end <= hash {
				values = values[1:]
			}
			if len(values) > 0 && values[0].start <= hash {
				at = values[0].end
				continue
			}
			end := hash + len(s.file.data[hash:d.end])
			if n := bytes.IndexByte(s.file.data[hash:d.end], '\n'); n >= 0 {
				end = hash + n
			}
			line += bytes.Count(s.file.data[counted:hash], []byte{'\n'})
			counted = hash
			before := s.file.data[s.file.lineStart(hash):hash]
			all = append(all, Comment{
				Position: Position{Line: line, Column: utf8.RuneCount(before) + 1},
				Text:     strings.TrimSpace(string(s.file.data[hash+1 : end])),
				Kind:     d.kind, Resource: d.name,
				Head:    hash < begin,
				OwnLine: len(bytes.TrimLeft(before, " \t")) == 0,
			})
			at = end
		}
	}
	return all, nil
}

// scalars appends the values and keys in which a # may stand, in file order.
func scalars(n *node, to []*node) []*node {
	if n.kind == scalarNode {
		return append(to, n)
	}
	for i := range n.items {
		to = scalars(&n.items[i], to)
	}
	return to
}
