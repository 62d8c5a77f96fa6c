package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
)

func (a *app) disconnectSession() *cobra.Command {
	return a.sessionChange(&cobra.Command{
		Use:   "disconnect-session POOL USER...",
		Short: "Disconnect user sessions",
		Long: `Disconnect user sessions. A disconnected session goes on and keeps its seat; its
user comes back to it. Mirrors Disconnect-AzWvdUserSession.`,
		Example: `  gatepool disconnect-session hp-eu alice@contoso.example
  gatepool disconnect-session hp-eu avd-eu-0.contoso.example/1 --what-if`,
	}, "", func(s hostpool.Session) *hostpool.Session {
		s.State = hostpool.SessionDisconnected
		return &s
	})
}
