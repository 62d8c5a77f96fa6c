package output

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"avd-eu-0.contoso.example":   "avd-eu-0.contoso.example",
		"a\x1b[31mb":                 "a�[31mb",
		"a\nb\r\tc\x00\x7f":          "a�b��c��",
		"\u0080\u009b\u009f\u00a0":   "���\u00a0",
		"\xff\xc3(":                  "��(",
		"x\u202ey\u2066\u200e\u061c": "x�y���",
		"\u2028\u2029":               "��",
		"日本語 👩\u200d💻 ❤️ e\u0301 \u200c می\u200cخواهم": "日本語 👩\u200d💻 ❤️ e\u0301 \u200c می\u200cخواهم",
	} {
		if got := Clean(text); got != want {
			t.Errorf("Clean(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) || Clean(got) != got {
			t.Errorf("Clean(%q) = %q is not clean", s, got)
		}
		// Written out, not by the tables that Clean uses: a second opinion.
		for _, r := range got {
			switch {
			case r < 0x20, r >= 0x7f && r <= 0x9f, r == 0x61c, r == 0x200e, r == 0x200f,
				r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
				t.Errorf("Clean(%q) = %q holds %U", s, got, r)
			}
		}
		// Each letter is kept or replaced, none lost or added.
		before, after := []rune(s), []rune(got)
		if len(before) != len(after) {
			t.Fatalf("Clean(%q) = %q: %d characters from %d", s, got, len(after), len(before))
		}
		for i, r := range after {
			if r != before[i] && r != utf8.RuneError {
				t.Errorf("Clean(%q) = %q: %U from %U", s, got, r, before[i])
			}
		}
		if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0 && got != s {
			t.Errorf("Clean(%q) = %q changes plain text", s, got)
		}
	})
}
