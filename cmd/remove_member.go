package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

type removeMemberOptions struct {
	members memberTargets
	change  changeFlags
}

func (a *app) removeMember() *cobra.Command {
	var o removeMemberOptions
	c := &cobra.Command{
		Use:   "remove-member CLUSTER MEMBER...",
		Short: "Take members out of a gateway cluster",
		Long: `Take members out of a gateway cluster. The primary member goes last: it can't be
removed while others remain. The cluster itself stays, with its users and data
sources, also without members: remove-cluster takes it away. Asks on a terminal;
elsewhere it needs --force. Mirrors Remove-DataGatewayClusterMember and
Remove-OnPremisesDataGateway.`,
		Example: `  gatepool remove-member finance GW-FIN-03
  gatepool remove-member finance GW-FIN-02 GW-FIN-03 --force
  gatepool remove-member finance '*' --what-if`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.members.args = args
			return a.runRemoveMember(o)
		},
	}
	o.members.add(c)
	o.change.add(c)
	return c
}

func (a *app) runRemoveMember(o removeMemberOptions) error {
	refs, err := o.members.refs(a)
	if err != nil {
		return err
	}
	question := "Remove these members?"
	if !o.members.stdin {
		question = fmt.Sprintf("Remove %s from %s?", strings.Join(o.members.args[1:], ", "), o.members.args[0])
	}
	var t targets
	err = a.change(o.change, question, func(tx *state.Tx) error {
		var clusters []*gateway.Cluster
		gone := map[*gateway.Cluster]map[int]bool{}
		err := t.eachMember(tx, refs, func(c *gateway.Cluster, i int) error {
			if gone[c] == nil {
				gone[c] = map[int]bool{}
				clusters = append(clusters, c)
			}
			gone[c][i] = true
			return nil
		})
		if err != nil {
			return err
		}
		for _, c := range clusters {
			these, primary := gone[c], c.Members[0].Name
			if these[0] && len(these) < len(c.Members) {
				t.errs = append(t.errs, conflictf(primary, "%s is the primary member of %s, which goes last", primary, c.Name).
					withHint("gatepool disable-member %s %s keeps requests away from it", c.Name, primary))
				delete(these, 0)
			}
			passTurn(c, these)
			members(c).remove(these)
		}
		return t.nothingDone()
	})
	if err != nil {
		return err
	}
	return t.err()
}

// passTurn makes the next member that stays the next one of a round robin whose
// turn was that of a member that goes.
func passTurn(c *gateway.Cluster, gone map[int]bool) {
	next := slices.IndexFunc(c.Members, func(m gateway.Member) bool { return strings.EqualFold(m.Name, c.RoundRobinNext) })
	if next < 0 || !gone[next] {
		return
	}
	c.RoundRobinNext = ""
	for i := range c.Members {
		if at := (next + i) % len(c.Members); !gone[at] {
			c.RoundRobinNext = c.Members[at].Name
			return
		}
	}
}
