package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/output"
	"gatepool/state"
)

// changeFlags are the flags of every command that changes the state file.
type changeFlags struct {
	whatIf   bool
	confirm  bool // ask
	unasked  bool // --confirm=false: don't ask, and no more than that; force goes further
	force    bool
	passThru bool
}

func (f *changeFlags) add(c *cobra.Command) {
	addSwitch(c, &f.whatIf, "what-if", "say what would change and write nothing (also --dry-run)")
	addSwitch(c, &f.whatIf, "dry-run", "")
	c.Flags().Lookup("dry-run").Hidden = true
	addTruth(c, "confirm", "", "ask before writing; =false doesn't ask", func(b bool) { f.confirm, f.unasked = b, !b })
	addSwitch(c, &f.force, "force", "don't ask")
}

// addPassThru adds --pass-thru, for commands that can print what they made.
func (f *changeFlags) addPassThru(c *cobra.Command) {
	addSwitch(c, &f.passThru, "pass-thru", "print the object as it is now")
}

// change runs fn on the state file and says what changed. fn may run twice, on
// a preview first, so it must begin afresh each time. removal is a question
// such as "Remove host pool hp-eu?" for a command that takes something away,
// which asks by default, and "" for any other.
func (a *app) change(f changeFlags, removal string, fn func(*state.Tx) error) error {
	if _, err := a.format(); err != nil {
		return err
	}
	options := state.Options{Path: a.statePath(), LockTimeout: a.lockTimeout}
	if f.whatIf {
		change, err := state.Preview(options, fn)
		if err != nil {
			return err
		}
		return a.printWhatIf(change)
	}
	if f.confirm || removal != "" && !f.force && !f.unasked {
		change, err := state.Preview(options, fn)
		if err != nil {
			return err
		}
		if len(change.Properties) == 0 {
			a.say("nothing to change")
			return nil
		}
		if err := a.confirm(removal, change.Path, describeAll(change.Properties)); err != nil {
			return err
		}
	}
	change, err := state.Update(a.untilInterrupt(), options, fn)
	if err != nil {
		return err
	}
	for _, line := range summary(change) {
		a.say("%s", line)
	}
	return nil
}

// mostShown is how many changes are told one by one; a long list tells less
// than its length.
const mostShown = 20

// summary says what changed, in few lines.
func summary(change state.Change) []string {
	switch n := len(change.Properties); {
	case n == 0:
		return []string{"nothing to change"}
	case n > mostShown:
		var order []string
		counts := map[string]int{}
		for _, p := range change.Properties {
			name := resourceName(p)
			if counts[name] == 0 {
				order = append(order, name)
			}
			counts[name]++
		}
		lines := make([]string, len(order))
		for i, name := range order {
			lines[i] = fmt.Sprintf("%s: %s", name, count(counts[name], "change"))
		}
		return lines
	}
	return describeAll(change.Properties)
}

// confirm shows what would change in a file and asks whether to go on. It fails
// when the answer is no or nobody is there to give one.
func (a *app) confirm(question, path string, changes []string) error {
	if !isTerminal(a.stdin) {
		return &failure{code: "confirmation_required", exit: exitConflict, target: path,
			err: fmt.Errorf("this asks for a yes and there is no terminal to ask on"), hint: "add --force to go on without asking, or --what-if to see what would change"}
	}
	for _, change := range changes {
		fmt.Fprintln(a.stderr, output.Clean(change))
	}
	if question == "" {
		question = "Go on?"
	}
	yes, err := a.ask(question)
	if err != nil {
		return err
	}
	if !yes {
		return &failure{code: "confirmation_required", exit: exitConflict, target: path, err: fmt.Errorf("not confirmed: nothing was written")}
	}
	return nil
}

// whatIfRow is one property that would change.
type whatIfRow struct {
	Kind     state.Kind `json:"kind"`
	Resource string     `json:"resource"`
	Property string     `json:"property"`
	Old      *string    `json:"old"`
	New      *string    `json:"new"`
}

func (a *app) printWhatIf(change state.Change) error {
	if a.forEyes() {
		if len(change.Properties) == 0 {
			fmt.Fprintln(a.stdout, "What if: nothing would change")
		}
		for _, p := range change.Properties {
			fmt.Fprintln(a.stdout, output.Clean("What if: "+describe(p)))
		}
		return nil
	}
	rows := make([]whatIfRow, len(change.Properties))
	for i, p := range change.Properties {
		rows[i] = whatIfRow{Kind: p.Kind, Resource: p.Resource, Property: strings.Join(p.Path, "/"), Old: orNull(p.Old), New: orNull(p.New)}
	}
	return print(a, rows, []output.Column[whatIfRow]{
		{Name: "resource", Value: func(r whatIfRow) string { return r.Resource }},
		{Name: "kind", Value: func(r whatIfRow) string { return string(r.Kind) }},
		{Name: "property", Value: func(r whatIfRow) string { return r.Property }},
		{Name: "old", Value: func(r whatIfRow) string { return orEmpty(r.Old) }},
		{Name: "new", Value: func(r whatIfRow) string { return orEmpty(r.New) }},
	})
}

// describe says in one line what changes, as in
// "host pool hp-eu: maxSessionLimit 12 -> 14".
func describe(p state.PropertyChange) string {
	what := resourceName(p)
	property := strings.Join(p.Path, "/")
	isItem := strings.HasPrefix(p.Old+p.New, "{")
	switch {
	case property == "" && p.New == "":
		return what + " removed"
	case property == "":
		return what + " added"
	case p.Old == "" && isItem:
		return fmt.Sprintf("%s: %s added", what, property)
	case p.New == "" && isItem:
		return fmt.Sprintf("%s: %s removed", what, property)
	case p.Old == "":
		return fmt.Sprintf("%s: %s set to %s", what, property, p.New)
	case p.New == "":
		return fmt.Sprintf("%s: %s removed (was %s)", what, property, p.Old)
	}
	return fmt.Sprintf("%s: %s %s -> %s", what, property, p.Old, p.New)
}

func describeAll(properties []state.PropertyChange) []string {
	lines := make([]string, len(properties))
	for i, p := range properties {
		lines[i] = describe(p)
	}
	return lines
}

func resourceName(p state.PropertyChange) string {
	if p.Kind == state.Cluster {
		return "cluster " + p.Resource
	}
	return "host pool " + p.Resource
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// targets acts on several named things so that a failure of one does not keep
// the others from being done.
type targets struct {
	errs []error
	all  int
}

// each runs fn for each name. It fails only when every one failed, and then
// nothing is to be written; what failed beside successes is in err.
func (t *targets) each(names []string, fn func(name string) error) error {
	return t.eachRef(len(names), func(i int) error { return fn(names[i]) })
}

// eachRef is each for targets that are known by their index.
func (t *targets) eachRef(n int, fn func(i int) error) error {
	t.errs, t.all = nil, n
	for i := range n {
		if err := fn(i); err != nil {
			t.errs = append(t.errs, err)
		}
	}
	return t.nothingDone()
}

// nothingDone is the failure of a command all of whose targets failed.
func (t *targets) nothingDone() error {
	if t.all > 0 && len(t.errs) == t.all {
		return t.err()
	}
	return nil
}

// err is the failure of some of the targets.
func (t *targets) err() error { return combine(t.errs, t.all) }
