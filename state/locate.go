package state

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Position is a place in the state file, from 1; columns count characters.
type Position struct{ Line, Column int }

// Locate finds where a property of a resource stands. The path holds property
// names, and items of a list by their name, user, principal or id, as in a
// PropertyChange. Where the last steps are not in the file it gives the place
// of the nearest one that is, and for an unknown resource that of the file.
func (s *Snapshot) Locate(kind Kind, name string, path []string) Position {
	return s.LocateAll(kind, name, [][]string{path})[0]
}

// LocateAll is Locate for many properties of one resource, which is read once.
func (s *Snapshot) LocateAll(kind Kind, name string, paths [][]string) []Position {
	positions := make([]Position, len(paths))
	d := s.file.find(kind, name)
	if d == nil {
		for i := range positions {
			positions[i] = Position{1, 1}
		}
		return positions
	}
	start := s.file.content(d)
	line := s.file.line(start)
	var root *node
	if slices.ContainsFunc(paths, func(path []string) bool { return len(path) > 0 }) {
		root, _ = s.file.parse(d) // what can't be read is nowhere but in the document
	}
	for i, path := range paths {
		at := start
		if root != nil {
			at = locate(root, path, root.start)
		}
		positions[i] = Position{
			Line:   line + bytes.Count(s.file.data[start:at], []byte{'\n'}),
			Column: utf8.RuneCount(s.file.data[s.file.lineStart(at):at]) + 1,
		}
	}
	return positions
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
	for _, key := range []string{"name", "user", "principal", "id"} {
		if _, v := n.entry(key); v != nil && strings.EqualFold(v.value, name) {
			return true
		}
	}
	return false
}
