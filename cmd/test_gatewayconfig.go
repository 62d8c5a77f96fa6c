package cmd

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"gatepool/pkg/atomicfile"
	"gatepool/pkg/gatewayconfig"
	"gatepool/pkg/output"
)

type testGatewayconfigOptions struct {
	targets          configTargets
	fix              bool
	whatIf           bool
	detailedExitcode bool
}

func (a *app) testGatewayconfig() *cobra.Command {
	var o testGatewayconfigOptions
	c := &cobra.Command{
		Use:   "test-gatewayconfig",
		Short: "Find faults in a gateway's configuration file",
		Long: `Find faults in a gateway machine's
` + gatewayconfig.FileName + `:
what keeps the gateway from starting, what it silently ignores, and what works
but hardly as meant; each with its place and what would put it right. For a
cluster its files are also looked at together. -o wide prints a table.

--fix repairs the faults whose repair cannot be wrong, byte by byte. The file as
it was is kept beside it with the ending .bak.

The exit code is 0 whatever is found. With --detailed-exitcode it is 10 when
errors or warnings remain; notes need no repair.`,
		Example: `  gatepool test-gatewayconfig --path gw-fin-01/` + gatewayconfig.FileName + `
  gatepool test-gatewayconfig --cluster finance --detailed-exitcode
  gatepool test-gatewayconfig --member finance/GW-FIN-01 --fix --what-if`,
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error { return a.runTestGatewayconfig(o) },
	}
	o.targets.add(c)
	addSwitch(c, &o.fix, "fix", "repair what can be repaired safely")
	addSwitch(c, &o.whatIf, "what-if", "with --fix: show the repairs and write nothing (also --dry-run)")
	addSwitch(c, &o.whatIf, "dry-run", "")
	c.Flags().Lookup("dry-run").Hidden = true
	addSwitch(c, &o.detailedExitcode, "detailed-exitcode", "exit with 10 when errors or warnings remain")
	return c
}

// configFinding is a fault as it is listed.
type configFinding struct {
	gatewayconfig.Finding
	Cluster string `json:"cluster"`
	Member  string `json:"member"`
	Fixed   bool   `json:"fixed"`
}

func (a *app) runTestGatewayconfig(o testGatewayconfigOptions) error {
	if _, err := a.format(); err != nil {
		return err
	}
	files, err := o.targets.files(a)
	if err != nil {
		return err
	}
	var rows []configFinding
	var plan []configChange
	var parsed []*gatewayconfig.File
	var errs []error
	for _, file := range files {
		change, findings, err := a.testConfig(o, file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		rows, plan = append(rows, findings...), append(plan, change)
		if f, err := gatewayconfig.Parse(change.after, file.File); err == nil {
			parsed = append(parsed, f)
		}
	}
	// Faults of the whole cluster are told only where every file could be read.
	if len(parsed) == len(files) {
		for _, f := range gatewayconfig.CheckCluster(parsed...) {
			rows = append(rows, configFinding{Finding: f, Cluster: files[0].Cluster, Member: files[0].Member})
		}
	}
	if o.fix && o.whatIf {
		err = a.printConfigDiffs(plan)
	} else {
		err = a.printFindings(rows)
	}
	if err != nil {
		return err
	}
	if len(rows)+len(errs) == 0 {
		a.say("no faults found")
	}
	a.sayRestart(plan)
	if err := combine(errs, len(files)); err != nil {
		return err
	}
	for _, r := range rows {
		if o.detailedExitcode && !r.Fixed && r.Severity != gatewayconfig.Note {
			return errFindings
		}
	}
	return nil
}

// testConfig finds the faults of one file and repairs what it may.
func (a *app) testConfig(o testGatewayconfigOptions, file configFile) (configChange, []configFinding, error) {
	before, err := file.read()
	if err != nil {
		return configChange{}, nil, err
	}
	after, left := before, gatewayconfig.Check(before, file.File)
	var fixed []gatewayconfig.Finding
	var result atomicfile.Result
	switch {
	case o.fix && o.whatIf:
		after, fixed, left = gatewayconfig.Fix(before, file.File)
	case o.fix:
		options := atomicfile.Options{LockTimeout: a.lockTimeout, MaxSize: gatewayconfig.MaxSize}
		result, err = atomicfile.Update(a.untilInterrupt(), file.File, options, func(old []byte) ([][]byte, error) {
			after, fixed, left = gatewayconfig.Fix(old, file.File)
			return [][]byte{after}, nil
		})
		if err != nil {
			return configChange{}, nil, file.wrap(err)
		}
	}
	change := planChange(file, before, after)
	change.Written, change.Backup = result.Written, result.Backup
	var rows []configFinding
	for _, f := range fixed {
		rows = append(rows, configFinding{f, file.Cluster, file.Member, !o.whatIf})
	}
	for _, f := range left {
		rows = append(rows, configFinding{f, file.Cluster, file.Member, false})
	}
	return change, rows, nil
}

// printFindings lists the faults: for eyes in lines, since sentences do not fit
// a table's cells.
func (a *app) printFindings(rows []configFinding) error {
	if format, err := a.format(); err != nil || format != output.Table || len(a.columns) > 0 {
		return print(a, rows, findingColumns())
	}
	fixable := 0
	for _, r := range rows {
		severity, fix := string(r.Severity), r.Fix
		if r.Fixed {
			severity, fix = "fixed", ""
		} else if r.Fixable {
			fixable++
		}
		fmt.Fprintln(a.stdout, output.Clean(fmt.Sprintf("%s: %s: %s [%s]", r.place(), severity, r.Message, r.Rule)))
		if fix != "" {
			fmt.Fprintln(a.stdout, output.Clean("    fix: "+fix))
		}
	}
	if fixable > 0 {
		a.say("%d of these can be repaired safely: add --fix", fixable)
	}
	return nil
}

// place is where an editor finds the fault.
func (f configFinding) place() string {
	if f.Line == 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
}

func findingColumns() []output.Column[configFinding] {
	type row = configFinding
	return []output.Column[row]{
		{Name: "rule", Value: func(r row) string { return r.Rule }},
		{Name: "severity", Value: func(r row) string { return string(r.Severity) }, Style: func(r row) output.Style {
			switch r.Severity {
			case gatewayconfig.Error:
				return output.Bad
			case gatewayconfig.Warning:
				return output.Warn
			}
			return output.Dim
		}},
		{Name: "member", Value: func(r row) string { return r.Member }},
		{Name: "line", Value: func(r row) string { return strconv.Itoa(r.Line) }, Right: true},
		{Name: "column", Value: func(r row) string { return strconv.Itoa(r.Column) }, Right: true},
		{Name: "fixed", Value: func(r row) string { return strconv.FormatBool(r.Fixed) }},
		{Name: "message", Value: func(r row) string { return r.Message }},
		{Name: "fix", Value: func(r row) string { return r.Fix }},
		{Name: "setting", Value: func(r row) string { return r.Setting }},
		{Name: "fixable", Value: func(r row) string { return strconv.FormatBool(r.Fixable) }},
		{Name: "file", Value: func(r row) string { return r.File }},
	}
}
