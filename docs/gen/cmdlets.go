package main

import "gatepool/cmd"

// cmdlets writes the page of the cmdlets that commands mirror.
func cmdlets(out files) error {
	out["docs/reference/cmdlets.md"] = cmd.CmdletReference()
	return nil
}
