package output

import "testing"

// Text stays text in every reader of YAML, those of version 1.1 included.
func TestYAMLQuotes(t *testing.T) {
	for text, want := range map[string]string{
		"hp-eu":                "hp-eu",
		"yesterday":            "yesterday",
		"a:b":                  "a:b",
		"12 hosts":             "12 hosts",
		"Yes":                  `"Yes"`,
		"n":                    `"n"`,
		"off":                  `"off"`,
		"12:30:45":             `"12:30:45"`,
		"-1:20.5":              `"-1:20.5"`,
		"true":                 `"true"`,
		"null":                 `"null"`,
		"12":                   `"12"`,
		"1.1":                  `"1.1"`,
		"2026-03-01T08:00:00Z": `"2026-03-01T08:00:00Z"`,
		"":                     `""`,
		"two\nlines":           `"two\nlines"`,
		"\u202eexe":            `"\u202eexe"`,
	} {
		columns := []Column[map[string]string]{{Name: "x"}}
		check(t, print(t, Options{Format: YAML}, []map[string]string{{"x": text}}, columns), "- x: "+want+"\n")
	}
}
