package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
)

type setClusterLoadbalancingOptions struct {
	names  []string
	mode   *gateway.LoadBalancing
	change changeFlags
}

func (a *app) setClusterLoadbalancing() *cobra.Command {
	var o setClusterLoadbalancingOptions
	c := &cobra.Command{
		Use:   "set-cluster-loadbalancing CLUSTER... --mode MODE",
		Short: "Choose how a gateway cluster spreads requests",
		Long: `Choose how gateway clusters spread requests over their members:

  failover      off, the default: the primary member takes every request, and the
                next one in order only while it is unreachable
  random        on ("distribute requests across all active gateways"): any member
                that is enabled, each equally likely, and another one if that is
                unreachable or at a limit
  round-robin   the members in turn, beginning after the one used last

Microsoft's page contradicts itself about the mode off: since May 2026 it says
that members are then used round robin, and in two other places that the primary
always is. gatepool keeps the older rule as failover, and has the newer as
round-robin for those who see it in their tenant. Mirrors
Set-DataGatewayCluster -LoadBalancingSelectorType and
Set-OnPremisesDataGatewayCluster -LoadBalancingType.`,
		Example: `  gatepool set-cluster-loadbalancing finance --mode failover
  gatepool set-cluster-loadbalancing '*' --mode random --what-if
  gatepool set-cluster-loadbalancing finance --load-balancing-type round-robin`,
		Args: arguments(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.names = args
			return a.runSetClusterLoadbalancing(o)
		},
	}
	addEnum(c, &o.mode, "mode", "how a member is chosen (also --load-balancing-selector-type, --load-balancing-type)")
	sameAs(c, "load-balancing-selector-type", "mode")
	sameAs(c, "load-balancing-type", "mode")
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runSetClusterLoadbalancing(o setClusterLoadbalancingOptions) error {
	if o.mode == nil {
		return usagef("set-cluster-loadbalancing needs --mode failover, random or round-robin").withHint("gatepool set-cluster-loadbalancing --help")
	}
	return a.changeClusters(o.names, o.change, func(c *gateway.Cluster) { c.LoadBalancing = *o.mode })
}
