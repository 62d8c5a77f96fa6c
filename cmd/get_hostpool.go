package cmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/advice"
	"gatepool/pkg/hostpool"
	"gatepool/pkg/output"
	"gatepool/state"
)

type getHostpoolOptions struct {
	names         []string
	resourceGroup *string
}

func (a *app) getHostpool() *cobra.Command {
	var o getHostpoolOptions
	c := &cobra.Command{
		Use:   "get-hostpool [POOL...]",
		Short: "List host pools",
		Long: `List host pools with their algorithm, limit, and how many hosts and sessions
they have. Available hosts are those that would take a new session now. Names
may be cut short with the wildcards *, ? and [ab].`,
		Example: `  gatepool get-hostpool
  gatepool get-hostpool 'hp-*' -o json
  gatepool get-hostpool hp-eu -o wide`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.names = args
			return a.runGetHostpool(o)
		},
	}
	addText(c, &o.resourceGroup, "resource-group-name", "only pools of this resource group")
	return c
}

// poolRow is a host pool as it is listed: its own properties without the hosts,
// and figures about them.
type poolRow struct {
	hostpool.Pool            // without its hosts
	SessionHosts   *struct{} `json:"sessionHosts,omitempty"` // hides the pool's own
	Hosts          int       `json:"hosts"`
	AvailableHosts int       `json:"availableHosts"`
	Sessions       int       `json:"sessions"`
	Warnings       []string  `json:"warnings"`
}

func (a *app) runGetHostpool(o getHostpoolOptions) error {
	rows, missing, err := mapPools(a.statePath(), o.names, a.poolRow)
	if err != nil {
		return err
	}
	if o.resourceGroup != nil {
		rows = slices.DeleteFunc(rows, func(r poolRow) bool { return !strings.EqualFold(*o.resourceGroup, r.ResourceGroup) })
	}
	if err := print(a, rows, poolColumns()); err != nil {
		return err
	}
	for _, r := range rows {
		a.warn(r.Warnings)
	}
	return combine(missing, len(o.names))
}

// mapPools makes something of each host pool that names and wildcards choose,
// and says which exact names there are not; see state.MapPools for what fn may
// not do.
func mapPools[T any](path string, names []string, fn func(p *hostpool.Pool) T) (made []T, missing []error, err error) {
	chosen := newSelection(names)
	if !slices.ContainsFunc(chosen, pattern.exact) {
		if made, ok := state.Survey(path, func(name string) bool { return chosen.wants(name) }, fn); ok {
			return made, nil, nil
		}
	}
	s, err := state.Open(path)
	if err != nil {
		return nil, nil, err
	}
	chosen, missing = chosenPools(s, names)
	made, err = state.MapPools(s, func(name string) bool { return chosen.wants(name) }, fn)
	return made, missing, err
}

// choosePools reads the host pools that names and wildcards choose, and says
// which exact names there are not.
func choosePools(s *state.Snapshot, names []string) (pools []*hostpool.Pool, missing []error, err error) {
	return choosePoolsNaming(s, names, "")
}

// choosePoolsNaming is choosePools without pools that don't hold a text; see
// state.Snapshot.PoolsNaming.
func choosePoolsNaming(s *state.Snapshot, names []string, text string) (pools []*hostpool.Pool, missing []error, err error) {
	chosen, missing := chosenPools(s, names)
	pools, err = s.PoolsNaming(text, func(name string) bool { return chosen.wants(name) })
	return pools, missing, err
}

func chosenPools(s *state.Snapshot, names []string) (chosen selection, missing []error) {
	chosen = newSelection(names)
	for i, p := range chosen {
		if p.exact() {
			// An ARM id is as good as a name.
			pool, err := s.NameOf(state.HostPool, p.text)
			if err != nil {
				missing = append(missing, err)
				continue
			}
			chosen[i].text = pool
		}
	}
	return chosen, missing
}

func (a *app) poolRow(p *hostpool.Pool) poolRow {
	r := poolRow{Pool: *p, Hosts: len(p.SessionHosts), Warnings: advice.Summarise(advice.Pool(p, advice.Options{Now: a.now(), Shown: true}))}
	r.Pool.SessionHosts = nil
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		r.Sessions += h.SessionCount()
		if takesSession(p, h) {
			r.AvailableHosts++
		}
	}
	return r
}

// takesSession reports whether a host would take a new session now.
func takesSession(p *hostpool.Pool, h *hostpool.Host) bool {
	return h.AllowNewSession && h.Status.Placeable() && h.SessionCount() < p.SessionLimit()
}

func poolColumns() []output.Column[poolRow] {
	return []output.Column[poolRow]{
		{Name: "name", Value: func(r poolRow) string { return r.Name }},
		{Name: "hostPoolType", Header: "TYPE", Value: func(r poolRow) string { return string(r.HostPoolType) }},
		{Name: "loadBalancerType", Header: "ALGORITHM", Value: func(r poolRow) string { return string(r.LoadBalancerType) }},
		{Name: "maxSessionLimit", Header: "LIMIT", Value: func(r poolRow) string { return limitText(r.MaxSessionLimit) }, Right: true},
		{Name: "hosts", Value: func(r poolRow) string { return strconv.Itoa(r.Hosts) }, Right: true},
		{Name: "availableHosts", Header: "AVAILABLE", Value: func(r poolRow) string { return strconv.Itoa(r.AvailableHosts) }, Right: true, Style: func(r poolRow) output.Style {
			if r.AvailableHosts == 0 {
				return output.Bad
			}
			return output.Plain
		}},
		{Name: "sessions", Value: func(r poolRow) string { return strconv.Itoa(r.Sessions) }, Right: true},
		{Name: "startVMOnConnect", Value: func(r poolRow) string { return strconv.FormatBool(r.StartVMOnConnect) }, Wide: true},
		{Name: "personalDesktopAssignmentType", Header: "ASSIGNMENT", Value: func(r poolRow) string { return string(r.PersonalDesktopAssignmentType) }, Wide: true},
		{Name: "resourceGroup", Value: func(r poolRow) string { return r.ResourceGroup }, Wide: true},
		{Name: "location", Value: func(r poolRow) string { return r.Location }, Wide: true},
		{Name: "friendlyName", Value: func(r poolRow) string { return r.FriendlyName }, Wide: true},
		{Name: "description", Value: func(r poolRow) string { return r.Description }, Wide: true},
	}
}

// limitText is a session limit as a table shows it.
func limitText(limit int) string {
	if limit == 0 {
		return ""
	}
	return strconv.Itoa(limit)
}
