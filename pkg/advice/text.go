package advice

import (
	"fmt"
	"strings"
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

// quote makes a name one harmless argument in PowerShell and in POSIX shells.
// PowerShell takes typographic quotation marks for plain ones. A name with both
// an apostrophe and something that double quotes don't protect has its
// apostrophes doubled, which PowerShell reads right; a POSIX shell drops them,
// but runs nothing.
func quote(arg string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/@:"
	const single = "'‘’‚‛"
	const double = "\"$`\\!“”„"
	switch {
	case arg != "" && arg[0] != '@' && strings.Trim(arg, plain) == "":
		return arg
	case !strings.ContainsAny(arg, single):
		return "'" + arg + "'"
	case !strings.ContainsAny(arg, double):
		return `"` + arg + `"`
	}
	var b strings.Builder
	for _, r := range arg {
		b.WriteRune(r)
		if strings.ContainsRune(single, r) {
			b.WriteRune(r)
		}
	}
	return "'" + b.String() + "'"
}
