package spelling

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"maxSessionLimit", "loadBalancerType", "location"}
	for got, want := range map[string]string{
		"maxSesionLimit":           "maxSessionLimit",
		"MAXSESSIONLIMIT":          "maxSessionLimit",
		"loction":                  "location",
		"zzz":                      "",
		"":                         "",
		strings.Repeat("max", 100): "",
	} {
		if near := Nearest(got, names); near != want {
			t.Errorf("Nearest(%q) = %q, want %q", got, near, want)
		}
	}
}
