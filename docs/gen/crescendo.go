package main

import (
	"bytes"
	"encoding/json"
)

// The configuration of Crescendo, schema 2022-06, by its own property names.
type crescendoFile struct {
	Schema   string `json:"$schema"`
	Commands []crescendoCommand
}

type crescendoCommand struct {
	Verb                    string
	Noun                    string
	OriginalName            string
	OriginalCommandElements []string
	Description             string
	Usage                   crescendoUsage
	SupportsShouldProcess   bool   `json:",omitempty"`
	ConfirmImpact           string `json:",omitempty"`
	Parameters              []crescendoParameter
	Examples                []crescendoExample `json:",omitempty"`
	OutputHandlers          []crescendoHandler
}

type crescendoUsage struct{ Synopsis string }

type crescendoExample struct{ Command, Description string }

type crescendoHandler struct {
	ParameterSetName string
	HandlerType      string
	Handler          string
	StreamOutput     bool
}

type crescendoParameter struct {
	Name                            string
	OriginalName                    string
	ParameterType                   string
	Description                     string
	Mandatory                       bool     `json:",omitempty"`
	Aliases                         []string `json:",omitempty"`
	AdditionalParameterAttributes   []string `json:",omitempty"`
	Position                        *int     `json:",omitempty"`
	OriginalPosition                int      `json:",omitempty"`
	NoGap                           bool     `json:",omitempty"`
	ValueFromPipelineByPropertyName bool     `json:",omitempty"`
}

// crescendo is the configuration for Export-CrescendoModule. Crescendo asks and
// does -WhatIf by itself, so gatepool is told not to ask.
func crescendo(all []function) ([]byte, error) {
	file := crescendoFile{Schema: "https://aka.ms/PowerShell/Crescendo/Schemas/2022-06"}
	for i := range all {
		file.Commands = append(file.Commands, all[i].crescendo(all))
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(file)
	return b.Bytes(), err
}

func (f *function) crescendo(all []function) crescendoCommand {
	c := crescendoCommand{
		Verb: f.verb, Noun: f.noun, OriginalName: "gatepool",
		OriginalCommandElements: []string{f.command.Name(), "--output=ndjson"},
		Description:             helpText(f.command.Long),
		Usage:                   crescendoUsage{helpText(f.command.Short)},
		SupportsShouldProcess:   f.changes(),
		Parameters:              make([]crescendoParameter, len(f.parameters)),
		OutputHandlers: []crescendoHandler{{
			ParameterSetName: "Default", HandlerType: "Inline", StreamOutput: true,
			Handler: "$input | ForEach-Object { if (([string] $_).StartsWith('{')) { $_ | ConvertFrom-Json } else { $_ } }",
		}},
	}
	if f.hasConfirm {
		c.OriginalCommandElements = append(c.OriginalCommandElements, "--confirm=false")
	}
	if f.removes() {
		c.ConfirmImpact = "High"
	}
	for i, p := range f.parameters {
		c.Parameters[i] = p.crescendo(i)
	}
	for _, call := range f.examples(all) {
		c.Examples = append(c.Examples, crescendoExample{Command: call, Description: helpText(f.command.Short)})
	}
	return c
}

// crescendo describes a parameter. Flags come first, then positional arguments
// in order: Crescendo sorts by OriginalPosition.
func (p *parameter) crescendo(position int) crescendoParameter {
	c := crescendoParameter{Name: p.name, ParameterType: p.kind, Description: helpText(p.usage), Mandatory: p.mandatory, Aliases: p.aliases}
	if p.list {
		c.ParameterType += "[]"
	}
	if len(p.values) > 0 {
		c.AdditionalParameterAttributes = []string{"[ValidateSet(" + quoteAll(p.values) + ")]"}
	}
	switch {
	case p.flag == "":
		c.Position, c.OriginalPosition, c.ValueFromPipelineByPropertyName = &position, position+1, true
	case p.tellsFalse:
		// Crescendo's switches can't say false; a value behind = can.
		c.ParameterType, c.OriginalName, c.NoGap = "bool", "--"+p.flag+"=", true
	default:
		c.OriginalName = "--" + p.flag
	}
	return c
}
