package report

import (
	"bytes"
	"fmt"
	"strings"

	"gatepool/pkg/advice"
)

// githubMost is how many annotations of one kind GitHub shows for a step; it
// drops the rest without a word.
const githubMost = 10

// github is a workflow command for each finding, the most severe first. Where
// there are more of a kind than GitHub shows, the last that it shows says how
// many others there are.
func (r Report) github() []byte {
	var b bytes.Buffer
	for _, severity := range []advice.Severity{advice.Error, advice.Warning, advice.Info} {
		var group []Finding
		for _, f := range r.Findings {
			if f.Severity == severity {
				group = append(group, f)
			}
		}
		shown := group
		if len(group) > githubMost {
			shown = group[:githubMost-1]
		}
		for _, f := range shown {
			fmt.Fprintf(&b, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", githubCommand(severity), githubProperty(f.File), f.Line, f.Column, githubProperty(f.Rule), githubData(text(f)))
		}
		if more := len(group) - len(shown); more > 0 {
			fmt.Fprintf(&b, "::%s file=%s,title=gatepool::%s\n", githubCommand(severity), githubProperty(r.File),
				githubData(fmt.Sprintf("%d more findings of severity %s are not shown here; the log has all", more, severity)))
		}
	}
	return b.Bytes()
}

func githubCommand(s advice.Severity) string {
	switch s {
	case advice.Error:
		return "error"
	case advice.Warning:
		return "warning"
	}
	return "notice"
}

// githubData escapes a message so that it stays one command.
func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// githubProperty escapes a value between the commas of a command.
func githubProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
