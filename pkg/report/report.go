// Package report writes findings in the forms that CI systems read: SARIF for
// code scanning, JUnit XML for test results, GitHub workflow commands for
// annotations, and JSON for scripts. It is pure: findings in, bytes out, and the
// same bytes for the same findings.
package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gatepool/pkg/advice"
)

// Finding is a finding with its place.
type Finding struct {
	advice.Finding
	File   string `json:"file"`   // as the user named it
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in characters
}

// Place is file:line:column.
func (f Finding) Place() string { return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column) }

// Report is what one look at a file found.
type Report struct {
	File     string
	Findings []Finding
	Rules    []advice.Rule   // that a finding can be of, those left out included
	Disabled map[string]bool // ids of the rules that were left out
	Time     time.Time       // of the look
}

// Format is a form of report, as it is named on the command line.
type Format string

// Values lists the valid values.
func (Format) Values() []string { return []string{"json", "junit", "github", "sarif"} }

// Write returns the report in a format, which is one of Values.
func (r Report) Write(f Format) ([]byte, error) {
	switch f {
	case "json":
		return r.json()
	case "junit":
		return r.junit()
	case "github":
		return r.github(), nil
	case "sarif":
		return r.sarif()
	}
	return nil, fmt.Errorf("unknown report format %q", string(f))
}

// json is the array of findings.
func (r Report) json() ([]byte, error) {
	return encode(append([]Finding{}, r.Findings...))
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// where names the resource of a finding for people, as in "host pool hp-eu".
func where(f Finding) string {
	switch f.Kind {
	case advice.KindHostPool:
		return "host pool " + f.Resource
	case advice.KindCluster:
		return "cluster " + f.Resource
	}
	return f.Resource
}

// text is all that a finding says.
func text(f Finding) string {
	return strings.Join([]string{where(f) + ": " + f.Message, "Fix: " + f.Fix}, "\n")
}
