package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"gatepool/pkg/advice"
	"gatepool/pkg/atomicfile"
	"gatepool/pkg/gateway"
	"gatepool/pkg/gatewayconfig"
	"gatepool/pkg/report"
	"gatepool/state"
)

// stateFindings is what the rules that are not disabled find in the state file
// and the files that it names, in the order of the file, without those that a
// comment ignores, whose number it says.
func (a *app) stateFindings(disabled map[string]bool) (found []report.Finding, ignored int, err error) {
	s, err := state.Open(a.statePath())
	if err != nil {
		return nil, 0, err
	}
	all, err := everything(s)
	if err != nil {
		return nil, 0, err
	}
	comments, err := s.Comments()
	if err != nil {
		return nil, 0, err
	}
	o := advice.Options{Now: a.now(), Disable: disabled}
	for _, p := range all.Pools {
		found = append(found, located(s, advice.Pool(p, o))...)
	}
	for _, c := range all.Clusters {
		limits, faults := configFindings(s, c)
		found = append(found, located(s, append(advice.Cluster(c, limits, o), faults...))...)
	}
	for _, c := range comments {
		kind, resource := resourceOf(s, c)
		if f, is := advice.SecretInComment(kind, resource, c.Text); is {
			found = append(found, atComment(s, c, f))
		}
	}
	ignores := ignoresIn(comments)
	before := len(found)
	found = slices.DeleteFunc(found, ignores.take)
	ignored = before - len(found)
	found = append(found, ignores.findings(s, disabled)...)
	found = slices.DeleteFunc(found, func(f report.Finding) bool { return disabled[f.Rule] })
	slices.SortStableFunc(found, func(x, y report.Finding) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	return found, ignored, nil
}

// located finds the places of findings about one resource.
func located(s *state.Snapshot, findings []advice.Finding) []report.Finding {
	if len(findings) == 0 {
		return nil
	}
	paths := make([][]string, len(findings))
	for i, f := range findings {
		paths[i] = f.Path
	}
	places := s.LocateAll(state.Kind(findings[0].Kind), findings[0].Resource, paths)
	out := make([]report.Finding, len(findings))
	for i, f := range findings {
		out[i] = report.Finding{Finding: f, File: s.Path(), Line: places[i].Line, Column: places[i].Column}
	}
	return out
}

// configFindings reads the configuration files of a cluster's members: the
// limits in force, unknown for a member whose file does not tell them, and what
// is wrong with the files.
func configFindings(s *state.Snapshot, c *gateway.Cluster) (limits []gateway.Limits, found []advice.Finding) {
	limits = make([]gateway.Limits, len(c.Members))
	for i := range c.Members {
		m := &c.Members[i]
		if m.ConfigFile == "" {
			limits[i] = m.EffectiveLimits()
			continue
		}
		data, err := atomicfile.Read(s.Resolve(m.ConfigFile), gatewayconfig.MaxSize)
		if errors.Is(err, fs.ErrNotExist) {
			found = append(found, advice.ConfigFileMissing(c.Name, m.Name, m.ConfigFile))
			continue
		}
		var reason string
		if err == nil {
			reason = firstFault(gatewayconfig.Check(data, m.ConfigFile))
			var f *gatewayconfig.File
			if f, err = gatewayconfig.Parse(data, m.ConfigFile); err == nil {
				limits[i], err = f.Limits()
			}
		}
		if reason == "" && err != nil {
			reason = err.Error()
		}
		if reason != "" {
			found = append(found, advice.ConfigFileFaulty(c.Name, m.Name, m.ConfigFile, reason))
		}
	}
	return limits, found
}

// firstFault says the first error among the faults of a configuration file, and
// how many more there are; "" when there is none.
func firstFault(faults []gatewayconfig.Finding) string {
	faults = slices.DeleteFunc(faults, func(f gatewayconfig.Finding) bool { return f.Severity != gatewayconfig.Error })
	if len(faults) == 0 {
		return ""
	}
	reason := faults[0].Message
	if faults[0].Line > 0 {
		reason = fmt.Sprintf("line %d, column %d: %s", faults[0].Line, faults[0].Column, reason)
	}
	if more := len(faults) - 1; more > 0 {
		reason += ", and " + count(more, "more error")
	}
	return reason
}
