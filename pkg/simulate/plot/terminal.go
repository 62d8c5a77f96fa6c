package plot

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"gatepool/pkg/simulate"
)

var blocks = []rune(" ▁▂▃▄▅▆▇█")

// Terminal writes a line of blocks for each curve of each variation. Lines are
// width columns long, but never less than 40. Curves of one chart have one
// scale; its highest value stands at the end of the line.
func Terminal(w io.Writer, r *simulate.PoolReport, width int) error {
	const name, number = 18, 10
	cells := max(width, 40) - name - number
	out := bufio.NewWriter(w)
	for i := range r.Results {
		result := &r.Results[i]
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, Label(result.Variation))
		for _, chart := range charts() {
			top := chart.highest(r)
			for _, curve := range chart.curves {
				title := chart.title
				if curve.name != "" {
					title = "Per host, " + curve.name
				}
				fmt.Fprintf(out, "%-*s%s %s\n", name, title, string(bars(result, curve, top, cells)), count(int64(math.Round(top))))
			}
		}
	}
	return out.Flush()
}

// bars draws a curve in so many cells. A cell shows its highest sample, and one
// that is not 0 always shows.
func bars(r *simulate.Result, curve curve, top float64, cells int) []rune {
	highest := make([]float64, cells)
	for i, s := range r.Series {
		from, to := spanOf(r, i)
		a := int(from / r.DurationSeconds * float64(cells))
		b := int(to/r.DurationSeconds*float64(cells) - 1e-9)
		for cell := a; cell <= min(b, cells-1); cell++ {
			highest[cell] = max(highest[cell], curve.value(s))
		}
	}
	line := make([]rune, cells)
	for i, v := range highest {
		line[i] = blocks[0]
		if v > 0 {
			line[i] = blocks[max(1, int(v/top*float64(len(blocks)-1)))]
		}
	}
	return line
}
