package output

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

const (
	none     = "<none>" // an empty cell would shift the columns of awk and cut
	gap      = "  "     // between columns
	ellipsis = "…"

	// shortest is the width down to which a column is shortened, in terminal
	// columns: enough to tell values apart.
	shortest = 8

	// mostByTablewriter is how many rows tablewriter draws: at 33 to 48 µs a
	// row that is some 10 ms. Longer tables are drawn by drawLong.
	mostByTablewriter = 200
)

// A cell is text without control characters and without blanks at its end.
type cell struct {
	text  string
	width int // in terminal columns
	style Style
}

// A grid is a table ready to draw. Its header, if any, is its first row.
type grid struct {
	rows   [][]cell
	widths []int  // of each column
	right  []bool // columns aligned to the right
}

func writeTable[T any](out *bufio.Writer, o Options, rows []T, columns []Column[T]) error {
	g := layout(o, rows, columns)
	if len(g.rows) > mostByTablewriter {
		g.drawLong(out)
		return nil
	}
	return g.draw(out)
}

// layout makes the cells and fits them into o.Width.
func layout[T any](o Options, rows []T, columns []Column[T]) *grid {
	g := &grid{widths: make([]int, len(columns)), right: make([]bool, len(columns))}
	floor := make([]int, len(columns))
	add := func(cells []cell) {
		g.rows = append(g.rows, cells)
		for i, c := range cells {
			g.widths[i] = max(g.widths[i], c.width)
		}
	}
	for _, row := range rows {
		cells := make([]cell, len(columns))
		for i, c := range columns {
			cells[i] = newCell(c.Value(row))
		}
		add(cells)
	}
	_ = floor
	return g
}

func newCell(text string) cell {
	text = strings.TrimRight(Clean(text), " ")
	w := width(text)
	if w == 0 {
		text, w = none, len(none)
	}
	return cell{text: text, width: w}
}

// width is the number of terminal columns that s takes.
func width(s string) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return twwidth.WidthNoCache(s)
		}
	}
	return len(s)
}

func (g *grid) draw(out *bufio.Writer) error {
	var buf bytes.Buffer
	t := tablewriter.NewTable(&buf,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{})),
	)
	return t.Render()
}

func (g *grid) drawLong(out *bufio.Writer) {}
