package output

import (
	"bufio"
	"encoding/csv"
)

// writeCSV prints a header of property names and one record a row. A cell's
// bytes are the value's own, quoted where needed: csv is data, not text to look
// at. out keeps an error until it is flushed.
func writeCSV[T any](out *bufio.Writer, o Options, rows []T, columns []Column[T]) error {
	w := csv.NewWriter(out) // buffers nothing itself: bufio.NewWriter returns out
	record := make([]string, len(columns))
	if !o.NoHeaders {
		for i, c := range columns {
			record[i] = c.Name
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	for _, row := range rows {
		for i, c := range columns {
			record[i] = c.Value(row)
		}
		// encoding/csv would write a lone empty cell as an empty line, which
		// readers skip: the record would be lost.
		if len(record) == 1 && record[0] == "" {
			out.WriteString("\"\"\n")
			continue
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	return nil
}

// writeNames prints one cleaned value a line, so that no name makes two.
// out keeps an error until it is flushed.
func writeNames[T any](out *bufio.Writer, rows []T, column Column[T]) {
	for _, row := range rows {
		out.WriteString(Clean(column.Value(row)))
		out.WriteByte('\n')
	}
}
