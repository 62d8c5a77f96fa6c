package cmd

import (
	_ "embed" // the help topics
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatepool/pkg/spelling"
)

// The texts of the help topics read well both in a terminal and as pages of the
// documentation.
var (
	//go:embed help/exit-codes.md
	exitCodesTopic string
	//go:embed help/output.md
	outputTopic string
	//go:embed help/powershell.md
	powerShellTopic string
	//go:embed help/rules.md
	rulesTopic string
)

// A Topic is a page of help that belongs to no command.
type Topic struct {
	Name string // as in gatepool help NAME
	Text string // Markdown
}

// Topics lists the help topics in the order of the help.
func Topics() []Topic {
	return []Topic{{"exit-codes", exitCodesTopic}, {"output", outputTopic}, {"powershell", powerShellTopic}, {"rules", rulesTopic}}
}

// Title is what the topic is about: its first line.
func (t Topic) Title() string {
	first, _, _ := strings.Cut(t.Text, "\n")
	return strings.TrimPrefix(first, "# ")
}

// help is the command that prints help on a command or a topic.
func (a *app) help() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "Explain a command or a topic",
		Args:  arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			if len(args) == 0 {
				return root.Help()
			}
			name := args[0]
			if alias := findCmdlet(name); alias != nil {
				name = alias.command
			}
			if found := named(root, name); found != nil {
				return found.Help()
			}
			var names []string
			for _, t := range Topics() {
				if squash(t.Name) == squash(args[0]) {
					_, err := io.WriteString(a.stdout, t.Text)
					return err
				}
				names = append(names, t.Name)
			}
			for _, c := range root.Commands() {
				names = append(names, c.Name())
			}
			f := usagef("there is no command and no help topic %q", args[0])
			if near := spelling.Nearest(args[0], names); near != "" {
				return f.withHint("did you mean gatepool help %s?", near)
			}
			return f.withHint("gatepool help lists all commands and topics")
		},
	}
}

// Cmdlets lists what a command mirrors: the cmdlets that stand for it, and the
// line of one that stands for a command with more flags.
func Cmdlets(command string) []string {
	var names []string
	for _, c := range cmdlets() {
		if c.command == command {
			names = append(names, c.name)
		}
	}
	return append(names, cmdletLines()[command]...)
}

// cmdletLines are what admins type for commands that do a part of what a cmdlet
// does. Such a line runs as the cmdlet's own command, with the same result.
func cmdletLines() map[string][]string {
	return map[string][]string{
		"drain-host":                {"Update-AzWvdSessionHost -AllowNewSession:$false"},
		"resume-host":               {"Update-AzWvdSessionHost -AllowNewSession:$true"},
		"enable-member":             {"Set-OnPremisesDataGateway -MemberStatus Enabled"},
		"disable-member":            {"Set-OnPremisesDataGateway -MemberStatus None"},
		"set-cluster-loadbalancing": {"Set-DataGatewayCluster -LoadBalancingSelectorType"},
		"get-member":                {"(Get-DataGatewayCluster).MemberGateways"},
	}
}

// helpWidth is how wide help is printed: it fits every terminal, and it is the
// same in each.
const helpWidth = 80

// printHelp prints the help of a command.
func printHelp(c *cobra.Command, _ []string) {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", c.Long, usageLine(c))
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasParent() {
		printFlags(&b, "Flags", c.LocalFlags())
		printFlags(&b, "Flags of every command", c.InheritedFlags())
		if mirrors := Cmdlets(c.Name()); len(mirrors) > 0 {
			fmt.Fprintf(&b, "\nCmdlets:\n  %s\n", strings.Join(mirrors, "\n  "))
		}
		fmt.Fprintf(&b, "\nExit codes: %s (gatepool help exit-codes)\n", strings.Trim(fmt.Sprint(ExitCodes(c)), "[]"))
	} else {
		printCommands(&b, c)
		printFlags(&b, "Flags", c.Flags())
	}
	// The writer is a stream that takes text or a person no longer looks at.
	_, _ = io.WriteString(c.OutOrStdout(), b.String())
}

// usageLine is how a command is called.
func usageLine(c *cobra.Command) string {
	if c.HasParent() {
		return c.UseLine()
	}
	return c.Name() + " COMMAND [ARGUMENT...] [flags]"
}

// printCommands lists the commands by group, and the help topics.
func printCommands(b *strings.Builder, root *cobra.Command) {
	const column = "  %-26s %s\n"
	for _, g := range groups() {
		fmt.Fprintf(b, "\n%s:\n", g.title)
		for _, command := range g.commands {
			if c := named(root, command.name); c != nil {
				fmt.Fprintf(b, column, c.Name(), c.Short)
			}
		}
	}
	fmt.Fprintf(b, "\nHelp on a command or a topic (gatepool help NAME):\n")
	for _, t := range Topics() {
		fmt.Fprintf(b, column, t.Name, t.Title())
	}
}

// printFlags lists flags in two columns; a long flag has its meaning below it.
func printFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	const column = 28
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		form, meaning := FlagHelp(f)
		if f.Shorthand == "" {
			form = "    " + form
		}
		fmt.Fprintf(b, "  %-*s", column, form)
		if len(form) >= column {
			fmt.Fprintf(b, "\n  %-*s", column, "")
		}
		fmt.Fprintln(b, strings.Join(wrap(meaning, helpWidth-column-2), fmt.Sprintf("\n  %-*s", column, "")))
	})
}

// FlagHelp is how a flag is written, such as "-o, --output text", and what it
// means.
func FlagHelp(f *pflag.Flag) (form, meaning string) {
	form, meaning = "--"+f.Name, f.Usage
	if f.Shorthand != "" {
		form = "-" + f.Shorthand + ", " + form
	}
	switch kind := f.Value.Type(); {
	case kind == "bool":
	case strings.Count(kind, "|") > 3:
		// A long list of values would push every meaning off the screen.
		form += " value"
		meaning += ": " + strings.ReplaceAll(kind, "|", ", ")
	case kind == "string":
		form += " text"
	case kind == "strings", kind == "stringSlice":
		form += " list"
	default:
		form += " " + kind
	}
	return form, meaning
}

// wrap breaks a text into lines of at most width bytes, between words.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(*last)+1+len(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
