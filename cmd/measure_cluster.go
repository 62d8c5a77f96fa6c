package cmd

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/pkg/gateway"
	"gatepool/pkg/output"
	"gatepool/pkg/simulate"
	"gatepool/state"
)

type measureClusterOptions struct {
	cluster     string
	load        loadFlags
	requests    *int
	trace       []string
	at          *string
	modes       []gateway.LoadBalancing
	cpu         []int
	memory      []int
	concurrency []int
}

func (a *app) measureCluster() *cobra.Command {
	var o measureClusterOptions
	c := &cobra.Command{
		Use:   "measure-cluster CLUSTER",
		Short: "Say what a cluster's settings would have done",
		Long: `Send requests through a gateway cluster and say what happens: what each member
took, what was refused by which limit, failed attempts on offline members,
operations at one time. Requests are made (--requests with --rate or --profile,
and --duration) or replayed from QueryExecution and QueryStart reports (--trace).
Nothing is written to the state file.

--mode, --cpu, --memory and --concurrency take several values: every combination
is run with the very same requests. Members' recorded counters are replayed; what
a machine carries does not change with the requests that are sent to it, because
nobody knows what a request costs. That is this project's assumption.`,
		Example: `  gatepool measure-cluster finance --requests 1000 --rate 600/h --duration exponential:20s --mode failover,random
  gatepool measure-cluster finance --requests 5000 --rate 2/s --duration lognormal:30s,1 --concurrency 10,20,40 --seed 1
  gatepool measure-cluster finance --trace gw-fin-02/QueryExecutionReport_GW-FIN-02_2026-11-29T080000.log --mode failover,random,round-robin`,
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.cluster = args[0]
			return a.runMeasureCluster(o)
		},
	}
	o.load.add(c, "duration", "how long a request runs, also where a trace does not say")
	addNumber(c, &o.requests, "requests", 1, 2_000_000_000, "how many requests come")
	c.Flags().StringSliceVar(&o.trace, "trace", nil, "replay these QueryExecutionReport or QueryStartReport logs")
	addText(c, &o.at, "at", "when made requests begin, such as 2026-11-29T08:00:00Z (default now)")
	addEnumList(c, &o.modes, "mode", "ways of load balancing to try")
	addNumberList(c, &o.cpu, "cpu", 0, 100, "CPU thresholds to try, for every member; 0 is off")
	addNumberList(c, &o.memory, "memory", 0, 100, "memory thresholds to try")
	addNumberList(c, &o.concurrency, "concurrency", 0, 1_000_000, "concurrency limits to try; 0 is none")
	return c
}

func (a *app) runMeasureCluster(o measureClusterOptions) error {
	format, err := a.format()
	if err != nil {
		return err
	}
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	c, err := s.Cluster(o.cluster)
	if err != nil {
		return err
	}
	limits, err := limitsInForce(s, c)
	if err != nil {
		return err
	}
	start := a.now()
	if o.at != nil {
		if start, err = time.Parse(time.RFC3339, *o.at); err != nil {
			return invalidValue(*o.at, "--at is %q; expected a time such as 2026-11-29T08:06:00Z", *o.at)
		}
	}
	requests, err := o.readRequests(a)
	if err != nil {
		return err
	}
	options, err := o.load.options(a)
	if err != nil {
		return err
	}
	progress := a.newProgress()
	if progress != nil {
		options.Progress = progress.report
	}
	report, err := simulate.MeasureCluster(a.untilInterrupt(), c, limits, requests, start, o.variations(), options)
	progress.done()
	if err != nil {
		return err
	}
	if err := a.printClusterReport(format, report); err != nil {
		return err
	}
	return interrupted(report.Partial)
}

// readRequests reads or describes the requests to send.
func (o *measureClusterOptions) readRequests(a *app) (simulate.Requests, error) {
	var r simulate.Requests
	var err error
	if r.Duration, err = o.load.sessionLength(a, "duration"); err != nil {
		return r, err
	}
	if len(o.trace) == 0 {
		if o.requests == nil || o.load.rate == nil && o.load.profile == nil || o.load.length == nil {
			return r, usagef("measure-cluster needs requests").
				withHint("make them with --requests 1000 --rate 600/h --duration exponential:20s, or replay a log with --trace FILE")
		}
		r.Count, r.Even = *o.requests, o.load.even
		r.Rates, err = o.load.rates(a)
		return r, err
	}
	if o.requests != nil || o.load.rate != nil || o.load.profile != nil {
		return r, usagef("--trace replays requests; --requests, --rate and --profile make them: give one or the other")
	}
	for _, name := range o.trace {
		data, err := a.readInput(name, exchange.MaxSize)
		if err != nil {
			return r, err
		}
		recorded, skipped, err := exchange.ReadRequests(bytes.NewReader(data), name)
		if err != nil {
			return r, err
		}
		if skipped.Count > 0 {
			a.say("warning: %s: %s could not be read, the first: %v", name, count(skipped.Count, "row"), skipped.First[0])
		}
		for _, q := range recorded {
			if q.Duration == 0 && o.load.length == nil {
				return r, usagef("%s does not say how long requests run", name).withHint("add --duration exponential:20s")
			}
			r.Recorded = append(r.Recorded, simulate.Request{Start: q.Start, Duration: q.Duration})
		}
	}
	if len(r.Recorded) == 0 {
		return r, &failure{code: "invalid_input", exit: exitInvalid, target: strings.Join(o.trace, ", "), err: fmt.Errorf("%s: no request is recorded", strings.Join(o.trace, ", "))}
	}
	return r, nil
}

// variations are all combinations of the settings to try.
func (o *measureClusterOptions) variations() []simulate.ClusterVariation {
	modes := o.modes
	if len(modes) == 0 {
		modes = []gateway.LoadBalancing{""}
	}
	var all []simulate.ClusterVariation
	for _, mode := range modes {
		for _, cpu := range pointers(o.cpu) {
			for _, memory := range pointers(o.memory) {
				for _, concurrency := range pointers(o.concurrency) {
					all = append(all, simulate.ClusterVariation{LoadBalancing: mode, CPU: cpu, Memory: memory, Concurrency: concurrency})
				}
			}
		}
	}
	return all
}

// pointers are pointers to the values, or nil alone for no values.
func pointers(values []int) []*int {
	if len(values) == 0 {
		return []*int{nil}
	}
	all := make([]*int, len(values))
	for i := range values {
		all[i] = &values[i]
	}
	return all
}

// memberResultRow is what one member did in one variation.
type memberResultRow struct {
	simulate.ClusterVariation
	simulate.MemberResult
}

func (a *app) printClusterReport(format output.Format, r *simulate.ClusterReport) error {
	if format == output.JSON || format == output.YAML {
		return printOne(a, r, []output.Column[*simulate.ClusterReport]{{Name: "cluster", Value: func(r *simulate.ClusterReport) string { return r.Cluster }}})
	}
	var members []memberResultRow
	for _, result := range r.Results {
		for _, m := range result.Members {
			members = append(members, memberResultRow{result.ClusterVariation, m})
		}
	}
	if !a.forEyes() {
		return print(a, members, memberResultColumns(members))
	}
	if err := print(a, r.Results, clusterResultColumns(r.Results)); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	if err := print(a, members, memberResultColumns(members)); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "\nseed %d\n", r.Seed)
	return nil
}

// variationColumns are the settings of a cluster's variation; limits that no
// variation sets are left to -o wide.
func variationColumns[T any](rows []T, of func(T) simulate.ClusterVariation) []output.Column[T] {
	limit := func(name string, value func(simulate.ClusterVariation) *int) output.Column[T] {
		return output.Column[T]{Name: name, Right: true,
			Wide:  !slices.ContainsFunc(rows, func(r T) bool { return value(of(r)) != nil }),
			Value: func(r T) string { return numberOrNone(value(of(r))) }}
	}
	return []output.Column[T]{
		{Name: "loadBalancing", Header: "MODE", Value: func(r T) string { return string(of(r).LoadBalancing) }},
		limit("cpu", func(v simulate.ClusterVariation) *int { return v.CPU }),
		limit("memory", func(v simulate.ClusterVariation) *int { return v.Memory }),
		limit("concurrency", func(v simulate.ClusterVariation) *int { return v.Concurrency }),
	}
}

func clusterResultColumns(rows []simulate.ClusterResult) []output.Column[simulate.ClusterResult] {
	type row = simulate.ClusterResult
	number := func(name, header string, value func(row) int64) output.Column[row] {
		return output.Column[row]{Name: name, Header: header, Right: true, Value: func(r row) string { return strconv.FormatInt(value(r), 10) }}
	}
	return append(variationColumns(rows, func(r row) simulate.ClusterVariation { return r.ClusterVariation }),
		number("requests", "", func(r row) int64 { return r.Requests }),
		number("refused", "", func(r row) int64 { return r.Refused }),
		number("cpuRefusals", "BY CPU", func(r row) int64 { return r.CPURefusals }),
		number("memoryRefusals", "BY MEMORY", func(r row) int64 { return r.MemoryRefusals }),
		number("concurrencyRefusals", "BY OPS", func(r row) int64 { return r.ConcurrencyRefusals }),
		number("unreachable", "", func(r row) int64 { return r.Unreachable }),
	)
}

func memberResultColumns(rows []memberResultRow) []output.Column[memberResultRow] {
	type row = memberResultRow
	number := func(name, header string, value func(row) int64) output.Column[row] {
		return output.Column[row]{Name: name, Header: header, Right: true, Value: func(r row) string { return strconv.FormatInt(value(r), 10) }}
	}
	columns := append([]output.Column[row]{{Name: "name", Value: func(r row) string { return r.Name }}},
		variationColumns(rows, func(r row) simulate.ClusterVariation { return r.ClusterVariation })...)
	return append(columns,
		number("accepted", "", func(r row) int64 { return r.Accepted }),
		number("offlineAttempts", "OFFLINE", func(r row) int64 { return r.OfflineAttempts }),
		number("cpuLimit", "AT CPU", func(r row) int64 { return r.CPULimit }),
		number("memoryLimit", "AT MEMORY", func(r row) int64 { return r.MemoryLimit }),
		number("concurrencyLimit", "AT OPS", func(r row) int64 { return r.ConcurrencyLimit }),
		output.Column[row]{Name: "meanOperations", Header: "MEAN", Right: true, Value: func(r row) string { return strconv.FormatFloat(r.MeanOperations, 'f', 2, 64) }},
		number("peakOperations", "PEAK", func(r row) int64 { return int64(r.PeakOperations) }),
	)
}
