package cmd

import (
	"gatepool/pkg/advice"
	"gatepool/pkg/report"
	"gatepool/state"
)

// ignore is a comment that takes findings back.
type ignore struct {
	advice.Ignore
	comment state.Comment
	last    int // line that it is about, and all between the comment and it
	used    bool
}

type ignores []*ignore

// ignoresIn finds the comments that take findings back. One on a line of its own
// is about the next line that is no such comment.
func ignoresIn(comments []state.Comment) ignores {
	alone := map[int]bool{}
	for _, c := range comments {
		alone[c.Line] = c.OwnLine
	}
	var all ignores
	for _, c := range comments {
		i, is := advice.ParseIgnore(c.Text)
		if !is {
			continue
		}
		last := c.Line
		for alone[last] {
			last++
		}
		all = append(all, &ignore{Ignore: i, comment: c, last: last})
	}
	return all
}

// take reports whether a comment takes the finding back.
func (all ignores) take(f report.Finding) bool {
	taken := false
	for _, i := range all {
		sameResource := string(i.comment.Kind) == f.Kind && i.comment.Resource == f.Resource
		onLine := i.comment.Line <= f.Line && f.Line <= i.last
		if i.Rule == f.Rule && (onLine || i.comment.Head && sameResource) {
			i.used, taken = true, true
		}
	}
	return taken
}

// findings is what is wrong with the comments themselves. One about a rule that
// was left out is not called unused.
func (all ignores) findings(s *state.Snapshot, disabled map[string]bool) []report.Finding {
	var found []report.Finding
	for _, i := range all {
		kind, resource := resourceOf(s, i.comment)
		for _, f := range i.Faults(kind, resource) {
			found = append(found, atComment(s, i.comment, f))
		}
		if _, known := advice.Lookup(i.Rule); known && !i.used && !disabled[i.Rule] {
			found = append(found, atComment(s, i.comment, i.Unused(kind, resource)))
		}
	}
	return found
}

// resourceOf is what a finding about a comment is about.
func resourceOf(s *state.Snapshot, c state.Comment) (kind, resource string) {
	if c.Kind == "" {
		return advice.KindFile, s.Path()
	}
	return string(c.Kind), c.Resource
}

func atComment(s *state.Snapshot, c state.Comment, f advice.Finding) report.Finding {
	return report.Finding{Finding: f, File: s.Path(), Line: c.Line, Column: c.Column}
}
