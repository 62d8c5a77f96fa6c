package cmd

import (
	"strings"

	"github.com/spf13/pflag"
)

// respell turns flags as PowerShell writes them into flags as cobra reads them:
// any case, with or without hyphens, a single dash, a value behind a colon,
// and a name cut short as long as it is unambiguous. What is not a flag of the
// command stays as it is, and nothing behind -- is touched.
func respell(args []string, flags []*pflag.FlagSet) ([]string, error) {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(out, args[i:]...), nil
		}
		f, value, hasValue := readFlag(arg, flags)
		if f == nil {
			out = append(out, arg)
			continue
		}
		name := "--" + f.Name
		switch {
		case hasValue && value == "" && f.NoOptDefVal != "":
			// Windows PowerShell hands over -Switch:$false in two parts, and a
			// POSIX shell makes nothing of $false.
			if i+1 < len(args) && isTruth(args[i+1]) {
				i++
				value = args[i]
			} else {
				return nil, usagef("%s has no value behind it: this shell took $true or $false for a variable", arg).withHint("write %strue or %sfalse", arg, arg)
			}
			out = append(out, name+"="+value)
		case hasValue:
			out = append(out, name+"="+value)
		case f.NoOptDefVal == "" && i+1 < len(args):
			i++
			out = append(out, name+"="+args[i])
		case f.NoOptDefVal != "" && i+1 < len(args) && strings.HasPrefix(args[i+1], "$") && isTruth(args[i+1]):
			i++
			out = append(out, name+"="+args[i])
		default:
			out = append(out, name)
		}
	}
	return out, nil
}

// isTruth reports whether a text is one of PowerShell's booleans.
func isTruth(s string) bool {
	s = strings.ToLower(strings.TrimPrefix(s, "$"))
	return s == "true" || s == "false"
}

// readFlag finds the flag that an argument names, and the value in it.
func readFlag(arg string, flags []*pflag.FlagSet) (f *pflag.Flag, value string, hasValue bool) {
	if len(arg) < 2 || arg[0] != '-' {
		return nil, "", false
	}
	name := arg[1:]
	powerShell := name[0] != '-'
	if !powerShell {
		name = name[1:]
	}
	separators := "="
	if powerShell {
		separators = ":="
	}
	if i := strings.IndexAny(name, separators); i >= 0 {
		name, value, hasValue = name[:i], name[i+1:], true
	}
	if len(name) == 1 && powerShell {
		for _, set := range flags {
			if f := set.ShorthandLookup(name); f != nil {
				return f, value, hasValue
			}
		}
	}
	want := squash(name)
	if want == "" {
		return nil, "", false
	}
	var prefixed []*pflag.Flag
	for _, set := range flags {
		set.VisitAll(func(candidate *pflag.Flag) {
			has := squash(candidate.Name)
			switch {
			case has == want:
				f = candidate
			case powerShell && len(want) > 1 && strings.HasPrefix(has, want) && !candidate.Hidden:
				prefixed = append(prefixed, candidate)
			}
		})
	}
	if f == nil && len(prefixed) == 1 {
		f = prefixed[0]
	}
	return f, value, hasValue
}
