package advice

import (
	"testing"

	"gatepool/pkg/gateway"
)

// fileExamples are those of the rules about the file itself.
func fileExamples() map[string][]example {
	silent := example{name: "not looked for here", cluster: func(c *gateway.Cluster) { c.Description = "gatepool:ignore no-such-rule" }}
	faults := func(comment string) func() Finding {
		return func() Finding {
			i, _ := ParseIgnore(comment)
			if f := i.Faults(KindHostPool, "hp-eu"); len(f) > 0 {
				return f[0]
			}
			return i.Unused(KindHostPool, "hp-eu")
		}
	}
	return map[string][]example{
		"invalid-state": {silent,
			{name: "without a fix of its own", finding: func() Finding { return InvalidState("f.yaml", "unknown key", "") },
				want: []string{": unknown key"}, fix: "correct the file at that place"},
			{name: "with one", finding: func() Finding { return InvalidState("f.yaml", "unknown key", "did you mean name?") },
				want: []string{": unknown key"}, fix: "did you mean name?"},
		},
		"secret-in-file": {
			{name: "in a comment", finding: func() Finding {
				f, _ := SecretInComment(KindHostPool, "hp-eu", "the password: hunter2hunter2")
				return f
			}, want: []string{": a comment holds what looks like a password"}},
		},
		"ignore-unknown-rule": {silent,
			{name: "misspelt", finding: faults("gatepool:ignore host-over-limits x"), want: []string{`: there is no rule "host-over-limits" to ignore`}, fix: "write host-over-limit"},
			{name: "another", finding: faults("gatepool:ignore everything"), want: []string{`: there is no rule "everything" to ignore`}, fix: "take the rule's name from the finding"},
			{name: "none", finding: faults("gatepool:ignore"), want: []string{": the comment gatepool:ignore names no rule"}},
		},
		"ignore-without-reason": {silent,
			{name: "none", finding: faults("gatepool:ignore host-over-limit "), want: []string{": host-over-limit is ignored without a reason"}},
		},
		"ignore-unused": {silent,
			{name: "nothing else wrong", finding: faults("gatepool:ignore host-over-limit until Friday"), want: []string{": there is no finding of host-over-limit here to ignore"}},
		},
	}
}

func TestParseIgnore(t *testing.T) {
	for _, tt := range []struct {
		comment string
		want    Ignore
		is      bool
	}{
		{" gatepool:ignore host-over-limit until Friday", Ignore{"host-over-limit", "until Friday"}, true},
		{"agreed; gatepool:ignore Host-Over-Limit\tuntil  Friday ", Ignore{"host-over-limit", "until Friday"}, true},
		{"gatepool:ignore", Ignore{}, true},
		{"gatepool:ignored host-over-limit", Ignore{}, false},
		{"agreed with the desktop team", Ignore{}, false},
		{"", Ignore{}, false},
	} {
		if got, is := ParseIgnore(tt.comment); got != tt.want || is != tt.is {
			t.Errorf("ParseIgnore(%q) = %+v, %v", tt.comment, got, is)
		}
	}
}

func TestSecretInCommentIsSilent(t *testing.T) {
	if f, found := SecretInComment(KindHostPool, "hp-eu", "agreed with the desktop team: see the wiki"); found {
		t.Errorf("%+v", f)
	}
}
