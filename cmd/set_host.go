package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
	"gatepool/state"
)

type setHostOptions struct {
	hosts    hostTargets
	settings hostSettings
	change   changeFlags
}

func (a *app) setHost() *cobra.Command {
	var o setHostOptions
	c := &cobra.Command{
		Use:   "set-host POOL HOST...",
		Short: "Change properties of session hosts",
		Long: `Change properties of session hosts. What no flag names stays as it is. An
assigned user is changed only with --force, as the service demands it; an empty
one takes the assignment away. Mirrors Update-AzWvdSessionHost.`,
		Example: `  gatepool set-host hp-eu avd-eu-0.contoso.example --status unavailable
  gatepool set-host hp-eu avd-eu-0.contoso.example --allow-new-session=false
  gatepool set-host hp-dev dev-1.contoso.example --assigned-user bob@contoso.example`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.hosts.args = args
			return a.runSetHost(o)
		},
	}
	o.hosts.add(c)
	o.settings.add(c)
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runSetHost(o setHostOptions) error {
	refs, err := o.hosts.refs(a)
	if err != nil {
		return err
	}
	var t targets
	var rows []hostRow
	err = a.change(o.change, "", func(tx *state.Tx) error {
		rows = nil
		return t.eachHost(tx, refs, func(p *hostpool.Pool, h *hostpool.Host) error {
			if new := o.settings.assignedUser; new != nil && h.AssignedUser != "" && !strings.EqualFold(*new, h.AssignedUser) && !o.change.force {
				return conflictf(h.Name, "%s is assigned to %s", h.Name, h.AssignedUser).withHint("add --force to assign it to somebody else")
			}
			if err := o.settings.apply(p, h); err != nil {
				return err
			}
			rows = append(rows, newHostRow(p, h))
			return nil
		})
	})
	if err != nil {
		return err
	}
	if o.change.passThru && !o.change.whatIf {
		if err := print(a, rows, hostColumns(rows)); err != nil {
			return err
		}
	}
	return t.err()
}

// hostSettings are the properties of a session host that add-host and set-host
// take. Those not given are nil.
type hostSettings struct {
	status       *hostpool.Status
	allowNew     *bool
	assignedUser *string
	friendlyName *string
	anonymous    *int
}

func (s *hostSettings) add(c *cobra.Command) {
	addEnum(c, &s.status, "status", "health of the host")
	addBool(c, &s.allowNew, "allow-new-session", "take new sessions; =false is drain mode")
	addText(c, &s.assignedUser, "assigned-user", "owner of a personal desktop; empty for nobody")
	addText(c, &s.friendlyName, "friendly-name", "name shown to users")
	addNumber(c, &s.anonymous, "anonymous-sessions", 0, hostpool.NoLimit, "sessions known only by number")
}

func (s *hostSettings) apply(p *hostpool.Pool, h *hostpool.Host) error {
	if s.assignedUser != nil && *s.assignedUser != "" && p.Balanced() {
		return conflictf(h.Name, "%s is a pooled host pool: its hosts belong to nobody", p.Name)
	}
	if s.assignedUser != nil && *s.assignedUser != "" && p.LoadBalancerType != hostpool.MultiplePersistent {
		for i := range p.SessionHosts {
			if other := &p.SessionHosts[i]; other.Name != h.Name && strings.EqualFold(other.AssignedUser, *s.assignedUser) {
				return conflictf(h.Name, "%s has %s already, and %s gives a user one desktop", *s.assignedUser, other.Name, p.Name).
					withHint("only a pool with --load-balancer-type multiple-persistent gives several")
			}
		}
	}
	set(&h.Status, s.status)
	set(&h.AllowNewSession, s.allowNew)
	set(&h.AssignedUser, s.assignedUser)
	set(&h.FriendlyName, s.friendlyName)
	set(&h.AnonymousSessions, s.anonymous)
	return nil
}
