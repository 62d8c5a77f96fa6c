package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/state"
)

func (a *app) importHostpool() *cobra.Command {
	var o importOptions
	c := &cobra.Command{
		Use:   "import-hostpool FILE...",
		Short: "Read host pools that other tools print",
		Long: `Read host pools into the state file, merging by name: what the export knows is
updated, the rest stays, comments included. Doing it again changes nothing.

The form is recognised: the ARM REST list or a single object, az CLI, PowerShell
ConvertTo-Json, CSV; several files may be the pages of one list. - is standard
input. Registration tokens and other secrets are dropped, and it is said.`,
		Example: `  Get-AzWvdHostPool | ConvertTo-Json -Depth 5 | gatepool import-hostpool -
  gatepool import-hostpool hostpools.json
  gatepool import-hostpool hostpools.json --what-if`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.files = args
			return a.runImport(o, func(im *importer, tx *state.Tx) error {
				if len(im.export.Pools) == 0 && !im.empty() {
					return im.nothing("host pools", o.files)
				}
				for _, f := range im.export.Pools {
					p, err := im.pool(tx, f.Pool.Name)
					if err != nil {
						return err
					}
					exchange.MergePool(p, f)
				}
				return nil
			})
		},
	}
	o.add(c)
	return c
}
