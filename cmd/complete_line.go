package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// typedLine is a command line as far as it is typed.
type typedLine struct {
	root    *cobra.Command
	command *cobra.Command // nil while its name is being typed
	cmdlet  *cmdlet        // where the command was called by a cmdlet's name
	flags   []*pflag.FlagSet
	places  []Place // of positional arguments

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
		l.places, _ = ReadUse(l.command.Use)
	}
	if at >= 0 {
		l.read(slices.Delete(slices.Clone(typed[:last]), at, at+1))
	} else {
		l.read(typed[:last])
	}
	for _, g := range l.given {
		if g.flag != nil && g.flag == root.PersistentFlags().Lookup("state") {
			a.state = expandHome(g.value)
		}
	}
	return l, true
}

// read takes in the words before the last one, without the command's name.
// What makes no sense is passed over.
func (l *typedLine) read(words []string) {
	var bare []string
	for _, word := range words {
		s, isDashed := splitFlag(word)
		switch {
		case l.valueOf != nil:
			l.give(*l.valueOf, word)
			l.valueOf = nil
		case word == "--" && !l.noFlags:
			l.noFlags = true
		case l.noFlags || !isDashed:
			bare = append(bare, word)
		default:
			o := l.dashed(s)
			switch {
			case o == nil:
			case o.isSwitch || s.attached && !s.split():
				l.give(*o, s.value)
			default:
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
	place := l.places[min(i, lastPlace)]
	if i > lastPlace && !place.Repeats {
		return offer{}
	}
	if i >= lastPlace && l.makes() && place.Name != "FILE" {
		return offer{} // the name of what does not exist yet
	}
	o := l.named(a, place.Name)
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
		if p.Name == place && !p.Repeats && i < len(l.args) && l.args[i] != "" {
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
