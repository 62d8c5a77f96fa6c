package cmd

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"gatepool/pkg/gatewayconfig"
	"gatepool/pkg/output"
)

// configChange is what a command does to one configuration file.
type configChange struct {
	configFile
	Changes         []settingChange `json:"changes"`
	Diff            string          `json:"diff,omitempty"` // unified, of a change that is not made yet
	Written         bool            `json:"written"`
	Backup          string          `json:"backup,omitempty"`
	RestartRequired bool            `json:"restartRequired"` // of the gateway's service, since the file differs
	Warnings        []string        `json:"warnings"`

	before, after []byte
}

// settingChange is one setting that differs.
type settingChange struct {
	Name string  `json:"name"`
	Old  *string `json:"old"` // nil where it was absent
	New  *string `json:"new"` // nil where it is taken out
}

func (c settingChange) String() string {
	switch {
	case c.Old == nil:
		return fmt.Sprintf("%s set to %s (was absent)", c.Name, shown(*c.New))
	case c.New == nil:
		return fmt.Sprintf("%s removed (was %s)", c.Name, shown(*c.Old))
	}
	return fmt.Sprintf("%s %s -> %s", c.Name, shown(*c.Old), shown(*c.New))
}

// shown is a value in a sentence.
func shown(value string) string {
	if value == "" || strings.Contains(value, " ") {
		return strconv.Quote(value)
	}
	return value
}

// planChange says what becomes of a file. Faults that the change brings are
// warnings.
func planChange(file configFile, before, after []byte) configChange {
	return configChange{configFile: file, Changes: []settingChange{}, RestartRequired: !bytes.Equal(before, after), before: before, after: after,
		Warnings: newFaults(gatewayconfig.Check(before, file.File), gatewayconfig.Check(after, file.File))}
}

// settingChanges lists the settings that differ.
func settingChanges(old, edited *gatewayconfig.File) []settingChange {
	changes := []settingChange{}
	for _, e := range old.Settings() {
		if now, present := edited.Get(e.Name); !present {
			changes = append(changes, settingChange{e.Name, &e.Value, nil})
		} else if now != e.Value {
			changes = append(changes, settingChange{e.Name, &e.Value, &now})
		}
	}
	for _, e := range edited.Settings() {
		if _, present := old.Get(e.Name); !present {
			changes = append(changes, settingChange{e.Name, nil, &e.Value})
		}
	}
	return changes
}

// newFaults tells the faults that were not there before.
func newFaults(before, after []gatewayconfig.Finding) []string {
	faults := []string{}
	for _, f := range after {
		same := func(b gatewayconfig.Finding) bool { return b.Rule == f.Rule && b.Setting == f.Setting }
		if f.Severity != gatewayconfig.Note && !slices.ContainsFunc(before, same) {
			faults = append(faults, fmt.Sprintf("%s:%d:%d: %s; %s", f.File, f.Line, f.Column, f.Message, f.Fix))
		}
	}
	return faults
}

// printConfigDiffs says what would change: the diffs for eyes and for patch, in
// data as properties.
func (a *app) printConfigDiffs(plan []configChange) error {
	for i := range plan {
		p := &plan[i]
		var err error
		if p.Diff, err = unifiedDiff(p.File, string(p.before), string(p.after)); err != nil {
			return err
		}
	}
	if !a.forEyes() {
		return print(a, plan, configChangeColumns())
	}
	for _, p := range plan {
		a.printDiff(p.File, p.Diff)
		a.warn(p.Warnings)
	}
	return nil
}

// unifiedDiff compares a file with what is to become of it; "" without a
// difference.
func unifiedDiff(file, before, after string) (string, error) {
	diff, err := udiff.ToUnifiedDiff(file, file, before, udiff.Lines(before, after), udiff.DefaultContextLines)
	// go-udiff 0.4.1 miscounts where hunks begin in the new file, behind one
	// that holds two edits (golang/go#81453).
	shift := 0
	for _, h := range diff.Hunks {
		h.ToLine = h.FromLine + shift
		for _, line := range h.Lines {
			switch line.Kind {
			case udiff.Insert:
				shift++
			case udiff.Delete:
				shift--
			}
		}
	}
	return diff.String(), err
}

// printDiff prints a diff byte for byte where patch may read it, and without
// what could steer a terminal on one.
func (a *app) printDiff(file, diff string) {
	switch {
	case diff == "":
		fmt.Fprintln(a.stdout, output.Clean("What if: "+file+": nothing would change"))
	case isTerminal(a.stdout):
		for line := range strings.Lines(diff) {
			fmt.Fprintln(a.stdout, cleanLine(strings.TrimRight(line, "\r\n")))
		}
	default:
		fmt.Fprint(a.stdout, diff)
	}
}

// cleanLine is output.Clean for a line that may hold tabs.
func cleanLine(line string) string {
	parts := strings.Split(line, "\t")
	for i := range parts {
		parts[i] = output.Clean(parts[i])
	}
	return strings.Join(parts, "\t")
}

// sayRestart reminds a person of what makes the change take effect.
func (a *app) sayRestart(plan []configChange) {
	var machines []string
	for _, p := range plan {
		if p.Written {
			machines = append(machines, p.machine())
		}
	}
	if len(machines) > 0 {
		a.say("restart the service %s on %s: the gateway reads the file only when it starts (PowerShell: Restart-Service %[1]s)",
			gatewayconfig.ServiceName, strings.Join(machines, ", "))
	}
}

func configChangeColumns() []output.Column[configChange] {
	type row = configChange
	return []output.Column[row]{
		{Name: "file", Value: func(r row) string { return r.File }},
		{Name: "member", Value: func(r row) string { return r.Member }, Wide: true},
		{Name: "changes", Value: func(r row) string {
			texts := make([]string, len(r.Changes))
			for i, c := range r.Changes {
				texts[i] = c.String()
			}
			return strings.Join(texts, "; ")
		}},
		{Name: "restartRequired", Value: func(r row) string { return strconv.FormatBool(r.RestartRequired) }},
		{Name: "backup", Value: func(r row) string { return r.Backup }, Wide: true},
	}
}
