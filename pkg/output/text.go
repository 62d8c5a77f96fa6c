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
	if !strings.ContainsFunc(s, steers) {
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

// An escaper passes JSON on, with every character that Clean would replace
// written as \uXXXX: the same data, fit for a terminal. JSON leaves such
// characters only inside strings. No Write may begin or end within one.
type escaper struct{ w io.Writer }

func (e escaper) Write(p []byte) (int, error) {
	start := 0
	for i := 0; i < len(p); {
		if p[i] < 0x7f { // no control character but the newline is left in JSON
			i++
			continue
		}
		r, size := utf8.DecodeRune(p[i:])
		if r != utf8.RuneError && steers(r) {
			if _, err := fmt.Fprintf(e.w, `%s\u%04x`, p[start:i], r); err != nil {
				return start, err
			}
			start = i + size
		}
		i += size
	}
	n, err := e.w.Write(p[start:])
	return start + n, err
}
