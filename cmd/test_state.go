package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/advice"
	"gatepool/pkg/output"
	"gatepool/pkg/report"
	"gatepool/state"
)

// severityName is an advice.Severity as a flag takes it.
type severityName string

// Values lists the valid values.
func (severityName) Values() []string { return []string{"Info", "Warning", "Error"} }

type testStateOptions struct {
	disabled         map[string]bool
	minSeverity      *severityName
	reports          []reportTarget
	detailedExitcode bool
}

func (a *app) testState() *cobra.Command {
	o := testStateOptions{disabled: map[string]bool{}}
	c := &cobra.Command{
		Use:   "test-state",
		Short: "Find what is wrong or risky in the state file",
		Long: `Find what is wrong, risky or out of date in the state file: settings that the
service refuses or that surprise somebody, hosts and members that cannot be
used, configuration files that are missing or faulty, secrets in values and in
comments. Each finding has a rule, a place, and what would put it right. The
rules are described in docs/rules.

Findings that are meant to be so are taken back by a comment in the file, on the
line of the finding or above it, or at the head of a document for its whole
resource:

  # gatepool:ignore RULE REASON

A comment that names no rule, has no reason, or meets no finding is a finding
itself. --disable leaves a rule out.

The default output is a line or two a finding, as compilers print them; -o wide
is a table. --report FORMAT=FILE writes them for CI besides, several times if
need be: json, junit, sarif, or github (workflow commands). With the file - a
report takes standard output, and the text goes to standard error.

A file that is not valid is exit code 7, as everywhere; reports are written all
the same, with the rule invalid-state. Otherwise the exit code is 0 whatever is
found. With --detailed-exitcode it is 10 when errors or warnings are; infos need
nothing done.`,
		Example: `  gatepool test-state
  gatepool test-state --min-severity warning --detailed-exitcode
  gatepool test-state --disable stale-heartbeat --report github=- --report sarif=gatepool.sarif`,
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error { return a.runTestState(o) },
	}
	addDisabledRules(c, o.disabled)
	addEnum(c, &o.minSeverity, "min-severity", "leave out findings that matter less")
	addReports(c, &o.reports)
	addSwitch(c, &o.detailedExitcode, "detailed-exitcode", "exit with 10 when errors or warnings are found")
	return c
}

// addDisabledRules adds --disable, which may be given several times.
func addDisabledRules(c *cobra.Command, to map[string]bool) {
	var ids []string
	for _, r := range advice.Rules() {
		ids = append(ids, r.ID)
	}
	c.Flags().Var(&flagValue{kind: "RULE", set: func(text string) error {
		id, known := oneOf(text, ids)
		if !known {
			f := invalidValue(text, "is %q, and there is no such rule", text)
			if near := advice.NearestRule(text); near != "" {
				return f.withHint("did you mean %s?", near)
			}
			return f.withHint("docs/rules lists them")
		}
		to[id] = true
		return nil
	}}, "disable", "leave a rule out; may be given several times")
	completeFlag(c, "disable", ids)
}

func (a *app) runTestState(o testStateOptions) error {
	format, err := a.format()
	if err != nil {
		return err
	}
	toStdout, err := onStdout(o.reports, format)
	if err != nil {
		return err
	}
	findings, ignored, err := a.stateFindings(o.disabled)
	var invalid *state.InvalidError
	if errors.As(err, &invalid) {
		findings = []report.Finding{{
			Finding: advice.InvalidState(invalid.File, invalid.Message, invalid.Hint),
			File:    invalid.File, Line: invalid.Line, Column: invalid.Column,
		}}
	} else if err != nil {
		return err
	}
	least := advice.Info
	if o.minSeverity != nil {
		if least, err = advice.ParseSeverity(string(*o.minSeverity)); err != nil {
			return err
		}
	}
	findings = slices.DeleteFunc(findings, func(f report.Finding) bool { return f.Severity < least })
	r := report.Report{File: a.statePath(), Findings: findings, Rules: advice.Rules(), Disabled: o.disabled, Time: a.now()}
	if invalid != nil {
		r.Rules = slices.DeleteFunc(r.Rules, func(r advice.Rule) bool { return r.ID != findings[0].Rule })
	}
	if err := a.writeReports(o.reports, r); err != nil {
		return err
	}
	if invalid != nil {
		return invalid
	}
	switch {
	case toStdout:
		a.printFindingLines(a.stderr, findings)
	case format == output.Table && len(a.columns) == 0:
		a.printFindingLines(a.stdout, findings)
	default:
		if err := print(a, findings, reportColumns()); err != nil {
			return err
		}
	}
	a.say("%s", findingSummary(findings, ignored))
	if o.detailedExitcode && slices.ContainsFunc(findings, func(f report.Finding) bool { return f.Severity > advice.Info }) {
		return errFindings
	}
	return nil
}

func findingSummary(findings []report.Finding, ignored int) string {
	counts := map[advice.Severity]int{}
	for _, f := range findings {
		counts[f.Severity]++
	}
	var parts []string
	for _, s := range []advice.Severity{advice.Error, advice.Warning, advice.Info} {
		if counts[s] > 0 {
			parts = append(parts, count(counts[s], strings.ToLower(s.String())))
		}
	}
	text := "nothing found"
	if len(parts) > 0 {
		text = strings.Join(parts, ", ")
	}
	if ignored > 0 {
		text += fmt.Sprintf("; %d ignored", ignored)
	}
	return text
}

func reportColumns() []output.Column[report.Finding] {
	return []output.Column[report.Finding]{
		{Name: "resource", Value: func(f report.Finding) string { return f.Resource }},
		{Name: "kind", Value: func(f report.Finding) string { return f.Kind }},
		{Name: "rule", Value: func(f report.Finding) string { return f.Rule }},
		{Name: "severity", Value: func(f report.Finding) string { return f.Severity.String() }, Style: func(f report.Finding) output.Style {
			return []output.Style{advice.Info: output.Plain, advice.Warning: output.Warn, advice.Error: output.Bad}[f.Severity]
		}},
		{Name: "place", Value: report.Finding.Place},
		{Name: "message", Value: func(f report.Finding) string { return f.Message }},
		{Name: "fix", Value: func(f report.Finding) string { return f.Fix }},
	}
}
