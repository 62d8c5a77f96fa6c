package cmd

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/pkg/hostpool"
	"gatepool/pkg/output"
	"gatepool/pkg/simulate"
	"gatepool/pkg/simulate/plot"
	"gatepool/state"
)

type measureHostpoolOptions struct {
	pool         string
	load         loadFlags
	arrivals     *int
	trace        []string
	open         time.Duration
	disconnected time.Duration
	keepSessions bool
	algorithms   []hostpool.LoadBalancerType
	limits       []int
	hosts        []int
	plots        []string
	report       *string
	series       *string
}

func (a *app) measureHostpool() *cobra.Command {
	var o measureHostpoolOptions
	c := &cobra.Command{
		Use:   "measure-hostpool POOL",
		Short: "Say what a host pool's settings would have done",
		Long: `Send arrivals through a host pool and say what happens: refusals, peaks, hosts
in use, how evenly sessions lie. Arrivals are made (--arrivals with --rate or
--profile, and --session-length) or replayed from WVDCheckpoints and
WVDConnections exports (--trace). Nothing is written to the state file.

--algorithm, --max-session-limit and --hosts take several values: every
combination is run with the very same arrivals and set side by side. More hosts
than the pool has are made; fewer are its first ones.

A trace says when connections end, not sessions: a session is taken to end with
its last connection and --disconnect-timeout after it; a connection without an
end lasts --open-session. That is this project's assumption, not Microsoft's.`,
		Example: `  gatepool measure-hostpool hp-eu --arrivals 1000 --rate 120/h --session-length exponential:4h --algorithm breadth-first,depth-first
  gatepool measure-hostpool hp-eu --arrivals 500 --rate 60/h --session-length fixed:8h --hosts 20,30 --max-session-limit 8,12,16 --seed 1
  gatepool measure-hostpool hp-eu --trace wvdcheckpoints.csv --plot day.svg --report day.html`,
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.pool = args[0]
			return a.runMeasureHostpool(o)
		},
	}
	o.load.add(c, "session-length", "how long a session lasts")
	addNumber(c, &o.arrivals, "arrivals", 1, 2_000_000_000, "how many users arrive")
	c.Flags().StringSliceVar(&o.trace, "trace", nil, "replay these exports of WVDCheckpoints or WVDConnections (CSV, JSON, Log Analytics)")
	c.Flags().DurationVar(&o.open, "open-session", 8*time.Hour, "with --trace: how long a connection lasts whose end is not recorded")
	c.Flags().DurationVar(&o.disconnected, "disconnect-timeout", 0, "with --trace: how long a disconnected session keeps its seat")
	addSwitch(c, &o.keepSessions, "keep-sessions", "start with the sessions that the pool has, and keep them")
	addEnumList(c, &o.algorithms, "load-balancer-type", "algorithms to try (also --algorithm)")
	sameAs(c, "algorithm", "load-balancer-type")
	addNumberList(c, &o.limits, "max-session-limit", 1, hostpool.NoLimit, "session limits to try")
	addNumberList(c, &o.hosts, "hosts", 1, 10_000_000, "numbers of hosts to try")
	c.Flags().StringSliceVar(&o.plots, "plot", nil, "draw sessions, hosts in use and refusals over time into FILE.svg or FILE.png")
	addText(c, &o.report, "report", "write tables and plots as one page, FILE.html")
	addText(c, &o.series, "series", "write the figures over time as CSV")
	return c
}

func (a *app) runMeasureHostpool(o measureHostpoolOptions) error {
	format, err := a.format()
	if err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	p, err := s.Pool(o.pool)
	if err != nil {
		return err
	}
	load, err := o.readLoad(a, p.Name)
	if err != nil {
		return err
	}
	options, err := o.load.options(a)
	if err != nil {
		return err
	}
	options.KeepSessions = o.keepSessions
	progress := a.newProgress()
	if progress != nil {
		options.Progress = progress.report
	}
	report, err := simulate.MeasurePool(a.untilInterrupt(), p, load, simulate.Variations(o.algorithms, o.limits, o.hosts), options)
	progress.done()
	if err != nil {
		return err
	}
	if err := o.writeFiles(report); err != nil {
		return err
	}
	if err := a.printPoolReport(format, report); err != nil {
		return err
	}
	return interrupted(report.Partial)
}

// check refuses flags that don't go together, before anything is read.
func (o *measureHostpoolOptions) check() error {
	generated := o.arrivals != nil || o.load.rate != nil || o.load.profile != nil || o.load.length != nil
	switch {
	case len(o.trace) > 0 && generated:
		return usagef("--trace replays arrivals; --arrivals, --rate, --profile and --session-length make them: give one or the other")
	case len(o.trace) == 0 && (o.arrivals == nil || o.load.rate == nil && o.load.profile == nil || o.load.length == nil):
		return usagef("measure-hostpool needs arrivals").
			withHint("make them with --arrivals 1000 --rate 120/h --session-length exponential:4h, or replay an export with --trace FILE")
	}
	for _, name := range o.plots {
		if ext := strings.ToLower(filepath.Ext(name)); ext != ".svg" && ext != ".png" {
			return invalidValue(name, "--plot is %q; expected a name that ends in .svg or .png", name)
		}
	}
	return nil
}

func (o *measureHostpoolOptions) readLoad(a *app, pool string) (simulate.Load, error) {
	if len(o.trace) > 0 {
		trace, err := o.readTrace(a, pool)
		return simulate.Load{Trace: trace}, err
	}
	rates, err := o.load.rates(a)
	if err != nil {
		return simulate.Load{}, err
	}
	length, err := o.load.sessionLength(a, "session-length")
	return simulate.Load{Arrivals: *o.arrivals, Rates: rates, Even: o.load.even, Length: length}, err
}

// readTrace reads the events of this pool, or of all where the trace names no
// pool.
func (o *measureHostpoolOptions) readTrace(a *app, pool string) (*simulate.Trace, error) {
	var events []simulate.Event
	others := map[string]bool{}
	for _, name := range o.trace {
		data, err := a.readInput(name, exchange.MaxSize)
		if err != nil {
			return nil, err
		}
		connections, skipped, err := exchange.ReadTrace(data, name)
		if err != nil {
			return nil, err
		}
		if skipped.Count > 0 {
			a.say("warning: %s: %s could not be read, the first: %v", name, count(skipped.Count, "row"), skipped.First[0])
		}
		for _, c := range connections {
			if c.Pool != "" && !strings.EqualFold(c.Pool, pool) {
				others[c.Pool] = true
				continue
			}
			events = append(events, simulate.Event{Time: c.Time, User: c.User, CorrelationID: c.CorrelationID, Outcome: c.Outcome, State: c.State})
		}
	}
	if len(events) == 0 && len(others) > 0 {
		return nil, &failure{code: "invalid_input", exit: exitInvalid, target: strings.Join(o.trace, ", "),
			err: fmt.Errorf("%s: no row is about host pool %s: the rows are about %s", strings.Join(o.trace, ", "), pool, strings.Join(slices.Sorted(maps.Keys(others)), ", ")), hint: "name that pool, or rename it in the state file"}
	}
	return simulate.NewTrace(events, simulate.Assumptions{Open: o.open, Disconnected: o.disconnected})
}

// writeFiles writes plots, the page and the series.
func (o *measureHostpoolOptions) writeFiles(r *simulate.PoolReport) error {
	for _, name := range o.plots {
		draw := plot.SVG
		if strings.EqualFold(filepath.Ext(name), ".png") {
			draw = plot.PNG
		}
		if err := writeWhole(name, func(w io.Writer) error { return draw(w, r) }); err != nil {
			return err
		}
	}
	if o.report != nil {
		if err := writeWhole(*o.report, func(w io.Writer) error { return plot.HTML(w, r) }); err != nil {
			return err
		}
	}
	if o.series == nil {
		return nil
	}
	return writeWhole(*o.series, func(w io.Writer) error { return writeSeries(w, r) })
}

// writeWhole makes a file that others read: whole in memory first, so that a
// failure leaves none half-written.
func writeWhole(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// seriesRow is one span of one variation's run.
type seriesRow struct {
	variation simulate.Variation
	simulate.Sample
}

// writeSeries writes the figures over time, a row for each span and variation.
func writeSeries(w io.Writer, r *simulate.PoolReport) error {
	var rows []seriesRow
	for _, result := range r.Results {
		for _, sample := range result.Series {
			rows = append(rows, seriesRow{result.Variation, sample})
		}
	}
	type row = seriesRow
	return output.Write(w, output.Options{Format: output.CSV}, rows, []output.Column[row]{
		{Name: "algorithm", Value: func(r row) string { return string(r.variation.Algorithm) }},
		{Name: "maxSessionLimit", Value: func(r row) string { return strconv.Itoa(r.variation.MaxSessionLimit) }},
		{Name: "poolHosts", Value: func(r row) string { return strconv.Itoa(r.variation.Hosts) }},
		{Name: "startSeconds", Value: func(r row) string { return strconv.FormatFloat(r.StartSeconds, 'f', -1, 64) }},
		{Name: "sessions", Value: func(r row) string { return strconv.FormatFloat(r.Sessions, 'f', 3, 64) }},
		{Name: "hostsInUse", Value: func(r row) string { return strconv.FormatFloat(r.HostsInUse, 'f', 3, 64) }},
		{Name: "refused", Value: func(r row) string { return strconv.FormatInt(r.Refused, 10) }},
		{Name: "medianSessions", Value: func(r row) string { return strconv.Itoa(r.MedianSessions) }},
		{Name: "maxSessions", Value: func(r row) string { return strconv.Itoa(r.MaxSessions) }},
	})
}

func (a *app) printPoolReport(format output.Format, r *simulate.PoolReport) error {
	if format == output.JSON || format == output.YAML {
		return printOne(a, r, []output.Column[*simulate.PoolReport]{{Name: "hostPool", Value: func(r *simulate.PoolReport) string { return r.HostPool }}})
	}
	if err := print(a, r.Results, poolResultColumns()); err != nil {
		return err
	}
	if !a.forEyes() {
		return nil
	}
	fmt.Fprintf(a.stdout, "\nseed %d\n", r.Seed)
	o, err := a.outputOptions()
	if err != nil || o.Width == 0 {
		return err
	}
	fmt.Fprintln(a.stdout)
	return plot.Terminal(a.stdout, r, o.Width)
}

func poolResultColumns() []output.Column[simulate.Result] {
	type row = simulate.Result
	number := func(name, header string, wide bool, value func(row) int64) output.Column[row] {
		return output.Column[row]{Name: name, Header: header, Right: true, Wide: wide, Value: func(r row) string { return strconv.FormatInt(value(r), 10) }}
	}
	decimal := func(name string, wide bool, digits int, value func(row) float64) output.Column[row] {
		return output.Column[row]{Name: name, Right: true, Wide: wide, Value: func(r row) string { return strconv.FormatFloat(value(r), 'f', digits, 64) }}
	}
	return []output.Column[row]{
		{Name: "algorithm", Value: func(r row) string { return string(r.Algorithm) }},
		number("maxSessionLimit", "LIMIT", false, func(r row) int64 { return int64(r.MaxSessionLimit) }),
		number("hosts", "", false, func(r row) int64 { return int64(r.Hosts) }),
		number("arrivals", "", false, func(r row) int64 { return r.Arrivals }),
		{Name: "refused", Right: true, Value: func(r row) string { return strconv.FormatInt(r.Refused, 10) }, Style: func(r row) output.Style {
			if r.Refused > 0 {
				return output.Bad
			}
			return output.Plain
		}},
		decimal("refusedShare", true, 4, func(r row) float64 { return r.RefusedShare }),
		{Name: "firstRefusalSeconds", Right: true, Wide: true, Value: func(r row) string {
			if r.FirstRefusalSeconds == nil {
				return ""
			}
			return strconv.FormatFloat(*r.FirstRefusalSeconds, 'f', 0, 64)
		}},
		number("peakSessions", "PEAK", false, func(r row) int64 { return r.PeakSessions }),
		number("peakPerHost", "PER HOST", false, func(r row) int64 { return int64(r.PeakPerHost) }),
		decimal("hostHours", false, 1, func(r row) float64 { return r.HostHours }),
		decimal("jain", false, 3, func(r row) float64 { return r.AtPeak.Jain }),
		number("median", "", true, func(r row) int64 { return int64(r.AtPeak.Median) }),
		number("p95", "", true, func(r row) int64 { return int64(r.AtPeak.P95) }),
		number("max", "", true, func(r row) int64 { return int64(r.AtPeak.Max) }),
		number("peakHostsInUse", "", true, func(r row) int64 { return r.PeakHostsInUse }),
		decimal("meanSessions", true, 2, func(r row) float64 { return r.MeanSessions }),
		decimal("meanHostsInUse", true, 2, func(r row) float64 { return r.MeanHostsInUse }),
		number("reconnects", "", true, func(r row) int64 { return r.Reconnects }),
		number("hostsStarted", "", true, func(r row) int64 { return r.HostsStarted }),
		number("sessionsLeft", "", true, func(r row) int64 { return r.SessionsLeft }),
	}
}
