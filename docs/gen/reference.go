package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatepool/cmd"
)

// reference writes a page for each command and an index.
func reference(out files) error {
	root := cmd.Tree()
	var index bytes.Buffer
	fmt.Fprintf(&index, "# Commands\n\n%s\n", markdown(root.Long))
	for _, g := range root.Groups() {
		fmt.Fprintf(&index, "\n## %s\n\n| command | |\n|---|---|\n", g.Title)
		for _, c := range root.Commands() {
			if c.GroupID == g.ID {
				fmt.Fprintf(&index, "| [`%s`](%s.md) | %s |\n", c.Name(), c.Name(), escape(c.Short))
				out["docs/reference/"+c.Name()+".md"] = page(c)
			}
		}
	}
	fmt.Fprintf(&index, "\n## Flags of every command\n\n%s", flagList(root.PersistentFlags()))
	fmt.Fprintf(&index, "\n## Topics\n\n- [Cmdlets and their parameters](cmdlets.md)\n")
	for _, t := range cmd.Topics() {
		fmt.Fprintf(&index, "- [%s](../topics/%s.md)\n", t.Title(), t.Name)
	}
	out["docs/reference/README.md"] = index.Bytes()
	return nil
}

// page is the reference page of one command.
func page(c *cobra.Command) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n```\n%s\n```\n\n%s\n", c.Name(), escape(c.Short), c.UseLine(), markdown(c.Long))
	fmt.Fprintf(&b, "\n## Examples\n\n```sh\n%s\n```\n", unindent(c.Example))
	if flags := flagList(c.LocalFlags()); flags != "" {
		fmt.Fprintf(&b, "\n## Flags\n\n%s\nand the [flags of every command](README.md#flags-of-every-command).\n", flags)
	}
	if mirrors := cmd.Cmdlets(c.Name()); len(mirrors) > 0 {
		fmt.Fprintf(&b, "\n## Cmdlets\n\nThese run as they are, in any case, with `gatepool` in front. What becomes of their parameters: [cmdlets](cmdlets.md).\n\n")
		for _, name := range mirrors {
			fmt.Fprintf(&b, "- `%s`\n", name)
		}
	}
	fmt.Fprintf(&b, "\n## Exit codes\n\n%s. What they mean: [exit codes and errors](../topics/exit-codes.md).\n", codes(c))
	return b.Bytes()
}

// flagList lists flags with their meaning, or is empty.
func flagList(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			form, meaning := cmd.FlagHelp(f)
			fmt.Fprintf(&b, "- `%s`: %s\n", form, escape(meaning))
		}
	})
	return b.String()
}

// codes lists the exit codes of a command, such as "0, 1, 2".
func codes(c *cobra.Command) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(cmd.ExitCodes(c)), "[]"), " ", ", ")
}

// topics writes the help topics as pages.
func topics(out files) error {
	for _, t := range cmd.Topics() {
		out["docs/topics/"+t.Name+".md"] = []byte(t.Text)
	}
	return nil
}

// markdown makes Markdown of a plain text: paragraphs stay as they are, and
// those indented by two blanks or more are shown as they stand.
func markdown(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, "  ") {
			paragraphs[i] = "  " + strings.ReplaceAll(p, "\n", "\n  ")
		} else {
			paragraphs[i] = escape(p)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// escape keeps Markdown from reading a plain text's characters as its own.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "<", `\<`, "`", "\\`", "|", `\|`).Replace(text)
}

// unindent takes away the two blanks before each line of an example.
func unindent(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "  "), "\n  ", "\n")
}
