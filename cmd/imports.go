package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/atomicfile"
	"gatepool/pkg/exchange"
	"gatepool/pkg/hostpool"
	"gatepool/pkg/output"
	"gatepool/state"
)

// importOptions are those of every command that reads exports into the state.
type importOptions struct {
	files  []string
	change changeFlags
}

func (o *importOptions) add(c *cobra.Command) {
	o.change.add(c)
	c.Args = arguments(1, -1)
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// importResult is what an import answers to a program.
type importResult struct {
	Files          []string `json:"files"`
	HostPools      int      `json:"hostPools"`
	Hosts          int      `json:"hosts"`
	Sessions       int      `json:"sessions"`
	Clusters       int      `json:"clusters"`
	Members        int      `json:"members"`
	DataSources    int      `json:"dataSources"`
	DroppedSecrets []string `json:"droppedSecrets"` // what kind stood where
	Warnings       []string `json:"warnings"`
}

// importer reads the facts of one or more exports into the state.
type importer struct {
	export   *exchange.Export
	warnings []string
	created  map[string]bool // pools and clusters that this import made, by lower-case name
}

// runImport reads the files and merges what apply takes out of them.
func (a *app) runImport(o importOptions, apply func(*importer, *state.Tx) error) error {
	if _, err := a.format(); err != nil {
		return err
	}
	export, err := a.readExports(o.files)
	if err != nil {
		return err
	}
	var im *importer
	err = a.change(o.change, "", func(tx *state.Tx) error {
		im = &importer{export: export, created: map[string]bool{}}
		return apply(im, tx)
	})
	if err != nil {
		return err
	}
	warnings := append(im.warnings, export.Notes...)
	if !export.Complete() {
		warnings = append(warnings, "the list goes on: the export has a link to a next page that was not given ("+export.NextLink+"); nothing was taken away for what it lacks")
	}
	r := importResult{
		Files: o.files, HostPools: len(export.Pools), Hosts: len(export.Hosts), Sessions: len(export.Sessions),
		Clusters: len(export.Clusters), Members: len(export.Members), DataSources: len(export.DataSources),
		DroppedSecrets: append([]string{}, export.DroppedSecrets...), Warnings: append([]string{}, warnings...),
	}
	for _, c := range export.Clusters {
		r.Members += len(c.Members)
		r.DataSources += len(c.DataSources)
	}
	if !a.forEyes() && !o.change.whatIf {
		return printOne(a, r, []output.Column[importResult]{
			{Name: "files", Value: func(r importResult) string { return strings.Join(r.Files, " ") }},
			{Name: "hostPools", Value: func(r importResult) string { return strconv.Itoa(r.HostPools) }, Right: true},
			{Name: "hosts", Value: func(r importResult) string { return strconv.Itoa(r.Hosts) }, Right: true},
			{Name: "sessions", Value: func(r importResult) string { return strconv.Itoa(r.Sessions) }, Right: true},
			{Name: "clusters", Value: func(r importResult) string { return strconv.Itoa(r.Clusters) }, Right: true},
			{Name: "members", Value: func(r importResult) string { return strconv.Itoa(r.Members) }, Right: true},
			{Name: "dataSources", Value: func(r importResult) string { return strconv.Itoa(r.DataSources) }, Right: true},
		})
	}
	for _, secret := range export.DroppedSecrets {
		a.say("not kept: %s", secret)
	}
	a.warn(warnings)
	return nil
}

// readExports reads and joins exports; - is standard input.
func (a *app) readExports(files []string) (*exchange.Export, error) {
	var exports []*exchange.Export
	for _, name := range files {
		data, err := a.readInput(name, exchange.MaxSize)
		if err != nil {
			return nil, err
		}
		e, err := exchange.Read(data, name)
		if err != nil {
			return nil, err
		}
		exports = append(exports, e)
	}
	return exchange.Join(exports...), nil
}

// readInput reads a file, or standard input for -, of at most max bytes.
func (a *app) readInput(name string, max int64) ([]byte, error) {
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(a.stdin, max+1))
		if err == nil && int64(len(data)) > max {
			err = &atomicfile.TooLargeError{Path: "-", Size: int64(len(data)), Max: max}
		}
		return data, inputError("-", err)
	}
	data, err := atomicfile.Read(name, max)
	return data, inputError(name, err)
}

// inputError gives an error about a file that a command reads its place in the
// contract.
func inputError(name string, err error) error {
	var tooLarge *atomicfile.TooLargeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrNotExist):
		return notFoundf(name, "there is no file %s", name)
	case errors.As(err, &tooLarge):
		return &failure{code: "invalid_input", exit: exitInvalid, target: name, err: err}
	}
	return err
}

// nothing says that the export holds nothing that the command reads, and which
// command reads what it does hold.
func (im *importer) nothing(want string, files []string) error {
	holds, command := "nothing", ""
	e := im.export
	switch {
	case len(e.Pools) > 0:
		holds, command = "host pools", "import-hostpool"
	case len(e.Hosts) > 0:
		holds, command = "session hosts", "import-host"
	case len(e.Sessions) > 0:
		holds, command = "user sessions", "import-session"
	case len(e.Clusters) > 0 || len(e.Members) > 0 || len(e.DataSources) > 0 || len(e.DataSourceUsers) > 0:
		holds, command = "gateway clusters or their parts", "import-cluster"
	}
	name := strings.Join(files, ", ")
	f := &failure{code: "invalid_input", exit: exitInvalid, target: name, err: fmt.Errorf("%s: expected %s, found %s", name, want, holds)}
	if command != "" {
		return f.withHint("gatepool %s %s", command, strings.Join(files, " "))
	}
	return f
}

func (im *importer) empty() bool {
	e := im.export
	return len(e.Pools)+len(e.Hosts)+len(e.Sessions)+len(e.Clusters)+len(e.Members)+len(e.DataSources)+len(e.DataSourceUsers) == 0
}

// pool returns the pool of that name, made if the state lacks it.
func (im *importer) pool(tx *state.Tx, name string) (*hostpool.Pool, error) {
	p, err := tx.Pool(name)
	var missing *state.NotFoundError
	if !errors.As(err, &missing) {
		return p, err
	}
	made := exchange.NewPool(name)
	im.created[strings.ToLower(name)] = true
	return &made, tx.AddPool(&made)
}

// poolOf is the pool that a fact belongs to: the one it names, or else the one
// that the command names.
func (im *importer) poolOf(tx *state.Tx, named string, option *string) (*hostpool.Pool, error) {
	switch {
	case named == "" && option == nil:
		return nil, usagef("the export does not say which host pool it is about").withHint("add --hostpool-name POOL")
	case named == "":
		named = *option
	case option != nil && !strings.EqualFold(*option, named):
		return nil, conflictf(named, "the export is about host pool %s, not %s", named, *option)
	}
	known := im.created[strings.ToLower(named)]
	p, err := im.pool(tx, named)
	if err == nil && !known && im.created[strings.ToLower(named)] {
		im.warnings = append(im.warnings, fmt.Sprintf("host pool %s was not in the state: made as Pooled, BreadthFirst, without a limit; import-hostpool or set-hostpool says better", named))
	}
	return p, err
}
