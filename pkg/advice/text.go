package advice

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// mostNames is how many names a sentence lists before it only counts.
const mostNames = 5

// names lists names for a sentence: "a, b, c", or the first few "and 98 more".
func names(list []string) string {
	if len(list) <= mostNames {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:mostNames], ", "), len(list)-mostNames)
}

// count is a number with its noun: "1 session", "2 sessions".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// command is a gatepool command line that can be pasted into a shell.
func command(verb string, args ...string) string {
	var b strings.Builder
	b.WriteString("gatepool ")
	b.WriteString(verb)
	for _, a := range args {
		b.WriteByte(' ')
		b.WriteString(quote(a))
	}
	return b.String()
}

// quote makes a name one harmless argument in PowerShell and in POSIX shells:
// single quotes around whatever isn't plain, and each quote inside doubled,
// which PowerShell reads as that quote and a POSIX shell as nothing. PowerShell
// takes typographic single quotes for plain ones, so they are doubled as well.
func quote(arg string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./:", r)
	}
	inner := func(r rune) bool { return plain(r) || r == '@' }
	runes := []rune(arg)
	if len(runes) > 0 && plain(runes[0]) && !slices.ContainsFunc(runes, func(r rune) bool { return !inner(r) }) {
		return arg
	}
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range runes {
		if strings.ContainsRune("'‘’‚‛", r) {
			b.WriteRune(r)
		}
		b.WriteRune(r)
	}
	b.WriteByte('\'')
	return b.String()
}
