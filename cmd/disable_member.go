package cmd

import "github.com/spf13/cobra"

func (a *app) disableMember() *cobra.Command {
	return a.memberSwitch(&cobra.Command{
		Use:   "disable-member CLUSTER MEMBER...",
		Short: "Keep requests away from members of a cluster",
		Long: `Keep requests away from members of a gateway cluster: a disabled member is never
tried. An offline one that stays enabled costs requests a failed attempt.
Mirrors Set-OnPremisesDataGateway -MemberStatus None.`,
		Example: `  gatepool disable-member finance GW-FIN-01
  gatepool disable-member finance 'GW-FIN-0[12]' --what-if
  gatepool get-member finance --status offline -o ndjson | gatepool disable-member --stdin`,
	}, false)
}
