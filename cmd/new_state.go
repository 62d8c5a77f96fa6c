package cmd

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"gatepool/state"
)

// emptyState is what new-state writes: where to go on from here.
const emptyState = `# Host pools and gateway clusters for gatepool: one YAML document each.
# Next: gatepool new-hostpool NAME, gatepool new-cluster NAME, or gatepool import-hostpool FILE
`

func (a *app) newState() *cobra.Command {
	return &cobra.Command{
		Use:   "new-state",
		Short: "Make an empty state file",
		Long: `Make an empty state file: gatepool.yaml in this folder, or the file that --state
or GATEPOOL_STATE names. A file that is there is left alone.`,
		Example: `  gatepool new-state
  gatepool new-state --state prod.yaml`,
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error { return a.runNewState() },
	}
}

func (a *app) runNewState() error {
	path := a.statePath()
	err := state.Create(a.untilInterrupt(), state.Options{Path: path, LockTimeout: a.lockTimeout}, []byte(emptyState))
	if errors.Is(err, fs.ErrExist) {
		return existsf(path, "there is a state file %s already", path).withHint("look at it with: gatepool get-state")
	}
	if err != nil {
		return err
	}
	a.say("made %s", path)
	return nil
}
