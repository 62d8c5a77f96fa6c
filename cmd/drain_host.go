package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
)

func (a *app) drainHost() *cobra.Command {
	return a.hostSwitch(&cobra.Command{
		Use:   "drain-host POOL HOST...",
		Short: "Put session hosts in drain mode",
		Long: `Put session hosts in drain mode: they take no new sessions. Sessions that exist
go on, and their users come back to them. Mirrors
Update-AzWvdSessionHost -AllowNewSession:$false.`,
		Example: `  gatepool drain-host hp-eu avd-eu-0.contoso.example
  gatepool drain-host hp-eu 'avd-eu-*' --what-if
  gatepool get-host hp-eu -o ndjson | gatepool drain-host --stdin`,
	}, func(h *hostpool.Host) { h.AllowNewSession = false })
}
