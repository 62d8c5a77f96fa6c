package cmd

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/pkg/gateway"
	"gatepool/pkg/output"
	"gatepool/state"
)

type importCounterOptions struct {
	importOptions
	keep time.Duration
}

func (a *app) importCounter() *cobra.Command {
	var o importCounterOptions
	c := &cobra.Command{
		Use:   "import-counter FILE...",
		Short: "Read the gateways' logs of CPU and memory use",
		Long: `Read SystemCounterAggregationReport logs, which gateway machines write to their
Report folder, into the counters of the members: of each span of time the
averages of SystemCPUPercent and SystemMEMUsedPercent, which is what limits are
compared with. A log names its gateway by the GatewayObjectId; that is the id of
the member (get-member -o wide; import-cluster brings it along).

Per member, samples are dropped that ended longer than --keep before the newest.
Reading a log twice changes nothing. Gateways that the state does not know and
rows that cannot be read are reported.`,
		Example: `  gatepool import-counter gw-fin-02/SystemCounterAggregationReport_GW-FIN-02_2026-11-29T075500.log
  gatepool import-counter gw-fin-*/SystemCounterAggregationReport*.log --keep 15m
  Get-Content report.log | gatepool import-counter -`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.files = args
			return a.runImportCounter(o)
		},
	}
	c.Flags().DurationVar(&o.keep, "keep", time.Hour, "drop samples that ended longer than this before the member's newest")
	o.add(c)
	return c
}

// counterResult is what import-counter answers to a program.
type counterResult struct {
	Files       []string `json:"files"`
	Members     []string `json:"members"`    // as CLUSTER/MEMBER
	Samples     int      `json:"samples"`    // in the files, of these members
	UnknownIDs  []string `json:"unknownIds"` // gateways that are no member in the state
	SkippedRows int      `json:"skippedRows"`
	Warnings    []string `json:"warnings"`
}

func (a *app) runImportCounter(o importCounterOptions) error {
	if _, err := a.format(); err != nil {
		return err
	}
	if o.keep < 0 {
		return invalidValue(o.keep.String(), "--keep is %s; expected a time such as 1h or 15m", o.keep)
	}
	result := counterResult{Files: o.files, Warnings: []string{}}
	var logs []exchange.MemberCounters
	for _, name := range o.files {
		read, skipped, err := a.readCounters(name)
		if err != nil {
			return err
		}
		logs = append(logs, read...)
		result.SkippedRows += skipped.Count
		if skipped.Count > 0 {
			result.Warnings = append(result.Warnings, fmt.Sprintf("%s: %s skipped; the first: %v", name, count(skipped.Count, "row"), skipped.First[0]))
		}
	}
	err := a.change(o.change, "", func(tx *state.Tx) error {
		result.Members, result.Samples = []string{}, 0
		unknown, err := result.merge(tx, logs, o.keep)
		result.UnknownIDs = unknown
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range result.UnknownIDs {
		result.Warnings = append(result.Warnings, fmt.Sprintf("gateway %s is the id of no member: its samples were not kept", id))
	}
	if !a.forEyes() && !o.change.whatIf {
		return printOne(a, result, counterResultColumns())
	}
	a.warn(result.Warnings)
	return nil
}

// readCounters reads one log; - is standard input.
func (a *app) readCounters(name string) ([]exchange.MemberCounters, exchange.Skipped, error) {
	r := a.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, exchange.Skipped{}, inputError(name, err)
		}
		defer f.Close()
		r = f
	}
	return exchange.ReadCounters(r, name)
}

// merge gives each member the samples of its id, and returns the ids that are no
// member's.
func (r *counterResult) merge(tx *state.Tx, logs []exchange.MemberCounters, keep time.Duration) (unknown []string, err error) {
	clusters, err := tx.Clusters(func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, cluster := range clusters {
		for i := range cluster.Members {
			id := memberID(cluster, i)
			for _, log := range logs {
				if id == "" || !strings.EqualFold(id, log.ID) {
					continue
				}
				c, err := tx.Cluster(cluster.Name)
				if err != nil {
					return nil, err
				}
				exchange.MergeCounters(&c.Members[i], log.Counters, keep)
				r.Samples += len(log.Counters)
				if name := c.Name + "/" + c.Members[i].Name; !slices.Contains(r.Members, name) {
					r.Members = append(r.Members, name)
				}
				known[strings.ToLower(id)] = true
			}
		}
	}
	unknown = []string{}
	for _, log := range logs {
		if !known[strings.ToLower(log.ID)] {
			known[strings.ToLower(log.ID)] = true
			unknown = append(unknown, log.ID)
		}
	}
	return unknown, nil
}

// memberID is a member's gateway object id. A primary's is the cluster's own.
func memberID(c *gateway.Cluster, i int) string {
	if i == 0 && c.Members[i].ID == "" {
		return c.ID
	}
	return c.Members[i].ID
}

func counterResultColumns() []output.Column[counterResult] {
	type row = counterResult
	return []output.Column[row]{
		{Name: "files", Value: func(r row) string { return strings.Join(r.Files, " ") }},
		{Name: "members", Value: func(r row) string { return strings.Join(r.Members, " ") }},
		{Name: "samples", Value: func(r row) string { return strconv.Itoa(r.Samples) }, Right: true},
		{Name: "unknownIds", Value: func(r row) string { return strings.Join(r.UnknownIDs, " ") }},
		{Name: "skippedRows", Value: func(r row) string { return strconv.Itoa(r.SkippedRows) }, Right: true},
	}
}
