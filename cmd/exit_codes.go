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
// do shows in its flags and arguments, so it needs no list of commands.
func exitCodes() []exitCode {
	return []exitCode{
		{exitOK, everyCommand},
		{exitFailure, everyCommand},
		{exitUsage, everyCommand},
		{exitNotFound, everyCommand},
		{exitRefused, func(c *cobra.Command) bool { return c.Name() == "connect" }},
		{exitConflict, has("confirm", "force")},
		{exitLocked, has("what-if")},
		{exitInvalid, everyCommand},
		{exitPartial, func(c *cobra.Command) bool { return strings.Contains(c.Use, "...") }},
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

// has reports whether a command has one of these flags.
func has(flags ...string) func(*cobra.Command) bool {
	return func(c *cobra.Command) bool {
		return slices.ContainsFunc(flags, func(name string) bool { return c.Flags().Lookup(name) != nil })
	}
}
