package output

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"pgregory.net/rapid"
)

// A pool as get-hostpool lists it; the columns are too wide for 80.
var poolColumns = func() []Column[[]string] {
	var columns []Column[[]string]
	for i, name := range []string{"name", "hostPoolType", "loadBalancerType", "maxSessionLimit", "hosts", "sessions", "description"} {
		columns = append(columns, Column[[]string]{Name: name, Value: func(row []string) string { return row[i] }, Right: i >= 3 && i <= 5})
	}
	return columns
}()

var pools = [][]string{
	{"hp-eu", "Pooled", "BreadthFirst", "12", "30", "211", "Desktops of the sales and support departments in Europe"},
	{"hp-finance", "Personal", "MultiplePersistent", "", "4", "3", ""},
	{"hp-東京", "Pooled", "DepthFirst", "999999", "1200", "13999", "東京支社のデスクトップ、経理部と営業部"},
}

func TestWidth(t *testing.T) {
	for limit, want := range map[int]string{
		0: `
NAME        HOST POOL TYPE  LOAD BALANCER TYPE  MAX SESSION LIMIT  HOSTS  SESSIONS  DESCRIPTION
hp-eu       Pooled          BreadthFirst                       12     30       211  Desktops of the sales and support departments in Europe
hp-finance  Personal        MultiplePersistent             <none>      4         3  <none>
hp-東京     Pooled          DepthFirst                     999999   1200     13999  東京支社のデスクトップ、経理部と営業部
`,
		120: `
NAME        HOST POOL TYPE  LOAD BALANCER TYPE  MAX SESSION LIMIT  HOSTS  SESSIONS  DESCRIPTION
hp-eu       Pooled          BreadthFirst                       12     30       211  Desktops of the sales and support d…
hp-finance  Personal        MultiplePersistent             <none>      4         3  <none>
hp-東京     Pooled          DepthFirst                     999999   1200     13999  東京支社のデスクトップ、経理部と営…
`,
		80: `
NAME        HOST POOL …  LOAD BALAN…  MAX SESSIO…  HOSTS  SESSIONS  DESCRIPTION
hp-eu       Pooled       BreadthFir…           12     30       211  Desktops of…
hp-finance  Personal     MultiplePe…       <none>      4         3  <none>
hp-東京     Pooled       DepthFirst        999999   1200     13999  東京支社の…
`,
		60: `
NAME        HOST PO…  LOAD BA…  MAX SES…  HOSTS  SESSIONS  DESCRIP…
hp-eu       Pooled    Breadth…        12     30       211  Desktop…
hp-finance  Personal  Multipl…    <none>      4         3  <none>
hp-東京     Pooled    DepthFi…    999999   1200     13999  東京支…
`,
	} {
		check(t, print(t, Options{Format: Table, Width: limit}, pools, poolColumns), strings.TrimPrefix(want, "\n"))
	}
}

func TestColour(t *testing.T) {
	o := Options{Format: Table, Color: true, Columns: []string{"status", "name", "status"}}
	columns := hostColumns()
	columns[0].Style = func(h host) Style { return Plain }
	rows := []host{{Name: "a", Status: "Available"}, {Name: "b", Status: "Upgrading"}, {Name: "c", Status: "Shutdown"}, {Name: "d", Status: "Unavailable"}}
	check(t, print(t, o, rows, columns), ""+
		"STATUS       NAME\n"+
		"\x1b[32mAvailable\x1b[0m    a\n"+
		"\x1b[33mUpgrading\x1b[0m    b\n"+
		"\x1b[2mShutdown\x1b[0m     c\n"+
		"\x1b[31mUnavailable\x1b[0m  d\n")
	for _, f := range Formats() {
		if f.Machine() {
			check(t, print(t, Options{Format: f, Color: true}, rows, columns), print(t, Options{Format: f}, rows, columns))
		}
	}
}

// A cell of any text, often hostile, wide or coloured.
var anyText = rapid.OneOf(
	rapid.SampledFrom(hostile),
	rapid.String(),
	rapid.StringMatching(`[a-zA-Z0-9.@-]{0,40}`),
	rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }),
)

type randomTable struct {
	rows    [][]string
	columns []Column[[]string]
	options Options
}

func drawTable(t *rapid.T) randomTable {
	n := rapid.IntRange(1, 7).Draw(t, "columns")
	table := randomTable{
		rows: rapid.SliceOfN(rapid.SliceOfN(anyText, n, n), 0, 12).Draw(t, "rows"),
		options: Options{
			Format:    Wide,
			NoHeaders: rapid.Bool().Draw(t, "no headers"),
			Color:     rapid.Bool().Draw(t, "color"),
			Width:     rapid.SampledFrom([]int{0, 0, 1, 20, 40, 80, 120}).Draw(t, "width"),
		},
	}
	for i := range n {
		styles := rapid.SliceOfN(rapid.SampledFrom([]Style{Plain, Good, Warn, Bad, Dim}), 1, 3).Draw(t, "styles")
		table.columns = append(table.columns, Column[[]string]{
			Name:  rapid.StringMatching(`[a-z]{1,8}([A-Z][a-z]{0,8}){0,3}`).Draw(t, "name"),
			Value: func(row []string) string { return row[i] },
			Style: func(row []string) Style { return styles[len(row[i])%len(styles)] },
			Right: rapid.Bool().Draw(t, "right"),
		})
	}
	return table
}

func drawn(t rapid.TB, draw func(out *bufio.Writer) error) string {
	var buf bytes.Buffer
	out := bufio.NewWriter(&buf)
	if err := draw(out); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// bothWays fails where tablewriter and the padding for long tables differ.
func bothWays(t rapid.TB, table randomTable) string {
	t.Helper()
	g := layout(table.options, table.rows, table.columns)
	draw, pad := drawn(t, g.draw), drawn(t, func(out *bufio.Writer) error { g.pad(out); return nil })
	if draw != pad {
		t.Fatalf("tablewriter:\n%q\npadded:\n%q", draw, pad)
	}
	return pad
}

// Where every value of a column is cut before a wide letter, the column ends
// up one narrower than it was allowed to be.
func TestCutBeforeWideLetter(t *testing.T) {
	table := randomTable{
		options: Options{Format: Table, NoHeaders: true, Width: 12},
		columns: poolColumns[:3],
		rows:    [][]string{{"a", "ああああああ", "b"}, {"a", "いいいいいい", "c"}},
	}
	check(t, bothWays(t, table), "a  あああ…  b\na  いいい…  c\n")
}

// The two ways to draw a table make the same bytes, whatever the locale.
func TestBothWaysLookTheSame(t *testing.T) {
	defer twwidth.SetEastAsian(false)
	for _, eastAsian := range []bool{false, true} {
		twwidth.SetEastAsian(eastAsian)
		rapid.Check(t, func(t *rapid.T) {
			bothWays(t, drawTable(t))
		})
	}
}

// Above the number of lines that tablewriter draws the look stays.
func TestLongTableLooksLikeShort(t *testing.T) {
	for _, o := range []Options{{Format: Table}, {Format: Wide, Color: true, Width: 80}} {
		rows := slices.Repeat(twoHosts(), mostByTablewriter/2)
		long := print(t, o, rows, hostColumns())
		short := strings.SplitAfterN(print(t, o, twoHosts(), hostColumns()), "\n", 2)
		if want := short[0] + strings.Repeat(short[1], mostByTablewriter/2); long != want {
			t.Errorf("%+v: a long table begins\n%.400s\nwant\n%.400s", o, long, want)
		}
	}
}

func withoutColour(s string) string {
	for _, code := range []string{"\x1b[0m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"} {
		s = strings.ReplaceAll(s, code, "")
	}
	return s
}

// Whatever the cells hold: a line a row, all columns where they belong, first
// column and numbers whole, nothing shortened that need not be, no blanks at
// the end.
func TestTableProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t)
		text := withoutColour(printed(t, table))
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		g := layout(table.options, table.rows, table.columns)
		if len(g.lines) == 0 {
			if text != "" {
				t.Fatalf("an empty table prints %q", text)
			}
			return
		}
		if len(lines) != len(g.lines) {
			t.Fatalf("%d lines of %d:\n%s", len(lines), len(g.lines), text)
		}
		free := table.options
		free.Width = 0
		whole := layout(free, table.rows, table.columns)
		total := len(gap) * (len(g.widths) - 1)
		for _, w := range g.widths {
			total += w
		}
		shortened := false
		for y, line := range g.lines {
			if strings.HasSuffix(lines[y], " ") {
				t.Fatalf("blank at the end of %q", lines[y])
			}
			if w := twwidth.WidthNoCache(lines[y]); w > total {
				t.Fatalf("%q is %d wide in a table of %d", lines[y], w, total)
			}
			for x, c := range line {
				if strings.TrimSpace(c.text) == "" || c.width == 0 || c.width != twwidth.WidthNoCache(c.text) {
					t.Fatalf("line %d, column %d is %+v", y, x, c)
				}
				original := whole.lines[y][x].text
				if c.text == original {
					continue
				}
				shortened = true
				isHeader := y == 0 && !table.options.NoHeaders
				if x == 0 || g.right[x] && !isHeader || table.options.Width == 0 {
					t.Fatalf("%q is shortened to %q", original, c.text)
				}
				prefix, ok := strings.CutSuffix(c.text, ellipsis)
				if !ok || !strings.HasPrefix(original, prefix) || c.width > g.widths[x] || c.width < shortest-1 {
					t.Fatalf("%q is shortened to %q in %d columns", original, c.text, g.widths[x])
				}
			}
		}
		// A wide letter may leave one terminal column of each unused.
		if shortened && total+len(g.widths) < table.options.Width {
			t.Fatalf("shortened to %d, though %d columns are there", total, table.options.Width)
		}
		if limit := table.options.Width; limit > 0 && total > limit {
			for x, w := range g.widths {
				if x > 0 && !g.right[x] && w > shortest {
					t.Fatalf("column %d is still %d wide in a table of %d for %d", x, w, total, limit)
				}
			}
		}
	})
}

func printed(t rapid.TB, table randomTable) string {
	var buf bytes.Buffer
	if err := Write(&buf, table.options, table.rows, table.columns); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}
