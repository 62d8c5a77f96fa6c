package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatepool/pkg/spelling"
)

// app is one run of the program: its streams and clock, and the flags that
// every command has.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	now            func() time.Time

	ctx           context.Context // see untilInterrupt
	stopListening func()

	state       string
	output      string
	columns     []string
	noHeaders   bool
	noColor     bool
	lockTimeout time.Duration
}

// command is one command by name. Its cobra form is built only when it is
// needed: a tree of fifty commands costs more than most of them.
type command struct {
	name  string
	build func(*app) *cobra.Command
}

// group is some commands under one heading of the help.
type group struct {
	id, title string
	commands  []command
}

// groups lists every command in the order of the help and the reference.
func groups() []group {
	return []group{
		{"connect", "Decide and measure", slices.Concat(connectCommands(), measureCommands())},
		{"state", "State file", stateCommands()},
		{"hostpool", "Host pools", hostpoolCommands()},
		{"cluster", "Gateway clusters", clusterCommands()},
		{"config", "Gateway configuration files", configCommands()},
		{"exchange", "Import, compare and export", slices.Concat(importCommands(), exchangeCommands())},
		{"program", "This program", programCommands()},
	}
}

// Tree is the tree of all commands, for what is generated from it.
func Tree() *cobra.Command {
	a := &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, now: time.Now}
	root := a.root()
	a.addAll(root)
	return root
}

// run finds the command that the arguments name, builds it and runs it.
func (a *app) run(args []string) error {
	if len(args) > 0 && strings.HasPrefix(args[0], completeWords) {
		a.complete(args[0], args[1:])
		return nil
	}
	root := a.root()
	name, at := commandName(args, root.PersistentFlags())
	alias, err := a.addCommands(root, name)
	if err != nil {
		return err
	}
	if alias != nil {
		name = alias.command
	}
	if c := named(root, name); c != nil {
		c.InitDefaultHelpFlag()
		flags := []*pflag.FlagSet{c.Flags(), root.PersistentFlags()}
		var rest []string
		if alias != nil {
			rest, err = a.translate(alias, c, args[at+1:], flags)
		} else {
			rest, err = respell(args[at+1:], flags)
		}
		if err != nil {
			return err
		}
		before, err := respell(args[:at], []*pflag.FlagSet{root.PersistentFlags()})
		if err != nil {
			return err
		}
		args = append(append(before, c.Name()), rest...)
	}
	root.SetArgs(args)
	return root.Execute()
}

// named returns the command of that name, in any case, or nil.
func named(root *cobra.Command, name string) *cobra.Command {
	for _, c := range root.Commands() {
		if strings.EqualFold(c.Name(), name) {
			return c
		}
	}
	return nil
}

// commandName finds the first argument that is neither a flag nor a flag's
// value, or -1.
func commandName(args []string, global *pflag.FlagSet) (name string, at int) {
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") {
			return args[i], i
		}
		s, ok := splitFlag(args[i])
		if !ok || s.attached && !s.split() {
			continue
		}
		flags := []*pflag.FlagSet{global}
		f := s.exact(flags)
		if f == nil {
			// What is wrong with an abbreviation is said when it is respelt.
			f, _ = s.prefixed(flags)
		}
		if f != nil && f.NoOptDefVal == "" {
			i++
		}
	}
	return "", -1
}

// addCommands adds the named command to the tree, or all of them where help has
// to know them. The name may be a cmdlet's, which is returned.
func (a *app) addCommands(root *cobra.Command, name string) (*cmdlet, error) {
	if a.addNamed(root, name) {
		return nil, nil
	}
	if alias := findCmdlet(name); alias != nil && a.addNamed(root, alias.command) {
		return alias, nil
	}
	a.addAll(root)
	switch strings.ToLower(name) {
	case "", "help":
		return nil, nil
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	f := usagef("unknown command %q", name)
	if near := cmp.Or(nearestCmdlet(name), spelling.Nearest(name, names)); near != "" {
		return nil, f.withHint("did you mean %s? gatepool help lists all commands", near)
	}
	return nil, f.withHint("gatepool help lists all commands")
}

// addNamed adds the command of that name, in any case, and reports whether
// there is one.
func (a *app) addNamed(root *cobra.Command, name string) bool {
	for _, g := range groups() {
		for _, c := range g.commands {
			if strings.EqualFold(c.name, name) {
				a.addCommand(root, g, c)
				return true
			}
		}
	}
	return false
}

func (a *app) addAll(root *cobra.Command) {
	for _, g := range groups() {
		for _, c := range g.commands {
			a.addCommand(root, g, c)
		}
	}
}

func (a *app) addCommand(root *cobra.Command, g group, c command) {
	if !root.ContainsGroup(g.id) {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
	}
	built := c.build(a)
	built.GroupID = g.id
	root.AddCommand(built)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "gatepool",
		Short: "Describe, change and explain data gateway clusters and AVD host pools",
		Long: `gatepool keeps on-premises data gateway clusters and Azure Virtual Desktop host
pools in a YAML file, changes them by the verbs and nouns of the PowerShell
cmdlets, and says where the next user or request lands, and why.`,
		Example: `  gatepool new-state
  gatepool import-hostpool hostpools.json
  gatepool connect --hostpool hp-eu --user alice@contoso.example --explain`,
		Version:       versionText(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(printHelp)
	root.SetHelpCommand(a.help())

	flags := root.PersistentFlags()
	flags.StringVar(&a.state, "state", "", "state file (default $GATEPOOL_STATE, then gatepool.yaml)")
	flags.StringVarP(&a.output, "output", "o", "table", "table, wide, json, ndjson, yaml, csv or name")
	flags.StringSliceVar(&a.columns, "columns", nil, "print these properties, in this order")
	flags.BoolVar(&a.noHeaders, "no-headers", false, "print no header line")
	flags.BoolVar(&a.noColor, "no-color", false, "print without colour")
	flags.DurationVar(&a.lockTimeout, "lock-timeout", 30*time.Second, "how long to wait for another gatepool that writes")
	return root
}

// statePath is the state file to work on.
func (a *app) statePath() string {
	switch {
	case a.state != "":
		return a.state
	case os.Getenv("GATEPOOL_STATE") != "":
		return os.Getenv("GATEPOOL_STATE")
	}
	return "gatepool.yaml"
}

// flagError gives what pflag says of a flag its place in the contract, and what
// our own flags say of a value the flag's name as it was given.
func flagError(c *cobra.Command, err error) error {
	var f *failure
	var value *pflag.InvalidValueError
	switch named := errors.As(err, &value); {
	case errors.As(err, &f) && named:
		f.err = fmt.Errorf("--%s %w", value.GetFlag().Name, f.err)
		return f
	case f != nil:
		return f
	case named:
		return invalidValue(value.GetValue(), "--%s is %q: %v", value.GetFlag().Name, value.GetValue(), errors.Unwrap(err))
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		f := usagef("%s has no flag %s", c.Name(), flagText(unknown))
		if near := spelling.Nearest(strings.TrimLeft(flagText(unknown), "-"), names); near != "" {
			return f.withHint("did you mean --%s? gatepool %s --help lists all flags", near, c.Name())
		}
		return f.withHint("gatepool %s --help lists all flags", c.Name())
	}
	return usagef("%v", err).withHint("gatepool %s --help", c.Name())
}

func flagText(e *pflag.NotExistError) string {
	if e.GetSpecifiedShortnames() != "" {
		return "-" + e.GetSpecifiedShortnames()
	}
	return "--" + e.GetSpecifiedName()
}

// arguments checks the number of positional arguments; max is -1 for any.
func arguments(min, max int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < min:
			return usagef("%s needs %s", c.Name(), strings.TrimPrefix(c.Use, c.Name()+" ")).withHint("gatepool %s --help", c.Name())
		case max >= 0 && len(args) > max:
			return usagef("%s does not take %q: its arguments are %s", c.Name(), args[max], strings.TrimPrefix(c.Use, c.Name()+" ")).withHint("gatepool %s --help", c.Name())
		}
		return nil
	}
}
