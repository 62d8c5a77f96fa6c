package cmd

import (
	"encoding/json"
	"fmt"
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

type compareStateOptions struct {
	live             liveOptions
	runtime          bool
	detailedExitcode bool
}

func (a *app) compareState() *cobra.Command {
	var o compareStateOptions
	c := &cobra.Command{
		Use:   "compare-state --live FILE...",
		Short: "Show where the services differ from the state file",
		Long: `Show where the live services differ from the state file, resource by resource
and property by property. The file is the wish, exports of the services (all
forms that the import commands read) are the fact.

Only what the exports know counts. A thing of the file is missing only where an
export lists all of its kind; one that the file lacks is extra. Names are
compared without regard to case, and no session limit is the same as 999999.
What comes about by use is no drift and is left out: status, sessions,
heartbeats, counters, and what the service chose where the file says nothing.
--runtime shows that, too.

A gateway member that has both limits and a configFile is compared as well: its
limits in the state are the wish, those of the configuration file the fact. That
needs no --live. (Both rules are gatepool's own.)

The exit code is 0 whatever differs. With --detailed-exitcode it is 10 when
something does.`,
		Example: `  gatepool compare-state --live hostpools.json sessionhosts.json
  Get-DataGatewayCluster | ConvertTo-Json -Depth 5 | gatepool compare-state --live -
  gatepool compare-state --live hostpools.json --detailed-exitcode -o json`,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.live.takeFiles(args); err != nil {
				return err
			}
			return a.runCompareState(o)
		},
	}
	o.live.add(c)
	addSwitch(c, &o.runtime, "runtime", "what comes about by use, too")
	addSwitch(c, &o.detailedExitcode, "detailed-exitcode", "exit with 10 when something differs")
	return c
}

// differenceRow is a difference as it is listed.
type differenceRow struct {
	Resource string `json:"resource"` // names from the outside in, as in hp-eu/avd-eu-0
	exchange.Difference
}

func (a *app) runCompareState(o compareStateOptions) error {
	if _, err := a.format(); err != nil {
		return err
	}
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	wish, err := everything(s)
	if err != nil {
		return err
	}
	var differences []exchange.Difference
	if len(o.live.files) > 0 {
		fact, err := o.live.fact(a, s, wish)
		if err != nil {
			return err
		}
		differences = exchange.Compare(wish, fact)
	}
	ofFiles, compared, errs := configDifferences(s, wish.Clusters)
	if len(o.live.files) == 0 && compared == 0 {
		return usagef("there is nothing to compare the state with").withHint("add --live FILE, with what the service's own tools print: see gatepool import-hostpool --help")
	}
	rows := differenceRows(append(differences, ofFiles...), o.runtime)
	if err := print(a, rows, differenceColumns()); err != nil {
		return err
	}
	if len(rows) == 0 && len(errs) == 0 {
		a.say("no differences")
	}
	if err := combine(errs, compared); err != nil {
		return err
	}
	if o.detailedExitcode && len(rows) > 0 {
		return errFindings
	}
	return nil
}

// configDifferences compares the limits of each member that has them in the
// state as well as in a configuration file, and says how many have.
func configDifferences(s *state.Snapshot, clusters []*gateway.Cluster) (found []exchange.Difference, compared int, errs []error) {
	for _, c := range clusters {
		for i := range c.Members {
			m := &c.Members[i]
			if m.ConfigFile == "" || m.Limits == nil {
				continue
			}
			compared++
			fact, err := memberLimits(s, c, m)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			add := func(property string, wish, fact int) {
				if wish != fact {
					found = append(found, exchange.Difference{Kind: exchange.KindMember, Path: []string{c.Name, m.Name},
						Change: exchange.Changed, Property: property, Wish: wish, Fact: fact})
				}
			}
			add("limits.cpu", m.Limits.CPU, fact.CPU)
			add("limits.memory", m.Limits.Memory, fact.Memory)
			add("limits.aggregationMinutes", m.Limits.AggregationMinutes, fact.AggregationMinutes)
			add("limits.concurrency", m.Limits.Concurrency, fact.Concurrency)
		}
	}
	return found, compared, errs
}

func differenceRows(differences []exchange.Difference, runtime bool) []differenceRow {
	var rows []differenceRow
	for _, d := range differences {
		if runtime || !d.Runtime {
			rows = append(rows, differenceRow{strings.Join(d.Path, "/"), d})
		}
	}
	return rows
}

func differenceColumns() []output.Column[differenceRow] {
	return []output.Column[differenceRow]{
		{Name: "resource", Value: func(r differenceRow) string { return r.Resource }},
		{Name: "kind", Value: func(r differenceRow) string { return string(r.Kind) }, Wide: true},
		{Name: "change", Value: func(r differenceRow) string { return string(r.Change) }, Style: func(r differenceRow) output.Style {
			switch r.Change {
			case exchange.Missing:
				return output.Bad
			case exchange.Extra:
				return output.Warn
			}
			return output.Plain
		}},
		{Name: "property", Value: func(r differenceRow) string { return r.Property }},
		{Name: "wish", Value: func(r differenceRow) string { return differenceText(r, r.Wish) }},
		{Name: "fact", Value: func(r differenceRow) string { return differenceText(r, r.Fact) }},
		{Name: "runtime", Value: func(r differenceRow) string { return strconv.FormatBool(r.Runtime) }, Wide: true},
	}
}

// differenceText is a property's value in a table. A whole thing, which is
// missing or extra, is too long for one.
func differenceText(r differenceRow, value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case time.Time:
		if v.IsZero() {
			return ""
		}
		return v.UTC().Format(time.RFC3339)
	}
	if r.Change != exchange.Changed {
		return ""
	}
	text, err := json.Marshal(value)
	if err != nil || slices.Contains([]string{"null", "[]", "{}"}, string(text)) {
		return ""
	}
	if strings.HasPrefix(string(text), `"`) {
		return fmt.Sprint(value)
	}
	return string(text)
}

// describeDifference says a difference in one line, as in
// "hp-eu: maxSessionLimit 12, was 14" for a fact of 14 that becomes 12.
func describeDifference(r differenceRow) string {
	what := strings.ReplaceAll(kebab(string(r.Kind)), "-", " ") + " " + r.Resource
	switch r.Change {
	case exchange.Missing:
		return what + " added"
	case exchange.Extra:
		return what + " removed"
	}
	return fmt.Sprintf("%s: %s %s -> %s", what, r.Property, orNone(differenceText(r, r.Fact)), orNone(differenceText(r, r.Wish)))
}
