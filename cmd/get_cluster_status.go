package cmd

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"gatepool/pkg/advice"
	"gatepool/pkg/balance"
	"gatepool/pkg/gateway"
	"gatepool/pkg/output"
	"gatepool/state"
)

type getClusterStatusOptions struct {
	cluster string
	at      *time.Time
}

func (a *app) getClusterStatus() *cobra.Command {
	var o getClusterStatusOptions
	c := &cobra.Command{
		Use:   "get-cluster-status CLUSTER",
		Short: "Say what a cluster would do with a request now",
		Long: `Say what a gateway cluster would do with a request now: which members would take
it and with which probability, and what stands in the way of the others. Load is
the mean of the samples that end in the member's aggregation window; it is shown
beside the limit in force, as in 41.1% / 80%, with - for nothing measured, off for
no limit and ? for one that can't be told. LIMITS SOURCE says where the limits
come from: the member's configuration file, the state, or the service's defaults.
A member whose file is missing or broken is taken to be below its limits, and the
command fails after showing the rest. A file that is missing
or broken is reported, and the defaults stand in for what it does not tell.

It asks, and records nothing; a cluster that refuses is no error here (connect
has exit code 4 for it). Mirrors Get-DataGatewayClusterStatus.`,
		Example: `  gatepool get-cluster-status finance
  gatepool get-cluster-status finance --at 2026-11-29T08:06:00Z
  gatepool get-cluster-status finance -o json`,
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.cluster = args[0]
			return a.runGetClusterStatus(o)
		},
	}
	addTime(c, &o.at, "at", "the time to judge at, such as 2026-11-29T08:06:00Z (default now)")
	return c
}

// clusterStatus is what get-cluster-status answers.
type clusterStatus struct {
	Name            string                `json:"name"`
	LoadBalancing   gateway.LoadBalancing `json:"loadBalancing"`
	At              time.Time             `json:"at"`
	AcceptsRequests bool                  `json:"acceptsRequests"`
	Refusal         *clusterRefusal       `json:"refusal"` // null while it accepts
	Members         []memberStatus        `json:"members"`
	Warnings        []string              `json:"warnings"`
}

// clusterRefusal is why no member takes a request.
type clusterRefusal struct {
	Code    balance.Code            `json:"code"`
	Message string                  `json:"message"`
	Causes  map[balance.Verdict]int `json:"causes"`
	Hint    string                  `json:"hint"`
}

// memberStatus is a member with its load, and what an attempt at it results in.
type memberStatus struct {
	memberRow
	Counters    *struct{}       `json:"counters,omitempty"` // hides the samples: here are their means
	CPU         *float64        `json:"cpu"`
	Memory      *float64        `json:"memory"`
	Result      balance.Verdict `json:"result"`
	Probability float64         `json:"probability"` // of being the one that takes a request
}

// limitsNotKnown is the result of an attempt at a member that would accept if
// it were at none of the limits of its configuration file, which can't be read.
const limitsNotKnown balance.Verdict = "LimitsUnknown"

func (a *app) runGetClusterStatus(o getClusterStatusOptions) error {
	at := a.now().UTC().Truncate(time.Second)
	if o.at != nil && !o.at.IsZero() {
		at = *o.at
	}
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	c, err := s.Cluster(o.cluster)
	if err != nil {
		return err
	}
	members := memberRows(s, c)
	status := newClusterStatus(c, members, at)
	if err := printOne(a, status, clusterStatusColumns()); err != nil {
		return err
	}
	if a.forEyes() && len(a.columns) == 0 {
		if err := a.printMemberStatus(status); err != nil {
			return err
		}
	}
	a.warn(status.Warnings)
	var faults []error
	for _, m := range members {
		if m.fault != nil {
			faults = append(faults, m.fault)
		}
	}
	return whole(faults)
}

func newClusterStatus(c *gateway.Cluster, members []memberRow, at time.Time) clusterStatus {
	limits := make([]gateway.Limits, len(members))
	for i, m := range members {
		if m.Limits != nil {
			limits[i] = *m.Limits
		}
	}
	// Chance decides only which of the members that accept is chosen, which
	// is not shown, and which of several limits a refusal names first.
	d := balance.SelectMember(c, limits, at, rand.New(rand.NewPCG(0, 0)))
	status := clusterStatus{
		Name: c.Name, LoadBalancing: d.LoadBalancing, At: at, AcceptsRequests: d.Refusal == nil, Members: make([]memberStatus, len(members)),
		Warnings: advice.Summarise(advice.Cluster(c, limits, advice.Options{Now: at})),
	}
	if r := d.Refusal; r != nil {
		status.Refusal = &clusterRefusal{Code: r.Code, Message: r.Message, Causes: r.Causes, Hint: r.Help}
	}
	for i, m := range members {
		try := balance.Try(&m.Member, limits[i], at)
		switch {
		case !m.Enabled:
			try.Result = balance.Disabled
		case try.Result == balance.Accepted && m.Limits == nil:
			try.Result = limitsNotKnown
		}
		status.Members[i] = memberStatus{memberRow: m, CPU: try.CPU, Memory: try.Memory, Result: try.Result, Probability: d.Members[i].Probability}
	}
	return status
}

// printMemberStatus shows the members below the cluster, in two tables that fit
// a terminal of 80 columns, and the refusal if there is one.
func (a *app) printMemberStatus(s clusterStatus) error {
	for _, columns := range [][]output.Column[memberStatus]{memberStatusColumns(), memberLoadColumns()} {
		fmt.Fprintln(a.stdout)
		if err := print(a, s.Members, columns); err != nil {
			return err
		}
	}
	if s.Refusal == nil {
		return nil
	}
	fmt.Fprintf(a.stdout, "\nA request is refused now: %s\n", output.Clean(s.Refusal.Message))
	if s.Refusal.Hint != "" {
		fmt.Fprintf(a.stdout, "What would help: %s\n", output.Clean(s.Refusal.Hint))
	}
	return nil
}

func clusterStatusColumns() []output.Column[clusterStatus] {
	return []output.Column[clusterStatus]{
		{Name: "name", Value: func(s clusterStatus) string { return s.Name }},
		{Name: "loadBalancing", Value: func(s clusterStatus) string { return string(s.LoadBalancing) }},
		{Name: "acceptsRequests", Value: func(s clusterStatus) string { return strconv.FormatBool(s.AcceptsRequests) }, Style: func(s clusterStatus) output.Style {
			if s.AcceptsRequests {
				return output.Good
			}
			return output.Bad
		}},
		{Name: "at", Value: func(s clusterStatus) string { return timeText(s.At) }},
	}
}

func memberStatusColumns() []output.Column[memberStatus] {
	return []output.Column[memberStatus]{
		{Name: "name", Value: func(m memberStatus) string { return m.Name }},
		{Name: "status", Value: func(m memberStatus) string { return string(m.Status) }, Style: func(m memberStatus) output.Style { return memberStatusStyle(m.Status) }},
		{Name: "enabled", Value: func(m memberStatus) string { return strconv.FormatBool(m.Enabled) }},
		{Name: "version", Value: func(m memberStatus) string { return m.Version }},
		{Name: "result", Value: func(m memberStatus) string { return string(m.Result) }, Style: func(m memberStatus) output.Style { return verdictStyle(m.Result) }},
		{Name: "probability", Value: func(m memberStatus) string { return probabilityText(m.Probability) }, Right: true},
	}
}

func memberLoadColumns() []output.Column[memberStatus] {
	return []output.Column[memberStatus]{
		{Name: "name", Value: func(m memberStatus) string { return m.Name }},
		{Name: "cpu", Value: func(m memberStatus) string { return m.loadText(percentText(m.CPU), cpuLimit, "%") }, Right: true},
		{Name: "memory", Value: func(m memberStatus) string { return m.loadText(percentText(m.Memory), memoryLimit, "%") }, Right: true},
		{Name: "operations", Value: func(m memberStatus) string { return m.loadText(strconv.Itoa(m.ActiveOperations), concurrencyLimit, "") }, Right: true},
		{Name: "window", Value: func(m memberStatus) string {
			if m.Limits == nil {
				return ""
			}
			return m.limit(aggregationMinutes) + " min"
		}, Right: true},
		{Name: "limitsSource", Value: func(m memberStatus) string { return string(m.LimitsSource) }},
		{Name: "configFile", Value: func(m memberStatus) string { return m.ConfigFile }, Wide: true},
	}
}

// loadText writes a load beside its limit, of which 0 is none.
func (m memberStatus) loadText(load string, of func(*gateway.Limits) int, unit string) string {
	limit := m.limit(of)
	switch limit {
	case "":
		limit = "?"
	case "0":
		limit = "off"
	default:
		limit += unit
	}
	if load == "" {
		load = "-"
	}
	return load + " / " + limit
}
