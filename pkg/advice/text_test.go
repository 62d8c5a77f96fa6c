package advice

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for arg, want := range map[string]string{
		"hp-eu":                   "hp-eu",
		"avd-0.contoso.example/3": "avd-0.contoso.example/3",
		"alice@contoso.example":   "alice@contoso.example",
		"":                        "''",
		"@splat":                  "'@splat'",
		"two words":               "'two words'",
		"$(touch x)":              "'$(touch x)'",
		"a;b|c&d>e":               "'a;b|c&d>e'",
		"O'Neil":                  `"O'Neil"`,
		"O’Neil":                  `"O’Neil"`,
		"it's $(touch x)":         "'it''s $(touch x)'",
		"’; touch x; ‘$":          "'’’; touch x; ‘‘$'",
		"Zürich":                  "'Zürich'",
		"line\nbreak":             "'line\nbreak'",
	} {
		if got := quote(arg); got != want {
			t.Errorf("quote(%q) = %s, want %s", arg, got, want)
		}
	}
}

// TestQuoteInAShell gives quoted names to a POSIX shell, which must see one
// argument each and run nothing.
func TestQuoteInAShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh here")
	}
	for arg, want := range map[string]string{
		"two words":         "two words",
		"O'Neil":            "O'Neil",
		"$(echo x)`echo`":   "$(echo x)`echo`",
		"it's $(echo x)":    "its $(echo x)", // the apostrophe is lost, nothing is run
		`back\slash "both"`: `back\slash "both"`,
	} {
		out, err := exec.Command(sh, "-c", "printf '<%s>' "+quote(arg)).Output()
		if err != nil || string(out) != "<"+want+">" {
			t.Errorf("%q arrives as %s, %v", arg, out, err)
		}
	}
}

func TestNames(t *testing.T) {
	all := strings.Split("abcdefgh", "")
	for n, want := range []string{"", "a", "a, b", "a, b, c", "a, b, c, d", "a, b, c, d, e", "a, b, c, d, e and 1 more", "a, b, c, d, e and 2 more"} {
		if got := names(slices.Clone(all[:n])); got != want {
			t.Errorf("%d names: %s", n, got)
		}
	}
}
