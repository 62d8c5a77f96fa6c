package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatepool/cmd"
)

// A function is a command as PowerShell has it: a verb and a noun with
// parameters. The module and the Crescendo configuration are made of these.
type function struct {
	command    *cobra.Command
	verb, noun string
	parameters []parameter // positional ones first, in order
	hasWhatIf  bool
	hasConfirm bool
}

// A parameter is a flag or a positional argument.
type parameter struct {
	name      string
	aliases   []string
	flag      string // "" for a positional one
	kind      string // PowerShell's type
	values    []string
	list      bool
	mandatory bool
	usage     string

	// tellsFalse marks a switch whose absence means something else than false.
	tellsFalse bool
}

func (f *function) name() string { return f.verb + "-" + f.noun }

// removes reports whether the function takes something away, so that
// PowerShell asks by itself.
func (f *function) removes() bool { return f.verb == "Remove" || f.verb == "Restore" }

// changes reports whether the function writes.
func (f *function) changes() bool { return f.hasWhatIf || f.verb == "New" }

func (f *function) positional() []parameter {
	n := slices.IndexFunc(f.parameters, func(p parameter) bool { return p.flag != "" })
	if n < 0 {
		n = len(f.parameters)
	}
	return f.parameters[:n]
}

// functions are all commands as functions, in the order of the reference.
func functions() []function {
	root := cmd.Tree()
	var all []function
	for _, g := range root.Groups() {
		for _, c := range root.Commands() {
			if c.GroupID == g.ID {
				all = append(all, functionsOf(c)...)
			}
		}
	}
	return all
}

// functionsOf makes the function of a command: none for one without a noun,
// which is about the program, and two for connect, which is two things.
func functionsOf(c *cobra.Command) []function {
	f := newFunction(c)
	switch {
	case f.noun != "Gatepool":
		return []function{f}
	case c.Name() != "connect":
		return nil
	}
	user, cluster := f, f
	user.noun, cluster.noun = "GatepoolUser", "GatepoolCluster"
	user.parameters = f.choose([]string{"hostpool", "user"}, "cluster")
	cluster.parameters = f.choose([]string{"cluster"}, "hostpool", "user", "host")
	return []function{user, cluster}
}

// choose returns parameters without those of some flags, and with some
// mandatory, which come first.
func (f *function) choose(must []string, without ...string) []parameter {
	var first, rest []parameter
	for _, p := range f.parameters {
		switch {
		case slices.Contains(without, p.flag):
		case slices.Contains(must, p.flag):
			p.mandatory = true
			first = append(first, p)
		default:
			rest = append(rest, p)
		}
	}
	return append(first, rest...)
}

func newFunction(c *cobra.Command) function {
	verb, noun, _ := strings.Cut(c.Name(), "-")
	f := function{command: c, noun: "Gatepool" + pascal(noun), hasWhatIf: c.Flags().Lookup("what-if") != nil, hasConfirm: c.Flags().Lookup("confirm") != nil}
	// Approved verbs stand for themselves.
	f.verb = map[string]string{"drain": "Suspend", "resume": "Resume"}[verb]
	if f.verb == "" {
		f.verb = pascal(verb)
	}
	named := c.LocalFlags().Lookup("name") != nil && c.LocalFlags().Lookup("new-name") == nil
	places, must := cmd.ReadUse(c.Use)
	places = slices.DeleteFunc(places, func(p cmd.Place) bool { return p.Behind != "" })
	for i, place := range places {
		p := placeParameter(place)
		if i == len(places)-1 && !named && p.name != "Path" && p.name != "Name" {
			p.name, p.aliases = "Name", append([]string{p.name}, p.aliases...)
		}
		f.parameters = append(f.parameters, p)
	}
	byValue := map[pflag.Value]int{}
	add := func(flag *pflag.Flag) {
		if flag.Hidden || slices.Contains([]string{"help", "what-if", "confirm", "stdin", "output", "columns", "no-headers", "no-color"}, flag.Name) {
			return
		}
		p := flagParameter(flag)
		p.mandatory = slices.Contains(must, flag.Name)
		if i, ok := byValue[flag.Value]; ok {
			f.parameters[i].merge(p)
			return
		}
		byValue[flag.Value] = len(f.parameters)
		f.parameters = append(f.parameters, p)
	}
	c.LocalNonPersistentFlags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	f.dropTakenAliases()
	return f
}

// merge adds another name of the same flag. The one that is not "same as" the
// other is the name, except that a new name never goes by the name Name, which
// names what is renamed.
func (p *parameter) merge(other parameter) {
	if strings.HasPrefix(p.usage, "same as") && !strings.HasPrefix(other.usage, "same as") {
		*p, other = other, parameter{name: p.name, aliases: p.aliases}
	}
	p.aliases = append(append(p.aliases, other.name), other.aliases...)
	if i := slices.Index(p.aliases, "NewName"); p.name == "Name" && i >= 0 {
		p.name, p.aliases = "NewName", slices.Delete(p.aliases, i, i+1)
	}
}

// dropTakenAliases leaves a name that two parameters could have to the first
// that has it as its own name.
func (f *function) dropTakenAliases() {
	taken := map[string]bool{}
	for _, p := range f.parameters {
		taken[strings.ToLower(p.name)] = true
	}
	for i := range f.parameters {
		p := &f.parameters[i]
		p.aliases = slices.DeleteFunc(p.aliases, func(alias string) bool {
			gone := taken[strings.ToLower(alias)]
			taken[strings.ToLower(alias)] = true
			return gone
		})
	}
}

// variables are PowerShell's own, and what parameters are called instead.
var variables = map[string]string{"Host": "SessionHost", "Profile": "ArrivalProfile"}

// flagParameter is a flag as a parameter.
func flagParameter(flag *pflag.Flag) parameter {
	p := parameter{name: pascal(flag.Name), flag: flag.Name, usage: flag.Usage, kind: "string"}
	if other := variables[p.name]; other != "" {
		p.name, p.aliases = other, []string{p.name}
	}
	kind := flag.Value.Type()
	switch {
	case strings.Contains(kind, "|"):
		for value := range strings.SplitSeq(kind, "|") {
			p.values = append(p.values, pascal(value))
		}
	case kind == "bool":
		p.kind, p.tellsFalse = "switch", flag.DefValue == ""
	case kind == "number", kind == "int":
		p.kind = "int"
	case kind == "time":
		p.kind = "datetime"
	case kind == "stringSlice", kind == "stringArray", kind != "" && kind == strings.ToUpper(kind):
		// Flags that may be repeated show what they take in capitals.
		p.list = true
	case kind == "float64":
		p.kind = "double"
	}
	return p
}

// placeParameter is a positional argument as a parameter, by the property that
// objects have it in.
func placeParameter(p cmd.Place) parameter {
	made := parameter{kind: "string", list: p.Repeats, mandatory: !p.Optional}
	switch p.Name {
	case "POOL":
		made.name, made.usage = "HostPool", "name or id of a host pool"
	case "HOST":
		made.name, made.usage = "SessionHost", "name of a session host"
	case "USER":
		made.name, made.aliases, made.usage = "User", []string{"Principal"}, "user principal name; for sessions also an id as host/3"
	case "CLUSTER":
		made.name, made.usage = "Cluster", "name or id of a gateway cluster"
	case "MEMBER":
		made.name, made.usage = "Member", "name or id of a member"
	case "DATASOURCE":
		made.name, made.usage = "DataSource", "name of a data source"
	case "FILE":
		made.name, made.aliases, made.usage = "Path", []string{"FullName"}, "path of a file"
	default:
		made.name, made.usage = pascal(strings.ToLower(p.Name)), strings.ToLower(p.Name)
	}
	return made
}

// words in names that are two.
var compounds = strings.NewReplacer("Hostpool", "HostPool", "Loadbalancing", "LoadBalancing", "Datasource", "DataSource", "Gatewayconfig", "GatewayConfig",
	"Vm", "VM", "Powershell", "PowerShell")

// pascal writes max-session-limit as MaxSessionLimit.
func pascal(kebab string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(kebab, "-") {
		b.WriteString(strings.ToUpper(word[:min(1, len(word))]) + word[min(1, len(word)):])
	}
	return compounds.Replace(b.String())
}

// examples are the command's own examples as calls of functions. A line that
// PowerShell would write in another way, such as one with a variable, is not
// among them.
func (f *function) examples(all []function) []string {
	var calls []string
	for line := range strings.Lines(f.command.Example) {
		call, ok := translate(strings.TrimSpace(line), all)
		if ok && strings.Contains(call, f.name()) && !slices.Contains(calls, call) {
			calls = append(calls, call)
		}
	}
	return calls
}

// translate turns a line of gatepool commands into calls of functions.
func translate(line string, all []function) (string, bool) {
	var calls []string
	for stage := range strings.SplitSeq(line, " | ") {
		words, ok := splitWords(stage)
		if !ok || len(words) < 2 || words[0] != "gatepool" {
			return "", false
		}
		i := slices.IndexFunc(all, func(f function) bool { return f.command.Name() == words[1] && f.suits(words[2:]) })
		if i < 0 {
			return "", false
		}
		calls = append(calls, all[i].call(words[2:]))
	}
	return strings.Join(calls, " | "), true
}

// suits reports whether the function has the flags that the words name.
func (f *function) suits(words []string) bool {
	for _, word := range words {
		name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		flag := f.command.Flags().Lookup(name)
		known := flag == nil || slices.ContainsFunc(f.parameters, func(p parameter) bool { return p.is(name) }) ||
			slices.Contains([]string{"what-if", "stdin", "confirm", "output"}, name)
		if strings.HasPrefix(word, "--") && !known {
			return false
		}
	}
	return true
}

// is reports whether a parameter is a flag, under any of its names.
func (p *parameter) is(flag string) bool {
	return p.flag == flag || p.flag != "" && slices.Contains(p.aliases, pascal(flag))
}

// call writes a command's words as a call.
func (f *function) call(words []string) string {
	var names []string
	var order []string // parameters as they are first given
	values := map[string][]string{}
	give := func(name string, value ...string) {
		if !slices.Contains(order, name) {
			order = append(order, name)
		}
		values[name] = append(values[name], value...)
	}
	places := f.positional()
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, value, attached := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		j := slices.IndexFunc(f.parameters, func(p parameter) bool { return p.is(name) })
		switch {
		case word == "-o", word == "--output":
			i++ // objects have no format
		case name == "stdin":
		case !strings.HasPrefix(word, "--") && len(places) == 0:
			// More values of the flag before.
			give(order[len(order)-1], word)
		case !strings.HasPrefix(word, "--"):
			names = append(names, word)
		case j < 0:
			give(pascal(name)) // -WhatIf, -Confirm
		case f.parameters[j].kind == "switch" && attached:
			give(f.parameters[j].name + ":$" + value)
		case f.parameters[j].kind == "switch":
			give(f.parameters[j].name)
		default:
			if !attached {
				i++
				value = words[i]
			}
			give(f.parameters[j].name, f.parameters[j].literals(value)...)
		}
	}
	call := []string{f.name()}
	for i := range min(len(names), len(places)) {
		if i == len(places)-1 {
			call = append(call, quoteList(names[i:])) // the rest
		} else {
			call = append(call, quoteArgument(names[i]))
		}
	}
	for _, name := range order {
		call = append(call, strings.TrimSpace("-"+name+" "+quoteList(values[name])))
	}
	return strings.Join(call, " ")
}

// literals are a flag's values; those of an enumeration as PowerShell has them.
func (p *parameter) literals(value string) []string {
	for _, v := range p.values {
		if strings.EqualFold(v, strings.ReplaceAll(value, "-", "")) {
			return []string{v}
		}
	}
	if p.list {
		return strings.Split(value, ",")
	}
	return []string{value}
}

// splitWords takes a line apart as a shell does. It fails for what only a shell
// understands.
func splitWords(line string) (words []string, ok bool) {
	for i, part := range strings.Split(line, "'") {
		switch {
		case i%2 == 1:
			words[len(words)-1] += part
			continue
		case strings.ContainsAny(part, "$`\"\\<>&;()|"):
			return nil, false
		}
		fields := strings.Split(part, " ")
		if i > 0 {
			words[len(words)-1] += fields[0]
			fields = fields[1:]
		}
		words = append(words, fields...)
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" }), true
}
