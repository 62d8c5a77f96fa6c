package advice

import (
	"fmt"
	"strings"

	"gatepool/pkg/spelling"
)

// Rules about the file itself have no check in the table either: who reads the
// file makes their findings here.
const (
	secretInFile        = "secret-in-file"
	invalidState        = "invalid-state"
	ignoreUnknownRule   = "ignore-unknown-rule"
	ignoreWithoutReason = "ignore-without-reason"
	ignoreUnused        = "ignore-unused"
)

// KindFile is the kind of a finding that is about the file and no resource in
// it; Resource is then the file's path.
const KindFile = "File"

// InvalidState is the finding that the state file cannot be read. fix may be
// empty.
func InvalidState(file, message, fix string) Finding {
	if fix == "" {
		fix = "correct the file at that place"
	}
	return fileFinding(invalidState, KindFile, file, message, fix)
}

// SecretInComment looks for a secret in a comment, which is no part of a
// snapshot.
func SecretInComment(kind, resource, text string) (Finding, bool) {
	what, _, is := Secret(text)
	if !is {
		return Finding{}, false
	}
	return fileFinding(secretInFile, kind, resource, "a comment holds what looks like "+what, "delete it from the file, and renew the secret"), true
}

// An Ignore is what a comment such as
//
//	# gatepool:ignore all-hosts-drained moving house until Friday
//
// says: findings of that rule, on that line, the next, or in the whole resource
// where the comment stands at its head, are meant to be so.
type Ignore struct {
	Rule   string
	Reason string
}

// ParseIgnore reads an Ignore from the text of a comment. Any text may precede
// it.
func ParseIgnore(comment string) (Ignore, bool) {
	_, rest, is := strings.Cut(comment, "gatepool:ignore")
	words := strings.Fields(rest)
	if !is || rest != "" && !strings.ContainsAny(rest[:1], " \t") {
		return Ignore{}, false
	}
	if len(words) == 0 {
		return Ignore{}, true
	}
	return Ignore{Rule: strings.ToLower(words[0]), Reason: strings.Join(words[1:], " ")}, true
}

// Faults returns what is wrong with the comment itself.
func (i Ignore) Faults(kind, resource string) []Finding {
	if _, known := Lookup(i.Rule); !known {
		message, fix := "the comment gatepool:ignore names no rule", "write # gatepool:ignore RULE REASON"
		if i.Rule != "" {
			message, fix = fmt.Sprintf("there is no rule %q to ignore", i.Rule), "take the rule's name from the finding"
		}
		if near := NearestRule(i.Rule); near != "" {
			fix = "write " + near
		}
		return []Finding{fileFinding(ignoreUnknownRule, kind, resource, message, fix)}
	}
	if i.Reason == "" {
		return []Finding{fileFinding(ignoreWithoutReason, kind, resource, i.Rule+" is ignored without a reason", "write why: # gatepool:ignore "+i.Rule+" REASON")}
	}
	return nil
}

// Unused is the finding that an Ignore meets no finding.
func (i Ignore) Unused(kind, resource string) Finding {
	return fileFinding(ignoreUnused, kind, resource, "there is no finding of "+i.Rule+" here to ignore", "delete the comment, or move it to the line of the finding or the one above")
}

// NearestRule returns the id of the rule that was probably meant, or "".
func NearestRule(id string) string {
	ids := make([]string, len(table))
	for i, r := range table {
		ids[i] = r.ID
	}
	return spelling.Nearest(id, ids)
}

func fileFinding(id, kind, resource, message, fix string) Finding {
	rule, _ := Lookup(id)
	return rule.complete(Finding{Path: []string{}, Message: message, Fix: fix}, kind, resource)
}
