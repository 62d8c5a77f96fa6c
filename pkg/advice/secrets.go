package advice

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"gatepool/pkg/hostpool"
)

// secretPattern recognises one sort of secret.
type secretPattern struct {
	what string
	// mark holds characters of which each match has at least one; looking for
	// them first spares almost every text the expression. Expressions that
	// begin with a literal are quick anyway and have no mark.
	mark string
	expr *regexp.Regexp
}

// given is a value behind a key: after "=" anything but a placeholder, after
// ":", which prose has too, a longer word.
const given = `["']?\s*(?:=\s*["']?[^\s"';,&<>$*{}\[\]]|:\s*["']?[^\s"'<>$*{}\[\]]{8})`

// secretPatterns is compiled at first use: most runs of the program need none.
var secretPatterns = sync.OnceValue(func() []secretPattern {
	return []secretPattern{
		{"a registration or access token (JWT)", "", regexp.MustCompile(`eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`)},
		{"a private key", "", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY`)},
		{"an Entra client secret", "~", regexp.MustCompile(`[\w.~-]{3}\dQ~[\w.~-]{31,}`)},
		{"a registration token", "=:", regexp.MustCompile(`(?i)registration(?:Info)?[ _-]?token` + given)},
		{"a storage or access key", "=:", regexp.MustCompile(`(?i)(?:account|shared(?:[ _-]?access)?|access|primary|secondary|api)[ _-]?key` + given)},
		{"a shared access signature", "=", regexp.MustCompile(`(?i)(?:[?&]sig|shared[ _-]?access[ _-]?signature)=[\w%+/-]{16}`)},
		{"a client secret", "=:", regexp.MustCompile(`(?i)(?:client|shared|app)[ _-]?secret` + given)},
		{"a gateway recovery key, witness string or salt", "=:", regexp.MustCompile(`(?i)(?:recovery[ _-]?key|witness[ _-]?string(?:legacy)?|gatewaysalt(?:legacy)?)` + given)},
		{"a password", "=:", regexp.MustCompile(`(?i)(?:password|passwd|passphrase|pwd)` + given)},
		{"a password in an address", ":", regexp.MustCompile(`[a-zA-Z][\w+.-]*://[^\s/:@]+:[^\s/@]+@`)},
	}
})

// Secret looks for text that a file should not hold: tokens, keys, passwords.
// It says what sort the first one that it knows is and at which byte it begins.
// The linter gives it comments as well, which are no part of a snapshot.
func Secret(text string) (what string, at int, found bool) {
	if !strings.ContainsAny(text, "=:~") && !strings.Contains(text, "eyJ") && !strings.Contains(text, "-----") {
		return "", 0, false
	}
	for _, p := range secretPatterns() {
		if p.mark != "" && !strings.ContainsAny(text, p.mark) {
			continue
		}
		if m := p.expr.FindStringIndex(text); m != nil {
			return p.what, m[0], true
		}
	}
	return "", 0, false
}

// secretSearch gathers findings, which never repeat a secret: a path ends
// before a name that is one, and several such names are one finding.
type secretSearch struct{ found []Finding }

func (s *secretSearch) look(text string, path ...string) {
	what, _, found := Secret(text)
	if !found {
		return
	}
	isSecret := func(step string) bool { _, _, found := Secret(step); return found }
	if i := slices.IndexFunc(path, isSecret); i >= 0 {
		path = path[:i]
		reported := func(f Finding) bool { return slices.Equal(f.Path, path) }
		if slices.ContainsFunc(s.found, reported) {
			return
		}
	}
	s.found = append(s.found, Finding{
		Path:    path,
		Message: fmt.Sprintf("%s holds what looks like %s", strings.Join(path, "."), what),
		Fix:     "delete it from the file, and renew the secret",
	})
}

func secretsInPool(p *hostpool.Pool, _ Options) []Finding {
	var s secretSearch
	s.look(p.FriendlyName, "friendlyName")
	s.look(p.Description, "description")
	for _, key := range slices.Sorted(maps.Keys(p.Tags)) {
		// With its key, because a tag named password needs no more to be one.
		s.look(key+"="+p.Tags[key], "tags", key)
	}
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		if h.FriendlyName != "" {
			s.look(h.FriendlyName, hostPath(h, "friendlyName")...)
		}
	}
	return s.found
}

func secretsInCluster(v clusterView) []Finding {
	var s secretSearch
	s.look(v.Description, "description")
	s.look(v.Department, "department")
	s.look(v.Contact, "contact")
	for _, d := range v.DataSources {
		s.look(d.Name, "dataSources", d.Name, "name")
		s.look(d.Connection, "dataSources", d.Name, "connection")
	}
	return s.found
}
