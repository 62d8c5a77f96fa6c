package state

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawSwap lets two items of some list of a structure change places, and reports
// whether it has a list of two or more.
func drawSwap(t *rapid.T, s *shape, v reflect.Value) bool {
	var lists []reflect.Value
	var collect func(s *shape, v reflect.Value)
	collect = func(s *shape, v reflect.Value) {
		for i := range s.fields {
			f := &s.fields[i]
			list := v.Field(f.index)
			if !f.list() {
				continue
			}
			if list.Len() > 1 {
				lists = append(lists, list)
			}
			for i := range list.Len() {
				if f.sort == structsField {
					collect(f.elem, list.Index(i))
				}
			}
		}
	}
	collect(s, v)
	if len(lists) == 0 {
		return false
	}
	list := lists[rapid.IntRange(0, len(lists)-1).Draw(t, "list")]
	i := rapid.IntRange(1, list.Len()-1).Draw(t, "behind")
	j := rapid.IntRange(0, i-1).Draw(t, "before")
	reflect.Swapper(list.Interface())(i, j)
	return true
}

// TestReorderOddFiles lets two items of a list change places in a file that looks
// as no program would write it: no line is lost, and changing back gives the file
// as it was.
func TestReorderOddFiles(t *testing.T) {
	swaps, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text, docs, _ := drawOddFile(t)
		which := docs[rapid.IntRange(0, len(docs)-1).Draw(t, "which")]
		swapped := false
		pieces, _, err := edit("odd.yaml", []byte(text), func(tx *Tx) error {
			r, err := tx.take(which.kind(), which.name())
			if err == nil {
				swapped = drawSwap(t, r.shape(), r.value())
			}
			return err
		})
		if err == nil && !swapped {
			return
		}
		swaps++
		if refusal := (*EditError)(nil); errors.As(err, &refusal) {
			refused++
			return
		}
		edited := slices.Concat(pieces...)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		comments := commentPattern.FindAllString(text, -1)
		kept := commentPattern.FindAllString(string(edited), -1)
		slices.Sort(comments)
		slices.Sort(kept)
		if !slices.Equal(kept, comments) {
			t.Fatalf("the comments are %q, were %q\n%s\nwas\n%s", kept, comments, edited, text)
		}
		if strings.Count(string(edited), "\n") != strings.Count(text, "\n") {
			t.Fatalf("another number of lines\n%s\nwas\n%s", edited, text)
		}
		back, err := replaced(edited, which.kind(), which.name(), which.resource)
		if err != nil || string(back) != text {
			t.Fatalf("changed back (%v) it is\n%s\nwas\n%s\nin between\n%s", err, back, text, edited)
		}
	})
	if swaps == 0 || refused*5 > swaps {
		t.Errorf("%d of %d changes were refused", refused, swaps)
	}
}
