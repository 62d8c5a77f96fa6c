package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatepool/pkg/spelling"
	"gatepool/state"
)

// A cmdlet is one of Microsoft's, which is another name of a command.
type cmdlet struct {
	name       string
	command    string
	parameters []parameter
}

// A parameter is one of a cmdlet's, and what becomes of it here.
type parameter struct {
	name      string
	aliases   []string // the cmdlet's own other names
	mandatory bool     // as the cmdlet's documentation says; not asked for here
	kind      kind
	use       use
	flag      string            // for asFlag
	position  int               // for asArgument, from 1
	values    map[string]string // values by other names, in lower case
	why       string            // for leftOut and refused
}

// kind is what stands behind a parameter's name.
type kind int

const (
	takesValue kind = iota
	isSwitch
	takesBool // $true or $false behind a blank
)

// use is what becomes of a parameter.
type use int

const (
	ignored         use = iota // says nothing that a local file could differ in
	asFlag                     // becomes a flag of the command
	asArgument                 // becomes a positional argument
	asSession                  // the id of a session: an argument together with the host
	asResourceGroup            // the pool must be of this resource group
	leftOut                    // a setting that the state does not keep: a warning
	refused                    // the answer would be another one without it
)

// findCmdlet returns the cmdlet of that name, in any case, or nil.
func findCmdlet(name string) *cmdlet {
	all := cmdlets()
	for i := range all {
		if strings.EqualFold(all[i].name, name) {
			return &all[i]
		}
	}
	return nil
}

// nearestCmdlet is the name of the cmdlet that another name may mean, or "".
func nearestCmdlet(name string) string {
	var names []string
	for _, c := range cmdlets() {
		names = append(names, c.name)
	}
	return spelling.Slip(name, names)
}

// cmdletLine is a cmdlet's line while it is turned into a command's.
type cmdletLine struct {
	*cmdlet
	words
	seen          []*parameter
	flags         []string
	named         []string // arguments that parameters name, by position
	bare          []string // arguments without a name
	host, session string   // what asSession is put together from
	resourceGroup string
	warnings      []string
}

// translate turns the arguments of a cmdlet into those of its command. What
// has to wait until the command's flags are read happens before c runs.
func (a *app) translate(alias *cmdlet, c *cobra.Command, args []string, flags []*pflag.FlagSet) ([]string, error) {
	l := cmdletLine{cmdlet: alias, words: words{args, flags}}
	for len(l.left) > 0 {
		if err := l.readOne(); err != nil {
			return nil, err
		}
	}
	arguments, err := l.arguments()
	if err != nil {
		return nil, err
	}
	c.PreRunE = func(_ *cobra.Command, args []string) error {
		a.warn(l.warnings)
		if l.resourceGroup == "" || len(args) == 0 {
			return nil
		}
		return a.checkResourceGroup(args[0], l.resourceGroup)
	}
	return append(append(l.flags, "--"), arguments...), nil
}

// readOne reads one argument: a parameter of the cmdlet, a flag of the command,
// or a bare value.
func (l *cmdletLine) readOne() error {
	arg := l.left[0]
	if arg == "--" {
		l.bare = append(l.bare, l.left[1:]...)
		l.left = nil
		return nil
	}
	s, ok := splitFlag(arg)
	if !ok {
		l.bare = append(l.bare, l.take())
		return nil
	}
	p, err := l.parameter(s)
	if err != nil {
		return err
	}
	if p != nil {
		l.take()
		return l.use(p, s)
	}
	word, err := l.next()
	if err == nil && word == arg && s.powerShell && len(s.name) > 1 {
		err = l.unknown(s)
	}
	l.flags = append(l.flags, word)
	return err
}

// unknown says that there is no such parameter, unless cobra takes the letters
// for a short flag with its value, such as -ojson.
func (l *cmdletLine) unknown(s spelt) error {
	for _, set := range l.words.flags {
		if set.ShorthandLookup(s.name[:1]) != nil {
			return nil
		}
	}
	names := make([]string, len(l.parameters))
	for i, p := range l.parameters {
		names[i] = p.name
	}
	f := usagef("%s has no parameter -%s", l.name, s.name)
	if near := spelling.Nearest(s.name, names); near != "" {
		return f.withHint("did you mean -%s?", near)
	}
	return f.withHint("gatepool %s --help lists all flags", l.command)
}

// parameter finds the parameter that is meant, nil where it is none of the
// cmdlet's. A flag of the command goes before an abbreviation.
func (l *cmdletLine) parameter(s spelt) (*parameter, error) {
	var begins []*parameter
	for i := range l.parameters {
		p := &l.parameters[i]
		for _, name := range append([]string{p.name}, p.aliases...) {
			if squash(name) == squash(s.name) {
				return p, nil
			}
			if s.powerShell && strings.HasPrefix(squash(name), squash(s.name)) && !slices.Contains(begins, p) {
				begins = append(begins, p)
			}
		}
	}
	if s.exact(l.words.flags) != nil || len(begins) == 0 {
		return nil, nil
	}
	if len(begins) > 1 {
		names := make([]string, len(begins))
		for i, p := range begins {
			names[i] = "-" + p.name
		}
		return nil, s.ambiguous(names)
	}
	return begins[0], nil
}

// isOption reports whether an argument names a parameter or a flag.
func (l *cmdletLine) isOption(arg string) bool {
	s, ok := splitFlag(arg)
	if !ok {
		return false
	}
	return s.exact(l.words.flags) != nil || slices.ContainsFunc(l.parameters, func(p parameter) bool { return p.is(s.name) })
}

func (p *parameter) is(name string) bool {
	return squash(p.name) == squash(name) || slices.ContainsFunc(p.aliases, func(alias string) bool { return squash(alias) == squash(name) })
}

// use reads a parameter's value and does with it what the table says.
func (l *cmdletLine) use(p *parameter, s spelt) error {
	if slices.Contains(l.seen, p) {
		return usagef("-%s is given twice", p.name)
	}
	l.seen = append(l.seen, p)
	value, err := l.valueOf(p, s)
	if err != nil {
		return err
	}
	if other, ok := p.values[strings.ToLower(value)]; ok {
		value = other
	}
	switch p.use {
	case asFlag:
		l.flags = append(l.flags, "--"+p.flag+"="+value)
		if p.flag == "session-host-name" {
			l.host = value
		}
	case asArgument:
		for len(l.named) < p.position {
			l.named = append(l.named, "")
		}
		// Two names of one thing: the first in the table wins.
		if l.named[p.position-1] == "" || l.first(p) {
			l.named[p.position-1] = value
		}
	case asSession:
		l.session = value
	case asResourceGroup:
		l.resourceGroup = value
	case leftOut:
		l.warnings = append(l.warnings, "-"+p.name+" is left out: "+p.why)
	case refused:
		return usagef("%s: -%s can't be done here", l.name, p.name).withHint("%s", p.why)
	}
	return nil
}

// first reports whether no parameter before p in the table that was given has
// p's position.
func (l *cmdletLine) first(p *parameter) bool {
	for i := range l.parameters {
		q := &l.parameters[i]
		if q.use == asArgument && q.position == p.position && slices.Contains(l.seen, q) {
			return q == p
		}
	}
	return true
}

// valueOf reads the value of a parameter; a switch alone is true.
func (l *cmdletLine) valueOf(p *parameter, s spelt) (string, error) {
	if p.kind == takesValue {
		if !s.attached || s.split() {
			if len(l.left) > 0 && l.isOption(l.left[0]) {
				return "", usagef("-%s needs a value", p.name).withHint("if the value is %s, write %s%s", l.left[0], s.joint(), l.left[0])
			}
		}
		return l.value(s)
	}
	if p.kind == takesBool && !s.attached && len(l.left) > 0 && isTruth(l.left[0]) {
		return l.take(), nil
	}
	truth, given, err := l.truth(s)
	switch {
	case err != nil:
		return "", err
	case given:
		return truth, nil
	case p.kind == takesBool:
		// A POSIX shell makes nothing of $true.
		return "", usagef("-%s needs $true or $false", p.name).withHint("write -%s true; some shells take $true for a variable", p.name)
	}
	return "true", nil
}

// arguments puts the positional arguments in order: those with a name at their
// places, the others in the places that are free.
func (l *cmdletLine) arguments() ([]string, error) {
	if l.session != "" {
		session := l.session
		switch {
		case strings.Contains(session, "/"):
		case l.host == "":
			return nil, usagef("%s needs -SessionHostName beside -Id", l.name).withHint("a session id is unique on its host only; -Id HOST/%s says both", session)
		default:
			session = l.host[strings.LastIndexByte(l.host, '/')+1:] + "/" + session
		}
		for len(l.named) < 2 {
			l.named = append(l.named, "")
		}
		l.named[1] = session
	}
	bare := l.bare
	for i, value := range l.named {
		if value != "" || l.given(i+1) {
			continue
		}
		if len(bare) == 0 {
			return nil, usagef("%s needs -%s", l.name, l.nameOf(i+1)).withHint("gatepool %s --help", l.command)
		}
		l.named[i], bare = bare[0], bare[1:]
	}
	return append(l.named, bare...), nil
}

// given reports whether a parameter named this argument, if only as empty.
func (l *cmdletLine) given(position int) bool {
	return slices.ContainsFunc(l.seen, func(p *parameter) bool { return p.use == asArgument && p.position == position })
}

// nameOf is the parameter that names an argument.
func (l *cmdletLine) nameOf(position int) string {
	i := slices.IndexFunc(l.parameters, func(p parameter) bool { return p.use == asArgument && p.position == position })
	return l.parameters[i].name
}

// checkResourceGroup refuses a host pool of another resource group, as the
// service would not find it. One without a resource group in the state is in
// any.
func (a *app) checkResourceGroup(pool, group string) error {
	s, err := state.Open(a.statePath())
	if err != nil {
		return err
	}
	pools, _, err := choosePools(s, []string{pool})
	if err != nil {
		return err
	}
	for _, p := range pools {
		if p.ResourceGroup != "" && !strings.EqualFold(p.ResourceGroup, group) {
			return notFoundf(p.Name, "host pool %s is in resource group %s, not %s", p.Name, p.ResourceGroup, group).
				withHint("leave -ResourceGroupName out, or change it with: gatepool set-hostpool %s --resource-group-name %s", p.Name, group)
		}
	}
	return nil
}
