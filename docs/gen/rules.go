package main

import (
	"bytes"
	"fmt"

	"gatepool/pkg/advice"
)

// rules writes a page for each rule of test-state and an index.
func rules(out files) error {
	var index bytes.Buffer
	fmt.Fprint(&index, `# Rules

What [test-state](../reference/test-state.md) looks for. Microsoft: the rule
follows from Microsoft's documentation. gatepool: it is this project's own,
where the documentation is silent or contradicts itself.

| rule | | severity | source |
|---|---|---|---|
`)
	for _, r := range advice.Rules() {
		fmt.Fprintf(&index, "| [`%s`](%[1]s.md) | %s | %s | %s |\n", r.ID, escape(r.Title), r.Severity, r.Source)
		out["docs/rules/"+r.ID+".md"] = rulePage(r)
	}
	fmt.Fprint(&index, `
## Taking a finding back

A finding that is meant to be so is taken back by a comment on its line, on the
line above, or, for a whole resource, at the head of its document:

`+"```yaml"+`
# gatepool:ignore start-vm-without-limit one host carries everybody here
kind: HostPool
apiVersion: gatepool/v1
name: hp-lab
startVMOnConnect: true
sessionHosts:
  - name: lab-0.contoso.example
    allowNewSession: false # gatepool:ignore drained-host-with-sessions patched on Friday
    anonymousSessions: 3
`+"```"+`

`+"`gatepool test-state --disable RULE`"+` leaves a rule out of one run.
`)
	out["docs/rules/README.md"] = index.Bytes()
	return nil
}

// rulePage is the page of one rule.
func rulePage(r advice.Rule) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s.\n\nSeverity: %s. Source: %s.\n", r.ID, escape(r.Title), r.Severity, r.Source)
	fmt.Fprintf(&b, "\n## Why\n\n%s\n\n## What to do\n\n%s\n", escape(r.Why), escape(r.Fix))
	if r.Shown {
		fmt.Fprint(&b, "\nThe commands that list or connect show this as a warning, too.\n")
	}
	fmt.Fprint(&b, "\n[All rules, and how to take a finding back](README.md)\n")
	return b.Bytes()
}
