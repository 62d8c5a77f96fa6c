package cmd

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/pkg/gateway"
	"gatepool/pkg/output"
	"gatepool/state"
)

// exportKind is what export-json prints.
type exportKind string

// Values lists the valid values.
func (exportKind) Values() []string {
	return []string{"HostPool", "SessionHost", "UserSession", "Cluster"}
}

type exportJSONOptions struct {
	names []string
	kind  *exportKind
}

func (a *app) exportJSON() *cobra.Command {
	var o exportJSONOptions
	c := &cobra.Command{
		Use:   "export-json [NAME...]",
		Short: "Print resources as the services' APIs have them",
		Long: `Print resources of the state file as the services' APIs have them: host pools,
their session hosts or user sessions as Azure Resource Manager answers, gateway
clusters as version 2 of the Data Gateway REST API does.

NAME is a host pool, or with --kind cluster a cluster; without any, all are
printed. A host pool that is named without wildcards and alone is one object,
fit to be put back; everything else is a list with value and nextLink.

The import commands and compare-state read it. The gateway service has no word
for round robin; it is printed as load balancing off.`,
		Example: `  gatepool export-json hp-eu
  gatepool export-json 'hp-*' --kind session-host > sessionhosts.json
  gatepool export-json --kind cluster`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.names = args
			return a.runExportJSON(o)
		},
	}
	addEnum(c, &o.kind, "kind", "what to print (default host-pool)")
	return c
}

func (a *app) runExportJSON(o exportJSONOptions) error {
	format, err := a.format()
	if err != nil {
		return err
	}
	if format != output.Table && format != output.JSON {
		return invalidValue(a.output, "--output is %q; export-json prints json alone", a.output)
	}
	if len(a.columns) > 0 {
		return usagef("export-json prints whole objects and takes no --columns")
	}
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	data, missing, err := o.export(s)
	if err != nil {
		return err
	}
	if data != nil {
		// Printed as all JSON is, with nothing in it that could steer a terminal.
		if err := output.WriteOne(a.stdout, output.Options{Format: output.JSON}, json.RawMessage(data), []output.Column[json.RawMessage]{{Name: "value"}}); err != nil {
			return err
		}
	}
	return combine(missing, len(o.names))
}

// export is the JSON of what is chosen, nil if nothing was found that was named.
func (o exportJSONOptions) export(s *state.Snapshot) (data []byte, missing []error, err error) {
	kind := exportKind("HostPool")
	set(&kind, o.kind)
	if kind == "Cluster" {
		var clusters []*gateway.Cluster
		if clusters, missing, err = chooseClusters(s, o.names); err != nil || len(missing) > 0 && len(clusters) == 0 {
			return nil, missing, err
		}
		data, err = exchange.GatewayClusters(clusters)
		return data, missing, err
	}
	pools, missing, err := choosePools(s, o.names)
	if err != nil || len(missing) > 0 && len(pools) == 0 {
		return nil, missing, err
	}
	switch {
	case kind == "SessionHost":
		data, err = exchange.ARMHosts(pools...)
	case kind == "UserSession":
		data, err = exchange.ARMSessions(pools...)
	case len(o.names) == 1 && newPattern(o.names[0]).exact():
		data, err = exchange.ARMPool(pools[0])
	default:
		data, err = exchange.ARMPools(pools)
	}
	return data, missing, err
}
