package output

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean replaces whatever in s could steer a terminal, or make one line look
// like two, with U+FFFD: control characters (C0, DEL, C1), bidirectional
// controls, line and paragraph separators, and bytes that are not UTF-8. All
// other text comes back as it is, joiners included, which emoji and many
// scripts need.
func Clean(s string) string {
	if plain(s) || !strings.ContainsFunc(s, steers) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if steers(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// steers reports whether r must not reach a terminal. It holds for
// utf8.RuneError too, which stands for bytes that are not UTF-8.
func steers(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// plain reports whether s is printable ASCII, as nearly all names are: clean,
// and one terminal column a byte, which spares the tables of Unicode.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// An escaper passes JSON on, with every character that Clean would replace
// written as \uXXXX: the same data, fit for a terminal. JSON has such
// characters only inside strings. No Write may begin or end within one.
type escaper struct{ w io.Writer }

func (e escaper) Write(p []byte) (int, error) {
	if _, err := e.w.Write(escape(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// escape returns text itself when there is nothing to escape.
func escape(text []byte) []byte {
	var escaped []byte
	done := 0
	for i := 0; i < len(text); {
		if text[i] < 0x7f { // of control characters JSON leaves no other than the newline
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r != utf8.RuneError && steers(r) {
			escaped = fmt.Appendf(append(escaped, text[done:i]...), `\u%04x`, r)
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return text
	}
	return append(escaped, text[done:]...)
}
