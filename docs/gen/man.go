package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatepool/cmd"
)

// manPages writes a man page for gatepool and one for each command.
//
// cobra/doc would make them from the same tree, but it has no place for exit
// codes, prints the day on which it ran, and shows a switch as --force[=].
func manPages(out files) error {
	root := cmd.Tree()
	out["docs/man/gatepool.1"] = manRoot(root)
	for _, c := range root.Commands() {
		out["docs/man/gatepool-"+c.Name()+".1"] = manPage(c)
	}
	return nil
}

func manRoot(root *cobra.Command) []byte {
	var b bytes.Buffer
	manHead(&b, "gatepool", root.Short, "gatepool COMMAND [ARGUMENT...] [flags]", root.Long)
	fmt.Fprintf(&b, "# COMMANDS\n")
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "## %s\n\n", g.Title)
		for _, c := range root.Commands() {
			if c.GroupID == g.ID {
				fmt.Fprintf(&b, "**gatepool-%s(1)**\n: %s\n\n", c.Name(), escape(c.Short))
			}
		}
	}
	manFlags(&b, "OPTIONS OF EVERY COMMAND", root.PersistentFlags())
	manExample(&b, root)
	return md2man.Render(b.Bytes())
}

func manPage(c *cobra.Command) []byte {
	var b bytes.Buffer
	manHead(&b, "gatepool-"+c.Name(), c.Short, c.UseLine(), c.Long)
	manFlags(&b, "OPTIONS", c.LocalFlags())
	if mirrors := cmd.Cmdlets(c.Name()); len(mirrors) > 0 {
		fmt.Fprintf(&b, "# CMDLETS\n%s\n\n", strings.Join(mirrors, "\n\n"))
	}
	fmt.Fprintf(&b, "# EXIT STATUS\n%s. **gatepool help exit-codes** says what they mean.\n\n", codes(c))
	manExample(&b, c)
	fmt.Fprintf(&b, "# SEE ALSO\n**gatepool(1)**\n")
	return md2man.Render(b.Bytes())
}

func manHead(b *bytes.Buffer, name, short, usage, long string) {
	fmt.Fprintf(b, "%% \"%s\" \"1\" \"\" \"gatepool\" \"gatepool\"\n", bytes.ToUpper([]byte(name)))
	fmt.Fprintf(b, "# NAME\n%s \\- %s\n\n# SYNOPSIS\n**%s**\n\n# DESCRIPTION\n%s\n\n", name, escape(short), escape(usage), markdown(long))
}

func manFlags(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, "# %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			form, meaning := cmd.FlagHelp(f)
			fmt.Fprintf(b, "**%s**\n: %s\n\n", escape(form), escape(meaning))
		}
	})
}

func manExample(b *bytes.Buffer, c *cobra.Command) {
	fmt.Fprintf(b, "# EXAMPLES\n```\n%s\n```\n\n", unindent(c.Example))
}
