package report

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"
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
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Skipped *struct{}     `xml:"skipped"`
	Failure *junitFailure `xml:"failure"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit is a failed test for each finding, a passed one for each rule without
// any, and a skipped one for each rule that was left out.
func (r Report) junit() ([]byte, error) {
	suite := junitSuite{
		Name: "gatepool test-state", Package: "gatepool", Hostname: "localhost",
		Timestamp: r.Time.UTC().Format("2006-01-02T15:04:05"), Time: "0", Failures: len(r.Findings),
	}
	for _, f := range r.Findings {
		suite.Cases = append(suite.Cases, junitCase{
			Name: token(f.Rule + " " + strings.Join(f.Path, "/")), Class: token(where(f)), Time: "0",
			Failure: &junitFailure{Type: f.Severity.String(), Message: f.Message, Text: f.Place() + "\n" + text(f)},
		})
	}
	for _, rule := range r.Rules {
		c := junitCase{Name: rule.ID, Class: "gatepool", Time: "0"}
		if r.Disabled[rule.ID] {
			c.Skipped = &struct{}{}
			suite.Skipped++
		} else if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Rule == rule.ID }) {
			continue
		}
		suite.Cases = append(suite.Cases, c)
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
