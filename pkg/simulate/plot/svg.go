package plot

import (
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode"
)

// svg writes elements as they are drawn.
type svg struct{ b strings.Builder }

func newSVG(width, height float64) *svg {
	c := &svg{}
	fmt.Fprintf(&c.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" font-family="Helvetica, Arial, sans-serif" role="img">`+"\n",
		coordinate(width), coordinate(height))
	return c
}

func (c *svg) end() string { return c.b.String() + "</svg>\n" }

func (c *svg) polygon(points []point, fill color) {
	fmt.Fprintf(&c.b, `<path d="%sZ" fill="%s"/>`+"\n", path(points), fill)
}

func (c *svg) line(points []point, width float64, stroke color) {
	fmt.Fprintf(&c.b, `<path d="%s" fill="none" stroke="%s" stroke-width="%s" stroke-linejoin="round"/>`+"\n", path(points), stroke, coordinate(width))
}

func (c *svg) text(at point, size float64, align align, bold bool, fill color, s string) {
	anchor := [...]string{left: "start", center: "middle", right: "end"}[align]
	weight := ""
	if bold {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(&c.b, `<text x="%s" y="%s" font-size="%s" text-anchor="%s"%s fill="%s">%s</text>`+"\n",
		coordinate(at.x), coordinate(at.y), coordinate(size), anchor, weight, fill, html.EscapeString(printable(s)))
}

// printable replaces what XML does not allow or nobody can see.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

func (c color) String() string { return fmt.Sprintf("#%06x", uint32(c)) }

func path(points []point) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(coordinate(p.x))
		b.WriteByte(' ')
		b.WriteString(coordinate(p.y))
	}
	return b.String()
}

// coordinate writes a number to a tenth of a point.
func coordinate(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}
