package main

import "gatepool/cmd"

// completions makes the scripts that teach shells to complete the command line.
func completions(out files) error {
	for _, script := range cmd.CompletionScripts() {
		out["completions/"+script.File] = []byte(script.Text)
	}
	return nil
}
