// Package shell writes command lines that people paste into a shell. Names come
// from files that other people and programs write, so an argument that a shell
// could read as anything but text is quoted.
package shell

import "strings"

// Command is a gatepool command line for a POSIX shell or PowerShell.
func Command(args ...string) string {
	var b strings.Builder
	b.WriteString("gatepool")
	for _, arg := range args {
		b.WriteByte(' ')
		b.WriteString(Quote(arg))
	}
	return b.String()
}

// Quote makes a text one harmless argument in POSIX shells and in PowerShell,
// quoting it where it has to be. PowerShell takes typographic quotation marks
// for plain ones. A text with both an apostrophe and something that double
// quotes don't protect has its apostrophes doubled, which PowerShell reads
// right; a POSIX shell drops them, but runs nothing.
func Quote(arg string) string {
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
