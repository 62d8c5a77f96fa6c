package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

type setMemberOptions struct {
	members  memberTargets
	newName  *string
	settings memberSettings
	change   changeFlags
}

func (a *app) setMember() *cobra.Command {
	var o setMemberOptions
	c := &cobra.Command{
		Use:   "set-member CLUSTER MEMBER...",
		Short: "Change properties of members of a gateway cluster",
		Long: `Change properties of members of a gateway cluster. What no flag names stays as it
is; an empty text takes a property away. --cpu, --memory, --aggregation-minutes
and --concurrency set limits that stand in the state; a member with a
configuration file has them there, and set-gatewayconfig changes them. Mirrors
Set-OnPremisesDataGateway; what that can't set is measured or reported by the
service, and kept here so that connect knows of it.`,
		Example: `  gatepool set-member finance GW-FIN-01 --status online
  gatepool set-member finance GW-FIN-02 GW-FIN-03 --version 3000.330.2
  gatepool set-member finance GW-FIN-03 --name GW-FIN-13 --what-if`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.members.args = args
			return a.runSetMember(o)
		},
	}
	o.members.add(c)
	addText(c, &o.newName, "name", "new name (also --new-name)")
	sameAs(c, "new-name", "name")
	o.settings.add(c)
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runSetMember(o setMemberOptions) error {
	refs, err := o.members.refs(a)
	if err != nil {
		return err
	}
	var t targets
	var changed []memberRef
	err = a.change(o.change, "", func(tx *state.Tx) error {
		changed = nil
		err := t.eachMember(tx, refs, func(c *gateway.Cluster, i int) error {
			m := &c.Members[i]
			if o.newName != nil {
				if err := members(c).checkNewName(m, *o.newName); err != nil {
					return err
				}
			}
			if err := o.settings.apply(c, m); err != nil {
				return err
			}
			if o.newName != nil {
				if strings.EqualFold(c.RoundRobinNext, m.Name) {
					c.RoundRobinNext = *o.newName
				}
				m.Name = *o.newName
			}
			changed = append(changed, memberRef{c.Name, m.Name})
			return nil
		})
		if o.newName != nil && t.all > 1 {
			return usagef("--name is for one member, and these are %d", t.all)
		}
		return err
	})
	if err != nil {
		return err
	}
	if o.change.passThru && !o.change.whatIf {
		if err := a.printMembers(changed); err != nil {
			return err
		}
	}
	return t.err()
}
