package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
	"gatepool/state"
)

type setHostpoolOptions struct {
	names    []string
	settings poolSettings
	change   changeFlags
}

func (a *app) setHostpool() *cobra.Command {
	var o setHostpoolOptions
	c := &cobra.Command{
		Use:   "set-hostpool POOL...",
		Short: "Change settings of a host pool",
		Long: `Change settings of host pools. What no flag names stays as it is; an empty text,
or 0 as the limit, takes a setting away. Sessions that exist are never ended:
hosts over a lowered limit just take no new ones.

Depth-first needs a maximum session limit, in the pool or on the line.`,
		Example: `  gatepool set-hostpool hp-eu --max-session-limit 14
  gatepool set-hostpool hp-eu --algorithm depth-first --max-session-limit 12
  gatepool set-hostpool 'hp-*' --start-vm-on-connect --what-if`,
		Args: arguments(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.names = args
			return a.runSetHostpool(o)
		},
	}
	o.settings.add(c)
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runSetHostpool(o setHostpoolOptions) error {
	var t targets
	var changed []*hostpool.Pool
	err := a.change(o.change, "", func(tx *state.Tx) error {
		changed = nil
		return t.each(expand(o.names, tx.Names(state.HostPool)), func(name string) error {
			p, err := tx.Pool(name)
			if err != nil {
				return err
			}
			changed = append(changed, p)
			return o.settings.apply(p)
		})
	})
	if err != nil {
		return err
	}
	if o.change.passThru && !o.change.whatIf {
		rows := make([]poolRow, len(changed))
		for i, p := range changed {
			rows[i] = a.poolRow(p)
		}
		if err := print(a, rows, poolColumns()); err != nil {
			return err
		}
	}
	for _, p := range changed {
		a.warn(a.poolRow(p).Warnings)
	}
	return t.err()
}

// poolSettings are the settings of a host pool that new-hostpool and
// set-hostpool take. Those not given are nil.
type poolSettings struct {
	algorithm      *hostpool.LoadBalancerType
	limit          *int
	assignment     *hostpool.AssignmentType
	startVM        *bool
	validation     *bool
	preferredGroup *hostpool.PreferredAppGroup
	resourceGroup  *string
	friendlyName   *string
	description    *string
}

func (s *poolSettings) add(c *cobra.Command) {
	addEnum(c, &s.algorithm, "load-balancer-type", "how a host is chosen (also --algorithm)")
	sameAs(c, "algorithm", "load-balancer-type")
	addNumber(c, &s.limit, "max-session-limit", 0, hostpool.NoLimit, "most sessions a host takes, 1 to 999999; 0 for none")
	addEnum(c, &s.assignment, "personal-desktop-assignment-type", "how personal desktops find their users")
	addBool(c, &s.startVM, "start-vm-on-connect", "start a host that is shut down when no other can take a session")
	addBool(c, &s.validation, "validation-environment", "get service updates first")
	addEnum(c, &s.preferredGroup, "preferred-app-group-type", "application group type that wins")
	addText(c, &s.resourceGroup, "resource-group-name", "Azure resource group")
	addText(c, &s.friendlyName, "friendly-name", "name shown to users")
	addText(c, &s.description, "description", "free text")
}

// apply changes a pool and makes sure that it still makes sense.
func (s *poolSettings) apply(p *hostpool.Pool) error {
	set(&p.LoadBalancerType, s.algorithm)
	set(&p.MaxSessionLimit, s.limit)
	set(&p.PersonalDesktopAssignmentType, s.assignment)
	set(&p.StartVMOnConnect, s.startVM)
	set(&p.ValidationEnvironment, s.validation)
	set(&p.PreferredAppGroupType, s.preferredGroup)
	set(&p.ResourceGroup, s.resourceGroup)
	set(&p.FriendlyName, s.friendlyName)
	set(&p.Description, s.description)
	return s.check(p)
}

// check refuses a combination that the service refuses, when a flag of this
// line is part of it.
func (s *poolSettings) check(p *hostpool.Pool) error {
	if s.algorithm == nil && s.limit == nil && s.assignment == nil {
		return nil
	}
	pooled := p.LoadBalancerType == hostpool.BreadthFirst || p.LoadBalancerType == hostpool.DepthFirst
	switch {
	case s.algorithm != nil && p.Balanced() != pooled:
		want := "breadth-first or depth-first"
		if !p.Balanced() {
			want = "persistent or multiple-persistent"
		}
		return conflictf(p.Name, "%s is a %s host pool; its load balancer type must be %s", p.Name, p.HostPoolType, want)
	case p.LoadBalancerType == hostpool.DepthFirst && p.MaxSessionLimit == 0:
		return conflictf(p.Name, "depth-first needs a maximum session limit, and %s has none", p.Name).
			withHint("add --max-session-limit N: depth-first fills one host up to it before the next")
	case p.LoadBalancerType == hostpool.MultiplePersistent && p.PersonalDesktopAssignmentType != hostpool.Direct:
		return conflictf(p.Name, "multiple-persistent needs direct assignment, and %s has %s", p.Name, orNone(string(p.PersonalDesktopAssignmentType))).
			withHint("add --personal-desktop-assignment-type direct")
	}
	return nil
}

// set gives a property the value of an option that was given.
func set[T any](property *T, option *T) {
	if option != nil {
		*property = *option
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
