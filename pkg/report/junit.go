package report

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"

	"gatepool/pkg/advice"
)

// The form of JUnit that Ant's and Jenkins' schemas have in common: the one
// demands what the other leaves open, and only the other knows skipped tests.

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
	Properties []property  `xml:"properties>property"`
	Cases      []junitCase `xml:"testcase"`
	Out        string      `xml:"system-out"`
	Err        string      `xml:"system-err"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    string       `xml:"time,attr"`
	Failure *junitResult `xml:"failure"`
}

type junitResult struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit is a failed test for each error and warning, and a passed one for each
// info, which need not fail a build, and for each rule without a finding. What
// the infos say, and which rules were left out, stands in the suite's output.
func (r Report) junit() ([]byte, error) {
	suite := junitSuite{
		Name: "gatepool test-state", Package: "gatepool", Hostname: "localhost",
		Timestamp: r.Time.UTC().Format("2006-01-02T15:04:05"), Time: "0",
		// The one schema wants properties, the other one at least.
		Properties: []property{{"state", token(r.File)}},
	}
	add := func(name, class string, failure *junitResult) {
		suite.Cases = append(suite.Cases, junitCase{Name: token(name), Class: token(class), Time: "0", Failure: failure})
	}
	var out strings.Builder
	for _, f := range r.Findings {
		name := f.Rule + " " + strings.Join(f.Path, "/")
		if f.Severity == advice.Info {
			out.WriteString(f.Place() + ": info: " + text(f) + "\n")
			add(name, where(f), nil)
			continue
		}
		suite.Failures++
		add(name, where(f), &junitResult{f.Severity.String(), f.Message, f.Place() + "\n" + text(f)})
	}
	for _, rule := range r.Rules {
		switch {
		case r.Disabled[rule.ID]:
			out.WriteString("rule " + rule.ID + " was left out\n")
		case !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Rule == rule.ID }):
			add(rule.ID, "gatepool", nil)
		}
	}
	suite.Out = out.String()
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
