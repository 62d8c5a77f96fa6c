package plot

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"image"
	imagepng "image/png"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatepool/pkg/hostpool"
	"gatepool/pkg/simulate"
)

// report is a working day on 20 hosts that are too few, under both algorithms.
func report(t testing.TB) *simulate.PoolReport {
	t.Helper()
	pool := &hostpool.Pool{Name: "hp-eu & <co>", HostPoolType: hostpool.Pooled, LoadBalancerType: hostpool.BreadthFirst, MaxSessionLimit: 12}
	for range 20 {
		pool.SessionHosts = append(pool.SessionHosts, hostpool.Host{Status: hostpool.Available, AllowNewSession: true})
	}
	rates := []float64{2, 1, 1, 1, 2, 5, 15, 50, 110, 90, 40, 25, 20, 30, 25, 15, 8, 5, 4, 3, 3, 2, 2, 2}
	load := simulate.Load{Arrivals: 800, Rates: rates, Length: simulate.Length{Distribution: simulate.Lognormal, Mean: 6 * time.Hour, Sigma: 0.6}}
	r, err := simulate.MeasurePool(context.Background(), pool, load,
		simulate.Variations([]hostpool.LoadBalancerType{hostpool.BreadthFirst, hostpool.DepthFirst}, nil, []int{20, 30}), simulate.Options{Seed: 11})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// keep writes a picture where GATEPOOL_PLOTS says, to be looked at.
func keep(t *testing.T, name string, content []byte) {
	if dir := os.Getenv("GATEPOOL_PLOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func drawn(t *testing.T, name string, write func(io.Writer, *simulate.PoolReport) error, r *simulate.PoolReport) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		t.Fatal(err)
	}
	keep(t, name, b.Bytes())
	return b.Bytes()
}

// texts returns what an SVG says, and fails where it is no XML.
func texts(t *testing.T, svg []byte) []string {
	t.Helper()
	var all []string
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	inText := false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
		case xml.CharData:
			if inText {
				all = append(all, string(token))
			}
			inText = false
		}
	}
}

func TestSVG(t *testing.T) {
	r := report(t)
	got := strings.Join(texts(t, drawn(t, "day.svg", SVG, r)), "\n")
	for _, want := range []string{
		"Host pool hp-eu & <co>", "seed 11",
		"Breadth-first, limit 12, 20 hosts", "Depth-first, limit 12, 30 hosts",
		"Sessions\n", "Sessions per host", "Hosts in use", "Refused in ", "most", "median", "0 h", "12 h",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestPNG(t *testing.T) {
	r := report(t)
	picture, err := imagepng.Decode(bytes.NewReader(drawn(t, "day.png", PNG, r)))
	if err != nil {
		t.Fatal(err)
	}
	width, height := size(r, titleHeight)
	if b := picture.Bounds(); b.Dx() != int(width)*pixels || b.Dy() != int(height)*pixels {
		t.Fatalf("the picture is %v", b)
	}
	seen := colors(picture)
	for _, want := range []color{white, ink, grid, blue, paleBlue, green, paleGreen, orange, sky, purple} {
		if seen[want] < 50 {
			t.Errorf("%v is hardly in the picture: %d pixels", want, seen[want])
		}
	}
	if seen[white] < int(width*height) {
		t.Errorf("only %d pixels are white", seen[white])
	}
}

func TestHTML(t *testing.T) {
	r := report(t)
	page := string(drawn(t, "day.html", HTML, r))
	for _, want := range []string{
		"<title>Host pool hp-eu &amp; &lt;co&gt;</title>", "<svg ", "<th>Depth-first, limit 12, 20 hosts</th>", ">Host-hours</th>", "</html>\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	for _, unwanted := range []string{"<script", "<co>", "src=", "url(", "@import"} {
		if strings.Contains(page, unwanted) {
			t.Errorf("%q is in the page", unwanted)
		}
	}
	if rows := strings.Count(page, "<tr>"); rows != len(figures)+1 {
		t.Errorf("%d rows, want %d", rows, len(figures)+1)
	}
}

// TestHTMLInBrowser loads the page without a network and looks for complaints.
func TestHTMLInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir := t.TempDir()
	page, shot := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.png")
	if err := os.WriteFile(page, drawn(t, "day.html", HTML, report(t)), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	output, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir="+dir, "--window-size=1450,1200", "--screenshot="+shot, "file://"+page).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if strings.Contains(string(output), "CONSOLE") {
		t.Errorf("the browser complains:\n%s", output)
	}
	f, err := os.Open(shot)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := imagepng.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if n := colors(picture)[blue]; n < 50 {
		t.Errorf("the page shows %d pixels of the sessions' curve", n)
	}
}

// colors counts pixels.
func colors(picture image.Image) map[color]int {
	seen := map[color]int{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			red, green, blue, _ := picture.At(x, y).RGBA()
			seen[color(red>>8<<16|green>>8<<8|blue>>8)]++
		}
	}
	return seen
}

func TestTerminal(t *testing.T) {
	sample := func(start float64, sessions float64, most int, refused int64) simulate.Sample {
		return simulate.Sample{StartSeconds: start, Sessions: sessions, HostsInUse: 1, MaxSessions: most, MedianSessions: 1, Refused: refused}
	}
	r := &simulate.PoolReport{Results: []simulate.Result{{
		Variation: simulate.Variation{Algorithm: hostpool.DepthFirst, MaxSessionLimit: 4, Hosts: 1}, DurationSeconds: 3600, SampleSeconds: 900,
		Series: []simulate.Sample{sample(0, 0, 0, 0), sample(900, 2, 2, 0), sample(1800, 4, 4, 1), sample(2700, 0.1, 4, 0)},
	}}}
	const want = `Depth-first, limit 4, 1 host
Sessions             ▄▄▄███▁▁▁ 4
Per host, most       ▄▄▄██████ 4
Per host, median  ▂▂▂▂▂▂▂▂▂▂▂▂ 4
Hosts in use      ████████████ 1
Refused                 ███    1
`
	if got := string(drawn(t, "terminal.txt", func(w io.Writer, r *simulate.PoolReport) error { return Terminal(w, r, 10) }, r)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	drawn(t, "day.txt", func(w io.Writer, r *simulate.PoolReport) error { return Terminal(w, r, 80) }, report(t))
}

// TestEmptyReports draws what an interrupted or empty run leaves.
func TestEmptyReports(t *testing.T) {
	for _, r := range []*simulate.PoolReport{
		{},
		{Partial: true, Results: []simulate.Result{{}}},
		{HostPool: "a\x00\x1b[31m\u202eb", Results: make([]simulate.Result, 9)},
	} {
		for _, line := range texts(t, drawn(t, "empty.svg", SVG, r)) {
			if strings.ContainsAny(line, "\x00\x1b\u202e") || strings.Contains(line, "NaN") {
				t.Errorf("the picture says %q", line)
			}
		}
		drawn(t, "empty.png", PNG, r)
		drawn(t, "empty.html", HTML, r)
		drawn(t, "empty.txt", func(w io.Writer, r *simulate.PoolReport) error { return Terminal(w, r, 80) }, r)
	}
}

func TestValueAxis(t *testing.T) {
	for most, want := range map[float64]valueAxis{
		0:     {top: 1, ticks: []float64{0, 1}},
		1:     {top: 1, ticks: []float64{0, 1}},
		3:     {top: 3, ticks: []float64{0, 1, 2, 3}},
		12:    {top: 15, ticks: []float64{0, 5, 10, 15}},
		199.5: {top: 200, ticks: []float64{0, 50, 100, 150, 200}},
		80000: {top: 80000, ticks: []float64{0, 20000, 40000, 60000, 80000}},
	} {
		r := &simulate.PoolReport{Results: []simulate.Result{{Series: []simulate.Sample{{Sessions: most}}}}}
		got := newValueAxis(charts()[0], r)
		if got.top != want.top || len(got.ticks) != len(want.ticks) {
			t.Errorf("up to %v: %+v, want %+v", most, got, want)
		}
	}
	if got := (valueAxis{top: 80000}).label(20000); got != "20k" {
		t.Errorf("label %s", got)
	}
}

func TestTimeAxis(t *testing.T) {
	start := time.Date(2026, 3, 2, 7, 58, 10, 0, time.UTC)
	for _, tt := range []struct {
		start time.Time
		run   time.Duration
		want  string
	}{
		{time.Time{}, 24 * time.Hour, "0 h,6 h,12 h,18 h,24 h"},
		{time.Time{}, 8 * time.Hour, "0 h,2 h,4 h,6 h,8 h"},
		{time.Time{}, 90 * time.Second, "0 s,30 s,60 s,90 s"},
		{start, 9 * time.Hour, "08:00,10:00,12:00,14:00,16:00"},
		{start, 72 * time.Hour, "12:00,Mar 3,12:00,Mar 4,12:00,Mar 5"},
		{start, 9 * day, "Mar 4,Mar 6,Mar 8,Mar 10"},
		{time.Time{}, 0, "0 s,1 s"},
	} {
		r := &simulate.PoolReport{Start: tt.start, Results: []simulate.Result{{DurationSeconds: tt.run.Seconds()}}}
		var got []string
		for _, tick := range newTimeAxis(r).ticks {
			got = append(got, tick.label)
		}
		if got := strings.Join(got, ","); got != tt.want {
			t.Errorf("%v from %v: %s, want %s", tt.run, tt.start, got, tt.want)
		}
	}
	century := &simulate.PoolReport{Results: []simulate.Result{{DurationSeconds: 100 * 365 * 24 * 3600}}}
	if n := len(newTimeAxis(century).ticks); n < 3 || n > 13 {
		t.Errorf("a century has %d ticks", n)
	}
}

func TestSpan(t *testing.T) {
	for seconds, want := range map[float64]string{1: "1 second", 15: "15 seconds", 300: "5 minutes", 3600: "1 hour", 172800: "2 days"} {
		if got := span(time.Duration(seconds * float64(time.Second))); got != want {
			t.Errorf("%v: %s, want %s", seconds, got, want)
		}
	}
	if math.Abs(roundUp(0.3)-0.5) > 1e-12 {
		t.Errorf("0.3 rounds up to %v", roundUp(0.3))
	}
}
