package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// CmdletReference is the table of cmdlets as a page of the reference, in
// Markdown.
func CmdletReference() []byte {
	var b strings.Builder
	b.WriteString(`# Cmdlets

These cmdlets run as they are, in any case, with ` + "`gatepool`" + ` in front. Each is another
name of a command, whose own flags work beside its parameters; ` + "`-?`" + ` is
` + "`--help`" + `. An M marks what the cmdlet itself can't do without; here only what
names the object is needed.

- A parameter of the service that a file has no place for is left out with a
  warning, or refused where the answer would be another one without it. Where a
  program reads the output, the warning is not printed.
- ` + "`-ResourceGroupName`" + ` is a filter where the cmdlet looks for a host pool: one of
  another resource group is not found; one whose resource group the state does not
  know is.
- ` + "`-Confirm:$false`" + ` leaves out the question. It does not override what ` + "`-Force`" + `
  overrides: a host with sessions, or a desktop that is somebody's, needs
  ` + "`-Force`" + `.
- Every cmdlet takes and ignores PowerShell's common parameters (` + "`-ErrorAction`" + `,
  ` + "`-Verbose`" + ` and so on).
`)
	for _, module := range []struct {
		name    string
		cmdlets []cmdlet
	}{
		{"Az.DesktopVirtualization", hostpoolCmdlets()},
		{"DataGateway", gatewayCmdlets()},
		{"OnPremisesDataGatewayHAMgmt", oldGatewayCmdlets()},
	} {
		fmt.Fprintf(&b, "\n## %s\n", module.name)
		for _, c := range module.cmdlets {
			c.document(&b)
		}
	}
	return []byte(b.String())
}

func (c *cmdlet) document(b *strings.Builder) {
	fmt.Fprintf(b, "\n### %s\n\nIs [`%s`](%s.md).\n", c.name, c.command, c.command)
	if len(c.parameters) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| parameter | | becomes |\n|---|---|---|\n")
	for rest := c.parameters; len(rest) > 0; {
		// Parameters with the same end share a line.
		n := 1
		for n < len(rest) && rest[n].becomes() == rest[0].becomes() && rest[n].use != asArgument && rest[n].mandatory == rest[0].mandatory {
			n++
		}
		names := make([]string, n)
		for i, p := range rest[:n] {
			names[i] = p.spellings()
		}
		mark := ""
		if rest[0].mandatory {
			mark = "M"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", strings.Join(names, ", "), mark, rest[0].becomes())
		rest = rest[n:]
	}
}

// spellings are a parameter's name and aliases.
func (p parameter) spellings() string {
	text := "`-" + p.name + "`"
	if len(p.aliases) > 0 {
		text += " (`-" + strings.Join(p.aliases, "`, `-") + "`)"
	}
	return text
}

// becomes says what becomes of a parameter.
func (p parameter) becomes() string {
	switch p.use {
	case asFlag:
		text := "`--" + p.flag + "`"
		for _, value := range slices.Sorted(maps.Keys(p.values)) {
			if p.values[value] != "" {
				text += fmt.Sprintf("; `%s` is %s", value, p.values[value])
			}
		}
		return text
	case asArgument:
		return fmt.Sprintf("argument %d", p.position)
	case asSession:
		return "with the host the session, as `HOST/ID`"
	case asResourceGroup:
		return "filter"
	case leftOut:
		return "left out, with a warning: " + p.why
	case refused:
		return "refused: " + p.why
	}
	return "nothing"
}
