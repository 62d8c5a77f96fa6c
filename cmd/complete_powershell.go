package cmd

import (
	"net/url"
	"regexp"
	"sync"

	"gatepool/pkg/exchange"
)

// PowerShell 5.1 loses empty arguments and quotes inside arguments on the way
// to a program, and reads its output in the console's code page. So words and
// answers go percent-encoded, in plain ASCII.

// powerShellLine is a candidate as the script reads it: what is put into the
// line, what the menu shows, and the description.
func powerShellLine(c candidate) string {
	about := c.about
	if about == "" {
		about = c.value // PowerShell takes no empty one
	}
	return url.PathEscape(quotePowerShellWord(c.value)) + "\t" + url.PathEscape(c.value) + "\t" + url.PathEscape(about)
}

// barePowerShell are the words that PowerShell hands over as they are: names,
// --flag with a value or without, and -Parameter with a simple value. It would
// cut -Parameter:a.b in two.
var barePowerShell = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(` +
		`[\p{L}_][\p{L}\p{N}_.@/\\:+-]*|` +
		`--[\p{L}][\p{L}\p{N}-]*(=[\p{L}\p{N}_.@/\\:+-]*)?|` +
		`-[\p{L}][\p{L}\p{N}]*(:[\p{L}\p{N}-]*)?)$`)
})

// quotePowerShellWord writes a word so that PowerShell takes it for nothing but
// itself.
func quotePowerShellWord(word string) string {
	if barePowerShell().MatchString(word) {
		return word
	}
	return exchange.QuotePowerShell(word)
}
