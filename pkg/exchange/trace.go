package exchange

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

// Connection is one row of a connection trace from Log Analytics: what the
// broker decided (WVDCheckpoints), or how far the connection has come
// (WVDConnections).
type Connection struct {
	Time          time.Time
	User          string
	Pool          string // from the resource id; "" if the trace lacks it
	Host          string // "" if the trace lacks it
	CorrelationID string
	// Outcome is NewSession for an arrival; Active, Disconnected or Pending for
	// a reconnection; "" in a row of WVDConnections.
	Outcome string
	// State is Started, Connected or Completed; "" in a row of WVDCheckpoints. A
	// completed connection is no ended session: a disconnected one lives on.
	State string
}

var (
	traceOutcomes = []string{"NewSession", "Active", "Disconnected", "Pending"}
	traceStates   = []string{"Started", "Connected", "Completed"}
)

const expectedTrace = "a connection trace: rows of WVDCheckpoints or WVDConnections with TimeGenerated, UserName and Parameters, Outcome or State (CSV, JSON or the answer of Log Analytics)"

// ReadTrace reads rows of WVDCheckpoints, of WVDConnections, or of both joined
// with a column Outcome, as CSV, as JSON objects or as a table of Log Analytics,
// in order of time. Other checkpoints than LoadBalancedNewConnection are passed
// over, as is a repetition of the same decision or state (a cold start has the
// checkpoint twice). Rows that cannot be read are counted. The error is a
// *FormatError when the file is no such trace.
func ReadTrace(data []byte, name string) ([]Connection, Skipped, error) {
	var skipped Skipped
	s, err := newSource(data, name)
	if err != nil {
		return nil, skipped, err
	}
	rows, err := traceRows(s)
	if err != nil {
		return nil, skipped, err
	}
	var trace []Connection
	type step struct{ correlation, outcome, state string }
	seen := map[step]bool{}
	for _, n := range rows {
		r := &reader{source: s}
		c, ok := r.connection(n)
		if r.misfit != nil {
			skipped.add(r.err)
			continue
		}
		key := step{strings.ToLower(c.CorrelationID), c.Outcome, c.State}
		if !ok || c.CorrelationID != "" && seen[key] {
			continue
		}
		seen[key] = true
		trace = append(trace, c)
	}
	if len(trace) == 0 && skipped.Count > 0 {
		return nil, skipped, skipped.First[0]
	}
	slices.SortStableFunc(trace, func(a, b Connection) int { return a.Time.Compare(b.Time) })
	return trace, skipped, nil
}

// traceRows returns the rows of any form as objects.
func traceRows(s *source) ([]*node, error) {
	start := bytes.TrimSpace(s.text)
	if len(start) == 0 {
		return nil, s.errorAt(0, expectedTrace, "an empty file")
	}
	if start[0] != '{' && start[0] != '[' {
		header, rows, err := parseCSV(s)
		if header != nil && !isTraceRow(header) {
			err = s.errorAt(header.offset, expectedTrace, "CSV with the columns "+header.shownNames())
		}
		return rows, err
	}
	roots, err := parseJSON(s)
	if err != nil {
		return nil, err
	}
	var rows []*node
	for _, root := range roots {
		switch tables := root.member("tables"); {
		case root.kind == list:
			rows = append(rows, root.items...)
		case tables != nil:
			for _, table := range tables.items {
				tableRows, err := s.tableRows(table)
				if err != nil {
					return nil, err
				}
				rows = append(rows, tableRows...)
			}
		default:
			rows = append(rows, root)
		}
	}
	return rows, nil
}

// tableRows makes objects of a table's rows.
func (s *source) tableRows(table *node) ([]*node, error) {
	columns, rows := table.member("columns"), table.member("rows")
	if columns == nil || rows == nil || columns.kind != list || rows.kind != list {
		return nil, s.errorAt(table.offset, "a table with columns and rows", table.describe())
	}
	var names []string
	for _, column := range columns.items {
		name := column.member("name")
		if name == nil || name.kind != text {
			return nil, s.errorAt(column.offset, "a column with a name", column.describe())
		}
		names = append(names, name.text)
	}
	var objects []*node
	for _, values := range rows.items {
		if values.kind != list || len(values.items) != len(names) {
			return nil, s.errorAt(values.offset, "a row with a value for each column", values.describe())
		}
		objects = append(objects, &node{kind: object, offset: values.offset, names: names, items: values.items})
	}
	return objects, nil
}

// isTraceRow recognises a row by its columns. The portal's CSV has the time
// zone behind the name of a time's column.
func isTraceRow(n *node) bool {
	return n.kind == object &&
		(n.has("TimeGenerated") || n.has("TimeGenerated [UTC]")) && n.has("UserName") &&
		(n.has("Outcome") || n.has("Name", "Parameters") || n.has("State"))
}

// connection reads a row; false for one that is another kind of checkpoint.
func (r *reader) connection(n *node) (Connection, bool) {
	var c Connection
	if !isTraceRow(n) {
		r.fail(n, expectedTrace, n.describe())
		return c, false
	}
	f := &fields{reader: r, item: n, known: Known{}}
	f.time("TimeGenerated", &c.Time, "TimeGenerated", "TimeGenerated [UTC]")
	if c.Time.IsZero() {
		r.fail(n, "a time for TimeGenerated", "none")
	}
	f.text("UserName", &c.User)
	f.text("SessionHostName", &c.Host)
	f.text("CorrelationId", &c.CorrelationID)
	var resource, outcome string
	f.text("_ResourceId", &resource)
	c.Pool = parseARMID(resource).pool

	if n.has("State") {
		readEnum(f, enumeration{values: traceStates}, "State", &c.State)
		return c, c.State != ""
	}
	if n.has("Outcome") {
		f.text("Outcome", &outcome)
	} else {
		var checkpoint string
		if f.text("Name", &checkpoint); checkpoint != "LoadBalancedNewConnection" {
			return c, false
		}
		parameters := &fields{reader: r, item: f.object("Parameters"), known: Known{}}
		parameters.text("LoadBalanceOutcome", &outcome)
	}
	i := slices.IndexFunc(traceOutcomes, func(o string) bool { return strings.EqualFold(o, outcome) })
	switch {
	case i >= 0:
		c.Outcome = traceOutcomes[i]
	case strings.EqualFold(outcome, "VMStarting"): // the decision follows when the host is up
		return c, false
	default:
		r.fail(n, oneOf(traceOutcomes)+" for LoadBalanceOutcome", quoted(outcome))
	}
	return c, true
}
