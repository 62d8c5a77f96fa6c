package cmd

import (
	"strconv"

	"github.com/spf13/cobra"

	"gatepool/pkg/output"
	"gatepool/state"
)

func (a *app) getState() *cobra.Command {
	return &cobra.Command{
		Use:   "get-state",
		Short: "List what the state file holds",
		Long: `List the resources of the state file, one a row: host pools with their session
hosts and sessions, clusters with their members. All of the file is read and
checked.`,
		Example: `  gatepool get-state
  gatepool get-state -o json`,
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error { return a.runGetState() },
	}
}

// stateRow is one resource of the state file.
type stateRow struct {
	Name     string     `json:"name"`
	Kind     state.Kind `json:"kind"`
	Line     int        `json:"line"` // where its document begins
	Hosts    *int       `json:"hosts,omitempty"`
	Sessions *int       `json:"sessions,omitempty"`
	Members  *int       `json:"members,omitempty"`
}

func (a *app) runGetState() error {
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	all := selection{}
	pools, err := s.Pools(func(name string) bool { return all.wants(name) })
	if err != nil {
		return err
	}
	clusters, err := s.Clusters(func(name string) bool { return all.wants(name) })
	if err != nil {
		return err
	}
	var rows []stateRow
	for _, p := range pools {
		hosts, sessions := len(p.SessionHosts), 0
		for _, h := range p.SessionHosts {
			sessions += h.SessionCount()
		}
		rows = append(rows, stateRow{Name: p.Name, Kind: state.HostPool, Line: s.Locate(state.HostPool, p.Name, nil).Line, Hosts: &hosts, Sessions: &sessions})
	}
	for _, c := range clusters {
		members := len(c.Members)
		rows = append(rows, stateRow{Name: c.Name, Kind: state.Cluster, Line: s.Locate(state.Cluster, c.Name, nil).Line, Members: &members})
	}
	if len(rows) == 0 {
		a.say("%s holds no host pool and no cluster", s.Path())
	}
	return print(a, rows, []output.Column[stateRow]{
		{Name: "name", Value: func(r stateRow) string { return r.Name }},
		{Name: "kind", Value: func(r stateRow) string { return string(r.Kind) }},
		{Name: "hosts", Value: func(r stateRow) string { return numberOrNone(r.Hosts) }, Right: true},
		{Name: "sessions", Value: func(r stateRow) string { return numberOrNone(r.Sessions) }, Right: true},
		{Name: "members", Value: func(r stateRow) string { return numberOrNone(r.Members) }, Right: true},
		{Name: "line", Value: func(r stateRow) string { return strconv.Itoa(r.Line) }, Right: true, Wide: true},
	})
}

func numberOrNone(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
