package state

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Lines are found alike wherever the file is divided for the processors, and as
// one would find them one after the other.
func TestScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"---", "--- # a", "---\ta", "---a", "----", "--", " ---", "", "a: b", "a: b\r", "---\r", "a\tb", "a\rb", "\u00e9",
			"a: é", "a\u2028", "\x7f", "\xff", "12345678", "1234567é", "long enough for more than one word: é", "long enough for more than one word:\t.", strings.Repeat("x", 20)}), 0, 12).Draw(t, "lines")
		text := strings.Join(lines, "\n")

		var want landmarks
		known := false
		for at, line := range lineOffsets(text) {
			if content := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"); content == "---" || strings.HasPrefix(content, "--- ") || strings.HasPrefix(content, "---\t") {
				want.separators = append(want.separators, at)
				known = false
			}
			if !known && !simpleCharacters(line) {
				want.odd = append(want.odd, at)
				known = true
			}
		}
		if got := scan([]byte(text)); !reflect.DeepEqual(got, want) {
			t.Fatalf("found %v, want %v\n%q", got, want, text)
		}

		cutAt := rapid.IntRange(0, len(text)).Draw(t, "cut")
		first, second := scanBetween([]byte(text), 0, cutAt), scanBetween([]byte(text), cutAt, len(text))
		if got := append(first.separators, second.separators...); !reflect.DeepEqual(got, want.separators) {
			t.Fatalf("divided at %d: separators at %v, want %v\n%q", cutAt, got, want.separators, text)
		}
		// Each part notes an odd line of a document that goes on in it.
		both := landmarks{odd: append(first.odd, second.odd...)}
		for _, d := range append([]int{0}, want.separators...) {
			end := len(text)
			for _, sep := range want.separators {
				if sep > d {
					end = sep
					break
				}
			}
			if got := both.oddBetween(d, end); got != want.oddBetween(d, end) {
				t.Fatalf("divided at %d: document at %d is odd %t\n%q", cutAt, d, got, text)
			}
		}
	})
}

func lineOffsets(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		at := 0
		for line := range strings.Lines(text) {
			if !yield(at, line) {
				return
			}
			at += len(line)
		}
	}
}

func TestPrintable(t *testing.T) {
	for length := range 25 {
		for at := range length {
			for c := range 256 {
				text := []byte(strings.Repeat("a", length))
				text[at] = byte(c)
				if got, want := printable(string(text)), c >= 0x20 && c <= 0x7E; got != want {
					t.Fatalf("%q: %t", text, got)
				}
			}
		}
	}
}
