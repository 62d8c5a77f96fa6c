package cmd

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
	"gatepool/pkg/spelling"
	"gatepool/state"
)

// hostTargets are the session hosts that a command acts on: POOL HOST... on the
// line, or objects on standard input with --stdin.
type hostTargets struct {
	args  []string
	stdin bool
}

func (h *hostTargets) add(c *cobra.Command) {
	addSwitch(c, &h.stdin, "stdin", "read the hosts from standard input, one JSON object a line with hostPool and name")
	c.Args = func(c *cobra.Command, args []string) error {
		if h.stdin {
			return arguments(0, 0)(c, args)
		}
		return arguments(2, -1)(c, args)
	}
}

// hostRef names a session host.
type hostRef struct{ pool, host string }

// refs reads which hosts are meant; names may hold wildcards.
func (h *hostTargets) refs(a *app) ([]hostRef, error) {
	if !h.stdin {
		refs := make([]hostRef, len(h.args)-1)
		for i, host := range h.args[1:] {
			refs[i] = hostRef{pool: h.args[0], host: host}
		}
		return refs, nil
	}
	var refs []hostRef
	err := eachObject(a.stdin, func(line int, object map[string]any) error {
		pool, _ := object["hostPool"].(string)
		host, _ := object["name"].(string)
		if pool == "" || host == "" {
			return &failure{code: "invalid_input", exit: exitInvalid, target: "-", err: fmt.Errorf("-:%d:1: the object has no hostPool and name", line),
				hint: "pipe in what gatepool get-host -o ndjson prints"}
		}
		refs = append(refs, hostRef{pool, host})
		return nil
	})
	return refs, err
}

// eachObject reads JSON objects, one a line.
func eachObject(r io.Reader, fn func(line int, object map[string]any) error) error {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	line := 0
	for scanner.Scan() {
		line++
		text := strings.TrimSpace(scanner.Text())
		if text == "" {
			continue
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			return &failure{code: "invalid_input", exit: exitInvalid, target: "-", err: fmt.Errorf("-:%d:1: not a JSON object: %w", line, err),
				hint: "pipe in what -o ndjson prints"}
		}
		if err := fn(line, object); err != nil {
			return err
		}
	}
	return scanner.Err()
}

// eachHost runs fn on each host that the references choose.
func (t *targets) eachHost(tx *state.Tx, refs []hostRef, fn func(*hostpool.Pool, *hostpool.Host) error) error {
	t.errs, t.all = nil, 0
	for _, ref := range refs {
		p, err := tx.Pool(ref.pool)
		if err != nil {
			t.all++
			t.errs = append(t.errs, err)
			continue
		}
		hosts, err := findHosts(p, ref.host)
		if err != nil {
			t.all++
			t.errs = append(t.errs, err)
			continue
		}
		for _, i := range hosts {
			t.all++
			if err := fn(p, &p.SessionHosts[i]); err != nil {
				t.errs = append(t.errs, err)
			}
		}
	}
	return t.nothingDone()
}

// findHosts finds the hosts of a pool that a name means: exact, in the forms
// pool/host and ARM id, without its domain where that is unambiguous, or with
// wildcards.
func findHosts(p *hostpool.Pool, name string) ([]int, error) {
	short := name[strings.LastIndexByte(name, '/')+1:]
	pat := newPattern(short)
	var found, byLabel []int
	for i, h := range p.SessionHosts {
		if strings.EqualFold(h.Name, short) {
			return []int{i}, nil // a name that is there is itself, whatever wildcards it would be
		}
		if pat.matches(h.Name) {
			found = append(found, i)
		}
		if label, _, _ := strings.Cut(h.Name, "."); strings.EqualFold(label, short) {
			byLabel = append(byLabel, i)
		}
	}
	switch {
	case len(found) > 0 || !pat.exact():
		return found, nil
	case len(byLabel) == 1:
		return byLabel, nil
	case len(byLabel) > 1:
		return nil, conflictf(name, "host %q is ambiguous in %s: %s and %s", name, p.Name, p.SessionHosts[byLabel[0]].Name, p.SessionHosts[byLabel[1]].Name)
	}
	names := make([]string, len(p.SessionHosts))
	for i, h := range p.SessionHosts {
		names[i] = h.Name
	}
	f := notFoundf(name, "session host %q is not in host pool %s", name, p.Name)
	if near := spelling.Nearest(short, names); near != "" {
		return nil, f.withHint("did you mean %s?", near)
	}
	return nil, f.withHint("gatepool get-host %s lists its hosts", p.Name)
}

type hostSwitchOptions struct {
	hosts  hostTargets
	change changeFlags
}

// hostSwitch completes a command that changes one thing on session hosts.
func (a *app) hostSwitch(c *cobra.Command, apply func(*hostpool.Host)) *cobra.Command {
	var o hostSwitchOptions
	o.hosts.add(c)
	o.change.add(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		o.hosts.args = args
		return a.runHostSwitch(o, apply)
	}
	return c
}

func (a *app) runHostSwitch(o hostSwitchOptions, apply func(*hostpool.Host)) error {
	refs, err := o.hosts.refs(a)
	if err != nil {
		return err
	}
	var t targets
	err = a.change(o.change, "", func(tx *state.Tx) error {
		return t.eachHost(tx, refs, func(_ *hostpool.Pool, h *hostpool.Host) error {
			apply(h)
			return nil
		})
	})
	if err != nil {
		return err
	}
	return t.err()
}
