package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/hostpool"
	"gatepool/state"
)

type addHostOptions struct {
	pool     string
	hosts    []string
	settings hostSettings
	change   changeFlags
}

func (a *app) addHost() *cobra.Command {
	var o addHostOptions
	c := &cobra.Command{
		Use:   "add-host POOL HOST...",
		Short: "Add session hosts to a pool",
		Long: `Add session hosts at the end of a pool's list. They are Available and take new
sessions unless flags say otherwise.`,
		Example: `  gatepool add-host hp-eu avd-eu-6.contoso.example
  gatepool add-host hp-eu avd-eu-6.contoso.example avd-eu-7.contoso.example --status shutdown
  gatepool add-host hp-dev dev-2.contoso.example --assigned-user bob@contoso.example`,
		Args: arguments(2, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.pool, o.hosts = args[0], args[1:]
			return a.runAddHost(o)
		},
	}
	o.settings.add(c)
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runAddHost(o addHostOptions) error {
	var t targets
	var rows []hostRow
	err := a.change(o.change, "", func(tx *state.Tx) error {
		rows = nil
		p, err := tx.Pool(o.pool)
		if err != nil {
			return err
		}
		return t.each(o.hosts, func(name string) error {
			name = strings.TrimPrefix(name, p.Name+"/")
			if err := checkName("session host", name); err != nil {
				return err
			}
			if p.Host(name) != nil {
				return existsf(name, "session host %q is in host pool %s already", name, p.Name)
			}
			h := hostpool.Host{Name: name, Status: hostpool.Available, AllowNewSession: true}
			if err := o.settings.apply(p, &h); err != nil {
				return err
			}
			p.SessionHosts = append(p.SessionHosts, h)
			rows = append(rows, newHostRow(p, &h))
			return nil
		})
	})
	if err != nil {
		return err
	}
	if o.change.passThru && !o.change.whatIf {
		if err := print(a, rows, hostColumns(rows)); err != nil {
			return err
		}
	}
	return t.err()
}

// checkName refuses names that the services and the command line can't deal
// with: empty, or with a slash, a wildcard or a control character.
func checkName(what, name string) error {
	if strings.TrimSpace(name) == "" {
		return invalidValue(name, "the name of a %s must not be empty", what)
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r == 0x7F || strings.ContainsRune("/*?[]", r) }); i >= 0 {
		return invalidValue(name, "the name of a %s must not hold %q", what, name[i:i+1])
	}
	return nil
}
