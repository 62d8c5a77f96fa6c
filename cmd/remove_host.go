package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
	"gatepool/state"
)

type removeHostOptions struct {
	hosts  hostTargets
	change changeFlags
}

func (a *app) removeHost() *cobra.Command {
	var o removeHostOptions
	c := &cobra.Command{
		Use:   "remove-host POOL HOST...",
		Short: "Take session hosts out of a pool",
		Long: `Take session hosts out of a pool. A host that still has sessions goes only with
--force. Asks on a terminal; elsewhere it needs --force. Mirrors
Remove-AzWvdSessionHost.`,
		Example: `  gatepool remove-host hp-eu avd-eu-4.contoso.example
  gatepool remove-host hp-eu avd-eu-3.contoso.example --force
  gatepool remove-host hp-eu 'avd-eu-[34]*' --force --what-if`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.hosts.args = args
			return a.runRemoveHost(o)
		},
	}
	o.hosts.add(c)
	o.change.add(c)
	return c
}

func (a *app) runRemoveHost(o removeHostOptions) error {
	refs, err := o.hosts.refs(a)
	if err != nil {
		return err
	}
	question := "Remove these session hosts?"
	if !o.hosts.stdin {
		question = fmt.Sprintf("Remove %s from %s?", strings.Join(o.hosts.args[1:], ", "), o.hosts.args[0])
	}
	var t targets
	err = a.change(o.change, question, func(tx *state.Tx) error {
		gone := map[*hostpool.Pool]map[string]bool{}
		err := t.eachHost(tx, refs, func(p *hostpool.Pool, h *hostpool.Host) error {
			if n := h.SessionCount(); n > 0 && !o.change.force {
				return conflictf(h.Name, "%s still has %s", h.Name, count(n, "session")).
					withHint("gatepool drain-host %s %s keeps new ones away; --force removes it all the same", p.Name, h.Name)
			}
			if gone[p] == nil {
				gone[p] = map[string]bool{}
			}
			gone[p][h.Name] = true
			return nil
		})
		for p, names := range gone {
			p.SessionHosts = slices.DeleteFunc(p.SessionHosts, func(h hostpool.Host) bool { return names[h.Name] })
		}
		return err
	})
	if err != nil {
		return err
	}
	return t.err()
}

// count writes a number with its noun: 1 session, 2 sessions.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
