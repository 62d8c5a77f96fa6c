package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
)

func (a *app) resumeHost() *cobra.Command {
	return a.hostSwitch(&cobra.Command{
		Use:   "resume-host POOL HOST...",
		Short: "End drain mode of session hosts",
		Long: `End drain mode of session hosts: they take new sessions again. Mirrors
Update-AzWvdSessionHost -AllowNewSession:$true.`,
		Example: `  gatepool resume-host hp-eu avd-eu-1.contoso.example
  gatepool resume-host hp-eu '*'`,
	}, func(h *hostpool.Host) { h.AllowNewSession = true })
}
