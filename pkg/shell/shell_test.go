package shell

import (
	"os/exec"
	"testing"
)

func TestQuote(t *testing.T) {
	for arg, want := range map[string]string{
		"avd-eu-0.contoso.example": "avd-eu-0.contoso.example",
		"alice@contoso.example":    "alice@contoso.example",
		"h1/3":                     "h1/3",
		"":                         "''",
		"@splat":                   "'@splat'",
		"GW FIN 01":                "'GW FIN 01'",
		`CONTOSO\alice`:            `'CONTOSO\alice'`,
		"$(touch x)":               "'$(touch x)'",
		"`date`":                   "'`date`'",
		"a;b":                      "'a;b'",
		"O'Brien":                  `"O'Brien"`,
		"O’Brien":                  `"O’Brien"`,
		"O'Brien $5":               "'O''Brien $5'",
		"O’Brien $5":               "'O’’Brien $5'",
		"a\nb":                     "'a\nb'",
		"Zürich":                   "'Zürich'",
	} {
		if got := Quote(arg); got != want {
			t.Errorf("Quote(%q) = %s, want %s", arg, got, want)
		}
	}
	if got := Command("get-host", "hp eu"); got != "gatepool get-host 'hp eu'" {
		t.Error(got)
	}
}

// A POSIX shell sees one argument each and runs nothing; only the apostrophe
// of a text that double quotes don't protect is lost.
func TestQuoteInAShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no POSIX shell here")
	}
	for arg, want := range map[string]string{
		"two words":         "two words",
		"O'Neil":            "O'Neil",
		"$(echo x)`echo`":   "$(echo x)`echo`",
		"it's $(echo x)":    "its $(echo x)",
		`back\slash "both"`: `back\slash "both"`,
		"a\tb\nc":           "a\tb\nc",
		"*":                 "*",
		"~":                 "~",
		"#":                 "#",
		"!!":                "!!",
	} {
		out, err := exec.Command(sh, "-c", "printf '<%s>' "+Quote(arg)).Output()
		if err != nil || string(out) != "<"+want+">" {
			t.Errorf("%q arrives as %s, %v", arg, out, err)
		}
	}
}
