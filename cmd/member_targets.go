package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
	"gatepool/state"
)

// memberTargets are the members that a command acts on: CLUSTER MEMBER... on
// the line, or objects on standard input with --stdin.
type memberTargets struct {
	args  []string
	stdin bool
}

func (m *memberTargets) add(c *cobra.Command) {
	addSwitch(c, &m.stdin, "stdin", "read the members from standard input, one JSON object a line with cluster and name")
	c.Args = func(c *cobra.Command, args []string) error {
		if m.stdin {
			return arguments(0, 0)(c, args)
		}
		return arguments(2, -1)(c, args)
	}
}

// memberRef names a member.
type memberRef struct{ cluster, member string }

// refs reads which members are meant; their names may hold wildcards.
func (m *memberTargets) refs(a *app) ([]memberRef, error) {
	if !m.stdin {
		refs := make([]memberRef, len(m.args)-1)
		for i, member := range m.args[1:] {
			refs[i] = memberRef{m.args[0], member}
		}
		return refs, nil
	}
	var refs []memberRef
	err := eachObject(a.stdin, func(line int, object map[string]any) error {
		cluster, _ := object["cluster"].(string)
		member, _ := object["name"].(string)
		if cluster == "" || member == "" {
			return &failure{code: "invalid_input", exit: exitInvalid, target: "-", err: fmt.Errorf("-:%d:1: the object has no cluster and name", line),
				hint: "pipe in what gatepool get-member -o ndjson prints"}
		}
		refs = append(refs, memberRef{cluster, member})
		return nil
	})
	return refs, err
}

// eachMember runs fn on each member that the references choose; see
// targets.each.
func (t *targets) eachMember(tx *state.Tx, refs []memberRef, fn func(c *gateway.Cluster, i int) error) error {
	t.errs, t.all = nil, 0
	for _, ref := range refs {
		c, err := tx.Cluster(ref.cluster)
		if err != nil {
			t.count(err)
			continue
		}
		members(c).visit(t, ref.member, func(i int) error { return fn(c, i) })
	}
	return t.nothingDone()
}

type memberSwitchOptions struct {
	members memberTargets
	change  changeFlags
}

// memberSwitch completes a command that enables or disables members.
func (a *app) memberSwitch(c *cobra.Command, enabled bool) *cobra.Command {
	var o memberSwitchOptions
	o.members.add(c)
	o.change.add(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		o.members.args = args
		return a.runMemberSwitch(o, enabled)
	}
	return c
}

func (a *app) runMemberSwitch(o memberSwitchOptions, enabled bool) error {
	refs, err := o.members.refs(a)
	if err != nil {
		return err
	}
	var t targets
	err = a.change(o.change, "", func(tx *state.Tx) error {
		return t.eachMember(tx, refs, func(c *gateway.Cluster, i int) error {
			c.Members[i].Enabled = enabled
			return nil
		})
	})
	if err != nil {
		return err
	}
	return t.err()
}
