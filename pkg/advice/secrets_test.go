package advice

import (
	"strings"
	"testing"
)

func TestSecret(t *testing.T) {
	// Assembled, so that scanners of this repository find nothing.
	token := "eyJ" + "hbGciOiJSUzI1NiJ9" + "." + "eyJSZWdpc3RyYXRpb25JZCI6IjEifQ" + "." + "c2lnbmF0dXJl"
	for text, want := range map[string]string{
		"":                                 "",
		"Call centre, Madrid":              "",
		"token is " + token:                "a registration or access token (JWT)",
		"eyJust.a.joke":                    "",
		"-----BEGIN RSA PRIVATE KEY-----":  "a private key",
		"-----BEGIN CERTIFICATE-----":      "",
		"abc8Q~" + strings.Repeat("x", 34): "an Entra client secret",
		"see ~/notes":                      "",
		"RegistrationInfoToken: " + strings.Repeat("a", 20): "a registration token",
		"registration token = abc":                          "a registration token",
		"registration token: expired":                       "",
		"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + strings.Repeat("A", 20) + "==": "a storage or access key",
		"SharedAccessKey=abcdef": "a storage or access key",
		"SharedKey=abcdef":       "a storage or access key",
		"https://a.blob.example/c?sv=2024&sig=abcdefghijklmnop%2B": "a shared access signature",
		"client_secret=s3cr3t":                 "a client secret",
		`"recoveryKey": "Contoso2026"`:         "a gateway recovery key, witness string or salt",
		"gatewaySalt=abc":                      "a gateway recovery key, witness string or salt",
		"Recovery key: in vault":               "",
		"Server=sql01;User Id=sa;Password=x":   "a password",
		"PWD = x":                              "a password",
		"password='x'":                         "a password",
		"password: Hunter2Hunter2":             "a password",
		"password: ask Bob":                    "",
		"Password=;Database=sales":             "",
		"password=<secret>":                    "",
		"password=${SQL_PASSWORD}":             "",
		"password=***":                         "",
		"odata://svc:hunter2@host/":            "a password in an address",
		"https://contoso.example:8443/a@b":     "",
		"sip:alice@contoso.example":            "",
		"/subscriptions/0/resourceGroups/rg=a": "",
	} {
		what, at, found := Secret(text)
		if what != want || found != (want != "") {
			t.Errorf("Secret(%q) = %q, %v; want %q", text, what, found, want)
		}
		if !found && at != 0 || at > len(text) {
			t.Errorf("Secret(%q) is at %d", text, at)
		}
	}
	if _, at, _ := Secret("# äh, pwd=x"); at != len("# äh, ") {
		t.Errorf("position %d", at)
	}
}

func FuzzSecret(f *testing.F) {
	f.Add("Server=sql01;Pwd=x")
	f.Add("eyJ.eyJ.~:=")
	f.Add("-----\xff=\x00")
	f.Fuzz(func(t *testing.T, text string) {
		what, at, found := Secret(text)
		if found != (what != "") || at < 0 || found && at >= len(text) {
			t.Errorf("Secret(%q) = %q, %d, %v", text, what, at, found)
		}
		// What one line holds, a text with that line in it holds too.
		if _, _, again := Secret("# " + text + "\n"); found && !again {
			t.Errorf("%q is found alone but not in a line", text)
		}
	})
}
