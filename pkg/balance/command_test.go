package balance

import (
	"os/exec"
	"testing"
)

func TestCommand(t *testing.T) {
	for _, test := range []struct{ arg, want string }{
		{"avd-eu-0.contoso.example", "avd-eu-0.contoso.example"},
		{"alice@contoso.example", "alice@contoso.example"},
		{"h1/3", "h1/3"},
		{"", "''"},
		{"@splat", "'@splat'"},
		{"GW FIN 01", "'GW FIN 01'"},
		{`CONTOSO\alice`, `'CONTOSO\alice'`},
		{"$(touch x)", "'$(touch x)'"},
		{"`date`", "'`date`'"},
		{"a;b", "'a;b'"},
		{"O'Brien", `"O'Brien"`},
		{"O’Brien", `"O’Brien"`},
		{"O'Brien $5", `'O'\''Brien $5'`},
		{"a\nb", "'a\nb'"},
		{"Zürich", "'Zürich'"},
	} {
		if got := command("verb", test.arg); got != "gatepool verb "+test.want {
			t.Errorf("%q: %s, want %s", test.arg, got, test.want)
		}
	}
}

// A POSIX shell reads back every argument as it was.
func TestCommandInShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no POSIX shell here")
	}
	for _, arg := range []string{"plain", "", "a b", "O'Brien", "O'Brien $HOME", "O’Brien", `it's "so"`, "it's `so`", `back\slash`, `it's a\b`, "!!", "it's !!", "a\tb\nc", "*", "~", "#", "'"} {
		out, err := exec.Command(sh, "-c", "gatepool() { printf %s \"$2\"; }\n"+command("verb", arg)).Output()
		if err != nil || string(out) != arg {
			t.Errorf("%q came back as %q (%v)", arg, out, err)
		}
	}
}
