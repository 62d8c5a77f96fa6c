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

func TestSlip(t *testing.T) {
	names := []string{"maxSessionLimit", "loadBalancerType", "location"}
	for got, want := range map[string]string{
		"maxSesionLimit":    "maxSessionLimit",
		"MaxSessionsLimits": "maxSessionLimit",
		"maxSessionLimits2": "maxSessionLimit",
		"minSessionLimit":   "maxSessionLimit",
		"maxSession":        "", // Nearest has one
		"lotion":            "", // likewise
		"äöüÄÖÜ":            "",
	} {
		if near := Slip(got, names); near != want {
			t.Errorf("Slip(%q) = %q, want %q", got, near, want)
		}
	}
}
