package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

type newClusterOptions struct {
	name     string
	members  []string
	settings clusterSettings
	change   changeFlags
}

func (a *app) newCluster() *cobra.Command {
	var o newClusterOptions
	c := &cobra.Command{
		Use:   "new-cluster CLUSTER",
		Short: "Add a gateway cluster to the state file",
		Long: `Add a gateway cluster at the end of the state file. A cluster is made by its
first gateway, its primary member, and has the gateway's name unless --member
says otherwise; further --member flags add the members that stand in for it, in
order, ten at most. Load balancing is off (failover) unless a flag says
otherwise. Mirrors Add-DataGatewayCluster; no recovery key is asked for, and
none is kept.`,
		Example: `  gatepool new-cluster GW-HR-01
  gatepool new-cluster hr --member GW-HR-01 --member GW-HR-02
  gatepool new-cluster hr --member GW-HR-01 --load-balancing-selector-type random --department HR`,
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.name = args[0]
			return a.runNewCluster(o)
		},
	}
	c.Flags().StringArrayVar(&o.members, "member", nil, "name of a member; the first is the primary (default the cluster's name)")
	o.settings.add(c)
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runNewCluster(o newClusterOptions) error {
	if err := checkName("cluster", o.name); err != nil {
		return err
	}
	if len(o.members) == 0 {
		o.members = []string{o.name}
	}
	var made *gateway.Cluster
	err := a.change(o.change, "", func(tx *state.Tx) error {
		made = &gateway.Cluster{Name: o.name, LoadBalancing: gateway.Failover}
		o.settings.apply(made)
		var t targets
		if err := addMembers(&t, made, o.members, &memberSettings{}); err != nil {
			return err
		}
		if len(t.errs) > 0 {
			return t.errs[0] // a cluster is made whole or not at all
		}
		return tx.AddCluster(made)
	})
	if err != nil {
		return err
	}
	if o.change.passThru && !o.change.whatIf {
		if err := a.printClusters([]*gateway.Cluster{made}); err != nil {
			return err
		}
	}
	a.warnOfClusters([]*gateway.Cluster{made})
	return nil
}
