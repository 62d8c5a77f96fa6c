package state

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// A splice replaces the bytes from start to end of the file.
type splice struct {
	start, end int
	text       string
}

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
type editor struct {
	file    *file
	kind    Kind
	name    string
	splices []splice
	changes []PropertyChange
	err     error // the first edit that can't be made byte by byte
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

// structure edits a mapping.
func (e *editor) structure(s *shape, n *node, old, new reflect.Value, path []string) {
	for i := range s.fields {
		f := &s.fields[i]
		before, after := old.Field(f.index), new.Field(f.index)
		if !f.same(before, after) {
			e.property(s, f, n, before, after, append(path, f.name))
		}
	}
}

func (e *editor) property(s *shape, f *field, n *node, old, new reflect.Value, path []string) {
	key, value := n.entry(f.name)
	switch {
	case f.scalar():
		e.note(path, f.text(old), f.text(new))
		switch {
		case key == nil:
			e.insertProperty(s, f, n, new)
		case f.unset(new):
			e.removeProperty(n, key)
		default:
			e.splice(value.start, value.end, restyle(f, value, f.text(new), n.style == flowStyle))
		}
	case f.sort == structsField && key != nil:
		e.list(f, n, key, value, old, new, path)
	case f.sort == structsField:
		for i := range new.Len() {
			e.note(append(path, label(new.Index(i))), "", f.elem.inline(new.Index(i)))
		}
		e.insertProperty(s, f, n, new)
	case f.sort == structField && key != nil && !old.IsNil() && !new.IsNil():
		e.structure(f.elem, value, old.Elem(), new.Elem(), path)
	case key == nil:
		e.note(path, "", f.inline(new, false))
		e.insertProperty(s, f, n, new)
	case f.sort == mapField && new.Len() > 0 && old.Len() > 0:
		e.texts(f, value, old, new, path)
	case !f.written(new):
		e.note(path, f.inlineOrNothing(old), "")
		e.removeProperty(n, key)
	default:
		// A list of texts is short: it is written anew, in its place.
		e.note(path, f.inlineOrNothing(old), f.inlineOrNothing(new))
		if value.style == blockStyle && value.kind == sequenceNode {
			e.textItems(value, old, new)
			return
		}
		e.splice(value.start, value.end, f.inline(new, true))
	}
}

func (f *field) inlineOrNothing(v reflect.Value) string {
	if !f.written(v) {
		return ""
	}
	return f.inline(v, false)
}

// restyle writes a scalar in the quotes that the old one had, unless those were
// there only because the old text needed them.
func restyle(f *field, old *node, text string, inFlow bool) string {
	if f.sort != textField && f.sort != enumField {
		return text
	}
	plain := quote(text, inFlow)
	if old.style != singleStyle && old.style != doubleStyle || plain != text || quote(old.value, inFlow) != old.value {
		return plain
	}
	return quoted(text, old.style)
}

// A span is where a mapping's entry or a sequence's item stands.
type span struct{ start, end int }

func spans(n *node) []span {
	var all []span
	if n.kind == mappingNode {
		for i := 0; i < len(n.items); i += 2 {
			all = append(all, span{n.items[i].start, max(n.items[i].end, n.items[i+1].end)})
		}
		return all
	}
	for i := range n.items {
		all = append(all, span{n.items[i].start, n.items[i].end})
	}
	return all
}

// insertProperty adds a property behind the nearest one before it in the usual
// order.
func (e *editor) insertProperty(s *shape, f *field, n *node, v reflect.Value) {
	entries := spans(n)
	after := -1
	best := -1
	for i := 0; i < len(n.items); i += 2 {
		other := s.field(n.items[i].value)
		switch {
		case other == nil: // kind, apiVersion
			if best < 0 {
				after = i / 2
			}
		case other.index < f.index && other.index >= best:
			best, after = other.index, i/2
		}
	}
	if n.style == flowStyle {
		e.insertInFlow(n, entries, after, f.name+": "+f.inline(v, true))
		return
	}
	first := entries[0].start
	indent := first - e.lineStart(first)
	w := writer{eol: e.file.eol}
	w.field(f, v, indent)
	lines := w.text.String()
	if after < 0 {
		// In front of the first key, whose line may begin with a dash.
		e.splice(first, first, lines[indent:]+strings.Repeat(" ", indent))
		return
	}
	e.insertLines(entries[after].end, lines)
}

// insertLines adds whole lines behind the line that holds an offset.
func (e *editor) insertLines(behind int, lines string) {
	at := e.lineEnd(behind)
	e.splice(at, at, e.file.eol+strings.TrimSuffix(lines, e.file.eol))
}

func (e *editor) insertInFlow(n *node, entries []span, after int, text string) {
	switch {
	case len(entries) == 0:
		e.splice(n.start+1, n.end-1, text)
	case after < 0:
		e.splice(entries[0].start, entries[0].start, text+", ")
	default:
		e.splice(entries[after].end, entries[after].end, e.flowBreak(n, entries)+text)
	}
}

// flowBreak is what stands between the entries of a flow collection: a comma,
// and a new line where they have one each.
func (e *editor) flowBreak(n *node, entries []span) string {
	if len(entries) > 1 {
		between := e.file.data[entries[0].end:entries[1].start]
		if i := bytes.LastIndexByte(between, '\n'); i >= 0 {
			return "," + e.file.eol + string(between[i+1:])
		}
	} else if i := bytes.LastIndexByte(e.file.data[n.start:entries[0].start], '\n'); i >= 0 {
		return "," + e.file.eol + string(e.file.data[n.start+i+1:entries[0].start])
	}
	return ", "
}

// removeProperty takes out a key with its value.
func (e *editor) removeProperty(n *node, key *node) {
	entries := spans(n)
	at := slices.IndexFunc(entries, func(s span) bool { return s.start == key.start })
	e.removeEntries(n, entries, func(i int) bool { return i == at })
}

// removeEntries takes out entries of a mapping or items of a sequence, leaving
// at least one.
func (e *editor) removeEntries(n *node, entries []span, gone func(int) bool) {
	if n.style == flowStyle {
		e.removeFromFlow(n, entries, gone)
		return
	}
	for i, entry := range entries {
		if !gone(i) {
			continue
		}
		start := entry.start
		if n.kind == sequenceNode {
			start = e.dash(n, entries, i)
		}
		lineStart := e.lineStart(start)
		if blank(e.file.data[lineStart:start]) {
			e.removeLines(lineStart, entry.end)
			continue
		}
		// Something stands before it on its line: the dash of the item whose
		// first key it is. What follows moves up.
		if i+1 == len(entries) {
			e.fail(start, "this can't be removed without rewriting what stands on its line; put it on a line of its own")
			return
		}
		e.splice(start, entries[i+1].start, "")
	}
}

// removeLines takes out whole lines. At the end of a file without a final line
// end, the one before them goes, so that the file still has none.
func (e *editor) removeLines(start, lastByte int) {
	end := e.lineEnd(lastByte)
	switch rest := e.file.data[end:]; {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		end += 2
	case len(rest) > 0:
		end++
	case start > 0:
		start--
		if start > 0 && e.file.data[start-1] == '\r' {
			start--
		}
	}
	e.splice(start, end, "")
}

func (e *editor) removeFromFlow(n *node, entries []span, gone func(int) bool) {
	kept := -1 // the last entry before i that stays
	for i := range entries {
		if !gone(i) {
			kept = i
			continue
		}
		switch {
		case kept >= 0:
			start := entries[i-1].end
			if bytes.IndexByte(e.file.data[start:entries[i].start], '#') >= 0 {
				// A comment on the entry before: take this one's lines alone,
				// a comma left at the end is allowed.
				start = entries[i].start
			}
			e.splice(start, entries[i].end, "")
		case i+1 < len(entries):
			e.splice(entries[i].start, entries[i+1].start, "")
		default:
			e.splice(n.start+1, n.end-1, "")
		}
	}
}

// list edits a list of structures: items are told apart by their identity, so
// that only those which differ are touched.
func (e *editor) list(f *field, parent, key, n *node, old, new reflect.Value, path []string) {
	pairs, ordered := match(f, old, new)
	if !ordered {
		e.fail(n.start, f.name+" would change its order, which gatepool does not do; move the items by hand")
		return
	}
	kept := 0
	for i, j := range pairs {
		if j < 0 {
			e.note(append(path, label(old.Index(i))), f.elem.inline(old.Index(i)), "")
			continue
		}
		kept++
		if !f.elem.same(old.Index(i), new.Index(j)) {
			e.structure(f.elem, &n.items[i], old.Index(i), new.Index(j), append(path, label(old.Index(i))))
		}
	}
	was := make(map[int]int, kept) // old index by new index
	for i, j := range pairs {
		if j >= 0 {
			was[j] = i
		}
	}
	place := -1 // the kept item that new ones stand behind
	entries := spans(n)
	for j := range new.Len() {
		if i, stays := was[j]; stays {
			place = i
			continue
		}
		e.note(append(path, label(new.Index(j))), "", f.elem.inline(new.Index(j)))
		if kept > 0 {
			e.insertItem(f, n, entries, place, new.Index(j))
		}
	}
	switch {
	case kept > 0:
		e.removeEntries(n, entries, func(i int) bool { return pairs[i] < 0 })
	case new.Len() == 0:
		e.emptyList(parent, key, n, entries)
	default:
		e.replaceItems(f, n, entries, new)
	}
}

// replaceItems puts new items where none of the old ones stays.
func (e *editor) replaceItems(f *field, n *node, entries []span, new reflect.Value) {
	if n.style == flowStyle {
		inline := f.inline(new, true)
		e.splice(n.start, n.end, inline)
		return
	}
	indent := n.start - e.lineStart(n.start)
	w := writer{eol: e.file.eol}
	for j := range new.Len() {
		w.item(f.like(&n.items[0]), new.Index(j), indent)
	}
	e.splice(n.start, e.lineEnd(entries[0].end), strings.TrimSuffix(w.text.String()[indent:], e.file.eol))
	e.removeEntries(n, entries, func(i int) bool { return i > 0 })
}

// like returns the field with the style of an item that is there already.
func (f *field) like(sibling *node) *field {
	l := *f
	l.flow = sibling.style == flowStyle
	return &l
}

// label is how a path calls an item: its name, or a session's user.
func label(v reflect.Value) string {
	for _, name := range []string{"Name", "User", "Principal"} {
		if f := v.FieldByName(name); f.IsValid() {
			return f.String()
		}
	}
	key, _ := identity(v)
	return key
}

// emptyList takes out the last items of a list. The key goes with them, unless
// there are comments that would go too.
func (e *editor) emptyList(parent, key, n *node, entries []span) {
	if n.style == flowStyle {
		e.splice(n.start+1, n.end-1, "")
		return
	}
	commented := bytes.IndexByte(e.file.data[key.end:n.start], '#') >= 0
	for i := 1; i < len(entries); i++ {
		gap := e.file.data[e.lineEnd(entries[i-1].end):e.dash(n, entries, i)]
		commented = commented || bytes.IndexByte(gap, '#') >= 0
	}
	if !commented {
		e.removeProperty(parent, key)
		return
	}
	for i, entry := range entries {
		e.removeLines(e.lineStart(e.dash(n, entries, i)), entry.end)
	}
	colon := key.end + bytes.IndexByte(e.file.data[key.end:], ':') + 1
	e.splice(colon, colon, " []")
}

// insertItem adds an item behind the one at index place, or in front of the
// first for -1.
func (e *editor) insertItem(f *field, n *node, entries []span, place int, v reflect.Value) {
	if n.style == flowStyle {
		e.insertInFlow(n, entries, place, f.elem.inline(v))
		return
	}
	lineStart := e.lineStart(n.start)
	w := writer{eol: e.file.eol}
	w.item(f.like(&n.items[max(place, 0)]), v, n.start-lineStart)
	if place < 0 {
		e.splice(lineStart, lineStart, w.text.String())
		return
	}
	e.insertLines(entries[place].end, w.text.String())
}

// texts edits a mapping of texts.
func (e *editor) texts(f *field, n *node, old, new reflect.Value, path []string) {
	entries := spans(n)
	present := make(map[string]bool)
	gone := make(map[int]bool)
	for i := 0; i < len(n.items); i += 2 {
		key, value := n.items[i].value, &n.items[i+1]
		present[key] = true
		after := new.MapIndex(reflect.ValueOf(key))
		switch {
		case !after.IsValid():
			gone[i/2] = true
			e.note(append(path, key), value.value, "")
		case after.String() != value.value:
			e.note(append(path, key), value.value, after.String())
			e.splice(value.start, value.end, restyle(&field{sort: textField}, value, after.String(), n.style == flowStyle))
		}
	}
	var added []string
	for _, key := range new.MapKeys() {
		if !present[key.String()] {
			added = append(added, key.String())
		}
	}
	slices.Sort(added)
	if len(gone) == len(entries) && len(added) > 0 {
		for _, key := range added {
			e.note(append(path, key), "", new.MapIndex(reflect.ValueOf(key)).String())
		}
		if n.style == flowStyle {
			e.splice(n.start, n.end, f.inline(new, true))
		} else {
			e.fail(n.start, f.name+" can't be replaced as a whole without losing comments; edit it by hand")
		}
		return
	}
	for _, key := range added {
		text := new.MapIndex(reflect.ValueOf(key)).String()
		e.note(append(path, key), "", text)
		e.insertText(n, entries, key, text)
	}
	e.removeEntries(n, entries, func(i int) bool { return gone[i] })
}

// insertText adds an entry to a mapping of texts, behind the last one.
func (e *editor) insertText(n *node, entries []span, key, text string) {
	last := len(entries) - 1
	if n.style == flowStyle {
		e.insertInFlow(n, entries, last, quote(key, true)+": "+quote(text, true))
		return
	}
	indent := entries[0].start - e.lineStart(entries[0].start)
	e.insertLines(entries[last].end, strings.Repeat(" ", indent)+quote(key, false)+": "+quote(text, false)+e.file.eol)
}

// textItems rewrites a block list of texts item by item.
func (e *editor) textItems(n *node, old, new reflect.Value) {
	entries := spans(n)
	prefix := strings.Repeat(" ", n.start-e.lineStart(n.start)) + "- "
	for i := old.Len(); i < new.Len(); i++ {
		e.insertLines(entries[len(entries)-1].end, prefix+quote(new.Index(i).String(), false)+e.file.eol)
	}
	for i := range min(old.Len(), new.Len()) {
		if old.Index(i).String() != new.Index(i).String() {
			e.splice(entries[i].start, entries[i].end, quote(new.Index(i).String(), false))
		}
	}
	e.removeEntries(n, entries, func(i int) bool { return i >= new.Len() })
}

// match pairs the items of a list before and after: pairs[i] is the index that
// the old item i has now, or -1. Items with the same identity are the same
// thing, equal ones before changed ones; a renamed one is known by its place.
// ordered is false when items that stay have changed places.
func match(f *field, old, new reflect.Value) (pairs []int, ordered bool) {
	pairs = make([]int, old.Len())
	free := make(map[string][]int, new.Len())
	for j := range new.Len() {
		key, _ := identity(new.Index(j))
		free[key] = append(free[key], j)
	}
	take := func(i int, want func(j int) bool) {
		key, _ := identity(old.Index(i))
		for k, j := range free[key] {
			if want(j) {
				pairs[i] = j
				free[key] = slices.Delete(free[key], k, k+1)
				return
			}
		}
	}
	for i := range pairs {
		pairs[i] = -1
		take(i, func(j int) bool { return f.elem.same(old.Index(i), new.Index(j)) })
	}
	for i := range pairs {
		if pairs[i] < 0 {
			take(i, func(int) bool { return true })
		}
	}
	if old.Len() == new.Len() {
		var unpaired []int
		for _, indices := range free {
			unpaired = append(unpaired, indices...)
		}
		for _, j := range unpaired {
			if pairs[j] < 0 {
				pairs[j] = j
			}
		}
	}
	last := -1
	for _, j := range pairs {
		if j < 0 {
			continue
		}
		if j < last {
			return pairs, false
		}
		last = j
	}
	return pairs, true
}

// dash finds the dash of item i of a block sequence: the sequence begins with
// the first, and all stand in one column.
func (e *editor) dash(n *node, entries []span, i int) int {
	if i == 0 {
		return n.start
	}
	column := n.start - e.lineStart(n.start)
	at := entries[i].start
	for {
		start := e.lineStart(at)
		dash := start + column
		if dash < len(e.file.data) && e.file.data[dash] == '-' && blank(e.file.data[start:dash]) {
			return dash
		}
		if start <= entries[i-1].end {
			e.fail(entries[i].start, "the dash of this item can't be found")
			return entries[i].start
		}
		at = start - 1
	}
}

func (e *editor) lineStart(offset int) int {
	start := bytes.LastIndexByte(e.file.data[:offset], '\n') + 1
	if start == 0 && bytes.HasPrefix(e.file.data, utf8BOM) {
		return min(len(utf8BOM), offset)
	}
	return start
}

// lineEnd is where the line end of the line that holds an offset begins.
func (e *editor) lineEnd(offset int) int {
	i := bytes.IndexByte(e.file.data[offset:], '\n')
	if i < 0 {
		return len(e.file.data)
	}
	end := offset + i
	if end > offset && e.file.data[end-1] == '\r' {
		end--
	}
	return end
}

func blank(b []byte) bool { return len(bytes.Trim(b, " ")) == 0 }

// apply cuts the data where splices change it and returns the pieces of the
// new content, which share the old one's memory. ok is false for splices that
// overlap.
func apply(data []byte, splices []splice) (pieces [][]byte, ok bool) {
	slices.SortStableFunc(splices, func(a, b splice) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	at := 0
	for _, s := range splices {
		if s.start < at || s.end < s.start {
			return nil, false
		}
		pieces = append(pieces, data[at:s.start], []byte(s.text))
		at = s.end
	}
	return append(pieces, data[at:]), true
}
