package cmd

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatepool/pkg/advice"
	"gatepool/pkg/hostpool"
	"gatepool/pkg/output"
)

type getHostOptions struct {
	pools  []string
	hosts  []string
	status *hostpool.Status
}

func (a *app) getHost() *cobra.Command {
	var o getHostOptions
	c := &cobra.Command{
		Use:   "get-host [POOL [HOST...]]",
		Short: "List session hosts",
		Long: `List the session hosts of a pool, or of all pools, in file order: their status,
whether they take new sessions, and the seats that are taken. Mirrors
Get-AzWvdSessionHost.`,
		Example: `  gatepool get-host hp-eu
  gatepool get-host hp-eu avd-eu-0.contoso.example -o json
  gatepool get-host '*' --status unavailable -o ndjson | gatepool drain-host --stdin`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.pools, o.hosts = args[:1], args[1:]
			}
			return a.runGetHost(o)
		},
	}
	addEnum(c, &o.status, "status", "only hosts with this status")
	return c
}

// hostRow is a session host as it is listed.
type hostRow struct {
	HostPool        string    `json:"hostPool"`
	hostpool.Host             // without its sessions
	Sessions        *struct{} `json:"sessions,omitempty"` // hides the host's own list
	SessionCount    int       `json:"sessionCount"`
	MaxSessionLimit int       `json:"maxSessionLimit"`
	TakesSession    bool      `json:"takesSession"`
}

func (a *app) runGetHost(o getHostOptions) error {
	type poolHosts struct {
		rows     []hostRow
		failed   []error
		warnings []string
	}
	pools, failed, err := mapPools(a.statePath(), o.pools, func(p *hostpool.Pool) (found poolHosts) {
		hosts, failed := chooseHosts(p, o.hosts)
		found.failed = failed
		found.rows = make([]hostRow, 0, len(hosts))
		for _, i := range hosts {
			if h := &p.SessionHosts[i]; o.status == nil || h.Status == *o.status {
				found.rows = append(found.rows, newHostRow(p, h))
			}
		}
		found.warnings = advice.Summarise(advice.Pool(p, advice.Options{Now: a.now(), Shown: true}))
		return found
	})
	if err != nil {
		return err
	}
	var lists [][]hostRow
	var warnings []string
	for _, found := range pools {
		lists = append(lists, found.rows)
		failed = append(failed, found.failed...)
		warnings = append(warnings, found.warnings...)
	}
	rows := slices.Concat(lists...)
	if err := print(a, rows, hostColumns(rows)); err != nil {
		return err
	}
	a.warn(warnings)
	return combine(failed, max(1, len(o.hosts)))
}

// chooseHosts finds the hosts that names and wildcards choose, each once, in
// file order; no names choose all.
func chooseHosts(p *hostpool.Pool, names []string) (hosts []int, failed []error) {
	chosen := make([]bool, len(p.SessionHosts))
	for _, name := range names {
		found, err := findHosts(p, name)
		if err != nil {
			failed = append(failed, err)
		}
		for _, i := range found {
			chosen[i] = true
		}
	}
	for i := range chosen {
		if chosen[i] || len(names) == 0 {
			hosts = append(hosts, i)
		}
	}
	return hosts, failed
}

func newHostRow(p *hostpool.Pool, h *hostpool.Host) hostRow {
	r := hostRow{HostPool: p.Name, Host: *h, SessionCount: h.SessionCount(), MaxSessionLimit: p.SessionLimit(), TakesSession: takesSession(p, h)}
	r.Host.Sessions = nil
	return r
}

// hostColumns are the columns of these hosts; who a desktop is assigned to is
// shown where one is.
func hostColumns(rows []hostRow) []output.Column[hostRow] {
	personal := slices.ContainsFunc(rows, func(r hostRow) bool { return r.AssignedUser != "" })
	return []output.Column[hostRow]{
		{Name: "name", Value: func(r hostRow) string { return r.Name }},
		{Name: "hostPool", Value: func(r hostRow) string { return r.HostPool }},
		{Name: "status", Value: func(r hostRow) string { return string(r.Status) }, Style: func(r hostRow) output.Style { return statusStyle(r.Status) }},
		{Name: "allowNewSession", Header: "ALLOW NEW", Value: func(r hostRow) string { return strconv.FormatBool(r.AllowNewSession) }, Style: func(r hostRow) output.Style {
			if !r.AllowNewSession {
				return output.Warn
			}
			return output.Plain
		}},
		{Name: "sessionCount", Header: "SESSIONS", Value: func(r hostRow) string { return strconv.Itoa(r.SessionCount) }, Right: true, Style: func(r hostRow) output.Style {
			if r.SessionCount >= r.MaxSessionLimit {
				return output.Warn
			}
			return output.Plain
		}},
		{Name: "assignedUser", Value: func(r hostRow) string { return r.AssignedUser }, Wide: !personal},
		{Name: "takesSession", Value: func(r hostRow) string { return strconv.FormatBool(r.TakesSession) }, Wide: true},
		{Name: "agentVersion", Value: func(r hostRow) string { return r.AgentVersion }, Wide: true},
		{Name: "osVersion", Value: func(r hostRow) string { return r.OSVersion }, Wide: true},
		{Name: "lastHeartBeat", Value: func(r hostRow) string { return timeText(r.LastHeartBeat) }, Wide: true},
		{Name: "updateState", Value: func(r hostRow) string { return string(r.UpdateState) }, Wide: true},
		{Name: "friendlyName", Value: func(r hostRow) string { return r.FriendlyName }, Wide: true},
	}
}

// statusStyle colours a status by whether it takes sessions.
func statusStyle(s hostpool.Status) output.Style {
	switch {
	case s == hostpool.Available:
		return output.Good
	case s.Placeable(), s == hostpool.Shutdown:
		return output.Warn
	}
	return output.Bad
}

// timeText is a moment as tables and csv show it: RFC 3339, UTC.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strings.Replace(t.UTC().Format(time.RFC3339), "+00:00", "Z", 1)
}
