package cmd

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What TAB offers. The scripts in completions/ ask by gatepool __complete and
// show the answer. Cobra's own __complete, which this one replaces, knows no
// flag or cmdlet as PowerShell spells it, and gives up at the first value that
// is wrong; here a line is read for what it says so far.

const (
	// completeTime is how long TAB may look for names; then it offers none.
	completeTime = 800 * time.Millisecond
	// mostOffered is how many candidates are offered; nobody reads more.
	mostOffered = 1000
)

// candidate is one word that may stand where the cursor is.
type candidate struct {
	value string
	about string // a description in printable ASCII, or ""
}

// offer is what may stand where the cursor is.
type offer struct {
	candidates []candidate
	files      bool // names of files, which the shell knows
}

// completeNames begin the requests that completion scripts make.
const (
	completeWords      = cobra.ShellCompRequestCmd // WORD..., the last one as far as it is typed
	completeBash       = "__completeBash"          // LINE TEXT COMP_TYPE COLUMNS
	completePowerShell = "__completePowerShell"    // the words, percent-encoded in one argument
)

// complete answers a completion script: one candidate a line, a description
// behind a tab, and last a colon with the directives of cobra's protocol. It
// never fails: a broken state file is no reason to disturb somebody who types.
func (a *app) complete(request string, args []string) {
	var lines []string
	var o offer
	switch request {
	case completeBash:
		args = append(args, "", "", "", "")
		lines, o = a.completeBash(args[0], args[1], args[2] == listCompletions, args[3])
	case completePowerShell:
		words, err := url.PathUnescape(strings.Join(args, ""))
		if err != nil {
			return
		}
		o = a.offerInTime(strings.Split(words, "\n"))
		for _, c := range o.candidates {
			lines = append(lines, powerShellLine(c))
		}
	default:
		o = a.offerInTime(append(args, "")[:max(1, len(args))])
		for _, c := range o.candidates {
			lines = append(lines, strings.TrimSuffix(c.value+"\t"+c.about, "\t"))
		}
	}
	for _, line := range lines {
		fmt.Fprintln(a.stdout, line)
	}
	fmt.Fprintf(a.stdout, ":%d\n", o.directive())
}

func (o offer) directive() cobra.ShellCompDirective {
	if o.files {
		return cobra.ShellCompDirectiveDefault
	}
	d := cobra.ShellCompDirectiveNoFileComp
	goesOn := func(c candidate) bool { return strings.HasSuffix(c.value, "=") || strings.HasSuffix(c.value, "/") }
	if len(o.candidates) > 0 && !slices.ContainsFunc(o.candidates, func(c candidate) bool { return !goesOn(c) }) {
		d |= cobra.ShellCompDirectiveNoSpace
	}
	return d
}

// offerInTime is what may stand for the last of the words typed so far, or
// nothing when that takes too long to find out.
func (a *app) offerInTime(typed []string) offer {
	return inTime(completeTime, func() offer { return a.offer(typed) })
}

// inTime is what look finds, or nothing when that takes longer than the limit.
func inTime(limit time.Duration, look func() offer) offer {
	found := make(chan offer, 1)
	go func() { found <- look() }()
	select {
	case o := <-found:
		return o
	case <-time.After(limit):
		return offer{}
	}
}

func (a *app) offer(typed []string) offer {
	l, ok := a.readTyped(typed)
	if !ok {
		return offer{}
	}
	o := l.offer(a)
	if len(o.candidates) > mostOffered {
		// What shells put in is what all candidates begin with, which the first
		// and the last one in order tell.
		slices.SortFunc(o.candidates, func(x, y candidate) int { return strings.Compare(x.value, y.value) })
		o.candidates = append(o.candidates[:mostOffered-1:mostOffered-1], o.candidates[len(o.candidates)-1])
	}
	return o
}

// typedLine is a command line as far as it is typed.
type typedLine struct {
	root    *cobra.Command
	command *cobra.Command // nil while its name is being typed
	cmdlet  *cmdlet        // where the command was called by a cmdlet's name
	flags   []*pflag.FlagSet
	places  []string // what the positional arguments name

	args    []string // positional, by place; "" where there is none yet
	given   []dashed
	noFlags bool    // behind --
	valueOf *dashed // what the word being typed is the value of, or nil
	word    string  // what is typed of the last word, or of the value in it
	before  string  // what stands before the value in the last word: "--hostpool="
}

// dashed is what a word that begins with a dash stands for: a flag, or a
// cmdlet's parameter that becomes a flag, an argument or nothing.
type dashed struct {
	flag     *pflag.Flag
	position int // of the argument, from 1
	isSwitch bool
	value    string // once it is given
}

// readTyped reads the words before the cursor. It fails when they name no
// command.
func (a *app) readTyped(typed []string) (*typedLine, bool) {
	last := len(typed) - 1
	root := a.root()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	l := &typedLine{root: root, flags: []*pflag.FlagSet{root.PersistentFlags(), root.Flags()}, word: typed[last]}
	name, at := commandName(typed[:last], root.PersistentFlags())
	alias, err := a.addCommands(root, name)
	if err != nil {
		return nil, false
	}
	root.InitDefaultHelpCmd()
	if name != "" {
		l.cmdlet = alias
		if alias != nil {
			name = alias.command
		}
		l.command = named(root, name)
		if l.command == nil {
			return nil, false
		}
		l.command.InitDefaultHelpFlag()
		l.flags = []*pflag.FlagSet{l.command.Flags(), root.PersistentFlags()}
		l.places = places(l.command.Use)
	}
	var bare []string
	for i, word := range typed[:last] {
		switch {
		case i == at:
		case l.valueOf != nil:
			l.give(*l.valueOf, word)
			l.valueOf = nil
		case l.noFlags:
			bare = append(bare, word)
		case word == "--":
			l.noFlags = true
		default:
			s, ok := splitFlag(word)
			if !ok {
				bare = append(bare, word)
				continue
			}
			o := l.dashed(s)
			if o == nil {
				continue
			}
			if o.isSwitch || s.attached && !s.split() {
				l.give(*o, s.value)
			} else {
				l.valueOf = o
			}
		}
	}
	// Arguments without a name take the places that are free.
	for i := 0; len(bare) > 0; i++ {
		if i == len(l.args) {
			l.args = append(l.args, "")
		}
		if l.args[i] == "" {
			l.args[i], bare = bare[0], bare[1:]
		}
	}
	for _, g := range l.given {
		if g.flag != nil && g.flag == root.PersistentFlags().Lookup("state") {
			a.state = expandHome(g.value)
		}
	}
	return l, true
}

func (l *typedLine) give(o dashed, value string) {
	o.value = value
	l.given = append(l.given, o)
	if o.position > 0 {
		for len(l.args) < o.position {
			l.args = append(l.args, "")
		}
		l.args[o.position-1] = value
	}
}

// dashed finds what a word in the form of a flag stands for, or nil.
func (l *typedLine) dashed(s spelt) *dashed {
	if l.cmdlet != nil {
		cl := cmdletLine{cmdlet: l.cmdlet, words: words{flags: l.flags}}
		if p, err := cl.parameter(s); p != nil {
			return l.parameter(p)
		} else if err != nil {
			return nil
		}
	}
	f := s.exact(l.flags)
	if f == nil {
		f, _ = s.prefixed(l.flags)
	}
	if f == nil {
		return nil
	}
	return &dashed{flag: f, isSwitch: f.NoOptDefVal != ""}
}

func (l *typedLine) parameter(p *parameter) *dashed {
	o := &dashed{isSwitch: p.kind == isSwitch}
	switch p.use {
	case asFlag:
		o.flag = spelt{name: p.flag}.exact(l.flags)
	case asArgument:
		o.position = p.position
	}
	return o
}

// places lists what the positional arguments of a command name, as its usage
// line says: get-host [POOL [HOST...]] has the places POOL and HOST...,
// [COMMAND | TOPIC] is one place for either, and --live FILE... says that more
// files may follow.
func places(use string) []string {
	words := strings.Fields(strings.NewReplacer("[", "", "]", "", " | ", "|").Replace(use))[1:]
	var places []string
	for i := 0; i < len(words); i++ {
		switch words[i][0] {
		case '(': // flags of which some go together
			return places
		case '-':
			i++
			if strings.HasSuffix(words[i], "...") {
				places = append(places, words[i])
			}
		default:
			places = append(places, words[i])
		}
	}
	return places
}

// offer is what may stand for the last word.
func (l *typedLine) offer(a *app) offer {
	if l.valueOf != nil {
		return l.offerValue(a, *l.valueOf)
	}
	if strings.HasPrefix(l.word, "-") && !l.noFlags {
		s, ok := splitFlag(l.word)
		if !ok || !s.attached {
			return offer{candidates: l.optionNames()}
		}
		o := l.dashed(s)
		if o == nil {
			return offer{}
		}
		l.before, l.word = strings.TrimSuffix(l.word, s.value), s.value
		return l.offerValue(a, *o)
	}
	if l.command == nil {
		return offer{candidates: l.commandNames()}
	}
	position := slices.Index(append(slices.Clone(l.args), ""), "")
	return l.offerPlace(a, position)
}

// offerPlace is what may stand as the positional argument at an index.
func (l *typedLine) offerPlace(a *app, i int) offer {
	if len(l.places) == 0 {
		return offer{}
	}
	lastPlace := len(l.places) - 1
	place, repeats := strings.CutSuffix(l.places[min(i, lastPlace)], "...")
	if i > lastPlace && !repeats {
		return offer{}
	}
	if i >= lastPlace && l.makes() && place != "FILE" {
		return offer{} // the name of what does not exist yet
	}
	o := l.named(a, place)
	o.candidates = slices.DeleteFunc(o.candidates, func(c candidate) bool {
		return slices.ContainsFunc(l.args, func(arg string) bool { return strings.EqualFold(arg, c.value) })
	})
	return o
}

// makes reports whether the command makes what its last argument names.
func (l *typedLine) makes() bool {
	verb, _, _ := strings.Cut(l.command.Name(), "-")
	return verb == "new" || verb == "add"
}

// offerValue is what may stand as the value of an option.
func (l *typedLine) offerValue(a *app, o dashed) offer {
	var found offer
	switch {
	case o.position > 0:
		found = l.offerPlace(a, o.position-1)
	case o.flag == nil:
	case o.isSwitch:
		found.candidates = l.fixed([]string{"true", "false"})
	default:
		found = l.offerFlag(a, o.flag)
	}
	for i := range found.candidates {
		found.candidates[i].value = l.before + found.candidates[i].value
	}
	return found
}

func (l *typedLine) offerFlag(a *app, f *pflag.Flag) offer {
	if kind := f.Value.Type(); kind == "list" || strings.HasSuffix(kind, "Slice") {
		comma := strings.LastIndexByte(l.word, ',') + 1
		l.before, l.word = l.before+l.word[:comma], l.word[comma:]
	}
	if l.command != nil {
		if values, ok := l.command.GetFlagCompletionFunc(f.Name); ok {
			list, _ := values(l.command, l.args, l.word)
			return offer{candidates: l.fixed(list)}
		}
	}
	return l.named(a, l.flagPlace(f))
}

// flagPlace says what the value of a flag names, in the words of usage lines.
func (l *typedLine) flagPlace(f *pflag.Flag) string {
	if kind := f.Value.Type(); strings.ToUpper(kind) == kind {
		return kind
	}
	switch f.Name {
	case "state", "path", "config-file", "trace", "profile", "plot", "report", "series":
		return "FILE"
	case "output":
		return "FORMAT"
	case "hostpool", "hostpool-name":
		return "POOL"
	case "host", "session-host-name":
		return "HOST"
	case "user", "assigned-user":
		return "OWNER"
	case "cluster", "gateway-cluster-id":
		return "CLUSTER"
	case "datasource":
		return "DATASOURCE"
	case "member":
		if l.command != nil && !l.makes() {
			return "CLUSTER/MEMBER"
		}
	}
	return ""
}

// nameOf is the name given for a place so far, as an argument or by a flag.
func (l *typedLine) nameOf(place string) (string, bool) {
	for i, p := range l.places {
		if p == place && i < len(l.args) && l.args[i] != "" {
			return l.args[i], true
		}
	}
	for _, g := range l.given {
		if g.flag != nil && l.flagPlace(g.flag) == place {
			return g.value, true
		}
	}
	return "", false
}

// pick chooses of several spellings of the same things the first that goes on
// as the word begins: get- with get-host, Get- with Get-AzWvdHostPool. Where
// none has the letters' case, it is any that has the letters.
func (l *typedLine) pick(spellings ...[]candidate) []candidate {
	for _, list := range spellings {
		if found := beginning(list, l.word, strings.HasPrefix); len(found) > 0 {
			return found
		}
	}
	for _, list := range spellings {
		if found := beginning(list, l.word, hasPrefixFold); len(found) > 0 {
			return found
		}
	}
	return nil
}

func beginning(list []candidate, word string, begins func(s, prefix string) bool) []candidate {
	var found []candidate
	for _, c := range list {
		if begins(c.value, word) {
			found = append(found, c)
		}
	}
	return found
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// commandNames are commands, and for a word such as Get- also the cmdlets.
func (l *typedLine) commandNames() []candidate {
	var kebab, verbNoun []candidate
	for _, c := range l.root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			kebab = append(kebab, candidate{c.Name(), ascii(c.Short)})
			verbNoun = append(verbNoun, candidate{titled(c.Name()), ascii(c.Short)})
		}
	}
	if l.word != "" {
		for _, c := range cmdlets() {
			verbNoun = append(verbNoun, candidate{c.name, "same as " + c.command})
		}
	}
	return l.pick(kebab, verbNoun)
}

// titled writes get-host as Get-Host.
func titled(name string) string {
	words := strings.Split(name, "-")
	for i, word := range words {
		words[i] = pascal(word)
	}
	return strings.Join(words, "-")
}

// optionNames are the flags that are not given yet, as they are or as
// PowerShell writes them; for a cmdlet its parameters.
func (l *typedLine) optionNames() []candidate {
	if s, ok := splitFlag(l.word); ok && s.powerShell && len(s.name) == 1 && s.exact(l.flags) != nil {
		return []candidate{{l.word, ascii(s.exact(l.flags).Usage)}}
	}
	var kebab, joined, powerShell []candidate
	have := map[string]bool{}
	if l.cmdlet != nil {
		for i := range l.cmdlet.parameters {
			p := &l.cmdlet.parameters[i]
			o := l.parameter(p)
			have[squash(p.name)] = true
			if p.use == ignored || p.use == refused || l.has(*o) {
				continue
			}
			about := ""
			if o.flag != nil {
				have[squash(o.flag.Name)] = true
				about = ascii(o.flag.Usage)
			}
			powerShell = append(powerShell, candidate{"-" + p.name, about})
		}
	}
	for _, set := range l.flags {
		set.VisitAll(func(f *pflag.Flag) {
			if f.Hidden || have["--"+f.Name] || l.has(dashed{flag: f}) {
				return
			}
			have["--"+f.Name] = true // a command's own flag hides one of all commands
			about := ascii(f.Usage)
			kebab = append(kebab, candidate{"--" + f.Name, about})
			joined = append(joined, candidate{"--" + pascal(f.Name), about})
			if !have[squash(f.Name)] {
				powerShell = append(powerShell, candidate{"-" + pascal(f.Name), about})
			}
		})
	}
	if l.cmdlet != nil {
		return l.pick(powerShell, kebab, joined)
	}
	return l.pick(kebab, joined, powerShell)
}

// has reports whether an option is given already and can't be repeated.
func (l *typedLine) has(o dashed) bool {
	return slices.ContainsFunc(l.given, func(g dashed) bool {
		if o.flag == nil {
			return o.position > 0 && g.position == o.position
		}
		if g.flag == nil || g.flag.Value != o.flag.Value {
			return false
		}
		kind := o.flag.Value.Type()
		return !strings.Contains(kind, "Array") && !strings.Contains(kind, "Slice") && strings.ToUpper(kind) != kind
	})
}

// fixed offers values as flags have them, and as PowerShell spells them.
func (l *typedLine) fixed(values []string) []candidate {
	var kebab, joined []candidate
	for _, v := range values {
		kebab = append(kebab, candidate{value: v})
		joined = append(joined, candidate{value: pascal(v)})
	}
	if l.cmdlet != nil || len(l.before) > 1 && l.before[1] != '-' {
		return l.pick(joined, kebab)
	}
	return l.pick(kebab, joined)
}

// ascii is a description without what some terminal or code page lacks.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

// width reads a number of columns; 80 where there is none.
func width(text string) int {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return n
	}
	return 80
}
