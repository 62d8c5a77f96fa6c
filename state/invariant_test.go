package state

import (
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOddFilesAreRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, docs, _ := drawOddFile(t)
		f, err := cut("odd.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, want := range docs {
			got, err := f.read(f.find(want.kind(), want.name()), newValueSink())
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if !got.same(want.resource) {
				t.Fatalf("read something else\n%s", text)
			}
		}
	})
}

// An oddEdit is a random change of one resource.
type oddEdit struct {
	what      string // "set", "add", "remove" or "none"
	path      []string
	node      *node // the scalar that is set, or the item that is removed
	atDefault bool  // a scalar had its default
	unclear   bool  // whose form it was can't be told afterwards
}

// drawEdit changes one thing in a copy of the resource that root is read as.
func drawEdit(g *oddFile, root *node, r resource) oddEdit {
	var e oddEdit
	n, s, v := root, r.shape(), r.value()
	for {
		f := &s.fields[rapid.IntRange(0, len(s.fields)-1).Draw(g.t, "field")]
		fv := v.Field(f.index)
		if f.name == "name" && n == root {
			continue
		}
		key, value := n.entry(f.name)
		e.path = append(e.path, f.name)
		switch {
		case f.scalar():
			old := f.text(fv)
			for range 20 {
				if fv.Set(g.scalar(f)); f.text(fv) != old {
					break
				}
			}
			if f.text(fv) == old {
				e.what = "none"
				return e
			}
			e.what, e.node, e.atDefault = "set", value, old == f.def
			if key != nil && f.sort == textField && value.style != plainStyle {
				// Quotes that were not needed, and now are.
				flow := n.style == flowStyle
				e.unclear = quote(old, flow) == old && quote(f.text(fv), flow) != f.text(fv) ||
					value.style == singleStyle && strings.Contains(f.text(fv), "\n")
			}
			if key == nil {
				e.what = "add"
				own := balanceOfOwn(s, n) + 1 // without the property itself
				e.unclear = f.always && (own > 0 || own == 0 && balanceOfAll(r.shape(), root)+1 >= 0)
			}
			return e
		case f.sort == mapField:
			m := map[string]string{}
			for k, text := range fv.Interface().(map[string]string) {
				m[k] = text
			}
			if len(m) > 1 && g.chance(50) {
				gone := keysOf(m)[rapid.IntRange(0, len(m)-1).Draw(g.t, "tag")]
				delete(m, gone)
				e.what = "remove"
				e.node = entryNode(value, value.find(gone))
			} else {
				m[g.name("tag")] = g.text()
				e.what = "add"
			}
			fv.Set(reflect.ValueOf(m))
			return e
		case f.sort == structField:
			if !fv.IsNil() {
				n, s, v = value, f.elem, fv.Elem()
				continue
			}
			fv.Set(reflect.New(f.goType.Elem()))
			g.draw(f.elem, fv.Elem())
			e.what = "add"
			return e
		}
		count := fv.Len()
		switch choice := rapid.IntRange(0, 3).Draw(g.t, "list edit"); {
		case count > 0 && choice == 0:
			i := rapid.IntRange(0, count-1).Draw(g.t, "gone")
			e.what, e.node = "remove", &value.items[i]
			fv.Set(reflect.AppendSlice(fv.Slice3(0, i, i), fv.Slice(i+1, count)))
			return e
		case count > 0 && choice < 3 && f.sort == structsField:
			i := rapid.IntRange(0, count-1).Draw(g.t, "item")
			n, s, v = &value.items[i], f.elem, fv.Index(i)
		default:
			i := rapid.IntRange(0, count).Draw(g.t, "place")
			grown := reflect.AppendSlice(fv.Slice3(0, i, i), reflect.MakeSlice(f.goType, 1, 1))
			grown.Index(i).Set(g.item(f))
			fv.Set(reflect.AppendSlice(grown, fv.Slice(i, count)))
			e.what = "add"
			if count == 0 && key == nil {
				e.unclear = holdsEmpty(root, f.name) // none where others have []
			} else if count == 0 {
				e.unclear = n.style == flowStyle // [] where others have no such list
			}
			return e
		}
	}
}

// holdsEmpty reports whether a property is an empty list anywhere.
func holdsEmpty(n *node, property string) bool {
	if _, value := n.entry(property); n.kind == mappingNode && value != nil && value.kind == sequenceNode && len(value.items) == 0 {
		return true
	}
	return slices.ContainsFunc(n.items, func(item node) bool { return holdsEmpty(&item, property) })
}

// entryNode spans an entry of a mapping.
func entryNode(n *node, at int) *node {
	s := spans(n)[at]
	return &node{start: s.start, end: s.end}
}

var commentPattern = regexp.MustCompile(`# c[0-9]+: \[x\]`)

// TestEditsOfOddFiles makes one random change in a file that looks as no
// program would write it, and undoes it.
func TestEditsOfOddFiles(t *testing.T) {
	edits, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text, docs, g := drawOddFile(t)
		which := rapid.IntRange(0, len(docs)-1).Draw(t, "which")
		kind, name := docs[which].kind(), docs[which].name()

		f, err := cut("odd.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		d := f.find(kind, name)
		root, err := f.parse(d)
		if err != nil {
			t.Fatal(err)
		}
		intended, err := f.decode(root)
		if err != nil {
			t.Fatal(err)
		}
		e := drawEdit(g, root, intended)
		edits++
		edited, err := replaced([]byte(text), kind, name, intended)
		if refusal := (*EditError)(nil); errors.As(err, &refusal) {
			refused++
			return
		}
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", e.what, e.path, err, text)
		}
		fail := func(format string, args ...any) {
			t.Helper()
			t.Logf("%s %v", e.what, e.path)
			t.Logf("before\n%s", text)
			t.Logf("after\n%s", edited)
			t.Fatalf(format, args...)
		}
		if e.what == "none" {
			if string(edited) != text {
				fail("changed nothing, and the file changed")
			}
			return
		}

		g2, err := cut("odd.yaml", edited)
		if err != nil {
			fail("%v", err)
		}
		got, err := g2.read(g2.find(kind, name), newValueSink())
		if err != nil || !got.same(intended) {
			fail("the file does not say what was meant: %v", err)
		}
		before, after := text[:d.start], string(edited[:min(d.start, len(edited))])
		if before != after {
			fail("something before the document changed")
		}
		if rest := text[d.end:]; !strings.HasSuffix(string(edited), rest) {
			fail("something behind the document changed")
		}

		// Every comment is still there, but for those on the lines of what was
		// removed.
		var gone []string
		if e.what == "remove" {
			start, end := f.lineStart(e.node.start), f.nextLine(e.node.end)
			gone = commentPattern.FindAllString(text[start:end], -1)
			// The dash may stand on a line of its own above the item.
			above := strings.TrimRight(text[:start], " \r\n")
			if i := strings.LastIndexByte(above, '\n'); strings.HasPrefix(strings.TrimLeft(above[i+1:], " "), "-") {
				gone = append(gone, commentPattern.FindAllString(above[i+1:], -1)...)
			}
		}
		for _, c := range commentPattern.FindAllString(text, -1) {
			if !slices.Contains(gone, c) && !strings.Contains(string(edited), c) {
				fail("comment %s is gone", c)
			}
		}

		// Only the lines of the change differ.
		removed, added := lineDiff(text, string(edited))
		oneLine := e.node == nil || f.line(e.node.start) == f.line(max(e.node.start, e.node.end-1))
		switch {
		case e.what == "set" && oneLine && (removed > 1 || added > 1) && e.node.style != blockScalarStyle,
			e.what == "add" && removed > 1,
			e.what == "remove" && added > 2:
			fail("%d lines removed, %d added", removed, added)
		}

		// And back.
		old, err := f.decode(root)
		if err != nil {
			t.Fatal(err)
		}
		back, err := replaced(edited, kind, name, old)
		if refusal := (*EditError)(nil); errors.As(err, &refusal) {
			refused++
			return
		}
		if err != nil {
			fail("undoing: %v", err)
		}
		switch {
		case e.what == "remove",
			e.unclear,
			e.what == "set" && !oneLine,
			e.what == "set" && e.node.style == blockScalarStyle,
			e.atDefault && g.habit == "mix":
		default:
			if string(back) != text {
				t.Logf("undone\n%s", back)
				fail("undoing did not give the file as it was")
			}
		}
	})
	if refused*20 > edits {
		t.Errorf("%d of %d edits were refused", refused, edits)
	}
}

// replaced edits a file so that a resource says something else.
func replaced(data []byte, kind Kind, name string, want resource) ([]byte, error) {
	pieces, _, err := edit("odd.yaml", data, func(tx *Tx) error {
		r, err := tx.take(kind, name)
		if err == nil {
			r.value().Set(want.value())
		}
		return err
	})
	if err != nil || pieces == nil {
		return data, err
	}
	return slices.Concat(pieces...), nil
}

// lineDiff counts the lines that are not in a longest common subsequence.
func lineDiff(a, b string) (removed, added int) {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	common := make([]int, len(y)+1)
	for i := range x {
		diagonal := 0
		for j := range y {
			above := common[j+1]
			if x[i] == y[j] {
				common[j+1] = diagonal + 1
			} else {
				common[j+1] = max(above, common[j])
			}
			diagonal = above
		}
	}
	return len(x) - common[len(y)], len(y) - common[len(y)]
}
