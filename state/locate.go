package state

import "strings"

// Position is a place in the state file, from 1; columns count characters.
type Position struct{ Line, Column int }

// Locate finds where a property of a resource stands. The path holds property
// names, and items of a list by their name, user or principal, as in a
// PropertyChange. Where the last steps are not in the file it gives the place
// of the nearest one that is, and for an unknown resource that of the file.
func (s *Snapshot) Locate(kind Kind, name string, path []string) Position {
	d := s.file.find(kind, name)
	if d == nil {
		return Position{1, 1}
	}
	at := s.file.content(d)
	if root, err := s.file.parse(d, new(nodeSlab)); err == nil && root != nil {
		at = locate(root, path, root.start)
	}
	return s.file.position(at)
}

// locate goes along the path from a node that is known to stand at an offset.
func locate(n *node, path []string, at int) int {
	if len(path) == 0 {
		return at
	}
	switch n.kind {
	case sequenceNode:
		for i := range n.items {
			if item := &n.items[i]; item.isCalled(path[0]) {
				return locate(item, path[1:], item.start)
			}
		}
	case mappingNode:
		if key, value := n.entry(path[0]); key != nil {
			return locate(value, path[1:], key.start)
		}
	}
	return at
}

// isCalled reports whether an item of a list has that label.
func (n *node) isCalled(name string) bool {
	if n.kind == scalarNode {
		return n.value == name
	}
	for _, key := range []string{"name", "user", "principal"} {
		if _, v := n.entry(key); v != nil {
			return strings.EqualFold(v.value, name)
		}
	}
	return false
}
