package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
)

func (a *app) removeSession() *cobra.Command {
	return a.sessionChange(&cobra.Command{
		Use:   "remove-session POOL USER...",
		Short: "End user sessions",
		Long: `End (log off) user sessions: their seats are free. Asks on a terminal; elsewhere
it needs --force. Mirrors Remove-AzWvdUserSession.`,
		Example: `  gatepool remove-session hp-eu bob@contoso.example
  gatepool remove-session hp-eu avd-eu-1.contoso.example/4 --force
  gatepool get-session hp-eu --session-state disconnected -o ndjson | gatepool remove-session --stdin --force`,
	}, "End these sessions?", func(hostpool.Session) *hostpool.Session { return nil })
}
