package plot

import (
	"fmt"
	"html"
	"io"
	"strings"
	"time"

	"gatepool/pkg/simulate"
)

// HTML writes the report as one page: a table of figures with a column for each
// variation, and the picture of SVG below it. The page has no script and loads nothing.
//
// It is written without html/template, which would make every command start a
// tenth of a millisecond later; all text goes through html.EscapeString.
func HTML(w io.Writer, r *simulate.PoolReport) error {
	var b strings.Builder
	title := "Host pool " + html.EscapeString(printable(r.HostPool))
	fmt.Fprintf(&b, pageHead, title, title, html.EscapeString(subtitle(r)))
	b.WriteString("<div class=\"wide\">\n<table>\n<thead><tr><th></th>")
	for i := range r.Results {
		fmt.Fprintf(&b, "<th>%s</th>", html.EscapeString(Label(r.Results[i].Variation)))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, f := range figures {
		fmt.Fprintf(&b, "<tr><th title=\"%s\">%s</th>", f.meaning, f.name)
		for i := range r.Results {
			fmt.Fprintf(&b, "<td>%s</td>", html.EscapeString(f.value(&r.Results[i])))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n</div>\n<div class=\"wide\">\n")
	b.WriteString(picture(r, 0))
	b.WriteString("</div>\n</body>\n</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// The icon keeps browsers from asking for one.
const pageHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>%s</title>
<style>
body { margin: 2em; font: 14px/1.45 Helvetica, Arial, sans-serif; color: #222; background: #fff; }
h1 { font-size: 1.5em; margin: 0; }
p { color: #6b6b6b; margin: .2em 0 1.5em; }
.wide { overflow-x: auto; margin-bottom: 2em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3em 1em; border-bottom: 1px solid #e4e4e4; text-align: right; }
tbody th, thead th:first-child { text-align: left; font-weight: normal; padding-left: 0; }
</style>
</head>
<body>
<h1>%s</h1>
<p>%s</p>
`

// figure is a row of the table.
type figure struct {
	name    string
	meaning string
	value   func(*simulate.Result) string
}

var figures = []figure{
	{"Simulated time", "from the start to the last arrival or recorded event", func(r *simulate.Result) string {
		return time.Duration(r.DurationSeconds * float64(time.Second)).Round(time.Second).String()
	}},
	{"Arrivals", "users who asked for a new session", func(r *simulate.Result) string { return count(r.Arrivals) }},
	{"Refused", "arrivals that no host took", func(r *simulate.Result) string {
		return fmt.Sprintf("%s (%.2f %%)", count(r.Refused), 100*r.RefusedShare)
	}},
	{"First refusal after", "from the start", func(r *simulate.Result) string {
		if r.FirstRefusalSeconds == nil {
			return "none"
		}
		return time.Duration(*r.FirstRefusalSeconds * float64(time.Second)).Round(time.Second).String()
	}},
	{"Reconnects", "users who came back to their session", func(r *simulate.Result) string { return count(r.Reconnects) }},
	{"Hosts started", "by Start VM on Connect", func(r *simulate.Result) string { return count(r.HostsStarted) }},
	{"Peak sessions", "most at one time", func(r *simulate.Result) string { return count(r.PeakSessions) }},
	{"Mean sessions", "over time", func(r *simulate.Result) string { return fmt.Sprintf("%.1f", r.MeanSessions) }},
	{"Peak per host", "most sessions on one host at any time", func(r *simulate.Result) string { return count(int64(r.PeakPerHost)) }},
	{"Peak hosts in use", "most hosts with a session at one time", func(r *simulate.Result) string { return count(r.PeakHostsInUse) }},
	{"Host-hours", "hours of hosts with at least one session, summed", func(r *simulate.Result) string { return fmt.Sprintf("%.1f", r.HostHours) }},
	{"Jain index at peak", "1: every host carries the same; 1/hosts: one carries all", func(r *simulate.Result) string {
		return fmt.Sprintf("%.3f", r.AtPeak.Jain)
	}},
	{"Per host at peak", "median, 95th percentile and most sessions on a host", func(r *simulate.Result) string {
		return fmt.Sprintf("%d / %d / %d", r.AtPeak.Median, r.AtPeak.P95, r.AtPeak.Max)
	}},
	{"Sessions left", "at the end", func(r *simulate.Result) string { return count(r.SessionsLeft) }},
}
