package cmd

import (
	"strings"

	"github.com/spf13/pflag"
)

// words are the arguments of a command, read from the front: flags as
// PowerShell writes them become flags as cobra reads them. PowerShell's are in
// any case, with or without hyphens, have a single dash, a value behind a
// colon, and names cut short as long as they are unambiguous.
//
// A flag's value is the next argument, whatever it is, except the spelling of
// another flag: that has to be attached, as in --description=--force.
// Otherwise a forgotten value would swallow a --what-if.
type words struct {
	left  []string
	flags []*pflag.FlagSet
}

// respell rewrites all flags that the sets know. What they don't know stays as
// it is, and nothing behind -- is touched.
func respell(args []string, flags []*pflag.FlagSet) ([]string, error) {
	w := words{args, flags}
	out := make([]string, 0, len(args))
	for len(w.left) > 0 {
		if w.left[0] == "--" {
			return append(out, w.left...), nil
		}
		word, err := w.next()
		if err != nil {
			return nil, err
		}
		out = append(out, word)
	}
	return out, nil
}

// next takes one argument, or a flag with its value.
func (w *words) next() (string, error) {
	arg := w.take()
	s, ok := splitFlag(arg)
	if !ok {
		return arg, nil
	}
	f := s.exact(w.flags)
	if f == nil {
		var err error
		if f, err = s.prefixed(w.flags); f == nil {
			return arg, err
		}
	}
	if f.NoOptDefVal != "" {
		truth, given, err := w.truth(s)
		if err != nil || !given {
			return "--" + f.Name, err
		}
		return "--" + f.Name + "=" + truth, nil
	}
	value, err := w.value(s)
	return "--" + f.Name + "=" + value, err
}

func (w *words) take() string {
	arg := w.left[0]
	w.left = w.left[1:]
	return arg
}

// value is the value of a flag that has one: attached, or the next argument.
// Windows PowerShell hands over -Name:$value in two parts, -Name: and the value.
func (w *words) value(s spelt) (string, error) {
	if s.attached && !s.split() {
		return s.value, nil
	}
	if len(w.left) == 0 || w.left[0] == "--" || w.isFlag(w.left[0]) {
		f := usagef("%s needs a value", s.arg)
		if len(w.left) > 0 && w.left[0] != "--" {
			return "", f.withHint("if the value is %s, write %s%s", w.left[0], s.joint(), w.left[0])
		}
		return "", f.withHint("an empty value is written %s", strings.TrimSuffix(s.arg, ":")+"=")
	}
	return w.take(), nil
}

// truth is the value of a flag that is true by itself, where one is given: $true
// and $false, which PowerShell hands over as True and False.
func (w *words) truth(s spelt) (value string, given bool, err error) {
	switch {
	case s.attached && s.value != "":
		return s.value, true, nil
	case s.attached:
		if s.split() && len(w.left) > 0 && isTruth(w.left[0]) {
			return w.take(), true, nil
		}
		// A POSIX shell makes nothing of $false.
		return "", false, usagef("%s has no value behind it: this shell took $true or $false for a variable", s.arg).withHint("write %strue or %sfalse", s.arg, s.arg)
	case s.powerShell && len(w.left) > 0 && (w.left[0] == "True" || w.left[0] == "False" || w.left[0][:min(1, len(w.left[0]))] == "$" && isTruth(w.left[0])):
		return w.take(), true, nil
	}
	return "", false, nil
}

// isFlag reports whether an argument is one of the command's flags.
func (w *words) isFlag(arg string) bool {
	s, ok := splitFlag(arg)
	return ok && s.exact(w.flags) != nil
}

// isTruth reports whether a text is one of PowerShell's booleans.
func isTruth(s string) bool {
	s = strings.ToLower(strings.TrimPrefix(s, "$"))
	return s == "true" || s == "false"
}

// spelt is an argument that has the form of a flag.
type spelt struct {
	arg        string
	name       string
	powerShell bool // one dash
	attached   bool // a value, perhaps an empty one, stands in the argument
	value      string
}

// splitFlag takes an argument apart. A single dash may end the name with a
// colon, and the value may hold colons and equals signs.
func splitFlag(arg string) (s spelt, ok bool) {
	if len(arg) < 2 || arg[0] != '-' || arg == "--" {
		return spelt{}, false
	}
	s = spelt{arg: arg, name: arg[1:], powerShell: arg[1] != '-'}
	separators := ":="
	if !s.powerShell {
		s.name, separators = arg[2:], "="
	}
	if i := strings.IndexAny(s.name, separators); i >= 0 {
		s.name, s.value, s.attached = s.name[:i], s.name[i+1:], true
	}
	if s.name == "?" {
		s.name = "help"
	}
	return s, squash(s.name) != ""
}

// split reports whether a value should follow a colon and does not.
func (s spelt) split() bool { return s.value == "" && s.arg[len(s.arg)-1] == ':' }

// joint is the flag with what stands between it and an attached value.
func (s spelt) joint() string {
	if s.attached {
		return s.arg
	}
	if s.powerShell {
		return s.arg + ":"
	}
	return s.arg + "="
}

// exact finds the flag of that name, or of that letter behind one dash.
func (s spelt) exact(flags []*pflag.FlagSet) *pflag.Flag {
	for _, set := range flags {
		if s.powerShell && len(s.name) == 1 {
			if f := set.ShorthandLookup(strings.ToLower(s.name)); f != nil {
				return f
			}
		}
		var found *pflag.Flag
		set.VisitAll(func(f *pflag.Flag) {
			if squash(f.Name) == squash(s.name) {
				found = f
			}
		})
		if found != nil {
			return found
		}
	}
	return nil
}

// prefixed finds the flag whose name begins so, nil where none does. Names of
// the same flag are no ambiguity.
func (s spelt) prefixed(flags []*pflag.FlagSet) (*pflag.Flag, error) {
	if !s.powerShell {
		return nil, nil
	}
	var found []*pflag.Flag
	for _, set := range flags {
		set.VisitAll(func(f *pflag.Flag) {
			if strings.HasPrefix(squash(f.Name), squash(s.name)) && !f.Hidden && (len(found) == 0 || found[0].Value != f.Value) {
				found = append(found, f)
			}
		})
	}
	if len(found) < 2 {
		return append(found, nil)[0], nil
	}
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = "-" + pascal(f.Name)
	}
	return nil, s.ambiguous(names)
}

// ambiguous says which names an abbreviation may mean.
func (s spelt) ambiguous(names []string) error {
	return usagef("-%s is short for several: %s", s.name, strings.Join(names, ", ")).withHint("write a few letters more")
}

// pascal writes max-session-limit as PowerShell does, MaxSessionLimit.
func pascal(kebab string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(kebab, "-") {
		b.WriteString(strings.ToUpper(word[:min(1, len(word))]) + word[min(1, len(word)):])
	}
	return b.String()
}
