package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
	"gatepool/pkg/output"
	"gatepool/state"
)

type getSessionOptions struct {
	pools []string
	names []string // users, or ids as host/3
	user  *string
	host  *string
	state *hostpool.SessionState
}

func (a *app) getSession() *cobra.Command {
	var o getSessionOptions
	c := &cobra.Command{
		Use:   "get-session [POOL [USER...]]",
		Short: "List user sessions",
		Long: `List the user sessions of a pool, or of all pools. A session is named by its
user, or by its host and id as host/3. Sessions that are known only by number
are not listed; get-host counts them. Mirrors Get-AzWvdUserSession.`,
		Example: `  gatepool get-session hp-eu
  gatepool get-session --user alice@contoso.example
  gatepool get-session hp-eu --session-state disconnected -o ndjson | gatepool remove-session --stdin --force`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.pools, o.names = args[:1], args[1:]
			}
			return a.runGetSession(o)
		},
	}
	addText(c, &o.user, "user", "only sessions of this user; wildcards may be used")
	addText(c, &o.host, "session-host-name", "only sessions on this host")
	addEnum(c, &o.state, "session-state", "only sessions in this state")
	return c
}

// sessionRow is a user session as it is listed.
type sessionRow struct {
	Name     string `json:"name"` // host/id, or the user where there is no id
	HostPool string `json:"hostPool"`
	Host     string `json:"host"`
	hostpool.Session
}

func (a *app) runGetSession(o getSessionOptions) error {
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	var user pattern
	about := "" // what a pool must hold to be read at all
	if o.user != nil {
		user = newPattern(*o.user)
		if user.exact() {
			about = *o.user
		}
	}
	pools, failed, err := choosePoolsNaming(s, o.pools, about)
	if err != nil {
		return err
	}
	named := make([]bool, len(o.names))
	var rows []sessionRow
	for _, p := range pools {
		for i := range p.SessionHosts {
			h := &p.SessionHosts[i]
			if o.host != nil && !hostIs(h, *o.host) {
				continue
			}
			for _, session := range h.Sessions {
				if o.user != nil && !user.matches(session.User) {
					continue
				}
				if o.wants(h, session, named) {
					rows = append(rows, newSessionRow(p, h, session))
				}
			}
		}
	}
	for i, name := range o.names {
		if !named[i] && newPattern(name).exact() && len(failed) == 0 {
			failed = append(failed, notFoundf(name, "%q has no session in host pool %s", name, o.pools[0]).withHint("gatepool get-session %s lists its sessions", o.pools[0]))
		}
	}
	if err := print(a, rows, sessionColumns()); err != nil {
		return err
	}
	return combine(failed, max(1, len(o.names)))
}

// wants reports whether a session is asked for, and notes by which names.
func (o *getSessionOptions) wants(h *hostpool.Host, s hostpool.Session, named []bool) bool {
	if o.state != nil && s.State != *o.state {
		return false
	}
	if len(o.names) == 0 {
		return true
	}
	wanted := false
	for i, name := range o.names {
		if sessionIs(h, s, name) {
			named[i], wanted = true, true
		}
	}
	return wanted
}

func newSessionRow(p *hostpool.Pool, h *hostpool.Host, s hostpool.Session) sessionRow {
	name := s.User
	if s.ID != "" {
		name = h.Name + "/" + s.ID
	}
	return sessionRow{Name: name, HostPool: p.Name, Host: h.Name, Session: s}
}

func sessionColumns() []output.Column[sessionRow] {
	return []output.Column[sessionRow]{
		{Name: "name", Value: func(r sessionRow) string { return r.Name }},
		{Name: "user", Value: func(r sessionRow) string { return r.User }},
		{Name: "state", Value: func(r sessionRow) string { return string(r.State) }, Style: func(r sessionRow) output.Style {
			if r.State == hostpool.SessionActive {
				return output.Good
			}
			return output.Warn
		}},
		{Name: "created", Value: func(r sessionRow) string { return timeText(r.Created) }, Wide: true},
		{Name: "hostPool", Value: func(r sessionRow) string { return r.HostPool }},
		{Name: "host", Value: func(r sessionRow) string { return r.Host }, Wide: true},
		{Name: "id", Value: func(r sessionRow) string { return r.ID }, Wide: true},
		{Name: "applicationType", Value: func(r sessionRow) string { return string(r.ApplicationType) }, Wide: true},
	}
}
