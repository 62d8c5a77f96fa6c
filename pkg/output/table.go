package output

import (
	"bufio"
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

const (
	none     = "<none>" // an empty cell would shift the fields that awk counts
	gap      = "  "     // between columns
	ellipsis = "…"
	reset    = "\x1b[0m" // back to no colour

	// shortest is the width, in terminal columns, under which no column is
	// shortened: less tells values no longer apart.
	shortest = 8

	// mostByTablewriter is the number of lines up to which tablewriter draws on
	// a terminal: at some 40 µs a line it takes a few milliseconds for them, and
	// half a second for 10,000. pad draws the same in a fraction of that; a pipe,
	// at whose end a script waits, gets its table from pad at once.
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
	if len(g.lines) > mostByTablewriter || o.Width == 0 {
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
			line[i] = newCell(cmp.Or(c.Header, header(c.Name)))
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
	text = strings.TrimRightFunc(Clean(text), unicode.IsSpace)
	w := width(text)
	if w == 0 {
		text, w = none, len(none)
	}
	return cell{text: text, width: w}
}

// width is the number of terminal columns that s takes.
func width(s string) int {
	if plain(s) {
		return len(s)
	}
	return twwidth.WidthNoCache(s)
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

// fit shortens cells, always in the widest column, until a line takes at most
// limit terminal columns. The first column stays whole and so do numbers, whose
// widths without a header are values; a header above them may be shortened. No
// column is ever dropped, since nobody misses what is not there: a table that
// is still too wide then is the terminal's to wrap.
func (g *grid) fit(limit int, values []int) {
	excess := len(gap)*(len(g.widths)-1) - limit
	for _, w := range g.widths {
		excess += w
	}
	for widest := slices.Max(g.widths); widest > shortest && excess > 0; widest-- {
		for i, w := range g.widths {
			whole := i == 0 || g.right[i] && w == values[i]
			if w == widest && !whole && excess > 0 {
				g.widths[i]--
				excess--
			}
		}
	}
	dots := width(ellipsis) // two in some East Asian locales
	for _, line := range g.lines {
		for i, c := range line {
			switch w := g.widths[i]; {
			case c.width <= w:
			case plain(c.text):
				line[i].text, line[i].width = c.text[:w-dots]+ellipsis, w
			default:
				line[i].text = twwidth.Truncate(c.text, w, ellipsis)
				line[i].width = width(line[i].text)
			}
		}
	}
	// A wide letter that no longer fitted leaves its column narrower still.
	g.widths = widest(g.lines, len(g.widths))
}

// draw draws the table with tablewriter, which keeps no error of its writer
// and pads the last column: so it draws into memory.
func (g *grid) draw(out *bufio.Writer) error {
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
		tablewriter.WithRowAlignment(tw.AlignLeft),
		tablewriter.WithTrimSpace(tw.Off),
	)
	for _, line := range g.lines {
		texts := make([]string, len(line))
		for i, c := range line {
			texts[i] = c.text
			if c.style != Plain {
				texts[i] = c.style.code() + c.text + reset
			}
			if g.right[i] {
				texts[i] = strings.Repeat(" ", g.widths[i]-c.width) + texts[i]
			}
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
			if c.style == Plain {
				out.WriteString(c.text)
			} else {
				out.WriteString(c.style.code())
				out.WriteString(c.text)
				out.WriteString(reset)
			}
			if !g.right[i] && i < len(line)-1 {
				writeBlanks(out, blanks)
			}
		}
		out.WriteByte('\n')
	}
}

func writeBlanks(out *bufio.Writer, n int) {
	const blanks = "                                "
	for ; n > len(blanks); n -= len(blanks) {
		out.WriteString(blanks)
	}
	out.WriteString(blanks[:n])
}
