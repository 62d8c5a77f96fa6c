package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
	"gatepool/state"
)

type newHostpoolOptions struct {
	name     string
	poolType *hostpool.Type
	location *string
	settings poolSettings
	change   changeFlags
}

func (a *app) newHostpool() *cobra.Command {
	var o newHostpoolOptions
	c := &cobra.Command{
		Use:   "new-hostpool POOL",
		Short: "Add a host pool to the state file",
		Long: `Add a host pool at the end of the state file: pooled and breadth-first unless
flags say otherwise. A personal pool is persistent, with automatic assignment.
Mirrors New-AzWvdHostPool.`,
		Example: `  gatepool new-hostpool hp-uk
  gatepool new-hostpool hp-uk --algorithm depth-first --max-session-limit 10
  gatepool new-hostpool hp-vip --host-pool-type personal --personal-desktop-assignment-type direct`,
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.name = args[0]
			return a.runNewHostpool(o)
		},
	}
	addEnum(c, &o.poolType, "host-pool-type", "pooled or personal")
	addText(c, &o.location, "location", "Azure region")
	o.settings.add(c)
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runNewHostpool(o newHostpoolOptions) error {
	if err := checkName("host pool", o.name); err != nil {
		return err
	}
	var made *hostpool.Pool
	err := a.change(o.change, "", func(tx *state.Tx) error {
		made = o.pool()
		if err := o.settings.apply(made); err != nil {
			return err
		}
		return tx.AddPool(made)
	})
	if err != nil {
		return err
	}
	row := a.poolRow(made)
	if o.change.passThru && !o.change.whatIf {
		if err := print(a, []poolRow{row}, poolColumns()); err != nil {
			return err
		}
	}
	a.warn(row.Warnings)
	return nil
}

// pool is the new pool before its settings.
func (o *newHostpoolOptions) pool() *hostpool.Pool {
	p := &hostpool.Pool{Name: o.name, HostPoolType: hostpool.Pooled, LoadBalancerType: hostpool.BreadthFirst}
	set(&p.HostPoolType, o.poolType)
	set(&p.Location, o.location)
	if !p.Balanced() {
		p.LoadBalancerType = hostpool.Persistent
		p.PersonalDesktopAssignmentType = hostpool.Automatic
	}
	return p
}
