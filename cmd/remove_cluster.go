package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/state"
)

type removeClusterOptions struct {
	names  []string
	change changeFlags
}

func (a *app) removeCluster() *cobra.Command {
	var o removeClusterOptions
	c := &cobra.Command{
		Use:   "remove-cluster CLUSTER...",
		Short: "Take gateway clusters out of the state file",
		Long: `Take gateway clusters out of the state file, with their members, users, data
sources and comments. Asks on a terminal; elsewhere it needs --force. Mirrors
Remove-DataGatewayCluster.`,
		Example: `  gatepool remove-cluster finance
  gatepool remove-cluster finance --what-if
  gatepool remove-cluster 'test-*' --force`,
		Args: arguments(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.names = args
			return a.runRemoveCluster(o)
		},
	}
	o.change.add(c)
	return c
}

func (a *app) runRemoveCluster(o removeClusterOptions) error {
	var t targets
	question := fmt.Sprintf("Remove gateway cluster %s?", strings.Join(o.names, ", "))
	err := a.change(o.change, question, func(tx *state.Tx) error {
		return t.each(expand(o.names, tx.Names(state.Cluster)), func(name string) error {
			return tx.Remove(state.Cluster, name)
		})
	})
	if err != nil {
		return err
	}
	return t.err()
}
