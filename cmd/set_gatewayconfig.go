package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/atomicfile"
	"gatepool/pkg/gatewayconfig"
	"gatepool/pkg/spelling"
)

type setGatewayconfigOptions struct {
	targets configTargets
	edits   []gatewayconfig.Edit
	change  changeFlags
}

func (a *app) setGatewayconfig() *cobra.Command {
	var o setGatewayconfigOptions
	c := &cobra.Command{
		Use:   "set-gatewayconfig",
		Short: "Change settings in a gateway's configuration file",
		Long: `Change settings in a gateway machine's
` + gatewayconfig.FileName + `
without touching any other byte of it: comments, line ends, indentation and
quotes stay. A setting that is absent is added in the file's own layout. Names
may be in any case; one that is not known is refused without --force.

Name the file with --path, or by the member or cluster of the state file that
has it as its configFile. For a cluster all files are checked before the first
is written. The file as it was is kept beside it with the ending .bak.

The gateway reads the file only when its service, ` + gatewayconfig.ServiceName + `, starts: restart it
afterwards on each machine.`,
		Example: `  gatepool set-gatewayconfig --member finance/GW-FIN-01 --cpu 80 --memory 85
  gatepool set-gatewayconfig --cluster finance --cpu 80 --aggregation-minutes 5 --what-if
  gatepool set-gatewayconfig --path gw-fin-01/` + gatewayconfig.FileName + ` --setting StreamBeforeRequestCompletes=True --unset ReportFileCount`,
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error { return a.runSetGatewayconfig(o) },
	}
	o.targets.add(c)
	o.addSetting(c, "cpu", gatewayconfig.CPUThreshold)
	o.addSetting(c, "memory", gatewayconfig.MemoryThreshold)
	o.addSetting(c, "aggregation-minutes", gatewayconfig.AggregationMinutes)
	o.addSetting(c, "concurrency", gatewayconfig.ConcurrencyLimit)
	c.Flags().Var(&flagValue{kind: "NAME=VALUE", set: func(text string) error {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return invalidValue(text, "is %q; expected NAME=VALUE", text)
		}
		o.edits = append(o.edits, gatewayconfig.Edit{Name: name, Value: value})
		return nil
	}}, "setting", "set any setting; may be repeated")
	c.Flags().Var(&flagValue{kind: "NAME", set: func(name string) error {
		o.edits = append(o.edits, gatewayconfig.Edit{Name: name, Unset: true})
		return nil
	}}, "unset", "take a setting out, so that its default applies; may be repeated")
	o.change.add(c)
	c.Flags().Lookup("force").Usage = "don't ask, and accept names that are not known"
	o.change.addPassThru(c)
	c.Flags().Lookup("pass-thru").Usage = "print what was changed"
	return c
}

// addSetting adds a flag for one setting.
func (o *setGatewayconfigOptions) addSetting(c *cobra.Command, flag, name string) {
	known, _ := gatewayconfig.Lookup(name)
	c.Flags().Var(&flagValue{kind: "number", set: func(text string) error {
		o.edits = append(o.edits, gatewayconfig.Edit{Name: name, Value: text})
		return nil
	}}, flag, name+", "+known.Range())
}

func (a *app) runSetGatewayconfig(o setGatewayconfigOptions) error {
	if _, err := a.format(); err != nil {
		return err
	}
	if err := checkEdits(o.edits); err != nil {
		return err
	}
	for i := range o.edits {
		o.edits[i].Force = o.change.force
	}
	files, err := o.targets.files(a)
	if err != nil {
		return err
	}
	plan, err := planConfigs(files, o.edits)
	if err != nil {
		return err
	}
	if o.change.whatIf {
		return a.printConfigDiffs(plan)
	}
	var lines []string
	for _, p := range plan {
		for _, c := range p.Changes {
			lines = append(lines, p.File+": "+c.String())
		}
	}
	if o.change.confirm && len(lines) > 0 {
		if err := a.confirm("", plan[0].File, lines); err != nil {
			return err
		}
	}
	if err := a.writeConfigs(plan, o.edits); err != nil {
		return err
	}
	if len(lines) == 0 {
		lines = []string{"nothing to change"}
	}
	for _, line := range lines {
		a.say("%s", line)
	}
	if o.change.passThru || !a.forEyes() {
		if err := print(a, plan, configChangeColumns()); err != nil {
			return err
		}
	}
	for _, p := range plan {
		a.warn(p.Warnings)
	}
	a.sayRestart(plan)
	return nil
}

// checkEdits makes sure that there is something to do, and one thing a name.
func checkEdits(edits []gatewayconfig.Edit) error {
	if len(edits) == 0 {
		return usagef("set-gatewayconfig needs a setting to change").withHint("--cpu, --memory, --aggregation-minutes, --concurrency, --setting NAME=VALUE, --unset NAME")
	}
	for i, e := range edits {
		if slices.ContainsFunc(edits[:i], func(other gatewayconfig.Edit) bool { return strings.EqualFold(e.Name, other.Name) }) {
			return usagef("%s is given twice", e.Name)
		}
	}
	return nil
}

// planConfigs reads all files and makes the edits in memory. When one cannot be
// edited, none is to be.
func planConfigs(files []configFile, edits []gatewayconfig.Edit) ([]configChange, error) {
	var before, after []*gatewayconfig.File
	var plan []configChange
	var errs []error
	for _, file := range files {
		old, err := file.open()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		edited, err := old.Apply(edits...)
		switch {
		case errors.As(err, new(*gatewayconfig.FormatError)):
			errs = append(errs, file.wrap(err))
			continue
		case err != nil:
			return nil, err // the line's fault and not this file's
		}
		change := planChange(file, old.Bytes(), edited.Bytes())
		change.Changes = settingChanges(old, edited)
		before, after, plan = append(before, old), append(after, edited), append(plan, change)
	}
	if len(errs) > 0 {
		return nil, whole(errs)
	}
	if len(plan) > 0 {
		plan[0].Warnings = append(plan[0].Warnings, newFaults(gatewayconfig.CheckCluster(before...), gatewayconfig.CheckCluster(after...))...)
	}
	return plan, checkUnset(before, edits)
}

// checkUnset refuses to take out a setting that nobody knows and no file has:
// that is a slip of the pen.
func checkUnset(files []*gatewayconfig.File, edits []gatewayconfig.Edit) error {
	var names []string
	for _, f := range files {
		for _, s := range f.Settings() {
			names = append(names, s.Name)
		}
	}
	for _, e := range edits {
		if _, known := gatewayconfig.Lookup(e.Name); e.Unset && !known && !e.Force && !slices.Contains(names, e.Name) {
			return &gatewayconfig.UnknownSettingError{Name: e.Name, Nearest: spelling.Nearest(e.Name, names)}
		}
	}
	return nil
}

// writeConfigs makes the edits file by file. When one fails, the rest is left
// alone, and the error says which were made.
func (a *app) writeConfigs(plan []configChange, edits []gatewayconfig.Edit) error {
	var written []string
	for i := range plan {
		p := &plan[i]
		if !p.RestartRequired {
			continue
		}
		result, err := gatewayconfig.Update(a.untilInterrupt(), p.File, atomicfile.Options{LockTimeout: a.lockTimeout}, edits...)
		if err == nil {
			p.Written, p.Backup = result.Written, result.Backup
			written = append(written, p.File)
			continue
		}
		err = p.wrap(err)
		if len(written) == 0 {
			return err
		}
		halfWay := halfWritten{Written: written, NotWritten: []string{}}
		for _, rest := range plan[i:] {
			if rest.RestartRequired {
				halfWay.NotWritten = append(halfWay.NotWritten, rest.File)
			}
		}
		stopped := fmt.Errorf("stopped half way: written %s; not written %s", strings.Join(halfWay.Written, ", "), strings.Join(halfWay.NotWritten, ", "))
		return &failure{code: "partial", exit: exitPartial, target: p.File, detail: halfWay, err: &partial{[]error{err,
			&failure{code: "partial", exit: exitPartial, target: p.File, err: stopped, hint: "put right what stopped it and run the command again"}}}}
	}
	return nil
}

// halfWritten stands beside the error of a command that wrote some of its files.
type halfWritten struct {
	Written    []string `json:"written"`
	NotWritten []string `json:"notWritten"`
}
