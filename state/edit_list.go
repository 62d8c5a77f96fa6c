package state

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
)

// list edits a list: items are told apart by their identity, so that only those
// which differ are touched. It answers true when the whole property goes; ours
// says that it stands as gatepool would write it.
func (e *editor) list(f *field, key, n *node, old, new reflect.Value, ours bool, path []string) (remove bool) {
	now, ordered := match(f, old, new)
	was := slices.Repeat([]int{-1}, new.Len()) // the other way round
	kept := 0
	for i, j := range now {
		if j < 0 {
			e.note(append(path, label(old.Index(i))), f.inlineItem(old.Index(i)), "")
			continue
		}
		was[j] = i
		kept++
		if ordered {
			e.item(f, n, i, old.Index(i), new.Index(j), path)
		}
	}
	for j, i := range was {
		if i < 0 {
			e.note(append(path, label(new.Index(j))), "", f.inlineItem(new.Index(j)))
		}
	}
	entries := spans(n)
	gone := func(i int) bool { return now[i] < 0 }
	switch {
	case !ordered:
		e.reorder(f, n, entries, was, gone, old, new, path)
	case kept > 0:
		e.insertItems(f, n, entries, was, new)
		e.removeEntries(n, entries, gone)
	case ours:
		return true
	case n.style == flowStyle:
		e.replaceInFlow(n, entries, f.inlineItems(new))
	case new.Len() > 0:
		e.insertItems(f, n, entries, was, new)
		e.removeEntries(n, entries, gone)
	case !e.commented(key, n, entries):
		return true
	default:
		e.removeEntries(n, entries, gone)
		colon := key.end + bytes.IndexByte(e.file.data[key.end:], ':') + 1
		e.splice(colon, colon, " []")
	}
	return false
}

// reorder writes a list whose items have changed places. An item that stays
// takes along its lines and the comments right above it. What a blank line parts
// from an item keeps its place, as do the line breaks of a flow list.
func (e *editor) reorder(f *field, n *node, entries []span, was []int, gone func(int) bool, old, new reflect.Value, path []string) {
	places := entries
	var between []string
	if n.style == flowStyle {
		between = e.flowGaps(n, entries)
	} else if blank(e.file.data[e.file.lineStart(n.start):n.start]) {
		places, between = e.blockPlaces(n, entries, gone)
	}
	if between == nil {
		e.fail(n.start, f.name+" can't change its order as it is written; put each item on lines of its own")
		return
	}
	var text strings.Builder
	stayed := 0
	for j, i := range was {
		switch {
		case n.style == flowStyle && j > 0 && j < len(between):
			text.WriteString(between[j])
		case n.style == flowStyle && j > 0:
			text.WriteString(e.flowBreak(n, entries))
		case n.style == blockStyle && i >= 0:
			text.WriteString(between[stayed])
			stayed++
		}
		if i < 0 {
			text.WriteString(e.newItem(f, n, 0, new.Index(j)))
			continue
		}
		moved := editor{file: e.file, kind: e.kind, name: e.name, shape: e.shape, root: e.root}
		moved.item(f, n, i, old.Index(i), new.Index(j), path)
		e.changes = append(e.changes, moved.changes...)
		place := places[i]
		for k := range moved.splices {
			moved.splices[k].start -= place.start
			moved.splices[k].end -= place.start
		}
		pieces, ok := apply(e.file.data[place.start:place.end], moved.splices)
		if moved.err != nil || !ok {
			e.fail(place.start, f.name+" can't change its order and this item at once; do it in two steps")
			return
		}
		text.Write(bytes.Join(pieces, nil))
	}
	if n.style == blockStyle {
		text.WriteString(between[stayed])
	}
	e.note(path, f.inlineNames(old), f.inlineNames(new))
	e.splice(places[0].start, places[len(places)-1].end, text.String())
}

// flowGaps are what stands in front of each item of a flow list and behind the
// one before it; nil where there are comments, which belong to one of them.
func (e *editor) flowGaps(n *node, entries []span) []string {
	gaps := []string{""}
	for i := range entries[1:] {
		gaps = append(gaps, string(e.file.data[entries[i].end:entries[i+1].start]))
	}
	_, above, _ := bytes.Cut(e.file.data[n.start:entries[0].start], []byte{'\n'})
	behind := e.file.data[entries[len(entries)-1].end:n.end]
	if strings.Contains(strings.Join(gaps, "")+string(above)+string(behind), "#") {
		return nil
	}
	return gaps
}

// blockPlaces are the lines of each item of a block list, of one that stays with
// the comments right above it, and what stands between those that stay and
// behind the last of them: blank lines, and comments that they part from an item
// or whose item goes.
func (e *editor) blockPlaces(n *node, entries []span, gone func(int) bool) (places []span, between []string) {
	gap := ""
	above := e.file.lineStart(n.start)
	for i, entry := range entries {
		start := e.file.lineStart(e.dash(n, entries, i))
		stays := !gone(i)
		for own := start; stays && (i == 0 || own > above); start = own {
			own = e.file.lineStart(own - 1)
			if !bytes.HasPrefix(bytes.TrimLeft(e.file.data[own:], " \t"), []byte{'#'}) {
				break
			}
		}
		if i > 0 {
			gap += string(e.file.data[above:start])
		}
		if stays {
			between = append(between, gap)
			gap = ""
		}
		above = e.file.nextLine(entry.end)
		places = append(places, span{start, above})
	}
	return places, append(between, gap)
}

// newItem is the text of an item that a list gets, in the style of the one at an
// index; in a block list with a line end.
func (e *editor) newItem(f *field, n *node, like int, v reflect.Value) string {
	if n.style == flowStyle {
		return f.inlineItem(v)
	}
	styled := *f
	styled.flow = n.items[like].style == flowStyle
	w := writer{eol: e.file.eol}
	w.item(&styled, v, e.file.indent(n.start))
	return w.text.String()
}

// inlineNames are the names of a list's items, for telling of a new order.
func (f *field) inlineNames(list reflect.Value) string {
	names := make([]string, list.Len())
	for i := range names {
		names[i] = label(list.Index(i))
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// item edits an item that stays.
func (e *editor) item(f *field, n *node, i int, old, new reflect.Value, path []string) {
	item := &n.items[i]
	switch {
	case f.sort == structsField:
		e.structure(f.elem, item, n, old, new, append(path, label(old)))
	case old.String() != new.String():
		e.note(append(path, old.String()), old.String(), new.String())
		e.rewrite(&field{sort: textField}, item, new.String(), n.style == flowStyle)
	}
}

// insertItems adds the items that were not there (was is -1), each behind the
// one before it, or else in front of the first.
func (e *editor) insertItems(f *field, n *node, entries []span, was []int, new reflect.Value) {
	place := -1
	for j, i := range was {
		if i >= 0 {
			place = i
			continue
		}
		text := e.newItem(f, n, max(place, 0), new.Index(j))
		switch {
		case n.style == flowStyle:
			e.insertInFlow(n, entries, place, text)
		case place >= 0:
			e.insertLines(entries[place].end, text)
		default:
			start := e.file.lineStart(n.start)
			e.splice(start, start, text)
		}
	}
}

// commented reports whether comments stand between a list's key and its last
// item: the key stays for them when the items go.
func (e *editor) commented(key, n *node, entries []span) bool {
	above := key.end
	for i := range entries {
		dash := e.dash(n, entries, i)
		if bytes.IndexByte(e.file.data[min(above, dash):dash], '#') >= 0 {
			return true
		}
		above = e.file.nextLine(entries[i].end)
	}
	return false
}

// label is how a path calls an item: a text, or a structure's name, user or
// principal.
func label(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return v.String()
	}
	for _, name := range []string{"Name", "User", "Principal"} {
		if f := v.FieldByName(name); f.IsValid() {
			return f.String()
		}
	}
	return identityOf(v)
}

// identityOf tells an item of a list from its siblings.
func identityOf(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return v.String()
	}
	key, _ := v.Interface().(identified).Identity()
	return key
}

// idOf is the id of an item of a list, "" if it has none.
func (f *field) idOf(v reflect.Value) string {
	if f.sort != structsField {
		return ""
	}
	id := f.elem.field("id")
	if id == nil {
		return ""
	}
	return strings.ToLower(v.Field(id.index).String())
}

// another reports whether two items that are told apart by several properties
// have not one of those in common.
func (f *field) another(a, b reflect.Value) bool {
	if f.sort == textsField {
		return false
	}
	several := 0
	for i := range f.elem.fields {
		switch g := &f.elem.fields[i]; g.name {
		case "id", "name", "user", "principal", "from", "to":
			if g.same(a.Field(g.index), b.Field(g.index)) {
				return false
			}
			several++
		}
	}
	return several > 1
}

// match pairs the items of a list before and after: now[i] is the index that
// the old item i has now, or -1. Items with the same id or else the same identity
// are the same thing, equal ones before changed ones, and so are those with the
// same label, of which one was given an id. If all others keep their places, a
// single one that remains was renamed, unless it is another one altogether.
// ordered is false when items that stay have changed places.
func match(f *field, old, new reflect.Value) (now []int, ordered bool) {
	now = slices.Repeat([]int{-1}, old.Len())
	taken := make([]bool, new.Len())
	pair := func(key func(reflect.Value) string, alike func(i, j int) bool) {
		free := make(map[string][]int)
		for j := range taken {
			if k := key(new.Index(j)); k != "" && !taken[j] {
				free[k] = append(free[k], j)
			}
		}
		for i := range now {
			if now[i] >= 0 {
				continue
			}
			k := key(old.Index(i))
			if at := slices.IndexFunc(free[k], func(j int) bool { return alike(i, j) }); at >= 0 {
				now[i] = free[k][at]
				taken[now[i]] = true
				free[k] = slices.Delete(free[k], at, at+1)
			}
		}
	}
	all := func(i, j int) bool { return true }
	if f.sort == structsField {
		pair(identityOf, func(i, j int) bool { return f.elem.same(old.Index(i), new.Index(j)) })
	}
	pair(f.idOf, all)
	pair(identityOf, all)
	pair(label, func(i, j int) bool { return f.idOf(old.Index(i)) == "" || f.idOf(new.Index(j)) == "" })
	renamed := -1
	last := -1
	for i, j := range now {
		switch {
		case j < 0 && renamed < 0 && i < len(taken) && !taken[i]:
			renamed = i
		case j != i:
			renamed = len(now) // not a rename alone
		}
		if j >= 0 {
			if j < last {
				return now, false
			}
			last = j
		}
	}
	if renamed >= 0 && renamed < len(now) && len(now) == len(taken) && !f.another(old.Index(renamed), new.Index(renamed)) {
		now[renamed] = renamed
	}
	return now, true
}
