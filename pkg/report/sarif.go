package report

import (
	"encoding/hex"
	"hash/fnv"
	"io"
	"net/url"
	"slices"
	"strings"

	"gatepool/pkg/advice"
)

// The part of SARIF 2.1.0 that findings need.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string             `json:"id"`
	ShortDescription sarifText          `json:"shortDescription"`
	FullDescription  sarifText          `json:"fullDescription"`
	Help             sarifText          `json:"help"`
	Configuration    sarifConfiguration `json:"defaultConfiguration"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             sarifText         `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

// sarif is a log of one run. A result keeps its fingerprint when lines move, so
// that code scanning knows it again.
func (r Report) sarif() ([]byte, error) {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "gatepool", Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	for _, rule := range r.Rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: rule.ID, ShortDescription: sarifText{rule.Title}, FullDescription: sarifText{rule.Why}, Help: sarifText{rule.Fix},
			Configuration: sarifConfiguration{sarifLevel(rule.Severity)},
		})
	}
	for _, f := range r.Findings {
		run.Results = append(run.Results, sarifResult{
			RuleID:    f.Rule,
			RuleIndex: slices.IndexFunc(r.Rules, func(rule advice.Rule) bool { return rule.ID == f.Rule }),
			Level:     sarifLevel(f.Severity),
			Message:   sarifText{text(f)},
			Locations: []sarifLocation{{
				Physical: sarifPhysical{sarifArtifact{sarifURI(f.File)}, sarifRegion{f.Line, f.Column}},
				Logical:  []sarifLogical{{Name: strings.Join(append([]string{f.Kind, f.Resource}, f.Path...), "/"), Kind: "resource"}},
			}},
			PartialFingerprints: map[string]string{"gatepool/v1": fingerprint(f)},
		})
	}
	return encode(sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func sarifLevel(s advice.Severity) string {
	switch s {
	case advice.Error:
		return "error"
	case advice.Warning:
		return "warning"
	}
	return "note"
}

// sarifURI is a path as a URI: relative to where the tool ran, as code scanning
// wants it, unless it is absolute.
func sarifURI(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	switch {
	case onDrive(path):
		return (&url.URL{Scheme: "file", Path: "/" + path}).String()
	case strings.HasPrefix(path, "/"):
		return (&url.URL{Scheme: "file", Path: path}).String()
	}
	return (&url.URL{Path: path}).String()
}

// onDrive reports whether a path begins with a drive of Windows.
func onDrive(path string) bool {
	return len(path) > 2 && path[1:3] == ":/" && path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z'
}

// fingerprint tells a finding from others by what it is about, not by where that
// stands.
func fingerprint(f Finding) string {
	hash := fnv.New128a()
	io.WriteString(hash, strings.Join(append([]string{f.Rule, f.Kind, strings.ToLower(f.Resource)}, f.Path...), "\x00"))
	return hex.EncodeToString(hash.Sum(nil))
}
