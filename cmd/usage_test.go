package cmd

import (
	"strings"
	"testing"
)

func TestReadUse(t *testing.T) {
	for use, want := range map[string]string{
		"get-state":                                                 " / ",
		"get-host [POOL [HOST...]]":                                 "[POOL] [HOST...] / ",
		"drain-host POOL HOST...":                                   "POOL HOST... / ",
		"get-datasource-user CLUSTER [DATASOURCE...]":               "CLUSTER [DATASOURCE...] / ",
		"add-cluster-user CLUSTER USER... --role ROLE":              "CLUSTER USER... / role",
		"export-script --shell powershell|az [--live FILE...]":      "[live FILE...] / shell",
		"export-script [--live FILE...] NAME":                       "[live FILE...] NAME / ",
		"compare-state --live FILE...":                              "live FILE... / live",
		"connect (--hostpool POOL --user USER | --cluster CLUSTER)": " / ",
		"help [COMMAND | TOPIC]":                                    "[COMMAND|TOPIC] / ",
	} {
		places, must := ReadUse(use)
		words := make([]string, len(places))
		for i, p := range places {
			words[i] = strings.TrimSpace(p.Behind + " " + p.Name)
			if p.Repeats {
				words[i] += "..."
			}
			if p.Optional {
				words[i] = "[" + words[i] + "]"
			}
		}
		if got := strings.Join(words, " ") + " / " + strings.Join(must, " "); got != want {
			t.Errorf("%s: is %q, want %q", use, got, want)
		}
	}
}
