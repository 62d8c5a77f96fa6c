package state

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	if f.sort == textsField {
		w.line(indent, "- "+quote(v.String(), false))
		return
	}
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
		return "{" + inlineTexts(v.Interface().(map[string]string)) + "}"
	case structField:
		return f.elem.inline(v.Elem())
	case structsField, textsField:
		return "[" + f.inlineItems(v) + "]"
	case textField:
		return quote(v.String(), inFlow)
	default:
		return f.text(v)
	}
}

func (f *field) inlineItems(v reflect.Value) string {
	var parts []string
	for i := range v.Len() {
		parts = append(parts, f.inlineItem(v.Index(i)))
	}
	return strings.Join(parts, ", ")
}

func (f *field) inlineItem(v reflect.Value) string {
	if f.sort == textsField {
		return quote(v.String(), true)
	}
	return f.elem.inline(v)
}

func inlineTexts(m map[string]string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, quote(key, true)+": "+quote(m[key], true))
	}
	return strings.Join(parts, ", ")
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
	plainText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[\pL0-9_./+(\\$][\pL\pN _./+()\\$@=;%!?*&|<>~^'"#:-]*$`)
	})
	// otherMeaning is what some reader of YAML takes for something but a text.
	otherMeaning = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(null|true|false|yes|no|on|off|y|n|[-+]?\.inf|\.nan|[-+]?[0-9][0-9_,]*(\.[0-9_]*)?(e[-+]?[0-9]+)?|[-+]?[0-9]+(:[0-9]+)+(\.[0-9_]*)?|[-+]?\.[0-9_]+(e[-+]?[0-9]+)?|0[xob][0-9a-f_]+|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*)$`)
	})
)

// quote writes a text as a scalar, plain where it is safe.
func quote(s string, inFlow bool) string {
	plain := plainText().MatchString(s) && !otherMeaning().MatchString(s) &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, " ") &&
		(!inFlow || !strings.ContainsAny(s, ":?"))
	if plain {
		return s
	}
	if strings.ContainsAny(s, `"\`) && !strings.Contains(s, "'") {
		return quoted(s, singleStyle) // reads better than escapes
	}
	return quoted(s, doubleStyle)
}

// quoted writes a text in quotes, in single ones if they are wanted and the
// text allows them.
func quoted(s string, style nodeStyle) string {
	if style == singleStyle && !strings.ContainsFunc(s, unprintable) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
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
		case !unprintable(r):
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

// literal writes a text of lines in the form that stands behind |: the
// indicator, and the lines. It answers "" for a text that would not come back
// as it is.
func literal(text string, indent int, eol string) (indicator, lines string) {
	body := strings.TrimRight(text, "\n")
	strange := func(r rune) bool { return r != '\n' && unprintable(r) }
	if body == "" || body[0] == ' ' || body[0] == '\n' || strings.ContainsFunc(body, strange) {
		return "", ""
	}
	indicator = "|"
	switch final := text[len(body):]; {
	case final == "":
		indicator = "|-"
	case len(final) > 1:
		indicator = "|+"
	}
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if line != "" {
			b.WriteString(strings.Repeat(" ", indent) + line)
		}
		b.WriteString(eol)
	}
	return indicator, b.String()
}

// unprintable reports whether a character is not to be seen in an editor, or
// is a blank of another kind.
func unprintable(r rune) bool { return r != ' ' && (!unicode.IsGraphic(r) || unicode.IsSpace(r)) }

func hex(r rune, digits int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", digits-len(s)) + s
}
