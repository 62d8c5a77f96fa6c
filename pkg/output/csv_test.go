package output

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// readCSV reads RFC 4180 to the byte. encoding/csv will not do: it turns CRLF
// within quotes into LF.
func readCSV(text string) (records [][]string, err error) {
	for text != "" {
		var record []string
		for {
			var field string
			if quoted, ok := strings.CutPrefix(text, `"`); ok {
				for {
					part, rest, closed := strings.Cut(quoted, `"`)
					if !closed {
						return nil, errors.New("quote without end")
					}
					field += part
					if quoted, ok = strings.CutPrefix(rest, `"`); !ok {
						text = rest
						break
					}
					field += `"`
				}
			} else {
				end := strings.IndexAny(text, ",\n")
				if end < 0 {
					return nil, errors.New("line without end")
				}
				field, text = text[:end], text[end:]
				if strings.ContainsAny(field, "\"\r") {
					return nil, errors.New("bare quote or carriage return in " + field)
				}
			}
			record = append(record, field)
			if text == "" || text[0] != ',' && text[0] != '\n' {
				return nil, errors.New("text behind a quote")
			}
			last := text[0] == '\n'
			text = text[1:]
			if last {
				break
			}
		}
		records = append(records, record)
	}
	return records, nil
}

func FuzzCSV(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, hostile[(i+1)%len(hostile)])
	}
	f.Add("", "")
	f.Add("a\r\nb", "\"\"")
	f.Fuzz(func(t *testing.T, a, b string) {
		columns := []Column[[]string]{
			{Name: "a", Value: func(r []string) string { return r[0] }},
			{Name: "b", Value: func(r []string) string { return r[1] }, Wide: true},
		}
		rows := [][]string{{a, b}, {b, a}, {"", ""}}
		for _, o := range []Options{{Format: CSV}, {Format: CSV, Columns: []string{"B"}}} {
			want := [][]string{{"a", "b"}, {a, b}, {b, a}, {"", ""}}
			if len(o.Columns) == 1 {
				want = [][]string{{"b"}, {b}, {a}, {""}}
			}
			text := print(t, o, rows, columns)
			got, err := readCSV(text)
			if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%q reads as %q, %v; want %q", text, got, err, want)
			}
			// A lone empty cell must not be an empty line, which readers skip.
			if strings.HasSuffix(text, "\n\n") {
				t.Errorf("%q ends in an empty line", text)
			}
		}
	})
}
