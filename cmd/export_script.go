package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/exchange"
	"gatepool/pkg/output"
	"gatepool/state"
)

type exportScriptOptions struct {
	live     liveOptions
	shell    *exchange.Shell
	removals bool
}

func (a *app) exportScript() *cobra.Command {
	var o exportScriptOptions
	c := &cobra.Command{
		Use:   "export-script --shell powershell|az [--live FILE...]",
		Short: "Print what brings the services to the state file",
		Long: `Print the lines that bring the live services to what the state file says: Az and
DataGateway cmdlets, or az. gatepool runs none of them.

What differs is found as compare-state finds it, against the exports behind
--live. Without --live nothing is taken to be there yet, and the lines create
all that a command line can create.

The lines are in a safe order: new pools, drained hosts, changes, resumed hosts,
and removals last. Running them again sets the same again. Nothing is removed
without --include-removals. What no command line can do, or not without knowing
more, is a comment that says what can. Every value is quoted for its shell.

The script itself is the output. Nothing is printed when there is nothing to
change. With -o json it is an array of lines.`,
		Example: `  gatepool export-script --shell powershell --live hostpools.json sessionhosts.json > plan.ps1
  gatepool export-script --shell az --live hostpools.json --include-removals
  gatepool export-script --shell powershell`,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.live.takeFiles(args); err != nil {
				return err
			}
			return a.runExportScript(o)
		},
	}
	addEnum(c, &o.shell, "shell", "whose lines to print")
	o.live.add(c)
	addSwitch(c, &o.removals, "include-removals", "also remove what the state file lacks")
	return c
}

// scriptLine is a line of a script.
type scriptLine struct {
	Text    string `json:"text"`
	Comment bool   `json:"comment"` // it does nothing
}

func (a *app) runExportScript(o exportScriptOptions) error {
	if o.shell == nil {
		return usagef("for which shell is the script to be?").withHint("add --shell powershell, or --shell az for host pools alone")
	}
	format, err := a.format()
	if err != nil {
		return err
	}
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	wish, err := everything(s)
	if err != nil {
		return err
	}
	var fact exchange.Snapshot
	if len(o.live.files) > 0 {
		if fact, err = o.live.fact(a, s, wish); err != nil {
			return err
		}
	}
	lines := script(*o.shell, exchange.Script(*o.shell, exchange.Compare(wish, fact), exchange.ScriptOptions{Wish: wish, Fact: fact, Removals: o.removals}))
	if len(lines) == 0 {
		a.say("nothing to change")
	}
	if format != output.Table {
		return print(a, lines, []output.Column[scriptLine]{{Name: "text", Value: func(l scriptLine) string { return l.Text }}})
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(a.stdout, l.Text); err != nil {
			return err
		}
	}
	return nil
}

// script is the lines with what makes the shell stop at the first that fails,
// where any does anything.
func script(shell exchange.Shell, texts []string) []scriptLine {
	var lines []scriptLine
	for _, text := range texts {
		lines = append(lines, scriptLine{Text: text, Comment: strings.HasPrefix(text, "#")})
	}
	if !slices.ContainsFunc(lines, func(l scriptLine) bool { return !l.Comment }) {
		return lines
	}
	stop := "$ErrorActionPreference = 'Stop'"
	if shell == exchange.Az {
		stop = "set -eu"
	}
	return append([]scriptLine{{Text: stop}}, lines...)
}
