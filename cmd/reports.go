package cmd

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/advice"
	"gatepool/pkg/output"
	"gatepool/pkg/report"
	"gatepool/pkg/spelling"
)

// reportTarget is a report to write: its format and its file, - for standard
// output.
type reportTarget struct {
	format report.Format
	file   string
}

// addReports adds --report FORMAT=FILE, which may be given several times.
func addReports(c *cobra.Command, to *[]reportTarget) {
	formats := report.Format("").Values()
	c.Flags().Var(&flagValue{kind: "FORMAT=FILE", set: func(text string) error {
		name, file, _ := strings.Cut(text, "=")
		format, known := oneOf(name, formats)
		if !known || file == "" {
			f := invalidValue(text, "is %q; expected FORMAT=FILE with a format of %s", text, strings.Join(formats, ", "))
			if near := spelling.Nearest(name, formats); near != "" && !known {
				f.withHint("did you mean %s?", near)
			}
			return f
		}
		*to = append(*to, reportTarget{report.Format(format), file})
		return nil
	}}, "report", "also write a report: json, junit, sarif or github, - for standard output; may be given several times")
}

// onStdout reports whether a report takes standard output. Only one can, and
// then nothing else may.
func onStdout(reports []reportTarget, format output.Format) (bool, error) {
	taken := ""
	for _, r := range reports {
		switch {
		case r.file != "-":
		case taken != "":
			return false, usagef("two reports cannot both go to standard output: %s and %s", taken, r.format).withHint("name a file: --report %s=FILE", r.format)
		case format != output.Table:
			return false, usagef("standard output cannot take both -o %s and the %s report", format, r.format).withHint("name a file: --report %s=FILE", r.format)
		default:
			taken = string(r.format)
		}
	}
	return taken != "", nil
}

func (a *app) writeReports(reports []reportTarget, r report.Report) error {
	for _, target := range reports {
		data, err := r.Write(target.format)
		if err != nil {
			return err
		}
		if target.file == "-" {
			_, err = a.stdout.Write(data)
		} else {
			err = os.WriteFile(target.file, data, 0o666)
		}
		if err != nil {
			return fmt.Errorf("%s report: %w", target.format, err)
		}
	}
	return nil
}

// printFindingLines prints findings as compilers print theirs.
func (a *app) printFindingLines(w io.Writer, findings []report.Finding) {
	colour := map[advice.Severity]string{advice.Warning: "\x1b[33m", advice.Error: "\x1b[31m"}
	for _, f := range findings {
		severity := strings.ToLower(f.Severity.String())
		if code := colour[f.Severity]; code != "" && a.colours(w) {
			severity = code + severity + "\x1b[0m"
		}
		message := f.Message
		if f.Kind != advice.KindFile {
			message = f.Resource + ": " + message
		}
		fmt.Fprintf(w, "%s: %s: %s [%s]\n    fix: %s\n", output.Clean(f.Place()), severity, output.Clean(message), f.Rule, output.Clean(f.Fix))
	}
}
