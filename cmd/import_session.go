package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/state"
)

func (a *app) importSession() *cobra.Command {
	var o importOptions
	var pool *string
	c := &cobra.Command{
		Use:   "import-session FILE...",
		Short: "Read user sessions that other tools print",
		Long: `Read user sessions onto their hosts; see import-hostpool. A session that is new
by name takes the place of an anonymous one. A list of a whole pool is the truth
about it: sessions that it no longer has end; a list of some hosts is the truth
about those.`,
		Example: `  Get-AzWvdUserSession -HostPoolName hp-eu -ResourceGroupName rg-avd-eu | ConvertTo-Json -Depth 5 | gatepool import-session -
  gatepool import-session usersessions.json`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.files = args
			return a.runImport(o, func(im *importer, tx *state.Tx) error {
				if len(im.export.Sessions) == 0 && !im.empty() {
					return im.nothing("user sessions", o.files)
				}
				return im.mergeSessions(tx, pool)
			})
		},
	}
	addText(c, &pool, "hostpool-name", "the pool, where the export does not say")
	sameAs(c, "hostpool", "hostpool-name")
	o.add(c)
	return c
}

func (im *importer) mergeSessions(tx *state.Tx, option *string) error {
	done := map[string]bool{}
	for _, f := range im.export.Sessions {
		p, err := im.poolOf(tx, f.Pool, option)
		if err != nil {
			return err
		}
		if key := strings.ToLower(p.Name); !done[key] {
			done[key] = true
			exchange.MergeSessions(p, im.export, false)
		}
	}
	if len(done) == 0 && option != nil {
		// An empty list of this pool: nobody is on it.
		p, err := tx.Pool(*option)
		if err != nil {
			return err
		}
		exchange.MergeSessions(p, im.export, true)
	}
	return nil
}
