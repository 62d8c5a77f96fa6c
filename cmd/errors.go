package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/pflag"

	"gatepool/pkg/atomicfile"
	"gatepool/pkg/exchange"
	"gatepool/pkg/gatewayconfig"
	"gatepool/pkg/output"
	"gatepool/pkg/simulate"
	"gatepool/state"
)

// Exit codes: see docs, "help exit-codes".
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitRefused     = 4
	exitConflict    = 5
	exitLocked      = 6
	exitInvalid     = 7
	exitPartial     = 8
	exitFindings    = 10
	exitInterrupted = 130
)

// A failure is an error with all that the scripting contract says of one.
type failure struct {
	code   string
	exit   int
	target string // what the error is about: a name or a file
	hint   string // the next step, or ""
	err    error
	detail any // properties beside these in the JSON form, or nil
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// errFindings ends a command that did its work and found something, where
// --detailed-exitcode asks for an exit code of its own.
var errFindings = errors.New("findings")

func usagef(format string, args ...any) *failure {
	return &failure{code: "usage", exit: exitUsage, err: fmt.Errorf(format, args...)}
}

// invalidValue says what is wrong with a value and what would be right.
func invalidValue(target, format string, args ...any) *failure {
	return &failure{code: "invalid_value", exit: exitUsage, target: target, err: fmt.Errorf(format, args...)}
}

func notFoundf(target, format string, args ...any) *failure {
	return &failure{code: "not_found", exit: exitNotFound, target: target, err: fmt.Errorf(format, args...)}
}

func existsf(target, format string, args ...any) *failure {
	return &failure{code: "exists", exit: exitConflict, target: target, err: fmt.Errorf(format, args...)}
}

func conflictf(target, format string, args ...any) *failure {
	return &failure{code: "conflict", exit: exitConflict, target: target, err: fmt.Errorf(format, args...)}
}

func (f *failure) withHint(format string, args ...any) *failure {
	f.hint = fmt.Sprintf(format, args...)
	return f
}

// partial reports that some of several targets failed.
type partial struct{ errs []error }

func (p *partial) Error() string {
	lines := make([]string, len(p.errs))
	for i, err := range p.errs {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// combine makes one error of those that the targets of a command gave: none,
// the only one where the command had one target or all failed the same way, or
// a partial one.
func combine(errs []error, targets int) error {
	switch {
	case len(errs) == 0:
		return nil
	case targets == 1:
		return errs[0]
	}
	if len(errs) == targets {
		first := classify(errs[0])
		same := true
		for _, err := range errs {
			same = same && classify(err).code == first.code
		}
		if same {
			f := *first
			f.err = &partial{errs}
			return &f
		}
	}
	return &failure{code: "partial", exit: exitPartial, err: &partial{errs}}
}

// whole is the failure of a command that does all of its targets or none: it
// tells every error and has the code of the first. nil without errors.
func whole(errs []error) error {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	f := *classify(errs[0])
	f.err = &partial{errs}
	return &f
}

// classify gives any error its place in the scripting contract.
func classify(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	var (
		invalid   *state.InvalidError
		notFound  *state.NotFoundError
		noFile    *state.NoFileError
		exists    *state.ExistsError
		edit      *state.EditError
		format    *exchange.FormatError
		locked    *atomicfile.LockedError
		changed   *atomicfile.ChangedError
		readOnly  *atomicfile.ReadOnlyError
		tooLarge  *atomicfile.TooLargeError
		write     *atomicfile.WriteError
		badColumn *output.ColumnError
		parameter *simulate.ParameterError
		config    *gatewayconfig.FormatError
		value     *gatewayconfig.ValueError
		setting   *gatewayconfig.UnknownSettingError
	)
	f = &failure{code: "internal", exit: exitFailure, err: err}
	set := func(code string, exit int, target, hint string) {
		f.code, f.exit, f.target, f.hint = code, exit, target, hint
	}
	switch {
	case errors.As(err, &invalid):
		set("invalid_state", exitInvalid, invalid.File, invalid.Hint)
	case errors.As(err, &edit):
		set("invalid_state", exitInvalid, edit.File, "")
	case errors.As(err, &notFound):
		set("not_found", exitNotFound, notFound.Name, didYouMean(notFound.Near))
		switch {
		case notFound.Near != "":
		case notFound.Kind == state.Cluster:
			f.hint = "gatepool get-cluster lists the clusters, new-cluster and import-cluster add one"
		default:
			f.hint = "gatepool get-hostpool lists the host pools, new-hostpool and import-hostpool add one"
		}
	case errors.As(err, &noFile):
		set("not_found", exitNotFound, noFile.File, "make one with: gatepool new-state; or name another with --state or GATEPOOL_STATE")
	case errors.As(err, &exists):
		set("exists", exitConflict, exists.Name, "")
	case errors.As(err, &format):
		set("invalid_input", exitInvalid, format.File, "")
	case errors.As(err, &config):
		set("invalid_config", exitInvalid, config.File, config.Hint)
	case errors.As(err, &value):
		set("invalid_value", exitUsage, value.Name, "")
	case errors.As(err, &setting):
		set("invalid_value", exitUsage, setting.Name, didYouMean(setting.Nearest))
		if f.hint == "" {
			f.hint = "get-gatewayconfig --all lists what is known; --force takes any name"
		}
	case errors.As(err, &locked):
		set("locked", exitLocked, locked.Path, "wait for it to end, or give more time with --lock-timeout")
	case errors.As(err, &changed):
		set("changed", exitLocked, changed.Path, "nothing was written; run the command again")
	case errors.As(err, &readOnly):
		set("io", exitFailure, readOnly.Path, "")
	case errors.As(err, &tooLarge):
		set("invalid_state", exitInvalid, tooLarge.Path, "")
	case errors.As(err, &write):
		set("io", exitFailure, write.Path, "")
	case errors.As(err, &parameter):
		set("invalid_value", exitUsage, parameter.Parameter, "")
	case errors.As(err, &badColumn):
		set("invalid_value", exitUsage, badColumn.Name, didYouMean(badColumn.Nearest))
	case errors.Is(err, context.Canceled):
		set("interrupted", exitInterrupted, "", "")
		f.err = errors.New("interrupted: nothing was written")
	case errors.As(err, new(*fs.PathError)), errors.Is(err, io.ErrClosedPipe):
		set("io", exitFailure, "", "")
	}
	return f
}

func didYouMean(near string) string {
	if near == "" {
		return ""
	}
	return "did you mean " + output.Clean(near) + "?"
}

// report prints an error to stderr in the form that suits the output, and
// returns the exit code.
func (a *app) report(err error, args []string) int {
	if errors.Is(err, errFindings) {
		return exitFindings
	}
	f := classify(err)
	if wantsJSON(args) {
		a.reportJSON(f)
		return f.exit
	}
	var many *partial
	errs := []error{f}
	if errors.As(f.err, &many) {
		errs = many.errs
	}
	for _, err := range errs {
		each := classify(err)
		fmt.Fprintf(a.stderr, "%s %s\n", a.red("error:"), output.Clean(each.Error()))
		if each.hint != "" {
			fmt.Fprintf(a.stderr, "hint: %s\n", output.Clean(each.hint))
		}
	}
	return f.exit
}

// reportJSON prints the error object of the scripting contract.
func (a *app) reportJSON(f *failure) {
	object := map[string]any{}
	if f.detail != nil {
		// The detail's properties stand beside the contract's own.
		if b, err := json.Marshal(f.detail); err == nil {
			_ = json.Unmarshal(b, &object)
		}
	}
	object["code"] = f.code
	object["message"] = f.Error()
	object["target"] = f.target
	object["hint"] = f.hint
	object["exitCode"] = f.exit
	var many *partial
	if errors.As(f.err, &many) {
		failures := make([]map[string]any, len(many.errs))
		for i, err := range many.errs {
			each := classify(err)
			failures[i] = map[string]any{"code": each.code, "message": each.Error(), "target": each.target, "hint": each.hint, "exitCode": each.exit}
		}
		object["failures"] = failures
	}
	encoder := json.NewEncoder(a.stderr)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(map[string]any{"error": object})
}

// wantsJSON reports whether the arguments ask for JSON, also where they could
// not be parsed.
func wantsJSON(args []string) bool {
	flags := []*pflag.FlagSet{new(app).root().PersistentFlags()}
	wanted := ""
	for w := (words{args, flags}); len(w.left) > 0 && w.left[0] != "--"; {
		arg := w.take()
		s, ok := splitFlag(arg)
		if !ok {
			continue
		}
		f := s.exact(flags)
		if f == nil {
			f, _ = s.prefixed(flags)
		}
		switch {
		case f != nil && f.Name == "output":
			if value, err := w.value(s); err == nil {
				wanted = value
			}
		case f == nil && strings.HasPrefix(arg, "-o"): // as in -ojson
			wanted = arg[2:]
		}
	}
	return strings.EqualFold(wanted, "json") || strings.EqualFold(wanted, "ndjson")
}
