package cmd

import (
	"strconv"

	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/pkg/output"
	"gatepool/state"
)

type getMemberOptions struct {
	args   []string // CLUSTER, then members
	status *gateway.MemberStatus
}

func (a *app) getMember() *cobra.Command {
	var o getMemberOptions
	c := &cobra.Command{
		Use:   "get-member [CLUSTER [MEMBER...]]",
		Short: "List members of gateway clusters",
		Long: `List the members of a cluster, or of all clusters, in failover order, the primary
first. The limits are those in force: of the member's configuration file where
it names one, otherwise of the state, otherwise the service's defaults; a file
that is missing or broken is reported, and the defaults stand in. Mirrors
(Get-DataGatewayCluster).MemberGateways and Get-OnPremisesDataClusterGateways.`,
		Example: `  gatepool get-member finance
  gatepool get-member finance GW-FIN-02 -o json
  gatepool get-member '*' --status offline -o ndjson | gatepool disable-member --stdin`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.args = args
			return a.runGetMember(o)
		},
	}
	addEnum(c, &o.status, "status", "only members with this status")
	return c
}

// memberRow is a member as it is listed.
type memberRow struct {
	Cluster string `json:"cluster"`
	Primary bool   `json:"primary"`
	gateway.Member
	Limits       *gateway.Limits   `json:"limits"` // in force; nil where the configuration file does not tell
	LimitsSource limitsSource      `json:"limitsSource"`
	Counters     []gateway.Counter `json:"counters"`

	fault error // why the configuration file does not tell the limits
}

// limitsSource says where a member's limits come from.
type limitsSource string

const (
	limitsFromConfigFile limitsSource = "ConfigFile"
	limitsFromState      limitsSource = "State"
	limitsFromDefault    limitsSource = "Default"
	limitsUnknown        limitsSource = "Unknown" // the configuration file is missing or broken
)

func (a *app) runGetMember(o getMemberOptions) error {
	var rows []memberRow
	var faults []error
	failed, err := a.eachChosen(o.args, func(s *state.Snapshot, c *gateway.Cluster, names []string) ([]error, error) {
		all := memberRows(s, c)
		chosen, errs := members(c).choose(names)
		for _, i := range chosen {
			if o.status != nil && all[i].Status != *o.status {
				continue
			}
			rows = append(rows, all[i])
			if all[i].fault != nil {
				faults = append(faults, all[i].fault)
			}
		}
		return errs, nil
	})
	if err != nil {
		return err
	}
	if err := print(a, rows, memberColumns()); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	return combine(faults, len(rows))
}

// memberRows are all members of a cluster with the limits in force.
func memberRows(s *state.Snapshot, c *gateway.Cluster) []memberRow {
	rows := make([]memberRow, len(c.Members))
	for i := range c.Members {
		m := &c.Members[i]
		r := memberRow{Cluster: c.Name, Primary: i == 0, Member: *m, LimitsSource: limitsFromDefault, Counters: append([]gateway.Counter{}, m.Counters...)}
		limits, err := memberLimits(s, c, m)
		r.Limits, r.fault = &limits, err
		switch {
		case err != nil:
			r.Limits, r.LimitsSource = nil, limitsUnknown
		case m.ConfigFile != "":
			r.LimitsSource = limitsFromConfigFile
		case m.Limits != nil:
			r.LimitsSource = limitsFromState
		}
		rows[i] = r
	}
	return rows
}

func cpuLimit(l *gateway.Limits) int           { return l.CPU }
func memoryLimit(l *gateway.Limits) int        { return l.Memory }
func aggregationMinutes(l *gateway.Limits) int { return l.AggregationMinutes }
func concurrencyLimit(l *gateway.Limits) int   { return l.Concurrency }

// limit is one of the limits as a table shows it; "" when it is not known.
func (r memberRow) limit(of func(*gateway.Limits) int) string {
	if r.Limits == nil {
		return ""
	}
	return strconv.Itoa(of(r.Limits))
}

// printMembers prints the members that a command changed, as they are now.
func (a *app) printMembers(changed []memberRef) error {
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	var rows []memberRow
	clusters := map[string][]memberRow{}
	for _, ref := range changed {
		if clusters[ref.cluster] == nil {
			c, err := s.Cluster(ref.cluster)
			if err != nil {
				return err
			}
			clusters[ref.cluster] = memberRows(s, c)
		}
		for _, r := range clusters[ref.cluster] {
			if r.Name == ref.member {
				rows = append(rows, r)
			}
		}
	}
	return print(a, rows, memberColumns())
}

func memberColumns() []output.Column[memberRow] {
	return []output.Column[memberRow]{
		{Name: "name", Value: func(r memberRow) string { return r.Name }},
		{Name: "cluster", Value: func(r memberRow) string { return r.Cluster }},
		{Name: "primary", Value: func(r memberRow) string { return strconv.FormatBool(r.Primary) }},
		{Name: "status", Value: func(r memberRow) string { return string(r.Status) }, Style: func(r memberRow) output.Style { return memberStatusStyle(r.Status) }},
		{Name: "enabled", Value: func(r memberRow) string { return strconv.FormatBool(r.Enabled) }, Style: func(r memberRow) output.Style {
			if !r.Enabled {
				return output.Warn
			}
			return output.Plain
		}},
		{Name: "version", Value: func(r memberRow) string { return r.Version }},
		{Name: "activeOperations", Header: "OPERATIONS", Value: func(r memberRow) string { return strconv.Itoa(r.ActiveOperations) }, Right: true},
		{Name: "cpuLimit", Value: func(r memberRow) string { return r.limit(cpuLimit) }, Wide: true, Right: true},
		{Name: "memoryLimit", Value: func(r memberRow) string { return r.limit(memoryLimit) }, Wide: true, Right: true},
		{Name: "aggregationMinutes", Value: func(r memberRow) string { return r.limit(aggregationMinutes) }, Wide: true, Right: true},
		{Name: "concurrencyLimit", Value: func(r memberRow) string { return r.limit(concurrencyLimit) }, Wide: true, Right: true},
		{Name: "limitsSource", Value: func(r memberRow) string { return string(r.LimitsSource) }, Wide: true},
		{Name: "configFile", Value: func(r memberRow) string { return r.ConfigFile }, Wide: true},
		{Name: "machine", Value: func(r memberRow) string { return r.Machine }, Wide: true},
		{Name: "expiryDate", Value: func(r memberRow) string { return timeText(r.ExpiryDate) }, Wide: true},
		{Name: "id", Value: func(r memberRow) string { return r.ID }, Wide: true},
	}
}

func memberStatusStyle(s gateway.MemberStatus) output.Style {
	if s == gateway.Offline {
		return output.Bad
	}
	return output.Good
}
