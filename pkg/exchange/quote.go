package exchange

import (
	"fmt"
	"strings"
	"unicode"
)

// hidden reports whether a character must not stand in a script as it is: it
// would act on the terminal or hide what the line does.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// QuotePowerShell writes a text as a PowerShell expression with exactly that
// value: a single-quoted string, in which nothing is expanded. PowerShell takes
// the typographic single quotes ‘ ’ ‚ ‛ for quotes, too, so they are doubled as '
// is. Control and format characters are written by number, in parentheses so
// that the whole is one argument. Bytes that are no UTF-8 become U+FFFD.
func QuotePowerShell(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	numbers := false
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case hidden(r):
			numbers = true
			fmt.Fprintf(&b, "' + [char]::ConvertFromUtf32(0x%X) + '", r)
		case strings.ContainsRune("'‘’‚‛", r):
			b.WriteRune(r)
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	if numbers {
		return "(" + b.String() + ")"
	}
	return b.String()
}

// QuotePOSIX writes a text as one word of a POSIX shell with exactly that value:
// single-quoted, with other control and format characters than tab and newline
// made by printf. A NUL, which no argument can hold, is left out; bytes that are
// no UTF-8 become U+FFFD.
func QuotePOSIX(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == 0:
		case r == '\'':
			b.WriteString(`'\''`)
		case r != '\n' && r != '\t' && hidden(r):
			b.WriteString(`'"$(printf '`)
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
			b.WriteString(`')"'`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
