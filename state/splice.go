package state

import (
	"bytes"
	"cmp"
	"slices"
)

// A splice replaces the bytes from start to end of the file.
type splice struct {
	start, end int
	text       string
}

// apply makes the splices in the data and returns the new content in pieces
// that share the old one's memory. ok is false for splices that overlap.
// Several at one place come in the order in which they were made.
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

// A span is where a mapping's entry or a sequence's item stands, without what
// follows it on its line.
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

// lineStart is where the line that holds an offset begins.
func (f *file) lineStart(offset int) int {
	start := bytes.LastIndexByte(f.data[:offset], '\n') + 1
	if start == 0 && bytes.HasPrefix(f.data, utf8BOM) {
		return min(len(utf8BOM), offset)
	}
	return start
}

// nextLine is where the line behind the one that holds an offset begins.
func (f *file) nextLine(offset int) int { return nextLine(f.data, offset) }

// indent is how far into its line an offset stands, in bytes.
func (f *file) indent(offset int) int { return offset - f.lineStart(offset) }

func blank(b []byte) bool { return len(bytes.Trim(b, " ")) == 0 }

// insertLines adds whole lines below the line that holds an offset.
func (e *editor) insertLines(below int, lines string) {
	at := e.file.nextLine(below)
	e.splice(at, at, lines)
}

// removeLines takes out the lines from one offset to another.
func (e *editor) removeLines(first, last int) {
	e.splice(e.file.lineStart(first), e.file.nextLine(last), "")
}

// insertInFlow adds an entry to a flow collection behind the one at index
// after; -1 is in front of all.
func (e *editor) insertInFlow(n *node, entries []span, after int, text string) {
	switch {
	case len(entries) == 0:
		// In the middle of what is there, so that taking it out again leaves that.
		at := n.start + 1
		if inside := e.file.data[at : n.end-1]; blank(inside) {
			at += len(inside) / 2
		}
		e.splice(at, at, text)
	case after < 0:
		e.splice(entries[0].start, entries[0].start, text+", ")
	default:
		end, comma := entries[after].end, e.behindComma(n, entries, after)
		next := e.flowBreak(n, entries)
		at, ok := e.behindComment(comma)
		switch {
		case !ok || next == ", ":
			e.splice(end, end, next+text)
		case comma > end:
			e.splice(at, at, next[1:]+text+",")
		case slices.Contains(e.splices, splice{end, end, ","}):
			e.splice(at, at, next+text)
		default:
			e.splice(end, end, ",")
			e.splice(at, at, next[1:]+text)
		}
	}
}

// behindComment is the end of the line that holds an offset, if a comment is all
// that follows on it.
func (e *editor) behindComment(offset int) (end int, ok bool) {
	rest := bytes.TrimRight(e.file.data[offset:e.file.nextLine(offset)], "\r\n")
	return offset + len(rest), bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte{'#'})
}

// replaceInFlow puts text in the place of all entries of a flow collection.
func (e *editor) replaceInFlow(n *node, entries []span, text string) {
	if len(entries) == 0 {
		e.insertInFlow(n, entries, -1, text)
		return
	}
	e.splice(entries[0].start, e.behindComma(n, entries, len(entries)-1), text)
}

// flowBreak is what stands between the entries of a flow collection: a comma,
// and a new line where they have one each.
func (e *editor) flowBreak(n *node, entries []span) string {
	before := e.file.data[n.start:entries[0].start]
	if len(entries) > 1 {
		before = e.file.data[entries[0].end:entries[1].start]
	}
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 && blank(before[i+1:]) {
		return "," + e.file.eol + string(before[i+1:])
	}
	return ", "
}

// removeEntries takes out entries of a mapping or items of a sequence. A block
// collection must keep one, since nothing in its place would mean null.
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
		if blank(e.file.data[e.file.lineStart(start):start]) {
			e.removeLines(start, entry.end)
			continue
		}
		// Something stands before it on its line: the dash of the item whose
		// first key it is. The next key moves up to it, unless there are
		// comments between them.
		dashes := bytes.Trim(e.file.data[e.file.lineStart(start):start], "- ")
		if i+1 == len(entries) || gone(i+1) || len(dashes) > 0 {
			e.fail(start, "this can't be removed without rewriting what stands on its line; put it on a line of its own")
			return
		}
		next := e.file.nextLine(entry.end)
		if next <= entries[i+1].start && bytes.IndexByte(e.file.data[next:entries[i+1].start], '#') >= 0 {
			before := bytes.TrimRight(e.file.data[:start], " ")
			e.splice(len(before), next, e.file.eol)
			continue
		}
		e.splice(start, entries[i+1].start, "")
	}
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
				e.removeBehindComment(n, entries, i, kept)
				continue
			}
			e.splice(start, entries[i].end, "")
		case i+1 < len(entries):
			e.splice(entries[i].start, entries[i+1].start, "")
		default:
			e.splice(entries[i].start, e.behindComma(n, entries, i), "")
		}
	}
}

// removeBehindComment takes out a flow entry alone, with the comma behind it; there
// is a comment on the one before it, which may stand last. One that insertInFlow
// put there goes with its line, and the comma in front of the comment.
func (e *editor) removeBehindComment(n *node, entries []span, i, kept int) {
	start, end := entries[i].start, e.behindComma(n, entries, i)
	above := e.file.lineStart(start)
	rest := bytes.TrimRight(e.file.data[end:e.file.nextLine(end)], "\r\n")
	if blank(e.file.data[above:start]) && blank(rest) {
		if end == entries[i].end && kept == i-1 && i == len(entries)-1 {
			e.splice(entries[kept].end, e.behindComma(n, entries, kept), "")
		}
		start = len(bytes.TrimRight(e.file.data[:above], "\r\n"))
		end += len(rest)
	}
	e.splice(start, end, "")
}

// behindComma is the end of a flow entry with the comma that follows it, if
// one does before a comment.
func (e *editor) behindComma(n *node, entries []span, i int) int {
	limit := n.end - 1
	if i+1 < len(entries) {
		limit = entries[i+1].start
	}
	rest := e.file.data[entries[i].end:limit]
	if comma := bytes.IndexByte(rest, ','); comma >= 0 && blank(rest[:comma]) {
		return entries[i].end + comma + 1
	}
	return entries[i].end
}

// dash finds the dash of item i of a block sequence: the sequence begins with
// the first, and all stand in one column.
func (e *editor) dash(n *node, entries []span, i int) int {
	if i == 0 {
		return n.start
	}
	column := e.file.indent(n.start)
	for at := entries[i].start; at > entries[i-1].end; {
		start := e.file.lineStart(at)
		dash := start + column
		if dash < len(e.file.data) && e.file.data[dash] == '-' && blank(e.file.data[start:dash]) {
			return dash
		}
		at = start - 1
	}
	e.fail(entries[i].start, "the dash of this item can't be found")
	return entries[i].start
}
