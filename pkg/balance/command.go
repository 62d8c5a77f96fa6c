package balance

import "strings"

// command writes a gatepool command line that can be pasted into a POSIX shell
// or PowerShell. Names come from files that other people and programs write, so
// an argument that a shell could read as anything but text is quoted.
func command(args ...string) string {
	var b strings.Builder
	b.WriteString("gatepool")
	for _, arg := range args {
		b.WriteByte(' ')
		b.WriteString(quote(arg))
	}
	return b.String()
}

// quote quotes an argument where it has to be. PowerShell takes typographic
// quotation marks for plain ones. An argument with both an apostrophe and
// something that double quotes don't protect can be written for only one kind
// of shell; that is the POSIX one.
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
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
