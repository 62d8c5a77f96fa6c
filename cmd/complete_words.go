package cmd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

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
	var covered []pflag.Value // by parameters of the cmdlet
	if l.cmdlet != nil {
		for i := range l.cmdlet.parameters {
			p := &l.cmdlet.parameters[i]
			o := l.parameter(p)
			about := ""
			if f := cmp.Or(o.flag, (spelt{name: p.name}).exact(l.flags)); f != nil {
				covered = append(covered, f.Value)
				about = ascii(f.Usage)
			}
			if p.use != ignored && p.use != leftOut && p.use != refused && !l.has(*o) {
				powerShell = append(powerShell, candidate{"-" + p.name, about})
			}
		}
	}
	named := map[string]bool{}
	for _, set := range l.flags {
		set.VisitAll(func(f *pflag.Flag) {
			if f.Hidden || named[f.Name] || l.has(dashed{flag: f}) {
				return
			}
			named[f.Name] = true // a command's own flag hides one of all commands
			about := ascii(f.Usage)
			kebab = append(kebab, candidate{"--" + f.Name, about})
			joined = append(joined, candidate{"--" + pascal(f.Name), about})
			if !slices.Contains(covered, f.Value) {
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
