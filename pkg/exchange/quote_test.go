package exchange

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// hostile are values that try to leave their quotes.
var hostile = []string{
	"", "hp-eu", "O'Brien", "'; Remove-Item C:\\ -Recurse; '", "’; calc; ’", "‘x‚y‛z", "''", "’'", "$(touch x)", "`touch x`", "$env:PATH", "a\"b", "-Force", "@file", "%PATH%",
	"line\nbreak", "tab\tstop", "cr\r\n", "\x1b[31mred", "nul\x00", "\u202Egnp.exe", "\u2028next", "\u0085next", "a\\", "中文 😀", "\xff\xfe", "ends\n", "#comment", "\U000E0001tag",
}

// valueOfPowerShell evaluates what QuotePowerShell writes, as PowerShell does: in
// single quotes two quotes of any kind are the first of them, and one ends the
// string.
func valueOfPowerShell(t *testing.T, expression string) string {
	t.Helper()
	inner, summed := strings.CutPrefix(expression, "(")
	if summed {
		inner = strings.TrimSuffix(inner, ")")
	}
	isQuote := func(r rune) bool { return strings.ContainsRune("'‘’‚‛", r) }
	number := regexp.MustCompile(`^ \+ \[char\]::ConvertFromUtf32\(0x([0-9A-F]+)\) \+ `)
	var value strings.Builder
	runes := []rune(inner)
	for {
		if len(runes) == 0 || !isQuote(runes[0]) {
			t.Fatalf("%q: no string at %q", expression, string(runes))
		}
		i := 1
		for ; ; i++ {
			if i >= len(runes) {
				t.Fatalf("%q: a string does not end", expression)
			}
			if isQuote(runes[i]) {
				if i+1 == len(runes) || !isQuote(runes[i+1]) {
					break
				}
				value.WriteRune(runes[i])
				i++
				continue
			}
			value.WriteRune(runes[i])
		}
		runes = runes[i+1:]
		if len(runes) == 0 {
			return value.String()
		}
		m := number.FindStringSubmatch(string(runes))
		if m == nil || !summed {
			t.Fatalf("%q: %q behind a string", expression, string(runes))
		}
		code, err := strconv.ParseInt(m[1], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		value.WriteRune(rune(code))
		runes = runes[len([]rune(m[0])):]
	}
}

func checkPowerShell(t *testing.T, s string) {
	t.Helper()
	written := QuotePowerShell(s)
	if got, want := valueOfPowerShell(t, written), strings.ToValidUTF8(s, "\uFFFD"); got != want {
		t.Errorf("%q is %s, which is %q", s, written, got)
	}
	if strings.ContainsFunc(written, hidden) {
		t.Errorf("%q is %q, with a hidden character", s, written)
	}
}

// valueOfPOSIX evaluates what QuotePOSIX writes, as a shell does.
func valueOfPOSIX(t *testing.T, word string) string {
	t.Helper()
	single := regexp.MustCompile(`^'[^']*'`)
	printf := regexp.MustCompile(`^"\$\(printf '((?:\\[0-7]{3})+)'\)"`)
	var value strings.Builder
	for rest := word; rest != ""; {
		if m := single.FindString(rest); m != "" {
			value.WriteString(m[1 : len(m)-1])
			rest = rest[len(m):]
		} else if after, ok := strings.CutPrefix(rest, `\'`); ok {
			value.WriteByte('\'')
			rest = after
		} else if m := printf.FindStringSubmatch(rest); m != nil {
			for _, octal := range strings.Split(m[1], `\`)[1:] {
				code, err := strconv.ParseUint(octal, 8, 8)
				if err != nil {
					t.Fatal(err)
				}
				value.WriteByte(byte(code))
			}
			rest = rest[len(m[0]):]
		} else {
			t.Fatalf("%q: %q is outside of quotes", word, rest)
		}
	}
	return value.String()
}

func posixValue(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

func checkPOSIX(t *testing.T, s string) {
	t.Helper()
	written := QuotePOSIX(s)
	if got := valueOfPOSIX(t, written); got != posixValue(s) {
		t.Errorf("%q is %s, which is %q", s, written, got)
	}
	if strings.ContainsFunc(strings.NewReplacer("\n", "", "\t", "").Replace(written), hidden) {
		t.Errorf("%q is %q, with a hidden character", s, written)
	}
}

func TestQuote(t *testing.T) {
	for _, s := range hostile {
		checkPowerShell(t, s)
		checkPOSIX(t, s)
	}
	for _, tt := range []struct{ value, powershell, posix string }{
		{"O'Brien", "'O''Brien'", `'O'\''Brien'`},
		{"a’b", "'a’’b'", "'a’b'"},
		{"a\rb", "('a' + [char]::ConvertFromUtf32(0xD) + 'b')", `'a'"$(printf '\015')"'b'`},
		{"\u202E", "('' + [char]::ConvertFromUtf32(0x202E) + '')", `''"$(printf '\342\200\256')"''`},
	} {
		if got := QuotePowerShell(tt.value); got != tt.powershell {
			t.Errorf("PowerShell: %q is %s, want %s", tt.value, got, tt.powershell)
		}
		if got := QuotePOSIX(tt.value); got != tt.posix {
			t.Errorf("POSIX: %q is %s, want %s", tt.value, got, tt.posix)
		}
	}
}

// TestQuotePOSIXInShell has a real shell take the words.
func TestQuotePOSIXInShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh here")
	}
	var script, want strings.Builder
	for _, s := range hostile {
		fmt.Fprintf(&script, "printf '<%%s>' %s\n", QuotePOSIX(s))
		fmt.Fprintf(&want, "<%s>", posixValue(s))
	}
	command := exec.Command(sh)
	command.Stdin = strings.NewReader(script.String())
	got, err := command.CombinedOutput()
	if err != nil || string(got) != want.String() {
		t.Errorf("error %v, got\n%q\nwant\n%q", err, got, want.String())
	}
}

func FuzzQuotePowerShell(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(checkPowerShell)
}

func FuzzQuotePOSIX(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(checkPOSIX)
}
