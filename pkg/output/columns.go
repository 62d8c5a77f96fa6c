package output

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gatepool/pkg/spelling"
)

// A ColumnError says that Options.Columns names a column that the list lacks.
type ColumnError struct {
	Name    string   // as given
	Valid   []string // the columns there are, in the list's order
	Nearest string   // the column that was probably meant, or empty
}

func (e *ColumnError) Error() string {
	return fmt.Sprintf("there is no column %q; the columns are %s", e.Name, strings.Join(e.Valid, ", "))
}

// choose returns the columns that o asks for, in the order to print.
func choose[T any](o Options, columns []Column[T]) ([]Column[T], error) {
	if len(o.Columns) == 0 {
		if o.Format != Table {
			return columns, nil
		}
		return slices.DeleteFunc(slices.Clone(columns), func(c Column[T]) bool { return c.Wide }), nil
	}
	var chosen []Column[T]
	for _, name := range o.Columns {
		same := func(c Column[T]) bool {
			return fold(c.Name) == fold(name) || c.Header != "" && fold(c.Header) == fold(name)
		}
		i := slices.IndexFunc(columns, same)
		if i < 0 {
			return nil, columnError(name, columns)
		}
		if !slices.ContainsFunc(chosen, same) {
			chosen = append(chosen, columns[i])
		}
	}
	return chosen, nil
}

func columnError[T any](name string, columns []Column[T]) *ColumnError {
	e := &ColumnError{Name: name}
	for _, c := range columns {
		e.Valid = append(e.Valid, c.Name)
	}
	e.Nearest = spelling.Nearest(name, e.Valid)
	return e
}

// fold makes names equal that differ only in case, hyphens and blanks.
func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(name))
}

// header makes MAX SESSION LIMIT of maxSessionLimit, and OS VERSION of OSVersion.
func header(name string) string {
	letters := []rune(name)
	var b strings.Builder
	for i, r := range letters {
		if i > 0 && unicode.IsUpper(r) {
			afterLower := !unicode.IsUpper(letters[i-1])
			beforeLower := i+1 < len(letters) && unicode.IsLower(letters[i+1])
			if afterLower || beforeLower {
				b.WriteByte(' ')
			}
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}
