package plot

import (
	"image"
	imagecolor "image/color"
	imagepng "image/png"
	"io"

	"github.com/golang/freetype/raster"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// png paints pixels. Its rasterizer is freetype's and not x/image's, whose
// package initialization asks the processor for its features: that costs more
// than a tenth of the program's start.
type png struct {
	image      *image.RGBA
	rasterizer *raster.Rasterizer
	painter    *raster.RGBAPainter
	regular    *sfnt.Font
	bold       *sfnt.Font
	buffer     sfnt.Buffer
}

// pixels a point
const pixels = 2

func newPNG(width, height float64) (*png, error) {
	regular, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	bold, err := sfnt.Parse(gobold.TTF)
	if err != nil {
		return nil, err
	}
	w, h := int(width*pixels), int(height*pixels)
	picture := image.NewRGBA(image.Rect(0, 0, w, h))
	c := &png{image: picture, rasterizer: raster.NewRasterizer(w, h), painter: raster.NewRGBAPainter(picture), regular: regular, bold: bold}
	c.rasterizer.UseNonZeroWinding = true
	return c, nil
}

func (c *png) encode(w io.Writer) error { return imagepng.Encode(w, c.image) }

func (c *png) polygon(points []point, fill color) {
	c.rasterizer.Start(pixel(points[0]))
	for _, p := range points[1:] {
		c.rasterizer.Add1(pixel(p))
	}
	c.rasterizer.Add1(pixel(points[0]))
	c.paint(fill)
}

func (c *png) line(points []point, width float64, stroke color) {
	var path raster.Path
	path.Start(pixel(points[0]))
	for _, p := range points[1:] {
		path.Add1(pixel(p))
	}
	c.rasterizer.AddStroke(path, fix(width), raster.ButtCapper, raster.RoundJoiner)
	c.paint(stroke)
}

func (c *png) paint(fill color) {
	c.painter.SetColor(imagecolor.RGBA{R: uint8(fill >> 16), G: uint8(fill >> 8), B: uint8(fill), A: 0xff})
	c.rasterizer.Rasterize(c.painter)
	c.rasterizer.Clear()
}

func (c *png) text(at point, size float64, align align, bold bool, fill color, s string) {
	face := c.regular
	if bold {
		face = c.bold
	}
	em := fix(size)
	var glyphs []sfnt.GlyphIndex
	var advances []fixed.Int26_6
	var width fixed.Int26_6
	for _, r := range printable(s) {
		glyph, err := face.GlyphIndex(&c.buffer, r)
		if err != nil {
			continue
		}
		advance, err := face.GlyphAdvance(&c.buffer, glyph, em, font.HintingNone)
		if err != nil {
			continue
		}
		glyphs, advances = append(glyphs, glyph), append(advances, advance)
		width += advance
	}
	pen := pixel(at)
	switch align {
	case center:
		pen.X -= width / 2
	case right:
		pen.X -= width
	}
	for i, glyph := range glyphs {
		c.glyph(face, glyph, em, pen)
		pen.X += advances[i]
	}
	c.paint(fill)
}

// glyph adds the outline of a glyph whose origin is at pen.
func (c *png) glyph(face *sfnt.Font, glyph sfnt.GlyphIndex, em fixed.Int26_6, pen fixed.Point26_6) {
	segments, err := face.LoadGlyph(&c.buffer, glyph, em, nil)
	if err != nil {
		return // a letter that the font has only in colours
	}
	var start fixed.Point26_6
	for i, s := range segments {
		a := s.Args
		for i := range a {
			a[i] = a[i].Add(pen)
		}
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				c.rasterizer.Add1(start)
			}
			start = a[0]
			c.rasterizer.Start(start)
		case sfnt.SegmentOpLineTo:
			c.rasterizer.Add1(a[0])
		case sfnt.SegmentOpQuadTo:
			c.rasterizer.Add2(a[0], a[1])
		case sfnt.SegmentOpCubeTo:
			c.rasterizer.Add3(a[0], a[1], a[2])
		}
	}
	if len(segments) > 0 {
		c.rasterizer.Add1(start)
	}
}

func pixel(p point) fixed.Point26_6 { return fixed.Point26_6{X: fix(p.x), Y: fix(p.y)} }

func fix(v float64) fixed.Int26_6 { return fixed.Int26_6(v*pixels*64 + 0.5) }
