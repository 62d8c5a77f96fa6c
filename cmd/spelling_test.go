package cmd

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestRespell(t *testing.T) {
	a := &app{now: time.Now}
	root := a.root()
	c := a.setHost()
	c.InitDefaultHelpFlag()
	flags := []*pflag.FlagSet{c.Flags(), root.PersistentFlags()}
	for _, test := range []struct{ line, want string }{
		{"hp h --friendly-name x", "hp h --friendly-name=x"},
		{"-FriendlyName x", "--friendly-name=x"},
		{"-FRIENDLYNAME:x", "--friendly-name=x"},
		{"-Friendly=x", "--friendly-name=x"},
		{"-friendly-name x", "--friendly-name=x"},
		{"--FriendlyName x", "--friendly-name=x"},
		{"--friendly x", "--friendly x"}, // an abbreviation has one dash
		{"-FriendlyName:a:b=c", "--friendly-name=a:b=c"},
		{"--friendly-name=a:b=c", "--friendly-name=a:b=c"},
		{"--friendly-name:x", "--friendly-name:x"},
		{"-FriendlyName -5", "--friendly-name=-5"},
		{"-FriendlyName -x-", "--friendly-name=-x-"},
		{"-FriendlyName -", "--friendly-name=-"},
		{"-FriendlyName --", ""},
		{"-FriendlyName -Force", ""},
		{"--friendly-name --what-if", ""},
		{"--friendly-name=--what-if", "--friendly-name=--what-if"},
		{"-FriendlyName:-WhatIf", "--friendly-name=-WhatIf"},
		{"-FriendlyName", ""},
		{"-FriendlyName:", ""},
		{"-FriendlyName: x", "--friendly-name=x"},
		{"-FriendlyName=", "--friendly-name="},
		{"-FriendlyName x -FriendlyName y", "--friendly-name=x --friendly-name=y"},
		{"-Force hp", "--force hp"},
		{"-F x", ""}, // -Force, -FriendlyName
		{"-St available", ""},
		{"-Stat available", ""}, // --state, --status
		{"-Statu available", "--status=available"},
		{"-State f", "--state=f"},
		{"-A:1", ""},
		{"-Al:False", "--allow-new-session=False"},
		{"-AllowNewSession hp", "--allow-new-session hp"},
		{"-AllowNewSession true", "--allow-new-session true"},
		{"-AllowNewSession True", "--allow-new-session=True"},
		{"-AllowNewSession $FALSE", "--allow-new-session=$FALSE"},
		{"--allow-new-session True", "--allow-new-session True"},
		{"-AllowNewSession: True", "--allow-new-session=True"},
		{"-AllowNewSession: hp", ""},
		{"-AllowNewSession:", ""},
		{"--allow-new-session=", ""},
		{"-WhatIf:$true", "--what-if=$true"},
		{"-wh", "--what-if"},
		{"-DryRun", "--dry-run"},
		{"-o json", "--output=json"},
		{"-O json", "--output=json"},
		{"-o=json", "--output=json"},
		{"-ojson", "-ojson"},
		{"-out json", "--output=json"},
		{"-h", "--help"},
		{"-?", "--help"},
		{"-Help", "--help"},
		{"-", "-"},
		{"-5", "-5"},
		{"-=x", "-=x"},
		{"--=x", "--=x"},
		{"-- -Force --what-if", "-- -Force --what-if"},
		{"hp -Unknown x", "hp -Unknown x"},
	} {
		words, err := respell(strings.Fields(test.line), flags)
		got := strings.Join(words, " ")
		switch {
		case test.want == "" && err == nil:
			t.Errorf("%s: is %q, want an error", test.line, got)
		case test.want != "" && (err != nil || got != test.want):
			t.Errorf("%s: is %q, %v; want %q", test.line, got, err, test.want)
		}
	}
	for _, test := range []struct {
		command    *cobra.Command
		line, want string
	}{
		{a.setHostpool(), "-D x", "--description=x"},                                           // --dry-run is hidden
		{a.measureHostpool(), "-O json", "--output=json"},                                      // not --open-session
		{a.setClusterLoadbalancing(), "-Load random", "--load-balancing-selector-type=random"}, // all of them are --mode
	} {
		words, err := respell(strings.Fields(test.line), []*pflag.FlagSet{test.command.Flags(), root.PersistentFlags()})
		if got := strings.Join(words, " "); err != nil || got != test.want {
			t.Errorf("%s %s: is %q, %v; want %q", test.command.Name(), test.line, got, err, test.want)
		}
	}
}

func TestWantsJSON(t *testing.T) {
	for line, want := range map[string]bool{
		"get-host -o json":           true,
		"get-host -ojson":            true,
		"get-host -o=ndjson":         true,
		"get-host -o:JSON":           true,
		"get-host -O json":           true,
		"get-host --output json":     true,
		"get-host --OUTPUT=json":     true,
		"get-host -Output:json":      true,
		"get-host -Output: json":     true,
		"get-host -out json":         true,
		"-o json get-host":           true,
		"get-host -o json -o table":  false,
		"get-host -o":                false,
		"get-host -o yaml":           false,
		"get-host":                   false,
		"get-host -- -o json":        false,
		"get-host json":              false,
		"get-host --output-json":     false,
		"get-host -x -o ndjson":      true,
		"get-host --columns=o -ojso": false,
	} {
		if got := wantsJSON(strings.Fields(line)); got != want {
			t.Errorf("%s: is %v, want %v", line, got, want)
		}
	}
}
