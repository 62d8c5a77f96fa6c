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
func writeJSON[T any](out io.Writer, o Options, rows []T, columns []Column[T], one bool) error {
	objects, err := objects(o, rows, columns)
	if err != nil {
		return err
	}
	enc := encoder(out)
	enc.SetIndent("", "  ")
	if one {
		return enc.Encode(objects[0])
	}
	return enc.Encode(objects)
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
		} else if c.Right && json.Valid([]byte(text)) {
			value = json.Number(text)
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
		names[name] = true
	}
	return names
}
