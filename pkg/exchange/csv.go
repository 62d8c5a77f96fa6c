package exchange

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// parseCSV reads what Export-Csv and scripts write as objects of texts, one a
// row; an empty cell is a null. The header is an object of its column names with
// empty texts; it and the rows before an error are returned with the error. A #TYPE line in front is skipped, and the
// delimiter is what the header line uses: a comma, a semicolon (Export-Csv
// -UseCulture in much of Europe) or a tab.
func parseCSV(s *source) (header *node, rows []*node, err error) {
	skipped := 0
	if bytes.HasPrefix(s.text, []byte("#TYPE")) {
		skipped = bytes.IndexByte(s.text, '\n') + 1
		if skipped == 0 {
			return nil, nil, s.errorAt(len(s.text), "a header line after #TYPE", "the end of the file")
		}
	}
	body := s.text[skipped:]
	lines := newLines(s.text)
	first := bytes.Count(s.text[:skipped], []byte{'\n'})
	c := csv.NewReader(bytes.NewReader(body))
	c.Comma = delimiter(body)
	c.FieldsPerRecord = -1
	columns, err := c.Read()
	if err != nil {
		return nil, nil, s.csvError(lines, first, err)
	}
	if len(columns) < 2 {
		return nil, nil, s.errorAt(skipped, "JSON, or a CSV header of two columns or more", quoted(columns[0]))
	}
	if len(columns) > maxMembers {
		return nil, nil, s.errorAt(skipped, fmt.Sprintf("at most %d columns", maxMembers), fmt.Sprint(len(columns)))
	}
	names := make([]string, len(columns))
	header = &node{kind: object, offset: skipped, names: names}
	seen := map[string]bool{}
	for i, name := range columns {
		names[i] = strings.TrimSpace(name)
		header.items = append(header.items, &node{kind: text, offset: skipped})
		if key := strings.ToLower(names[i]); seen[key] {
			return nil, nil, s.errorAt(skipped, "each column once", "a second "+quoted(names[i]))
		} else {
			seen[key] = true
		}
	}
	for values := 0; ; {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			return header, rows, nil
		}
		if err != nil {
			return header, rows, s.csvError(lines, first, err)
		}
		row := &node{kind: object, names: names, items: make([]*node, len(names))}
		at := func(field int) int {
			line, column := c.FieldPos(field)
			return lines.offset(first+line, column)
		}
		row.offset = at(0)
		if len(record) != len(names) {
			return header, rows, s.errorAt(row.offset, fmt.Sprintf("%d values as in the header", len(names)), fmt.Sprint(len(record)))
		}
		if values += len(record); values > maxValues {
			return header, rows, s.errorAt(row.offset, fmt.Sprintf("at most %d values", maxValues), "more")
		}
		for i, value := range record {
			row.items[i] = &node{offset: at(i)}
			if value != "" {
				row.items[i].kind, row.items[i].text = text, value
			}
		}
		rows = append(rows, row)
	}
}

// csvError gives an error of the CSV reader its place; first is the number of
// lines in front of what the reader saw.
func (s *source) csvError(lines lines, first int, err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return s.errorAt(lines.offset(first+parse.Line, parse.Column), "CSV", parse.Err.Error())
	}
	return s.errorAt(len(s.text), "a header line", "the end of the file")
}

// delimiter is the one of comma, semicolon and tab that stands most often in the
// header line, outside of quotes.
func delimiter(body []byte) rune {
	line, _, _ := bytes.Cut(body, []byte{'\n'})
	counts := map[byte]int{}
	inQuotes := false
	for _, b := range line {
		if b == '"' {
			inQuotes = !inQuotes
		} else if !inQuotes {
			counts[b]++
		}
	}
	best := byte(',')
	for _, b := range []byte{';', '\t'} {
		if counts[b] > counts[best] {
			best = b
		}
	}
	return rune(best)
}

// lines finds the offset of a line and column, both from 1.
type lines []int

func newLines(text []byte) lines {
	starts := lines{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func (l lines) offset(line, column int) int {
	return l[min(line, len(l))-1] + column - 1
}
