package state

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Landmarks are what one look at every line of the file finds, by offset.
type landmarks struct {
	separators []int // lines that are --- or begin with "--- "
	odd        []int // the first line of each document that has other than simple characters
}

// scan looks at all lines of the file, on all processors.
func scan(text []byte) landmarks {
	const part = 256 << 10 // bytes that one processor looks at in one go
	parts := make([]landmarks, len(text)/part+1)
	onAllCores(len(parts), len(text), func() func(int) error {
		return func(i int) error {
			parts[i] = scanBetween(text, i*part, min((i+1)*part, len(text)))
			return nil
		}
	})
	return join(parts)
}

func join(parts []landmarks) (all landmarks) {
	for _, p := range parts {
		all.separators = append(all.separators, p.separators...)
		all.odd = append(all.odd, p.odd...)
	}
	return all
}

// scanBetween looks at the lines that begin from start to before end.
func scanBetween(text []byte, start, end int) landmarks {
	var found landmarks
	known := false // an odd line of this document is
	at := start
	if start > 0 {
		at = nextLine(text[:end], start-1)
	}
	for at < end {
		next := nextLine(text, at)
		line := text[at:next]
		if isSeparator(line) {
			found.separators = append(found.separators, at)
			known = false
		}
		if !known && !simpleLine(line) {
			found.odd = append(found.odd, at)
			known = true
		}
		at = next
	}
	return found
}

// nextLine is where the line after the one at an offset begins.
func nextLine(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

func isSeparator(line []byte) bool {
	return len(line) >= 3 && line[0] == '-' && line[1] == '-' && line[2] == '-' && (len(line) == 3 || strings.IndexByte(" \t\r\n", line[3]) >= 0)
}

// oddBetween reports whether a line from start to before end is odd.
func (l landmarks) oddBetween(start, end int) bool {
	i, _ := slices.BinarySearch(l.odd, start)
	return i < len(l.odd) && l.odd[i] < end
}

// simpleLine is simpleCharacters for a line with its end.
func simpleLine(line []byte) bool {
	n := len(line)
	if line[n-1] == '\n' {
		n--
		if n > 0 && line[n-1] == '\r' {
			n--
		}
	}
	text := unsafe.String(&line[0], n)
	return printable(text) || simpleCharacters(text)
}

// simpleCharacters reports whether the text has only characters that mean the
// same to everyone: no tabs, no controls, no invisible line separators.
func simpleCharacters(text string) bool {
	for i, r := range text {
		switch {
		case r >= 0x20 && r < 0x7F || r == '\n':
		case r == '\r':
			if i+1 == len(text) || text[i+1] != '\n' {
				return false
			}
		case r < 0xA0, r == '\u2028', r == '\u2029', r == '\uFEFF', r >= 0xFFFE && r <= 0xFFFF, r == utf8.RuneError:
			return false
		}
	}
	return true
}

// printable reports whether all of a text is from 0x20 to 0x7E. It looks at
// eight bytes together: adding 1 to a byte sets its highest bit from 0x7F on, and
// taking 0x20 from it does so below 0x20. A carry between bytes can only make the
// answer false.
func printable(text string) bool {
	if len(text) < 8 {
		for _, c := range []byte(text) {
			if c < 0x20 || c >= 0x7F {
				return false
			}
		}
		return true
	}
	const ones = 0x0101010101010101
	for i := 0; ; i += 8 {
		i = min(i, len(text)-8)
		s := text[i : i+8]
		b := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if (b|(b+ones)|(b-0x20*ones))&(0x80*ones) != 0 {
			return false
		}
		if i == len(text)-8 {
			return true
		}
	}
}
