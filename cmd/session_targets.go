package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
	"gatepool/state"
)

// sessionIs reports whether a name means this session: its user, its host and
// id as host/3 or pool/host/3, or its ARM id; wildcards may be used.
func sessionIs(h *hostpool.Host, s hostpool.Session, name string) bool {
	if newPattern(name).matches(s.User) {
		return true
	}
	slash := strings.LastIndexByte(name, '/')
	if s.ID == "" || slash < 0 {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(name[:slash]), "/usersessions")
	return newPattern(name[slash+1:]).matches(s.ID) && hostIs(h, host)
}

// hostIs reports whether a name means this host; see findHosts.
func hostIs(h *hostpool.Host, name string) bool {
	short := name[strings.LastIndexByte(name, '/')+1:]
	label, _, _ := strings.Cut(h.Name, ".")
	return newPattern(short).matches(h.Name) || strings.EqualFold(label, short)
}

// sessionTargets are the sessions that a command acts on: POOL USER... on the
// line, or objects on standard input with --stdin.
type sessionTargets struct {
	args  []string
	stdin bool
	host  *string
}

func (s *sessionTargets) add(c *cobra.Command) {
	addSwitch(c, &s.stdin, "stdin", "read the sessions from standard input, one JSON object a line with hostPool and name")
	addText(c, &s.host, "session-host-name", "only sessions on this host")
	c.Args = func(c *cobra.Command, args []string) error {
		if s.stdin {
			return arguments(0, 0)(c, args)
		}
		return arguments(2, -1)(c, args)
	}
}

// sessionRef names a session of a pool.
type sessionRef struct{ pool, session string }

func (s *sessionTargets) refs(a *app) ([]sessionRef, error) {
	var refs []sessionRef
	if !s.stdin {
		for _, session := range s.args[1:] {
			refs = append(refs, sessionRef{pool: s.args[0], session: session})
		}
		return refs, nil
	}
	err := eachObject(a.stdin, func(line int, object map[string]any) error {
		pool, _ := object["hostPool"].(string)
		session, _ := object["name"].(string)
		if pool == "" || session == "" {
			return &failure{code: "invalid_input", exit: exitInvalid, target: "-", err: fmt.Errorf("-:%d:1: the object has no hostPool and name", line),
				hint: "pipe in what gatepool get-session -o ndjson prints"}
		}
		refs = append(refs, sessionRef{pool, session})
		return nil
	})
	return refs, err
}

// eachSession hands fn every session that the references choose; fn returns
// what becomes of it, or nil for a session that ends.
func (t *targets) eachSession(tx *state.Tx, s *sessionTargets, refs []sessionRef, fn func(hostpool.Session) *hostpool.Session) error {
	return t.eachRef(len(refs), func(i int) error {
		ref := refs[i]
		p, err := tx.Pool(ref.pool)
		if err != nil {
			return err
		}
		found := false
		for i := range p.SessionHosts {
			h := &p.SessionHosts[i]
			if s.host != nil && !hostIs(h, *s.host) {
				continue
			}
			var kept []hostpool.Session
			for _, session := range h.Sessions {
				if !sessionIs(h, session, ref.session) {
					kept = append(kept, session)
					continue
				}
				found = true
				if after := fn(session); after != nil {
					kept = append(kept, *after)
				}
			}
			h.Sessions = kept
		}
		if !found && newPattern(ref.session).exact() {
			return notFoundf(ref.session, "%q has no session in host pool %s", ref.session, p.Name).withHint("gatepool get-session %s lists its sessions", p.Name)
		}
		return nil
	})
}

type sessionChangeOptions struct {
	sessions sessionTargets
	change   changeFlags
}

// sessionChange completes a command that changes or ends sessions. question is
// asked before, "" for none.
func (a *app) sessionChange(c *cobra.Command, question string, fn func(hostpool.Session) *hostpool.Session) *cobra.Command {
	var o sessionChangeOptions
	o.sessions.add(c)
	o.change.add(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		o.sessions.args = args
		refs, err := o.sessions.refs(a)
		if err != nil {
			return err
		}
		var t targets
		err = a.change(o.change, question, func(tx *state.Tx) error {
			return t.eachSession(tx, &o.sessions, refs, fn)
		})
		if err != nil {
			return err
		}
		return t.err()
	}
	return c
}
