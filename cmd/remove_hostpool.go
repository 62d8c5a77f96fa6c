package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/state"
)

type removeHostpoolOptions struct {
	names  []string
	change changeFlags
}

func (a *app) removeHostpool() *cobra.Command {
	var o removeHostpoolOptions
	c := &cobra.Command{
		Use:   "remove-hostpool POOL...",
		Short: "Take host pools out of the state file",
		Long: `Take host pools out of the state file, with their session hosts, sessions and
comments. Asks on a terminal; elsewhere it needs --force. Mirrors
Remove-AzWvdHostPool.`,
		Example: `  gatepool remove-hostpool hp-dev
  gatepool remove-hostpool hp-dev --what-if
  gatepool remove-hostpool 'hp-test-*' --force`,
		Args: arguments(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.names = args
			return a.runRemoveHostpool(o)
		},
	}
	o.change.add(c)
	return c
}

func (a *app) runRemoveHostpool(o removeHostpoolOptions) error {
	var t targets
	question := fmt.Sprintf("Remove host pool %s?", strings.Join(o.names, ", "))
	err := a.change(o.change, question, func(tx *state.Tx) error {
		return t.each(expand(o.names, tx.Names(state.HostPool)), func(name string) error {
			return tx.Remove(state.HostPool, name)
		})
	})
	if err != nil {
		return err
	}
	return t.err()
}
