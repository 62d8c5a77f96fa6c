package state

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// An oddFile draws state files that are valid and look as no program would
// write them. Every comment in it is another one.
type oddFile struct {
	t        *rapid.T
	comments int
	names    int
	habit    string // what hosts and members do with properties at their default: "say", "leave out" or "mix"
	plainEnd bool   // the last thing written is not a block scalar, so a comment may follow
}

// An oddDocument is a document of an odd file with what it says.
type oddDocument struct {
	resource
	text string
}

func drawOddFile(t *rapid.T) (text string, docs []oddDocument, g *oddFile) {
	g = &oddFile{t: t, plainEnd: true}
	g.habit = rapid.SampledFrom([]string{"say", "leave out", "mix"}).Draw(t, "habit")
	var b strings.Builder
	if g.chance(20) {
		b.WriteString(g.commentLine() + "\n")
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "documents") {
		if i > 0 || g.chance(20) {
			b.WriteString("---" + rapid.SampledFrom([]string{"", "", " ", g.comment()}).Draw(t, "separator") + "\n")
		}
		var d oddDocument
		if rapid.Bool().Draw(t, "pool") {
			d.pool = new(hostpool.Pool)
		} else {
			d.cluster = new(gateway.Cluster)
		}
		g.draw(d.shape(), d.value())
		var doc strings.Builder
		g.plainEnd = true
		g.lines(&doc)
		doc.WriteString("kind: " + string(d.kind()))
		g.tail(&doc)
		doc.WriteString("apiVersion: " + APIVersion)
		g.tail(&doc)
		g.block(&doc, g.entries(d.shape(), d.value()), d.value(), 0)
		if g.chance(10) {
			doc.WriteString("...\n")
		}
		d.text = doc.String()
		b.WriteString(d.text)
		docs = append(docs, d)
	}
	text = b.String()
	if g.plainEnd && g.chance(20) {
		text = strings.TrimRight(text, "\n")
	}
	if g.chance(20) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if g.chance(10) {
		text = "\ufeff" + text
	}
	return text, docs, g
}

// chance is true for that many of a hundred draws. The library draws small
// numbers much more often than others, hence the stirring.
func (g *oddFile) chance(percent int) bool {
	return (rapid.IntRange(0, 99).Draw(g.t, "chance")*37+53)%100 < percent
}

func (g *oddFile) comment() string {
	g.comments++
	return rapid.SampledFrom([]string{" ", "  ", "\t"}).Draw(g.t, "before comment") + fmt.Sprintf("# c%d: [x]", g.comments)
}

func (g *oddFile) commentLine() string {
	return strings.Repeat(" ", rapid.IntRange(0, 8).Draw(g.t, "comment indent")) + strings.TrimLeft(g.comment(), " \t")
}

// tail ends a line behind a value.
func (g *oddFile) tail(b *strings.Builder) {
	switch rapid.IntRange(0, 9).Draw(g.t, "tail") {
	case 0:
		comment := g.comment()
		if strings.HasSuffix(b.String(), "-") {
			comment = strings.Replace(comment, "\t", " ", 1) // no tab behind a dash
		}
		b.WriteString(comment)
	case 1:
		b.WriteString("  ")
	}
	b.WriteString("\n")
	g.plainEnd = true
}

// lines writes comments and blank lines, or none.
func (g *oddFile) lines(b *strings.Builder) {
	for g.chance(12) {
		switch {
		case rapid.Bool().Draw(g.t, "blank line"):
			b.WriteString("\n")
		case g.plainEnd:
			b.WriteString(g.commentLine() + "\n")
		}
	}
}

// draw gives a structure random values.
func (g *oddFile) draw(s *shape, v reflect.Value) {
	s.setDefaults(v.Addr().UnsafePointer(), 0)
	for i := range s.fields {
		f := &s.fields[i]
		fv := v.Field(f.index)
		switch {
		case f.scalar():
			if f.required || g.chance(40) {
				fv.Set(g.scalar(f))
			}
		case f.sort == mapField:
			if g.chance(40) {
				m := map[string]string{}
				for range rapid.IntRange(1, 3).Draw(g.t, "tags") {
					m[g.name("tag")] = g.text()
				}
				fv.Set(reflect.ValueOf(m))
			}
		case f.sort == structField:
			if g.chance(40) {
				fv.Set(reflect.New(f.goType.Elem()))
				g.draw(f.elem, fv.Elem())
			}
		default:
			n := rapid.IntRange(0, 3).Draw(g.t, "items")
			fv.Set(reflect.MakeSlice(f.goType, n, n))
			for i := range n {
				fv.Index(i).Set(g.item(f))
			}
		}
	}
}

func (g *oddFile) item(f *field) reflect.Value {
	if f.sort == textsField {
		return reflect.ValueOf(g.name("text"))
	}
	v := reflect.New(f.goType.Elem()).Elem()
	g.draw(f.elem, v)
	return v
}

func (g *oddFile) name(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

func (g *oddFile) text() string {
	return rapid.SampledFrom([]string{"alpha", "beta gamma", "it's", "12", "yes", "a: b", "x # y", "say \"hi\"", "C:\\temp", "é ü", "-", "a, b", "{c}", "two\nlines\n", "two\n\nlines", "ends ", "sql01;sales", "http://h:1/p?q"}).Draw(g.t, "text")
}

// scalar draws a value for a field; names and ids are each another one.
func (g *oddFile) scalar(f *field) reflect.Value {
	v := reflect.New(f.goType).Elem()
	switch f.sort {
	case textField:
		switch f.name {
		case "name", "user", "principal", "id":
			v.SetString(g.name(f.name))
		default:
			v.SetString(g.text())
		}
	case enumField:
		v.SetString(rapid.SampledFrom(f.values).Draw(g.t, "enum"))
	case boolField:
		v.SetBool(rapid.Bool().Draw(g.t, "bool"))
	case intField:
		v.SetInt(int64(rapid.IntRange(int(f.min), int(math.Min(f.max, 100))).Draw(g.t, "int")))
	case floatField:
		x := float64(rapid.IntRange(0, 1000).Draw(g.t, "float")) / 10
		v.Set(reflect.ValueOf(&x))
	case timeField:
		g.names++
		v.Set(reflect.ValueOf(time.Date(2026, 11, 29, 8, 0, g.names, 0, time.UTC)))
	}
	return v
}

// entries lists the properties that are written, in any order.
func (g *oddFile) entries(s *shape, v reflect.Value) []*field {
	var all []*field
	for i := range s.fields {
		f := &s.fields[i]
		fv := v.Field(f.index)
		switch {
		case f.scalar() && f.text(fv) == f.def:
			says := g.habit == "say" && f.always || g.habit == "mix" && g.chance(50)
			if f.def != "" && says {
				all = append(all, f)
			}
		case f.list() && fv.Len() == 0:
			if g.chance(20) {
				all = append(all, f)
			}
		case f.written(fv):
			all = append(all, f)
		}
	}
	if g.chance(30) {
		all = rapid.Permutation(all).Draw(g.t, "order")
	}
	return all
}

// block writes the entries of a mapping in block style.
func (g *oddFile) block(b *strings.Builder, entries []*field, v reflect.Value, indent int) {
	pad := strings.Repeat(" ", indent)
	for i, f := range entries {
		if i > 0 {
			g.lines(b)
		}
		key := f.name
		if g.chance(3) {
			key = `"` + key + `"`
		}
		if f.scalar() && g.chance(2) && g.chance(20) {
			b.WriteString(pad + "? " + key + "\n" + pad + ":")
		} else {
			b.WriteString(pad + key + ":")
		}
		g.blockValue(b, f, v.Field(f.index), indent)
	}
}

// blockValue writes what follows a key, its line end included.
func (g *oddFile) blockValue(b *strings.Builder, f *field, v reflect.Value, indent int) {
	if f.scalar() {
		g.blockScalar(b, f, v, indent)
		return
	}
	var entries []*field
	empty := f.list() && v.Len() == 0
	if f.sort == structField {
		entries = g.entries(f.elem, v.Elem())
		empty = len(entries) == 0
	}
	switch {
	case empty && f.list():
		b.WriteString(rapid.SampledFrom([]string{" []", " [ ]", "  [  ]"}).Draw(g.t, "empty list"))
		g.tail(b)
	case empty:
		b.WriteString(" {}")
		g.tail(b)
	case g.chance(30):
		b.WriteString(strings.Repeat(" ", rapid.IntRange(1, 3).Draw(g.t, "blanks")))
		g.flow(b, f, v, indent)
		g.tail(b)
	case f.list():
		g.tail(b)
		g.lines(b)
		g.list(b, f, v, indent+rapid.SampledFrom([]int{0, 2, 2, 4}).Draw(g.t, "list indent"))
	case f.sort == mapField:
		g.tail(b)
		m := v.Interface().(map[string]string)
		for _, key := range rapid.Permutation(keysOf(m)).Draw(g.t, "tag order") {
			g.lines(b)
			b.WriteString(strings.Repeat(" ", indent+2) + key + ":")
			g.blockScalar(b, &field{sort: textField}, reflect.ValueOf(m[key]), indent+2)
		}
	default:
		g.tail(b)
		g.lines(b)
		g.block(b, entries, v.Elem(), indent+rapid.SampledFrom([]int{1, 2, 4}).Draw(g.t, "mapping indent"))
	}
}

func (g *oddFile) list(b *strings.Builder, f *field, v reflect.Value, indent int) {
	pad := strings.Repeat(" ", indent)
	for i := range v.Len() {
		g.lines(b)
		switch {
		case f.sort == textsField:
			b.WriteString(pad + "-")
			g.blockScalar(b, &field{sort: textField}, v.Index(i), indent)
		case g.chance(40):
			b.WriteString(pad + "- ")
			g.flowItem(b, f, v.Index(i), indent+2)
			g.tail(b)
		case g.chance(10):
			b.WriteString(pad + "-")
			g.tail(b)
			g.block(b, g.entries(f.elem, v.Index(i)), v.Index(i), indent+2)
		default:
			in := indent + rapid.SampledFrom([]int{2, 2, 4}).Draw(g.t, "item indent")
			var item strings.Builder
			g.block(&item, g.entries(f.elem, v.Index(i)), v.Index(i), in)
			b.WriteString(pad + "-" + item.String()[indent+1:])
		}
	}
}

// blockScalar writes a scalar behind a colon or dash that stands at indent.
func (g *oddFile) blockScalar(b *strings.Builder, f *field, v reflect.Value, indent int) {
	text := f.text(v)
	in := strings.Repeat(" ", indent+2)
	if f.sort == textField {
		words := strings.Split(text, " ")
		switch form := rapid.IntRange(0, 19).Draw(g.t, "form"); {
		case form == 0 && len(words) > 1 && quote(text, false) == text:
			b.WriteString(" " + strings.Join(words, "\n"+in))
			g.tail(b)
			return
		case form == 1 && len(words) > 1 && !strings.ContainsAny(text, "\\\"\n") && words[len(words)-1] != "":
			b.WriteString(" \"" + strings.Join(words, "\n"+in) + "\"")
			g.tail(b)
			return
		case form < 4:
			if indicator, lines := literal(text, indent+2, "\n"); indicator != "" {
				b.WriteString(" " + indicator)
				g.tail(b)
				b.WriteString(lines)
				g.plainEnd = false
				return
			}
		case form == 4 && strings.IndexFunc(text, func(r rune) bool { return r == '\n' || r == ' ' }) < 0:
			b.WriteString(" >-")
			g.tail(b)
			b.WriteString(in + text + "\n")
			g.plainEnd = false
			return
		}
	}
	b.WriteString(strings.Repeat(" ", rapid.IntRange(1, 3).Draw(g.t, "blanks")))
	if g.chance(2) {
		b.WriteString("\n" + in)
	}
	b.WriteString(g.inline(f, text, false))
	g.tail(b)
}

// inline writes a scalar on one line, in some quotes or none.
func (g *oddFile) inline(f *field, text string, inFlow bool) string {
	if f.sort != textField && f.sort != enumField && f.sort != timeField {
		return text
	}
	switch rapid.IntRange(0, 3).Draw(g.t, "quotes") {
	case 0:
		return quoted(text, singleStyle)
	case 1:
		return quoted(text, doubleStyle)
	}
	if f.sort == timeField {
		return text
	}
	return quote(text, inFlow)
}

// flow writes a list or mapping in flow style.
func (g *oddFile) flow(b *strings.Builder, f *field, v reflect.Value, indent int) {
	switch f.sort {
	case structField:
		g.flowMapping(b, g.entries(f.elem, v.Elem()), v.Elem(), indent)
	case mapField:
		m := v.Interface().(map[string]string)
		b.WriteString("{")
		g.flowParts(b, len(m), indent, func(i int) {
			key := keysOf(m)[i]
			b.WriteString(key + ": " + g.inline(&field{sort: textField}, m[key], true))
		})
		b.WriteString("}")
	default:
		b.WriteString("[")
		g.flowParts(b, v.Len(), indent, func(i int) {
			if f.sort == textsField {
				b.WriteString(g.inline(&field{sort: textField}, v.Index(i).String(), true))
				return
			}
			g.flowItem(b, f, v.Index(i), indent+2)
		})
		b.WriteString("]")
	}
}

func (g *oddFile) flowItem(b *strings.Builder, f *field, v reflect.Value, indent int) {
	g.flowMapping(b, g.entries(f.elem, v), v, indent)
}

func (g *oddFile) flowMapping(b *strings.Builder, entries []*field, v reflect.Value, indent int) {
	b.WriteString("{")
	g.flowParts(b, len(entries), indent, func(i int) {
		f := entries[i]
		b.WriteString(f.name + ": ")
		if f.scalar() {
			b.WriteString(g.inline(f, f.text(v.Field(f.index)), true))
		} else {
			g.flow(b, f, v.Field(f.index), indent)
		}
	})
	b.WriteString("}")
}

// flowParts writes the parts of a flow collection on one line or one a line.
func (g *oddFile) flowParts(b *strings.Builder, n, indent int, part func(int)) {
	in := strings.Repeat(" ", indent+2)
	manyLines := n > 0 && g.chance(20)
	blanks := g.chance(10)
	for i := range n {
		switch {
		case manyLines:
			g.tail(b)
			b.WriteString(in)
		case blanks && i == 0:
			b.WriteString(" ")
		case i > 0:
			b.WriteString(strings.Repeat(" ", rapid.IntRange(0, 2).Draw(g.t, "blanks")))
		}
		part(i)
		if i < n-1 || g.chance(5) {
			b.WriteString(",")
		}
	}
	switch {
	case manyLines && g.chance(80):
		g.tail(b)
		b.WriteString(in)
	case blanks:
		b.WriteString(" ")
	}
}

func keysOf(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
