// Package advice holds the rules that find what is wrong, risky or out of date
// in a host pool or a gateway cluster. The linter shows every finding; the
// commands that list or connect show the ones an admin should not miss.
//
// Each rule is declared once, in the table of rules.go, with the reason and
// the remedy that the documentation prints. The package is pure: a snapshot and
// a time in, findings out, always in the same order.
package advice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// Severity is how much a finding matters. Severities are ordered, so that a
// threshold is a plain comparison.
type Severity int

// Info is worth knowing and may be meant so. Warning will surprise someone.
// Error is refused by the service, or stops every request, or leaks a secret.
const (
	Info Severity = iota
	Warning
	Error
)

var severityNames = [...]string{Info: "Info", Warning: "Warning", Error: "Error"}

// String returns Info, Warning or Error.
func (s Severity) String() string {
	if s < Info || s > Error {
		return fmt.Sprintf("Severity(%d)", int(s))
	}
	return severityNames[s]
}

// MarshalText makes JSON carry the name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseSeverity reads a severity's name in any case.
func ParseSeverity(name string) (Severity, error) {
	for s, n := range severityNames {
		if strings.EqualFold(n, name) {
			return Severity(s), nil
		}
	}
	return Info, fmt.Errorf("severity %q is not known; use Info, Warning or Error", name)
}

// Source says whose word a rule is.
type Source string

// Microsoft rules follow from Microsoft's documentation. Decided rules are this
// project's, where the documentation is silent or contradicts itself.
const (
	Microsoft Source = "Microsoft"
	Decided   Source = "gatepool"
)

// Rule describes a rule for people: documentation pages and report formats are
// made from it.
type Rule struct {
	ID       string   `json:"id"` // kebab-case; never changes its meaning
	Severity Severity `json:"severity"`
	Title    string   `json:"title"`  // one line, no full stop
	Why      string   `json:"why"`    // what happens to users or requests
	Fix      string   `json:"fix"`    // what to do, with commands in placeholders
	Source   Source   `json:"source"` // whose word it is
	Shown    bool     `json:"shown"`  // by the get- and connect commands, unasked
}

// Kinds of resource, spelt as in the state file.
const (
	KindHostPool = "HostPool"
	KindCluster  = "Cluster"
)

// Finding is one place where a rule does not hold.
type Finding struct {
	Rule     string   `json:"rule"` // Rule.ID
	Severity Severity `json:"severity"`
	Kind     string   `json:"kind"`     // KindHostPool or KindCluster
	Resource string   `json:"resource"` // name of the pool or cluster
	// Path leads to the property in the resource's document. List items stand
	// by name: hosts, members and data sources by theirs, sessions by id or,
	// without one, by user, cluster users by principal. The last step may be
	// absent from the file (it then has its default): its parent is the place.
	Path    []string `json:"path"`
	Message string   `json:"message"` // names the thing and its value, not the resource
	Fix     string   `json:"fix"`     // what to type or do here

	// A finding that may come in numbers has a name and a phrase for many of
	// it, as in "3 hosts carry more than the limit of 12: a, b, c".
	item, many string
}

// Options set what a look at a snapshot depends on besides the snapshot.
type Options struct {
	// Now is the time to judge by. Rules about time say nothing when it is zero.
	Now time.Time
	// StaleAfter is how old the heartbeat of a host that takes sessions may be.
	// Zero means DefaultStaleAfter.
	StaleAfter time.Duration
	// Disable holds the ids of rules to leave out.
	Disable map[string]bool
	// Shown leaves out the rules whose findings Summarise does not show.
	Shown bool
}

func (o Options) leavesOut(r Rule) bool { return o.Disable[r.ID] || o.Shown && !r.Shown }

// DefaultStaleAfter is the age from which a heartbeat is stale. Agents report
// about every 30 seconds, so this is some twenty of them missed.
const DefaultStaleAfter = 10 * time.Minute

// Rules returns every rule, in the order in which findings are listed.
func Rules() []Rule {
	rules := make([]Rule, len(table))
	for i := range table {
		rules[i] = table[i].Rule
	}
	return rules
}

// Lookup returns the rule with that id, and whether there is one.
func Lookup(id string) (Rule, bool) {
	i := slices.IndexFunc(table, func(r rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return table[i].Rule, true
}

// Pool returns what the rules find in a host pool, in the order of the rules
// and then of the file.
func Pool(p *hostpool.Pool, o Options) []Finding {
	if o.StaleAfter == 0 {
		o.StaleAfter = DefaultStaleAfter
	}
	var all []Finding
	for _, r := range table {
		if r.pool == nil || o.leavesOut(r.Rule) {
			continue
		}
		for _, f := range r.pool(p, o) {
			all = append(all, r.complete(f, KindHostPool, p.Name))
		}
	}
	return all
}

// Cluster returns what the rules find in a gateway cluster, in the order of the
// rules and then of the file. limits[i] are the limits in force on c.Members[i],
// which the caller reads from the member's configFile where it has one. The
// zero Limits (real ones have an aggregation time) means that they are not
// known: rules about limits leave that member out. A member beyond the end of
// limits has those of the state, or unknown ones if it names a configFile.
func Cluster(c *gateway.Cluster, limits []gateway.Limits, o Options) []Finding {
	v := newClusterView(c, limits, o.Now)
	var all []Finding
	for _, r := range table {
		if r.cluster == nil || o.leavesOut(r.Rule) {
			continue
		}
		for _, f := range r.cluster(v) {
			all = append(all, r.complete(f, KindCluster, c.Name))
		}
	}
	return all
}

// complete adds what a rule's findings have in common.
func (r Rule) complete(f Finding, kind, resource string) Finding {
	f.Rule, f.Severity, f.Kind, f.Resource = r.ID, r.Severity, kind, resource
	return f
}
