package exchange

import (
	"io"
	"slices"
	"strings"
	"time"

	"gatepool/pkg/gateway"
)

// MemberCounters is the load of one member's machine, in order of time.
type MemberCounters struct {
	ID       string // GatewayObjectId, as the log spells it
	Counters []gateway.Counter
}

// ReadCounters reads a SystemCounterAggregationReport: of each member and span
// the averages of SystemCPUPercent and SystemMEMUsedPercent. Other counters are
// passed over. The error is a *FormatError when the file is no such report, or
// the reader's own.
func ReadCounters(r io.Reader, name string) ([]MemberCounters, Skipped, error) {
	type span struct{ from, to time.Time }
	members := map[string]map[span]gateway.Counter{}
	spelling := map[string]string{}
	var order []string
	kept := 0
	report := report{
		name:     name,
		what:     "a SystemCounterAggregationReport",
		required: []string{"GatewayObjectId", "AggregationStartTimeUTC", "AggregationEndTimeUTC", "CounterName", "Average"},
		decimals: []string{"Max", "Min", "Average"},
	}
	skipped, err := report.read(r, func(row *row) error {
		counter := strings.ToLower(row.get("CounterName"))
		if counter != "systemcpupercent" && counter != "systemmemusedpercent" {
			return row.finite("Average")
		}
		from, to := row.time("AggregationStartTimeUTC"), row.time("AggregationEndTimeUTC")
		average := row.number("Average", 100)
		if row.err != nil {
			return row.err
		}
		if to.Before(from) {
			return row.fail("AggregationEndTimeUTC", "a time not before AggregationStartTimeUTC")
		}
		id := strings.ToLower(row.get("GatewayObjectId"))
		if id == "" {
			return row.fail("GatewayObjectId", "the id of a gateway")
		}
		if members[id] == nil {
			members[id] = map[span]gateway.Counter{}
			spelling[id] = row.get("GatewayObjectId")
			order = append(order, id)
		}
		key := span{from, to}
		sample, ok := members[id][key]
		if !ok {
			sample = gateway.Counter{From: from, To: to}
			if kept++; kept > maxLogRows {
				return errTooMany
			}
		}
		if counter == "systemcpupercent" {
			sample.CPU = &average
		} else {
			sample.Memory = &average
		}
		members[id][key] = sample
		return nil
	})
	if err != nil {
		return nil, skipped, err
	}
	var all []MemberCounters
	for _, id := range order {
		m := MemberCounters{ID: spelling[id]}
		for _, sample := range members[id] {
			m.Counters = append(m.Counters, sample)
		}
		slices.SortFunc(m.Counters, byTime)
		all = append(all, m)
	}
	return all, skipped, nil
}

func byTime(a, b gateway.Counter) int {
	if c := a.From.Compare(b.From); c != 0 {
		return c
	}
	return a.To.Compare(b.To)
}

// MergeCounters adds samples to those of a member, each in front of the first
// later one: a span that is there already is updated, and what ended longer than
// keep before the newest sample goes.
func MergeCounters(m *gateway.Member, samples []gateway.Counter, keep time.Duration) {
	at := map[string]int{}
	known := len(m.Counters)
	for i, have := range m.Counters {
		key, _ := have.Identity()
		at[key] = i
	}
	for _, sample := range samples {
		key, _ := sample.Identity()
		i, ok := at[key]
		if !ok {
			at[key] = len(m.Counters)
			m.Counters = append(m.Counters, sample)
			continue
		}
		if sample.CPU != nil {
			m.Counters[i].CPU = sample.CPU
		}
		if sample.Memory != nil {
			m.Counters[i].Memory = sample.Memory
		}
	}
	added := slices.Clone(m.Counters[known:])
	slices.SortStableFunc(added, byTime)
	var merged []gateway.Counter // the order of those known is the state's own
	for _, have := range m.Counters[:known] {
		for len(added) > 0 && byTime(added[0], have) < 0 {
			merged, added = append(merged, added[0]), added[1:]
		}
		merged = append(merged, have)
	}
	m.Counters = append(merged, added...)
	var newest time.Time
	for _, have := range m.Counters {
		if have.To.After(newest) {
			newest = have.To
		}
	}
	m.Counters = slices.DeleteFunc(m.Counters, func(c gateway.Counter) bool { return c.To.Before(newest.Add(-keep)) })
}

// Request is a query that a member of a cluster took.
type Request struct {
	Member   string // GatewayObjectId
	ID       string // RequestId
	Start    time.Time
	Duration time.Duration // 0 in a QueryStartReport, which does not know it
	Type     string        // such as DirectQuery or Refresh
	Success  bool          // true in a QueryStartReport
	Error    string        // message of one that failed
}

// ReadRequests reads a QueryExecutionReport or a QueryStartReport, in order of
// the start. The error is a *FormatError when the file is neither, or the
// reader's own.
func ReadRequests(r io.Reader, name string) ([]Request, Skipped, error) {
	var requests []Request
	report := report{
		name:        name,
		what:        "a QueryExecutionReport or QueryStartReport",
		required:    []string{"GatewayObjectId", "RequestId", "QueryExecutionEndTimeUTC", "QueryExecutionDuration(ms)", "Success"},
		alternative: []string{"GatewayObjectId", "RequestId", "QueryExecutionStartTimeUTC"},
		texts:       []string{"ErrorMessage", "DataSource", "QueryText", "EvaluationContext"},
	}
	skipped, err := report.read(r, func(row *row) error {
		request := Request{
			Member:  row.get("GatewayObjectId"),
			ID:      row.get("RequestId"),
			Type:    row.get("QueryType"),
			Success: true,
			Error:   row.get("ErrorMessage"),
		}
		if row.has("QueryExecutionEndTimeUTC") {
			end := row.time("QueryExecutionEndTimeUTC")
			ms := row.number("QueryExecutionDuration(ms)", maxDuration)
			request.Duration = time.Duration(ms * float64(time.Millisecond))
			request.Start = end.Add(-request.Duration)
			switch strings.ToUpper(row.get("Success")) {
			case "Y":
			case "N":
				request.Success = false
			default:
				return row.fail("Success", "Y or N")
			}
		} else {
			request.Start = row.time("QueryExecutionStartTimeUTC")
		}
		if row.err != nil {
			return row.err
		}
		if request.Member == "" {
			return row.fail("GatewayObjectId", "the id of a gateway")
		}
		if len(requests) == maxLogRows {
			return errTooMany
		}
		requests = append(requests, request)
		return nil
	})
	slices.SortStableFunc(requests, func(a, b Request) int { return a.Start.Compare(b.Start) })
	return requests, skipped, err
}

// maxDuration bounds a query's duration to a year of milliseconds.
const maxDuration = 366 * 24 * 3600 * 1000
