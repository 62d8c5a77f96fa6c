// Package plot draws what package simulate measured: as SVG, as PNG, as a page
// of HTML, and as lines of blocks for a terminal.
//
// It draws by itself, because the plotting libraries for Go cost every command
// of the program more at its start (half a millisecond and more to initialize)
// than all of this package.
package plot

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gatepool/pkg/hostpool"
	"gatepool/pkg/simulate"
)

// SVG draws the report: a column for each variation; below each other the
// sessions, the sessions per host, the hosts in use and the refusals over time.
// Charts of one kind have one scale.
func SVG(w io.Writer, r *simulate.PoolReport) error {
	_, err := io.WriteString(w, picture(r, titleHeight))
	return err
}

// picture is the SVG with so much room for the title, which 0 leaves out.
func picture(r *simulate.PoolReport, title float64) string {
	width, height := size(r, title)
	c := newSVG(width, height)
	draw(c, r, title)
	return c.end()
}

// PNG draws the same as SVG, at two pixels a point.
func PNG(w io.Writer, r *simulate.PoolReport) error {
	width, height := size(r, titleHeight)
	c, err := newPNG(width, height)
	if err != nil {
		return err
	}
	draw(c, r, titleHeight)
	return c.encode(w)
}

// color is 0xRRGGBB. The hues are Okabe and Ito's, which people with any colour
// vision can tell apart.
type color uint32

const (
	white     color = 0xffffff
	ink       color = 0x222222
	grey      color = 0x6b6b6b
	grid      color = 0xe4e4e4
	blue      color = 0x0072b2
	paleBlue  color = 0xd6e8f3
	green     color = 0x009e73
	paleGreen color = 0xd5eee7
	orange    color = 0xd55e00 // vermillion
	sky       color = 0x56b4e9
	purple    color = 0xcc79a7
)

type point struct{ x, y float64 }

type align int

const (
	left align = iota
	center
	right
)

// canvas is what the picture is drawn on. Sizes are in points, y points down,
// text stands on y.
type canvas interface {
	polygon(points []point, fill color)
	line(points []point, width float64, stroke color)
	text(at point, size float64, align align, bold bool, fill color, s string)
}

// The layout, in points.
const (
	maxColumns   = 4 // more variations continue below
	columnWidth  = 330.0
	marginLeft   = 20.0
	titleHeight  = 52.0
	headHeight   = 46.0
	chartHeight  = 150.0 // with its title and the gap below
	plotTop      = 24.0  // of the chart, for its title
	plotHeight   = 98.0
	plotLeft     = 44.0 // of the column, for numbers
	plotWidth    = columnWidth - plotLeft - 22
	bandGap      = 20.0
	bottomMargin = 16.0
)

// chart is one kind of chart: how to read it from a sample.
type chart struct {
	title  string
	fill   color // under the first curve; 0 is none
	bars   bool
	curves []curve
}

type curve struct {
	name   string // in the legend; empty where the title says it
	stroke color
	value  func(simulate.Sample) float64
}

// highest is the highest value that the chart has in any variation.
func (c chart) highest(r *simulate.PoolReport) float64 {
	most := 0.0
	for i := range r.Results {
		for _, s := range r.Results[i].Series {
			for _, curve := range c.curves {
				most = max(most, curve.value(s))
			}
		}
	}
	return most
}

func charts() []chart {
	return []chart{
		{title: "Sessions", fill: paleBlue, curves: []curve{
			{stroke: blue, value: func(s simulate.Sample) float64 { return s.Sessions }}}},
		{title: "Sessions per host", curves: []curve{
			{"most", orange, func(s simulate.Sample) float64 { return float64(s.MaxSessions) }},
			{"median", sky, func(s simulate.Sample) float64 { return float64(s.MedianSessions) }}}},
		{title: "Hosts in use", fill: paleGreen, curves: []curve{
			{stroke: green, value: func(s simulate.Sample) float64 { return s.HostsInUse }}}},
		{title: "Refused", bars: true, curves: []curve{
			{stroke: purple, value: func(s simulate.Sample) float64 { return float64(s.Refused) }}}},
	}
}

func columns(r *simulate.PoolReport) int { return min(max(len(r.Results), 1), maxColumns) }

func bandHeight() float64 { return headHeight + float64(len(charts()))*chartHeight + bandGap }

func size(r *simulate.PoolReport, title float64) (width, height float64) {
	bands := (len(r.Results) + maxColumns - 1) / maxColumns
	width = 2*marginLeft + float64(columns(r))*columnWidth
	return width, title + float64(bands)*bandHeight() + bottomMargin
}

func draw(c canvas, r *simulate.PoolReport, title float64) {
	width, height := size(r, title)
	rectangle(c, 0, 0, width, height, white)
	if title > 0 {
		c.text(point{marginLeft, 30}, 18, left, true, ink, "Host pool "+r.HostPool)
		c.text(point{marginLeft, 48}, 12, left, false, grey, subtitle(r))
	}

	times := newTimeAxis(r)
	for row, chart := range charts() {
		values := newValueAxis(chart, r)
		for i := range r.Results {
			x := marginLeft + float64(i%maxColumns)*columnWidth
			y := title + float64(i/maxColumns)*bandHeight()
			result := &r.Results[i]
			if row == 0 {
				c.text(point{x + plotLeft, y + 22}, 14, left, true, ink, Label(result.Variation))
				c.text(point{x + plotLeft, y + 38}, 11, left, false, grey, summary(result))
			}
			panel{c, x + plotLeft, y + headHeight + float64(row)*chartHeight + plotTop, times, values}.draw(chart, result)
		}
	}
}

func rectangle(c canvas, x, y, w, h float64, fill color) {
	c.polygon([]point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, fill)
}

// Label names a variation in a few words.
func Label(v simulate.Variation) string {
	name := "Breadth-first"
	if v.Algorithm == hostpool.DepthFirst {
		name = "Depth-first"
	}
	limit := "no limit"
	if v.MaxSessionLimit > 0 {
		limit = "limit " + count(int64(v.MaxSessionLimit))
	}
	return fmt.Sprintf("%s, %s, %s", name, limit, plural(int64(v.Hosts), "host"))
}

func subtitle(r *simulate.PoolReport) string {
	parts := []string{fmt.Sprintf("seed %d", r.Seed)}
	if !r.Start.IsZero() {
		parts = append(parts, "trace from "+r.Start.UTC().Format(time.RFC3339))
	}
	if r.Partial {
		parts = append(parts, "interrupted: incomplete")
	}
	return strings.Join(parts, " · ")
}

func summary(r *simulate.Result) string {
	return fmt.Sprintf("%s of %s refused · peak %s · %s host-hours",
		count(r.Refused), count(r.Arrivals), count(r.PeakSessions), count(int64(r.HostHours+0.5)))
}

// count writes a number with thousands apart.
func count(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// panel is one chart of one variation; x and y are its plot's upper left corner.
type panel struct {
	canvas
	x, y   float64
	times  timeAxis
	values valueAxis
}

func (p panel) at(seconds, value float64) point {
	return point{p.x + seconds/p.times.end*plotWidth, p.y + plotHeight - value/p.values.top*plotHeight}
}

func (p panel) draw(chart chart, r *simulate.Result) {
	p.text(point{p.x, p.y - 8}, 12, left, true, ink, p.title(chart, r))
	p.legend(chart)
	for _, v := range p.values.ticks {
		y := p.at(0, v).y
		p.line([]point{{p.x, y}, {p.x + plotWidth, y}}, 1, grid)
		p.text(point{p.x - 6, y + 4}, 11, right, false, grey, p.values.label(v))
	}
	for _, t := range p.times.ticks {
		x := p.at(t.seconds, 0).x
		p.line([]point{{x, p.y + plotHeight}, {x, p.y + plotHeight + 4}}, 1, grey)
		p.text(point{x, p.y + plotHeight + 16}, 11, center, false, grey, t.label)
	}
	if chart.bars {
		p.bars(chart.curves[0], r)
	} else {
		for i, curve := range chart.curves {
			p.curve(curve, r, chart.fill, i == 0)
		}
	}
	p.line([]point{{p.x, p.y + plotHeight}, {p.x + plotWidth, p.y + plotHeight}}, 1, grey)
}

// title says what a bar counts, which depends on the width of a sample.
func (p panel) title(chart chart, r *simulate.Result) string {
	if !chart.bars {
		return chart.title
	}
	return chart.title + " in " + span(time.Duration(r.SampleSeconds*float64(time.Second)))
}

// span writes a width of samples: 5 minutes.
func span(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if d >= unit.length && d%unit.length == 0 {
			return plural(int64(d/unit.length), unit.name)
		}
	}
	return d.String()
}

func (p panel) legend(chart chart) {
	x := p.x + plotWidth
	for _, curve := range slices.Backward(chart.curves) {
		if curve.name == "" {
			continue
		}
		p.text(point{x, p.y - 8}, 11, right, false, ink, curve.name)
		x -= 7*float64(len(curve.name)) + 6
		p.line([]point{{x - 16, p.y - 12}, {x, p.y - 12}}, 2.5, curve.stroke)
		x -= 28
	}
}

// curve joins the samples, each at the middle of its span.
func (p panel) curve(curve curve, r *simulate.Result, fill color, first bool) {
	if len(r.Series) == 0 {
		return
	}
	var points []point
	for i, s := range r.Series {
		from, to := spanOf(r, i)
		if i == 0 {
			points = append(points, p.at(from, curve.value(s)))
		}
		points = append(points, p.at((from+to)/2, curve.value(s)))
		if i == len(r.Series)-1 {
			points = append(points, p.at(to, curve.value(s)))
		}
	}
	if first && fill != 0 {
		area := append([]point{{points[0].x, p.y + plotHeight}}, points...)
		p.polygon(append(area, point{points[len(points)-1].x, p.y + plotHeight}), fill)
	}
	p.line(points, 1.8, curve.stroke)
}

func (p panel) bars(curve curve, r *simulate.Result) {
	for i, s := range r.Series {
		value := curve.value(s)
		if value == 0 {
			continue
		}
		from, to := spanOf(r, i)
		a, b := p.at(from, value), p.at(to, 0)
		rectangle(p, a.x, a.y, max(b.x-a.x, 1), b.y-a.y, curve.stroke)
	}
}

// spanOf returns when sample i begins and ends.
func spanOf(r *simulate.Result, i int) (from, to float64) {
	from = r.Series[i].StartSeconds
	return from, min(from+r.SampleSeconds, r.DurationSeconds)
}
