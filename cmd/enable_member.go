package cmd

import "github.com/spf13/cobra"

func (a *app) enableMember() *cobra.Command {
	return a.memberSwitch(&cobra.Command{
		Use:   "enable-member CLUSTER MEMBER...",
		Short: "Let members of a cluster take requests",
		Long: `Let members of a gateway cluster take requests again. Mirrors
Set-OnPremisesDataGateway -MemberStatus Enabled.`,
		Example: `  gatepool enable-member finance GW-FIN-01
  gatepool enable-member finance '*' --what-if
  gatepool get-member finance -o ndjson | gatepool enable-member --stdin`,
	}, true)
}
