package report

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"

	"gatepool/pkg/advice"
)

// The form of JUnit that Ant's and Jenkins' schemas have in common: the one
// demands what the other leaves open.

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string      `xml:"name,attr"`
	Package    string      `xml:"package,attr"`
	ID         int         `xml:"id,attr"`
	Hostname   string      `xml:"hostname,attr"`
	Timestamp  string      `xml:"timestamp,attr"`
	Time       string      `xml:"time,attr"`
	Tests      int         `xml:"tests,attr"`
	Failures   int         `xml:"failures,attr"`
	Errors     int         `xml:"errors,attr"`
	Skipped    int         `xml:"skipped,attr"`
	Properties struct{}    `xml:"properties"`
	Cases      []junitCase `xml:"testcase"`
	Out        string      `xml:"system-out"`
	Err        string      `xml:"system-err"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    string       `xml:"time,attr"`
	Skipped *junitResult `xml:"skipped"`
	Failure *junitResult `xml:"failure"`
}

type junitResult struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit is a failed test for each error and warning, a passed one for each rule
// without a finding, and a skipped one for each rule that was left out and for
// each info, which need not fail a build and which JUnit has no other place for.
func (r Report) junit() ([]byte, error) {
	suite := junitSuite{
		Name: "gatepool test-state", Package: "gatepool", Hostname: "localhost",
		Timestamp: r.Time.UTC().Format("2006-01-02T15:04:05"), Time: "0",
	}
	add := func(name, class string, skipped, failure *junitResult) {
		suite.Cases = append(suite.Cases, junitCase{Name: token(name), Class: token(class), Time: "0", Skipped: skipped, Failure: failure})
		if skipped != nil {
			suite.Skipped++
		}
		if failure != nil {
			suite.Failures++
		}
	}
	for _, f := range r.Findings {
		name, result := f.Rule+" "+strings.Join(f.Path, "/"), &junitResult{f.Severity.String(), f.Message, f.Place() + "\n" + text(f)}
		if f.Severity == advice.Info {
			add(name, where(f), result, nil)
		} else {
			add(name, where(f), nil, result)
		}
	}
	for _, rule := range r.Rules {
		switch {
		case r.Disabled[rule.ID]:
			add(rule.ID, "gatepool", &junitResult{"Disabled", "left out", ""}, nil)
		case !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Rule == rule.ID }):
			add(rule.ID, "gatepool", nil, nil)
		}
	}
	suite.Tests = len(suite.Cases)

	b := bytes.NewBufferString(xml.Header)
	e := xml.NewEncoder(b)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Suites: []junitSuite{suite}}); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// token is a text as the schema's xs:token: single blanks inside, none around.
func token(s string) string { return strings.Join(strings.Fields(s), " ") }
