package state

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// encode writes a resource as a new document, in the form that recognise reads.
func encode(r resource, eol string) string {
	w := writer{eol: eol}
	w.line(0, "kind: "+string(r.kind()))
	w.line(0, "apiVersion: "+APIVersion)
	w.fields(r.shape(), r.value(), 0)
	return w.text.String()
}

// A writer builds block style, every line ended.
type writer struct {
	text strings.Builder
	eol  string
}

func (w *writer) line(indent int, s string) {
	w.text.WriteString(strings.Repeat(" ", indent))
	w.text.WriteString(s)
	w.text.WriteString(w.eol)
}

func (w *writer) fields(s *shape, v reflect.Value, indent int) {
	for i := range s.fields {
		f := &s.fields[i]
		if f.written(v.Field(f.index)) {
			w.field(f, v.Field(f.index), indent)
		}
	}
}

// written reports whether a property of a new thing is written: when it says
// something, or always.
func (f *field) written(v reflect.Value) bool {
	switch f.sort {
	case mapField, structsField, textsField:
		return v.Len() > 0
	case structField, floatField:
		return !v.IsNil()
	}
	return f.always && f.text(v) != "" || f.text(v) != f.def
}

// field writes one property: on its line, or as a block below it.
func (w *writer) field(f *field, v reflect.Value, indent int) {
	switch {
	case f.sort == structsField:
		w.line(indent, f.name+":")
		for i := range v.Len() {
			w.item(f, v.Index(i), indent+2)
		}
	case f.flow || f.scalar():
		w.line(indent, f.name+": "+f.inline(v, false))
	default:
		w.line(indent, f.name+":")
		w.fields(f.elem, v.Elem(), indent+2)
	}
}

// item writes one item of a list, its dash at indent.
func (w *writer) item(f *field, v reflect.Value, indent int) {
	if f.flow {
		w.line(indent, "- "+f.elem.inline(v))
		return
	}
	inner := writer{eol: w.eol}
	inner.fields(f.elem, v, indent+2)
	text := inner.text.String()
	w.text.WriteString(text[:indent] + "-" + text[indent+1:])
}

// inline gives a property's value in flow style.
func (f *field) inline(v reflect.Value, inFlow bool) string {
	switch f.sort {
	case mapField:
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(v.Interface().(map[string]string))) {
			parts = append(parts, quote(key, true)+": "+quote(v.MapIndex(reflect.ValueOf(key)).String(), true))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case structField:
		return f.elem.inline(v.Elem())
	case structsField, textsField:
		var parts []string
		for i := range v.Len() {
			if f.sort == textsField {
				parts = append(parts, quote(v.Index(i).String(), true))
			} else {
				parts = append(parts, f.elem.inline(v.Index(i)))
			}
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case textField:
		return quote(v.String(), inFlow)
	default:
		return f.text(v)
	}
}

func (s *shape) inline(v reflect.Value) string {
	var parts []string
	for i := range s.fields {
		f := &s.fields[i]
		if f.written(v.Field(f.index)) {
			parts = append(parts, f.name+": "+f.inline(v.Field(f.index), true))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

var (
	// plainText is what may stand without quotes and means a text to every
	// reader of YAML, in flow collections too.
	plainText = regexp.MustCompile(`^[\pL0-9_./+(\\$][\pL\pN _./+()\\$@=;%!?*&|<>~^'"#:-]*$`)
	// otherMeaning is what some reader of YAML takes for something but a text.
	otherMeaning = regexp.MustCompile(`(?i)^(null|true|false|yes|no|on|off|y|n|[-+]?\.inf|\.nan|[-+]?[0-9][0-9_,.:]*(e[-+]?[0-9]+)?|[-+]?\.[0-9_]+(e[-+]?[0-9]+)?|0[xob][0-9a-f_]+|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*)$`)
)

// quote writes a text as a scalar, plain where it is safe.
func quote(s string, inFlow bool) string {
	plain := plainText.MatchString(s) && !otherMeaning.MatchString(s) &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, " ") &&
		(!inFlow || !strings.ContainsAny(s, ":?"))
	if plain {
		return s
	}
	return quoted(s, doubleStyle)
}

// quoted writes a text in quotes, in that style if the text allows it.
func quoted(s string, style nodeStyle) string {
	printable := strings.IndexFunc(s, func(r rune) bool {
		return r != ' ' && (!unicode.IsGraphic(r) || unicode.IsSpace(r)) || r == '\uFEFF'
	}) < 0
	switch {
	case printable && style == singleStyle:
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case printable && !strings.ContainsAny(s, `"\`):
		return `"` + s + `"`
	case printable && !strings.Contains(s, "'"):
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '\uFEFF':
			b.WriteRune(r)
		case r < 0x100:
			b.WriteString(`\x` + hex(r, 2))
		case r < 0x10000:
			b.WriteString(`\u` + hex(r, 4))
		default:
			b.WriteString(`\U` + hex(r, 8))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func hex(r rune, digits int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", digits-len(s)) + s
}
