package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// exitCode is a code of the scripting contract and which commands may end with
// it.
type exitCode struct {
	code int
	of   func(*cobra.Command) bool
}

// exitCodes is the one table of which command may end how. What a command may
// do shows in its flags and arguments, but for a few.
func exitCodes() []exitCode {
	return []exitCode{
		{exitOK, everyCommand},
		{exitFailure, everyCommand},
		{exitUsage, everyCommand},
		{exitNotFound, usesFiles},
		{exitRefused, is("connect")},
		{exitConflict, either(has("force"), has("live"), is("new-state", "get-host"))},
		{exitLocked, either(has("what-if"), is("new-state"))},
		{exitInvalid, usesFiles},
		{exitPartial, either(takesSeveral, is("set-gatewayconfig", "test-gatewayconfig"))},
		{exitFindings, has("detailed-exitcode")},
		{exitInterrupted, everyCommand},
	}
}

// ExitCodes lists the codes that a command may end with, in order.
func ExitCodes(c *cobra.Command) []int {
	var codes []int
	for _, e := range exitCodes() {
		if e.of(c) {
			codes = append(codes, e.code)
		}
	}
	return codes
}

func everyCommand(*cobra.Command) bool { return true }

// usesFiles reports whether a command is about more than the program itself.
func usesFiles(c *cobra.Command) bool { return c.GroupID != "program" }

// takesSeveral reports whether a command has several targets, of which some may
// fail.
func takesSeveral(c *cobra.Command) bool { return strings.Contains(c.Use, "...") }

func has(flag string) func(*cobra.Command) bool {
	return func(c *cobra.Command) bool { return c.Flags().Lookup(flag) != nil }
}

func is(names ...string) func(*cobra.Command) bool {
	return func(c *cobra.Command) bool { return slices.Contains(names, c.Name()) }
}

func either(conditions ...func(*cobra.Command) bool) func(*cobra.Command) bool {
	return func(c *cobra.Command) bool {
		return slices.ContainsFunc(conditions, func(holds func(*cobra.Command) bool) bool { return holds(c) })
	}
}
