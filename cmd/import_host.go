package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/state"
)

func (a *app) importHost() *cobra.Command {
	var o importOptions
	var pool *string
	c := &cobra.Command{
		Use:   "import-host FILE...",
		Short: "Read session hosts that other tools print",
		Long: `Read session hosts into their pools, merging by name; see import-hostpool. The
number of sessions that an export gives becomes those that are known by user and,
for the rest, anonymousSessions. A pool that the state lacks is made, with a
warning.`,
		Example: `  Get-AzWvdSessionHost -HostPoolName hp-eu -ResourceGroupName rg-avd-eu | ConvertTo-Json -Depth 5 | gatepool import-host -
  gatepool import-host sessionhosts.json
  gatepool import-host hosts.csv --hostpool-name hp-eu`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.files = args
			return a.runImport(o, func(im *importer, tx *state.Tx) error {
				if len(im.export.Hosts) == 0 && !im.empty() {
					return im.nothing("session hosts", o.files)
				}
				for _, f := range im.export.Hosts {
					p, err := im.poolOf(tx, f.Pool, pool)
					if err != nil {
						return err
					}
					exchange.MergeHost(p, f)
				}
				return nil
			})
		},
	}
	addText(c, &pool, "hostpool-name", "the pool, where the export does not say")
	sameAs(c, "hostpool", "hostpool-name")
	o.add(c)
	return c
}
