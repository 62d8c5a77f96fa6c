package cmd

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"gatepool/pkg/output"
)

// isTerminal reports whether a stream is one that a person looks at or types
// into. Each stream is looked at by itself.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colours reports whether a stream takes colour.
func (a *app) colours(stream io.Writer) bool {
	return isTerminal(stream) && !a.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func (a *app) red(s string) string {
	if !a.colours(a.stderr) {
		return s
	}
	return "\x1b[31m" + s + "\x1b[0m"
}

// format is the form of output that -o asks for.
func (a *app) format() (output.Format, error) {
	for _, f := range output.Formats() {
		if strings.EqualFold(string(f), a.output) {
			return f, nil
		}
	}
	names := make([]string, 0, len(output.Formats()))
	for _, f := range output.Formats() {
		names = append(names, string(f))
	}
	return "", invalidValue(a.output, "--output is %q; expected %s", a.output, strings.Join(names, ", "))
}

// outputOptions says how to print to stdout.
func (a *app) outputOptions() (output.Options, error) {
	format, err := a.format()
	if err != nil {
		return output.Options{}, err
	}
	o := output.Options{Format: format, Columns: a.columns, NoHeaders: a.noHeaders, Color: a.colours(a.stdout)}
	if isTerminal(a.stdout) {
		if width, _, err := term.GetSize(int(a.stdout.(*os.File).Fd())); err == nil {
			o.Width = width
		}
	}
	return o, nil
}

// print lists rows on stdout.
func print[T any](a *app, rows []T, columns []output.Column[T]) error {
	o, err := a.outputOptions()
	if err != nil {
		return err
	}
	if rows == nil {
		rows = []T{}
	}
	return output.Write(a.stdout, o, rows, columns)
}

// printBeside lists rows beside a command's own answer, to which --columns
// belongs.
func printBeside[T any](a *app, rows []T, columns []output.Column[T]) error {
	o, err := a.outputOptions()
	if err != nil {
		return err
	}
	o.Columns = nil
	return output.Write(a.stdout, o, rows, columns)
}

// printOne prints one object on stdout.
func printOne[T any](a *app, v T, columns []output.Column[T]) error {
	o, err := a.outputOptions()
	if err != nil {
		return err
	}
	return output.WriteOne(a.stdout, o, v, columns)
}

// forEyes reports whether a person reads the output: only then does anything
// but data and errors appear.
func (a *app) forEyes() bool {
	format, err := a.format()
	return err == nil && !format.Machine()
}

// say tells a person something on stderr; nothing where a program reads.
func (a *app) say(format string, args ...any) {
	if a.forEyes() {
		fmt.Fprintln(a.stderr, output.Clean(fmt.Sprintf(format, args...)))
	}
}

// warn shows warnings to a person. Programs find them in the data.
func (a *app) warn(warnings []string) {
	for _, w := range warnings {
		a.say("warning: %s", w)
	}
}

// ask puts a yes-or-no question to the person at the terminal.
func (a *app) ask(question string) (bool, error) {
	fmt.Fprintf(a.stderr, "%s [y/N] ", output.Clean(question))
	answer, err := bufio.NewReader(a.stdin).ReadString('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer))), nil
}
