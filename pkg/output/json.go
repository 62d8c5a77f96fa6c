package output

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// writeJSON prints an array of objects, or the one object alone.
func writeJSON[T any](out *bufio.Writer, o Options, rows []T, columns []Column[T], one bool) error {
	text, err := encode(o, rows, columns, one)
	if err != nil {
		return err
	}
	indent(out, text)
	return nil
}

// encode returns rows as compact JSON: an array, or the one object alone.
func encode[T any](o Options, rows []T, columns []Column[T], one bool) ([]byte, error) {
	objects, err := objects(o, rows, columns)
	if err != nil {
		return nil, err
	}
	var v any = objects
	if one {
		v = objects[0]
	}
	var buf bytes.Buffer
	err = encoder(&buf).Encode(v)
	return buf.Bytes(), err
}

// indent prints compact JSON as json.Indent would with two blanks a level. It
// need not check what encoding/json has just written, and so takes a fraction
// of the time. out keeps an error until it is flushed.
func indent(out *bufio.Writer, compact []byte) {
	depth := 0
	newline := func() {
		out.WriteByte('\n')
		writeBlanks(out, 2*depth)
	}
	for i := 0; i < len(compact); i++ {
		switch b := compact[i]; b {
		case '"':
			start := i
			for i++; compact[i] != '"'; i++ {
				if compact[i] == '\\' {
					i++
				}
			}
			out.Write(compact[start : i+1])
		case '{', '[':
			out.WriteByte(b)
			if end := compact[i+1]; end == '}' || end == ']' {
				out.WriteByte(end)
				i++
				continue
			}
			depth++
			newline()
		case '}', ']':
			depth--
			newline()
			out.WriteByte(b)
		case ',':
			out.WriteByte(b)
			newline()
		case ':':
			out.WriteString(": ")
		default:
			out.WriteByte(b)
		}
	}
}

// writeNDJSON prints one object a line.
func writeNDJSON[T any](out *bufio.Writer, o Options, rows []T, columns []Column[T]) error {
	objects, err := objects(o, rows, columns)
	if err != nil {
		return err
	}
	enc := encoder(out)
	for _, object := range objects {
		if err := enc.Encode(object); err != nil {
			return err
		}
	}
	return nil
}

func encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(escaper{w})
	enc.SetEscapeHTML(false)
	return enc
}

// objects returns what to encode for each row: the row itself, or with
// Options.Columns an object of the chosen properties.
func objects[T any](o Options, rows []T, columns []Column[T]) ([]any, error) {
	objects := make([]any, len(rows))
	properties := properties[T]()
	for i := range rows {
		objects[i] = &rows[i]
		if len(o.Columns) == 0 {
			continue
		}
		object, err := pick(rows[i], columns, properties)
		if err != nil {
			return nil, err
		}
		objects[i] = object
	}
	return objects, nil
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
