package output

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"reflect"
	"strings"
)

// writeJSON prints an array of objects, or the one object alone.
func writeJSON[T any](out *bufio.Writer, o Options, rows []T, columns []Column[T], one bool) error {
	if err := encode(&indenter{out: out}, o, rows, columns, one); err != nil {
		return err
	}
	return out.WriteByte('\n')
}

// writeNDJSON prints one object a line.
func writeNDJSON[T any](out *bufio.Writer, o Options, rows []T, columns []Column[T]) error {
	enc := encoder(out)
	for object, err := range objects(o, rows, columns) {
		if err != nil {
			return err
		}
		if err := enc.Encode(object); err != nil {
			return err
		}
	}
	return nil
}

// encode writes an array of objects, or the one object alone, row by row.
func encode[T any](w io.Writer, o Options, rows []T, columns []Column[T], one bool) error {
	enc := encoder(w)
	between := "["
	for object, err := range objects(o, rows, columns) {
		if err != nil {
			return err
		}
		if one {
			return enc.Encode(object)
		}
		if _, err := io.WriteString(w, between); err != nil {
			return err
		}
		if err := enc.Encode(object); err != nil {
			return err
		}
		between = ","
	}
	end := "]"
	if len(rows) == 0 {
		end = "[]"
	}
	_, err := io.WriteString(w, end)
	return err
}

func encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(escaper{w})
	enc.SetEscapeHTML(false)
	return enc
}

// An indenter prints JSON as json.Indent would with two blanks a level. It need
// not check what encoding/json has just written, and so takes a fraction of the
// time. Line ends in what it is given are left out. No Write may begin or end
// within a string.
type indenter struct {
	out   *bufio.Writer // keeps an error until it is flushed
	depth int
	open  bool // behind a bracket, which may turn out to hold nothing
}

func (in *indenter) Write(p []byte) (int, error) {
	done := 0
	until := func(end int) {
		in.out.Write(p[done:end])
		done = end
	}
	newline := func() {
		in.out.WriteByte('\n')
		writeBlanks(in.out, 2*in.depth)
	}
	for i := 0; i < len(p); i++ {
		if in.open && p[i] != '}' && p[i] != ']' {
			until(i)
			newline()
			in.open = false
		}
		switch p[i] {
		case '"':
			for i++; p[i] != '"'; i++ {
				if p[i] == '\\' {
					i++
				}
			}
		case ':':
			until(i + 1)
			in.out.WriteByte(' ')
		case ',':
			until(i + 1)
			newline()
		case '{', '[':
			in.depth++
			in.open = true
		case '}', ']':
			in.depth--
			if !in.open {
				until(i)
				newline()
			}
			in.open = false
		case '\n':
			until(i)
			done++
		}
	}
	until(len(p))
	return len(p), nil
}

// objects yields what to encode for each row: the row itself, or with
// Options.Columns an object of the chosen properties.
func objects[T any](o Options, rows []T, columns []Column[T]) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		properties := properties[T]()
		for i := range rows {
			var object any = &rows[i]
			var err error
			if len(o.Columns) > 0 {
				object, err = pick(rows[i], columns, properties)
			}
			if !yield(object, err) {
				return
			}
		}
	}
}

// pick returns the object of the chosen columns in their order. The value of a
// column is the JSON property of its name; null when the object could have it
// but leaves it out; and else the column's text, as a number if it is one in a
// column of numbers.
func pick[T any](row T, columns []Column[T], properties map[string]bool) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(row); err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(buf.Bytes(), &all); err != nil {
		return nil, err
	}
	buf.Reset()
	for i, c := range columns {
		buf.WriteByte("{,"[min(i, 1)])
		if err := enc.Encode(c.Name); err != nil {
			return nil, err
		}
		buf.WriteByte(':')
		text := c.Value(row)
		var value any = text
		if raw, ok := all[c.Name]; ok {
			value = raw
		} else if properties[c.Name] || text == "" {
			value = nil
		} else if c.Right && strings.Contains("-0123456789", text[:1]) && json.Valid([]byte(text)) {
			value = json.RawMessage(text)
		}
		if err := enc.Encode(value); err != nil {
			return nil, err
		}
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// properties names the JSON properties that T declares; none when T is no
// struct, or points to none.
func properties[T any]() map[string]bool {
	t := reflect.TypeFor[T]()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	names := map[string]bool{}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			name = field.Name
		}
		names[name] = true
	}
	return names
}
