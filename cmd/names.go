package cmd

import (
	"regexp"
	"slices"
	"strings"
)

// A pattern is a name given on the command line: exact but for case, or with
// PowerShell's wildcards *, ? and [ab].
type pattern struct {
	text  string
	match *regexp.Regexp // nil for an exact name
}

func newPattern(text string) pattern {
	p := pattern{text: text}
	if !strings.ContainsAny(text, "*?[") {
		return p
	}
	var re strings.Builder
	re.WriteString("(?is)^")
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '*':
			re.WriteString(".*")
		case '?':
			re.WriteString(".")
		case '[':
			end := strings.IndexByte(text[i+1:], ']')
			if end < 1 {
				re.WriteString(`\[`)
				continue
			}
			set := text[i+1 : i+1+end]
			re.WriteString("[" + strings.NewReplacer(`\`, `\\`, `^`, `\^`, `[`, `\[`, `&`, `\&`).Replace(set) + "]")
			i += end + 1
		default:
			re.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	re.WriteString("$")
	compiled, err := regexp.Compile(re.String())
	if err != nil {
		// A set such as [z-a] that means nothing matches only itself.
		return p
	}
	p.match = compiled
	return p
}

func (p pattern) exact() bool { return p.match == nil }

func (p pattern) matches(name string) bool {
	if p.match != nil {
		return p.match.MatchString(name)
	}
	return strings.EqualFold(p.text, name)
}

// selection is what a list of names and wildcards chooses.
type selection []pattern

func newSelection(names []string) selection {
	s := make(selection, len(names))
	for i, n := range names {
		s[i] = newPattern(n)
	}
	return s
}

// wants reports whether a thing with one of these names is chosen. No names at
// all choose everything.
func (s selection) wants(names ...string) bool {
	if len(s) == 0 {
		return true
	}
	for _, p := range s {
		for _, n := range names {
			if n != "" && p.matches(n) {
				return true
			}
		}
	}
	return false
}

// expand replaces wildcards in the names given by the names that they match, in
// file order; exact names stay, found or not. A name that is there as it is
// written is itself, whatever wildcards it would be.
func expand(given, all []string) []string {
	var names []string
	for _, g := range given {
		p := newPattern(g)
		if p.exact() || slices.ContainsFunc(all, func(n string) bool { return strings.EqualFold(n, g) }) {
			names = append(names, g)
			continue
		}
		for _, n := range all {
			if p.matches(n) {
				names = append(names, n)
			}
		}
	}
	return names
}
