package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/pkg/output"
	"gatepool/state"
)

func (a *app) restoreState() *cobra.Command {
	var o changeFlags
	c := &cobra.Command{
		Use:   "restore-state",
		Short: "Bring back the state file before the last change",
		Long: `Bring the state file back as it was before the last change, from the backup that
every change leaves beside it with the ending .bak. The file itself may be broken
or missing. What it holds now becomes the backup, so that restoring a second time
undoes the first.`,
		Example: `  gatepool restore-state --what-if
  gatepool restore-state`,
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error { return a.runRestoreState(o) },
	}
	o.add(c)
	return c
}

func (a *app) runRestoreState(o changeFlags) error {
	if _, err := a.format(); err != nil {
		return err
	}
	path := a.statePath()
	backup, err := state.Backup(path)
	var missing *state.NoFileError
	if errors.As(err, &missing) {
		return notFoundf(missing.File, "there is no backup %s: no command has changed the file yet", missing.File)
	}
	if err != nil {
		return err
	}
	rows, lines, err := a.restoring(path, backup)
	if err != nil {
		return err
	}
	if o.whatIf {
		if !a.forEyes() {
			return print(a, rows, differenceColumns())
		}
		for _, line := range lines {
			fmt.Fprintln(a.stdout, output.Clean("What if: "+line))
		}
		return nil
	}
	if o.confirm {
		if err := a.confirm("Restore "+path+"?", path, lines); err != nil {
			return err
		}
	}
	change, err := state.Restore(a.untilInterrupt(), state.Options{Path: path, LockTimeout: a.lockTimeout})
	if err != nil {
		return err
	}
	if !change.Written {
		a.say("nothing to change: %s is as its backup", path)
		return nil
	}
	for _, line := range lines {
		a.say("%s", line)
	}
	if change.Backup != "" {
		a.say("restored %s; as it was until now it is %s", change.Path, change.Backup)
	} else {
		a.say("restored %s", change.Path)
	}
	return nil
}

// restoring is what bringing the backup back changes. The backup must be valid;
// the file need not be.
func (a *app) restoring(path string, backup *state.Snapshot) (rows []differenceRow, lines []string, err error) {
	then, err := everything(backup)
	if err != nil {
		return nil, nil, err
	}
	var now exchange.Snapshot
	s, err := state.Open(path)
	if err == nil {
		now, err = everything(s)
	}
	if err != nil {
		return nil, []string{fmt.Sprintf("the file cannot be read as it is (%v); the backup holds %s and %s",
			err, count(len(then.Pools), "host pool"), count(len(then.Clusters), "cluster"))}, nil
	}
	rows = differenceRows(exchange.Compare(then, now), true)
	switch {
	case len(rows) == 0:
		return rows, []string{"the same resources; comments, order or layout differ at most"}, nil
	case len(rows) > mostShown:
		return rows, []string{count(len(rows), "change")}, nil
	}
	for _, r := range rows {
		lines = append(lines, describeDifference(r))
	}
	return rows, lines, nil
}
