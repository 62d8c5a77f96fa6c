package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

type addMemberOptions struct {
	cluster  string
	members  []string
	settings memberSettings
	change   changeFlags
}

func (a *app) addMember() *cobra.Command {
	var o addMemberOptions
	c := &cobra.Command{
		Use:   "add-member CLUSTER MEMBER...",
		Short: "Add members to a gateway cluster",
		Long: `Add members at the end of a cluster's failover order; a cluster has at most ten.
They are Online and enabled unless flags say otherwise. The first member of a
cluster without any becomes the primary. Mirrors Add-DataGatewayClusterMember.`,
		Example: `  gatepool add-member finance GW-FIN-04
  gatepool add-member finance GW-FIN-04 --version 3000.322.5 --cpu 80 --memory 85
  gatepool add-member finance GW-FIN-04 GW-FIN-05 --member-status none --what-if`,
		Args: arguments(2, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.cluster, o.members = args[0], args[1:]
			return a.runAddMember(o)
		},
	}
	o.settings.add(c)
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runAddMember(o addMemberOptions) error {
	var t targets
	var added []memberRef
	err := a.change(o.change, "", func(tx *state.Tx) error {
		c, err := tx.Cluster(o.cluster)
		if err != nil {
			return err
		}
		before := len(c.Members)
		err = addMembers(&t, c, o.members, &o.settings)
		added = nil
		for _, m := range c.Members[before:] {
			added = append(added, memberRef{c.Name, m.Name})
		}
		return err
	})
	if err != nil {
		return err
	}
	if o.change.passThru && !o.change.whatIf {
		if err := a.printMembers(added); err != nil {
			return err
		}
	}
	return t.err()
}

// addMembers adds members with the same settings.
func addMembers(t *targets, c *gateway.Cluster, names []string, s *memberSettings) error {
	return members(c).add(t, names, func(name string) (gateway.Member, error) {
		m := gateway.Member{Name: name, Status: gateway.Online, Enabled: true}
		if err := s.apply(c, &m); err != nil {
			return m, err
		}
		if len(c.Members) >= gateway.MaxMembers {
			return m, conflictf(name, "no room for %s: cluster %s has %d members, the most there can be", name, c.Name, len(c.Members))
		}
		return m, nil
	})
}
