package output

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

const (
	none     = "<none>" // an empty cell would shift the fields that awk counts
	gap      = "  "     // between columns
	ellipsis = "…"

	// shortest is the width, in terminal columns, under which no column is
	// shortened: less tells values no longer apart.
	shortest = 8

	// mostByTablewriter is the number of lines up to which tablewriter draws:
	// at some 40 µs a line it takes a few milliseconds for them, and half a
	// second for 10,000. pad draws the same in a fraction of that.
	mostByTablewriter = 200
)

// A cell is clean text that is not empty and has no blank at its end.
type cell struct {
	text  string
	width int // in terminal columns
	style Style
}

// A grid is a table ready to draw. The header, if there is one, is a line like
// the others.
type grid struct {
	lines  [][]cell
	widths []int  // of each column
	right  []bool // columns aligned to the right
}

func writeTable[T any](out *bufio.Writer, o Options, rows []T, columns []Column[T]) error {
	g := layout(o, rows, columns)
	if len(g.lines) > mostByTablewriter {
		g.pad(out)
		return nil
	}
	return g.draw(out)
}

// layout makes the cells and fits them into o.Width.
func layout[T any](o Options, rows []T, columns []Column[T]) *grid {
	g := &grid{right: make([]bool, len(columns))}
	for i, c := range columns {
		g.right[i] = c.Right
	}
	if !o.NoHeaders {
		line := make([]cell, len(columns))
		for i, c := range columns {
			line[i] = newCell(header(c.Name))
		}
		g.lines = append(g.lines, line)
	}
	headers := len(g.lines)
	g.lines = slices.Grow(g.lines, len(rows))
	for _, row := range rows {
		line := make([]cell, len(columns))
		for i, c := range columns {
			line[i] = newCell(c.Value(row))
			if o.Color && c.Style != nil {
				line[i].style = c.Style(row)
			}
		}
		g.lines = append(g.lines, line)
	}
	g.widths = widest(g.lines, len(columns))
	if o.Width > 0 {
		g.fit(o.Width, widest(g.lines[headers:], len(columns)))
	}
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
		if s[i] >= utf8.RuneSelf {
			return twwidth.WidthNoCache(s)
		}
	}
	return len(s)
}

// widest returns the width of each column.
func widest(lines [][]cell, columns int) []int {
	widths := make([]int, columns)
	for _, line := range lines {
		for i, c := range line {
			widths[i] = max(widths[i], c.width)
		}
	}
	return widths
}

// fit shortens cells until a line takes at most limit terminal columns: first
// headers that are wider than what stands below them (values are the widths of
// that), then values, always in the widest column. The first column and numbers
// stay whole, and no column is ever dropped, since nobody misses what is not
// there. A table that is still too wide then is the terminal's to wrap.
func (g *grid) fit(limit int, values []int) {
	excess := len(gap)*(len(g.widths)-1) - limit
	for _, w := range g.widths {
		excess += w
	}
	headers, all := slices.Clone(g.widths), slices.Clone(g.widths)
	for i := 1; i < len(g.widths); i++ {
		headers[i] = max(shortest, values[i])
		all[i] = shortest
		if g.right[i] {
			all[i] = headers[i]
		}
	}
	for _, floor := range [][]int{headers, all} {
		for w := slices.Max(g.widths); w > shortest && excess > 0; w-- {
			for i := range g.widths {
				if g.widths[i] == w && w > floor[i] && excess > 0 {
					g.widths[i]--
					excess--
				}
			}
		}
	}
	for _, line := range g.lines {
		for i, c := range line {
			if c.width > g.widths[i] {
				line[i].text = twwidth.Truncate(c.text, g.widths[i], ellipsis)
				line[i].width = width(line[i].text)
			}
		}
	}
}

// draw draws the table with tablewriter, which keeps no error of its writer
// and pads the last column: so it draws into memory.
func (g *grid) draw(out *bufio.Writer) error {
	align := make(tw.Alignment, len(g.right))
	for i, right := range g.right {
		align[i] = tw.AlignLeft
		if right {
			align[i] = tw.AlignRight
		}
	}
	var buf bytes.Buffer
	table := tablewriter.NewTable(&buf,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbolCustom("gap").WithColumn(gap),
			Settings: tw.Settings{
				Lines:      tw.LinesNone,
				Separators: tw.Separators{ShowHeader: tw.Off, ShowFooter: tw.Off, BetweenRows: tw.Off, BetweenColumns: tw.On},
			},
		})),
		tablewriter.WithPadding(tw.PaddingNone),
		tablewriter.WithAlignment(align),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
	)
	for _, line := range g.lines {
		texts := make([]string, len(line))
		for i, c := range line {
			texts[i] = c.style.paint(c.text)
		}
		if err := table.Append(texts); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	for line := range bytes.Lines(buf.Bytes()) {
		out.Write(bytes.TrimRight(line, " \n"))
		out.WriteByte('\n')
	}
	return nil
}

// pad draws the table as draw does, to the byte.
func (g *grid) pad(out *bufio.Writer) {
	for _, line := range g.lines {
		for i, c := range line {
			blanks := g.widths[i] - c.width
			if i > 0 {
				out.WriteString(gap)
			}
			if g.right[i] {
				writeBlanks(out, blanks)
			}
			out.WriteString(c.style.paint(c.text))
			if !g.right[i] && i < len(line)-1 {
				writeBlanks(out, blanks)
			}
		}
		out.WriteByte('\n')
	}
}

func writeBlanks(out *bufio.Writer, n int) {
	for range n {
		out.WriteByte(' ')
	}
}

// paint puts text into the colour of s.
func (s Style) paint(text string) string {
	switch s {
	case Good:
		return "\x1b[32m" + text + "\x1b[0m"
	case Warn:
		return "\x1b[33m" + text + "\x1b[0m"
	case Bad:
		return "\x1b[31m" + text + "\x1b[0m"
	case Dim:
		return "\x1b[2m" + text + "\x1b[0m"
	}
	return text
}
