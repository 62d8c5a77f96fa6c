package cmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/gatewayconfig"
	"gatepool/pkg/output"
	"gatepool/pkg/spelling"
)

type getGatewayconfigOptions struct {
	names   []string
	targets configTargets
	all     bool
}

func (a *app) getGatewayconfig() *cobra.Command {
	var o getGatewayconfigOptions
	c := &cobra.Command{
		Use:   "get-gatewayconfig [NAME...]",
		Short: "List settings of a gateway's configuration file",
		Long: `List the settings in a gateway machine's
` + gatewayconfig.FileName + `:
what they are set to, the built-in default, which applies while a setting is
absent or empty, the valid values (-o wide), and what they mean. --all adds
known settings that are absent.

Name the file with --path, or by the member or cluster of the state file that
has it as its configFile. Names may be in any case and cut short with the
wildcards *, ? and [ab].`,
		Example: `  gatepool get-gatewayconfig --path gw-fin-01/` + gatewayconfig.FileName + `
  gatepool get-gatewayconfig --member finance/GW-FIN-01 --all -o wide
  gatepool get-gatewayconfig --cluster finance '*Threshold' -o csv`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.names = args
			return a.runGetGatewayconfig(o)
		},
	}
	o.targets.add(c)
	addSwitch(c, &o.all, "all", "known settings that are absent, too")
	return c
}

// settingRow is a setting of one file as it is listed.
type settingRow struct {
	Name    string  `json:"name"`
	Value   *string `json:"value"` // nil while absent
	Default string  `json:"default"`
	Present bool    `json:"present"`
	Range   string  `json:"range"`
	Meaning string  `json:"meaning"`
	Known   bool    `json:"known"`
	Line    int     `json:"line"` // 0 while absent
	configFile
}

func (a *app) runGetGatewayconfig(o getGatewayconfigOptions) error {
	files, err := o.targets.files(a)
	if err != nil {
		return err
	}
	chosen := newSelection(o.names)
	var rows []settingRow
	var errs []error
	var names []string // that a name given may mean
	for _, s := range gatewayconfig.Known() {
		names = append(names, s.Name)
	}
	for _, file := range files {
		f, err := file.open()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, r := range settingRows(f, file) {
			names = append(names, r.Name)
			if chosen.wants(r.Name) && (r.Present || o.all || slices.ContainsFunc(o.names, func(n string) bool { return strings.EqualFold(n, r.Name) })) {
				rows = append(rows, r)
			}
		}
	}
	if err := print(a, rows, settingColumns(len(files) > 1)); err != nil {
		return err
	}
	if len(errs) > 0 {
		return combine(errs, len(files))
	}
	for _, p := range chosen {
		if p.exact() && !slices.ContainsFunc(names, p.matches) {
			errs = append(errs, notFoundf(p.text, "there is no setting %q", p.text).withHint("%s", didYouMean(spelling.Nearest(p.text, names))))
		}
	}
	return combine(errs, len(o.names))
}

// settingRows lists the settings of a file, and behind them those known ones
// that it lacks.
func settingRows(f *gatewayconfig.File, file configFile) []settingRow {
	var rows []settingRow
	row := func(name string) settingRow {
		r := settingRow{Name: name, configFile: file}
		// The gateway knows a name by its exact spelling.
		if s, ok := gatewayconfig.Lookup(name); ok && s.Name == name {
			r.Known, r.Default, r.Range, r.Meaning = true, s.Default, s.Range(), s.Meaning
		}
		return r
	}
	for _, e := range f.Settings() {
		r := row(e.Name)
		r.Value, r.Present, r.Line = &e.Value, true, e.Line
		rows = append(rows, r)
	}
	for _, s := range gatewayconfig.Known() {
		if _, present := f.Get(s.Name); !present {
			rows = append(rows, row(s.Name))
		}
	}
	return rows
}

func settingColumns(severalFiles bool) []output.Column[settingRow] {
	return []output.Column[settingRow]{
		{Name: "name", Value: func(r settingRow) string { return r.Name }},
		{Name: "member", Value: func(r settingRow) string { return r.Member }, Wide: !severalFiles},
		{Name: "value", Value: func(r settingRow) string { return orEmpty(r.Value) }},
		{Name: "default", Value: func(r settingRow) string { return r.Default }},
		{Name: "present", Wide: severalFiles, Value: func(r settingRow) string { return strconv.FormatBool(r.Present) }, Style: func(r settingRow) output.Style {
			if !r.Present {
				return output.Dim
			}
			return output.Plain
		}},
		{Name: "range", Value: func(r settingRow) string { return r.Range }, Wide: true},
		{Name: "meaning", Value: func(r settingRow) string { return r.Meaning }, Wide: true},
		{Name: "known", Value: func(r settingRow) string { return strconv.FormatBool(r.Known) }, Wide: true},
		{Name: "line", Value: func(r settingRow) string { return strconv.Itoa(r.Line) }, Right: true, Wide: true},
		{Name: "file", Value: func(r settingRow) string { return r.File }, Wide: true},
	}
}
