package state

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// PropertyChange is one property that an edit changes.
type PropertyChange struct {
	Kind     Kind     `json:"kind"`
	Resource string   `json:"resource"`
	Path     []string `json:"path"` // property names, and list items by name
	Old      string   `json:"old"`  // "" when it was absent
	New      string   `json:"new"`  // "" when it is gone
}

// An editor finds the splices that turn one document from what it says to what
// it should say. It compares the resource before and after, property by
// property, and touches only the bytes of what differs.
//
// Its choices follow one rule, so that an edit can be undone: what is written
// just as gatepool would write it is taken for gatepool's own and changed or
// removed as such; anything else is a person's, and its form stays.
type editor struct {
	file    *file
	kind    Kind
	name    string
	shape   *shape
	root    *node // of the document
	splices []splice
	changes []PropertyChange
	habits  map[habit]int // as balanceOf counts
	err     error         // the first edit that can't be made byte by byte
}

func (e *editor) fail(at int, message string) {
	if e.err == nil {
		e.err = &EditError{File: e.file.path, Line: e.file.line(at), Message: message}
	}
}

func (e *editor) splice(start, end int, text string) {
	e.splices = append(e.splices, splice{start, end, text})
}

func (e *editor) note(path []string, old, new string) {
	e.changes = append(e.changes, PropertyChange{Kind: e.kind, Resource: e.name, Path: slices.Clone(path), Old: old, New: new})
}

// structure edits a mapping, which is an item of list, or of nothing (nil).
func (e *editor) structure(s *shape, n, list *node, old, new reflect.Value, path []string) {
	gone := make(map[int]bool) // entries
	var added []*field
	for i := range s.fields {
		f := &s.fields[i]
		before, after := old.Field(f.index), new.Field(f.index)
		if f.same(before, after) {
			continue
		}
		path := append(path, f.name)
		at := n.find(f.name)
		if at < 0 {
			e.noteAdded(f, before, after, path)
			added = append(added, f)
			continue
		}
		key, value := &n.items[2*at], &n.items[2*at+1]
		switch {
		case f.scalar():
			e.note(path, f.said(before), f.said(after))
			if e.leavesOut(s, f, n, list, at, before, after) {
				gone[at] = true
			} else {
				e.rewrite(f, value, f.text(after), n.style == flowStyle)
			}
		case f.list():
			ours := after.Len() == 0 && e.asInserted(s, f, n, at, before) && !e.saysDefault(s, f, n, list)
			gone[at] = e.list(f, key, value, before, after, ours, path)
		case f.sort == mapField:
			gone[at] = e.texts(value, before, after, path)
		case after.IsNil():
			e.note(path, f.inline(before, false), "")
			gone[at] = true
		default:
			e.structure(f.elem, value, nil, before.Elem(), after.Elem(), path)
		}
	}
	entries := spans(n)
	for _, f := range added {
		e.insertProperty(s, f, n, entries, gone, new.Field(f.index))
	}
	e.removeEntries(n, entries, func(i int) bool { return gone[i] })
}

// noteAdded notes a property that was absent: the items of a list each, and
// anything else as a whole.
func (e *editor) noteAdded(f *field, old, new reflect.Value, path []string) {
	switch {
	case f.sort == structsField:
		for i := range new.Len() {
			e.note(append(path, label(new.Index(i))), "", f.elem.inline(new.Index(i)))
		}
	case f.scalar():
		e.note(path, f.said(old), f.said(new))
	default:
		e.note(path, "", f.inline(new, false))
	}
}

// leavesOut reports whether the entry of a scalar property goes when it gets
// its new value: when there is nothing to write, or when the value is the
// default, the entry is just what gatepool would have added, and the habit of
// the file is to leave that default out.
func (e *editor) leavesOut(s *shape, f *field, n, list *node, at int, old, new reflect.Value) bool {
	if f.def == "" {
		return f.text(new) == ""
	}
	return f.text(new) == f.def && e.asInserted(s, f, n, at, old) && !e.saysDefault(s, f, n, list)
}

// asInserted reports whether the bytes of an entry are those that
// insertProperty would add to the mapping without it.
func (e *editor) asInserted(s *shape, f *field, n *node, at int, v reflect.Value) bool {
	if at == 0 || place(s, f, n, map[int]bool{at: true}) != at-1 {
		return false
	}
	entries := spans(n)
	before, entry := entries[at-1], entries[at]
	if n.style == flowStyle {
		others := slices.Delete(slices.Clone(entries), at, at+1)
		comma := e.behindComma(n, entries, at-1)
		start := comma
		if end, ok := e.behindComment(comma); ok {
			start = end
		}
		stands := string(e.file.data[before.end:comma]) + string(e.file.data[start:entry.end])
		return stands == e.flowBreak(n, others)+f.name+": "+f.inline(v, true)
	}
	w := writer{eol: e.file.eol}
	w.field(f, v, e.file.indent(n.start))
	return string(e.file.data[e.file.nextLine(before.end):e.file.nextLine(entry.end)]) == w.text.String()
}

// A habit is what leaving out a property's default is judged by: the items of
// one list, or those of all lists of their kind in the document (list is nil). That
// of no property is the whole document's.
type habit struct {
	list     *node
	property *field
}

// saysDefault reports whether the file's habit is to write a property that has
// its default. The siblings decide by majority: those that write it against
// those that leave it out. Where they don't, those in other lists of the document
// do that are its like, then the other properties of the mapping which gatepool
// always writes, and after them those of the whole document.
// A property without siblings that gatepool always writes, such as a cluster's
// loadBalancing, stays in a document that writes any such default: a line too
// many does less harm than one lost.
func (e *editor) saysDefault(s *shape, f *field, n, list *node) bool {
	if list == nil && f.always && writesDefault(e.shape, e.root) {
		return true
	}
	if list != nil {
		balance := e.habit(habit{list, f}, func() (balance int) {
			for i := range list.items {
				balance += balanceOf(f, &list.items[i])
			}
			return balance
		})
		if balance == 0 {
			balance = e.habit(habit{nil, f}, func() int { return balanceOfLike(e.shape, e.root, s, f) })
		}
		if balance != 0 {
			return balance > 0
		}
	}
	if own := balanceOfOwn(s, n); own != 0 {
		return f.always && own > 0
	}
	return f.always && e.habit(habit{}, func() int { return balanceOfAll(e.shape, e.root) }) >= 0
}

// habit counts once.
func (e *editor) habit(h habit, count func() int) int {
	balance, known := e.habits[h]
	if !known {
		balance = count()
		if e.habits == nil {
			e.habits = make(map[habit]int)
		}
		e.habits[h] = balance
	}
	return balance
}

// balanceOf is 1 for a mapping that writes a property at its default (an empty
// list is one), and -1 for one that leaves it out.
func balanceOf(f *field, n *node) int {
	switch _, v := n.entry(f.name); {
	case v == nil:
		return -1
	case v.value == f.def && len(v.items) == 0:
		return 1
	}
	return 0
}

// balanceOfOwn sums up the properties of a mapping that gatepool always writes.
func balanceOfOwn(s *shape, n *node) int {
	balance := 0
	for i := range s.fields {
		if f := &s.fields[i]; f.always && f.def != "" {
			balance += balanceOf(f, n)
		}
	}
	return balance
}

// balanceOfAll sums up a mapping and all in it.
func balanceOfAll(s *shape, n *node) int {
	balance := balanceOfOwn(s, n)
	for i := range s.fields {
		f := &s.fields[i]
		_, value := n.entry(f.name)
		switch {
		case value == nil:
		case f.sort == structField:
			balance += balanceOfAll(f.elem, value)
		case f.sort == structsField:
			for i := range value.items {
				balance += balanceOfAll(f.elem, &value.items[i])
			}
		}
	}
	return balance
}

// balanceOfLike sums up one property of all structures of a shape in a mapping.
func balanceOfLike(s *shape, n *node, like *shape, property *field) int {
	balance := 0
	if s == like {
		balance = balanceOf(property, n)
	}
	for i := range s.fields {
		f := &s.fields[i]
		if f.sort != structsField {
			continue
		}
		if _, value := n.entry(f.name); value != nil {
			for i := range value.items {
				balance += balanceOfLike(f.elem, &value.items[i], like, property)
			}
		}
	}
	return balance
}

// writesDefault reports whether a mapping, or one in it, writes any property that
// gatepool always writes at its default.
func writesDefault(s *shape, n *node) bool {
	for i := range s.fields {
		f := &s.fields[i]
		_, value := n.entry(f.name)
		switch {
		case value == nil:
		case f.sort == structField && writesDefault(f.elem, value):
			return true
		case f.sort == structsField:
			for i := range value.items {
				if writesDefault(f.elem, &value.items[i]) {
					return true
				}
			}
		case f.always && f.def != "" && value.value == f.def:
			return true
		}
	}
	return false
}

// rewrite gives a scalar its new text, in the quotes that it has. One that
// stands as gatepool would write it gets those that gatepool would give it.
func (e *editor) rewrite(f *field, old *node, text string, inFlow bool) {
	switch {
	case f.sort == timeField && old.style != plainStyle:
		text = quoted(text, old.style)
	case f.sort != textField && f.sort != enumField:
	case old.style == blockScalarStyle:
		e.rewriteBlock(old, text)
		return
	case old.style == plainStyle || string(e.file.data[old.start:old.end]) == quote(old.value, inFlow):
		text = quote(text, inFlow)
	default:
		text = quoted(text, old.style)
	}
	e.splice(old.start, old.end, text)
}

// rewriteBlock puts a text in the place of one behind | or >. The text behind |
// stays in that form if it can, and a comment behind the indicator stays.
func (e *editor) rewriteBlock(old *node, text string) {
	data := e.file.data
	header := old.start + bytes.IndexAny(data[old.start:], " \r\n")
	body := e.file.nextLine(header)
	indent := body + bytes.IndexFunc(data[body:], func(r rune) bool { return !strings.ContainsRune(" \r\n", r) })
	indicator, lines := "", ""
	if data[old.start] == '|' && indent >= body && indent < old.end && !bytes.ContainsAny(data[old.start:header], "123456789") {
		indicator, lines = literal(text, e.file.indent(indent), e.file.eol)
	}
	if indicator == "" {
		indicator = quote(text, false)
	}
	e.splice(old.start, header, indicator)
	if body < old.end || lines != "" {
		e.splice(body, max(body, e.file.nextLine(old.end)), lines)
	}
}

// place is the index of the entry that a property which is to be added stands
// behind: the nearest one before it in the usual order, or the first one, whose
// line may begin with a dash. It is -1 when all entries are gone.
func place(s *shape, f *field, n *node, gone map[int]bool) int {
	after, best := -1, -1
	for i := range len(n.items) / 2 {
		if gone[i] {
			continue
		}
		switch other := s.field(n.items[2*i].value); {
		case other == nil: // kind, apiVersion
			if best < 0 {
				after = i
			}
		case other.index < f.index && other.index >= best:
			best, after = other.index, i
		case after < 0:
			after = i
		}
	}
	return after
}

// insertProperty adds a property to a mapping.
func (e *editor) insertProperty(s *shape, f *field, n *node, entries []span, gone map[int]bool, v reflect.Value) {
	after := place(s, f, n, gone)
	if n.style == flowStyle {
		e.insertInFlow(n, entries, after, f.name+": "+f.inline(v, true))
		return
	}
	if after < 0 {
		e.fail(n.start, "this mapping would be written anew, which gatepool does not do; edit it by hand")
		return
	}
	w := writer{eol: e.file.eol}
	w.field(f, v, e.file.indent(n.start))
	e.insertLines(entries[after].end, w.text.String())
}

// texts edits a mapping of texts. It answers true when the whole property goes.
func (e *editor) texts(n *node, old, new reflect.Value, path []string) (remove bool) {
	before := old.Interface().(map[string]string)
	after := new.Interface().(map[string]string)
	gone := make(map[int]bool)
	for i := range len(n.items) / 2 {
		key, value := n.items[2*i].value, &n.items[2*i+1]
		text, stays := after[key]
		switch {
		case !stays:
			gone[i] = true
			e.note(append(path, key), value.value, "")
		case text != value.value:
			e.note(append(path, key), value.value, text)
			e.rewrite(&field{sort: textField}, value, text, n.style == flowStyle)
		}
	}
	if len(after) == 0 {
		return true
	}
	var added []string
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if _, known := before[key]; !known {
			e.note(append(path, key), "", after[key])
			added = append(added, key)
		}
	}
	entries := spans(n)
	if n.style == flowStyle && len(gone) == len(entries) {
		e.replaceInFlow(n, entries, inlineTexts(after))
		return false
	}
	last := len(entries) - 1 // that stays; a block's first one's lines will do to insert below
	for gone[last] && last > 0 {
		last--
	}
	for _, key := range added {
		if n.style == flowStyle {
			e.insertInFlow(n, entries, last, quote(key, true)+": "+quote(after[key], true))
		} else {
			e.insertLines(entries[last].end, strings.Repeat(" ", e.file.indent(n.start))+quote(key, false)+": "+quote(after[key], false)+e.file.eol)
		}
	}
	e.removeEntries(n, entries, func(i int) bool { return gone[i] })
	return false
}
