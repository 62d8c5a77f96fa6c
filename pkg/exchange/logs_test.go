package exchange

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	gw1           = "11111111-1111-4111-8111-111111111111"
	counterHeader = "GatewayObjectId,AggregationStartTimeUTC,AggregationEndTimeUTC,CounterName,Max,Min,Average\n"
)

// counters shows what ReadCounters made of a log.
func counters(all []MemberCounters, skipped Skipped) string {
	var b strings.Builder
	for _, m := range all {
		for _, c := range m.Counters {
			fmt.Fprintf(&b, "%s %s-%s", m.ID, c.From.Format("15:04:05.9999999"), c.To.Format("15:04:05"))
			if c.CPU != nil {
				fmt.Fprintf(&b, " cpu %g", *c.CPU)
			}
			if c.Memory != nil {
				fmt.Fprintf(&b, " memory %g", *c.Memory)
			}
			b.WriteByte('\n')
		}
	}
	for _, s := range skipped.First {
		fmt.Fprintln(&b, s)
	}
	if n := skipped.Count - len(skipped.First); n > 0 {
		fmt.Fprintf(&b, "%d more\n", n)
	}
	return b.String()
}

func TestReadCounters(t *testing.T) {
	constructed := string(sample(t, "CONSTRUCTED.SystemCounterAggregationReport_GW01_2026-01-05T120000.log.csv"))
	for _, tt := range []struct{ name, input, want string }{
		{"the sample", constructed, gw1 + " 12:00:00-12:05:00 cpu 41.1278 memory 70.91\n" + gw1 + " 12:05:00-12:10:00 cpu 41.1278 memory 70.91\n"},
		{"the sample twice", constructed + constructed, gw1 + " 12:00:00-12:05:00 cpu 41.1278 memory 70.91\n" + gw1 + " 12:05:00-12:10:00 cpu 41.1278 memory 70.91\n"},
		{"columns in another order, names in another case, an extra column, CRLF, a byte-order mark",
			"\uFEFFAverage,countername,Extra,AGGREGATIONENDTIMEUTC,AggregationStartTimeUTC,GatewayObjectId\r\n50,systemcpupercent,x,2026-01-05T12:05:00Z,2026-01-05T12:00:00.1234567Z,g\r\n",
			"g 12:00:00.1234567-12:05:00 cpu 50\n"},
		{"a second and wider header", counterHeader + "g,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemCPUPercent,9,1,5\n" +
			"New," + counterHeader + "x,g,2026-01-05T12:05:00Z,2026-01-05T12:10:00Z,SystemCPUPercent,9,1,6\n",
			"g 12:00:00-12:05:00 cpu 5\ng 12:05:00-12:10:00 cpu 6\n"},
		{"quoted values", `"GatewayObjectId","AggregationStartTimeUTC","AggregationEndTimeUTC","CounterName","Max","Min","Average"` + "\n" +
			`"g","2026-01-05T12:00:00Z","2026-01-05T12:05:00Z","SystemMEMUsedPercent","9","1","5"` + "\n", "g 12:00:00-12:05:00 memory 5\n"},
		{"two members and ids in another case", counterHeader + "A,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemCPUPercent,9,1,5\nb,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemCPUPercent,9,1,6\na,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemMEMUsedPercent,9,1,7\n",
			"A 12:00:00-12:05:00 cpu 5 memory 7\nb 12:00:00-12:05:00 cpu 6\n"},
		{"UTF-16", string(utf16Bytes(counterHeader+"g,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemCPUPercent,9,1,5\n", false)), "g 12:00:00-12:05:00 cpu 5\n"},
		{"decimal commas", counterHeader + "g,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemCPUPercent,93,41,4,02,41,13\n", "g 12:00:00-12:05:00 cpu 41.13\n"},
		{"bad rows", counterHeader +
			"g,0001-01-01T00:00:00,2026-01-05T12:05:00Z,SystemCPUPercent,9,1,5\n" +
			"g,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemCPUPercent,9,1,101\n" +
			"g,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemCPUPercent,9,1,NaN\n" +
			"g,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,GatewayMEMKb,9,1,x\n" +
			"g,2026-01-05T12:05:00Z,2026-01-05T12:00:00Z,SystemCPUPercent,9,1,5\n" +
			"g,2026-01-05T12:00:00Z\n" +
			"g,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemCPUPercent,93,41,4,02\n" +
			",2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemCPUPercent,9,1,5\n\n" +
			"g,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,\"SystemCPUPercent,9,1,5\n",
			`f:2:1: expected a time for AggregationStartTimeUTC, found "0001-01-01T00:00:00"
f:3:1: expected a number from 0 to 100 for Average, found "101"
f:4:1: expected a number from 0 to 100 for Average, found "NaN"
f:5:1: expected a number for Average, found "x"
f:6:1: expected a time not before AggregationStartTimeUTC for AggregationEndTimeUTC, found "2026-01-05T12:00:00Z"
f:7:1: expected 7 values as in the header, found 2
f:8:1: expected 7 values as in the header, found 8
f:9:1: expected the id of a gateway for GatewayObjectId, found ""
f:11:1: expected a closing quote, found none
`},
		{"many bad rows", counterHeader + strings.Repeat("x\n", 12), strings.Repeat("f:L:1: expected 7 values as in the header, found 1\n", 10) + "2 more\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all, skipped, err := ReadCounters(strings.NewReader(tt.input), "f")
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			for line := 2; strings.Contains(want, ":L:"); line++ {
				want = strings.Replace(want, ":L:", fmt.Sprintf(":%d:", line), 1)
			}
			if got := counters(all, skipped); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestReadRequests(t *testing.T) {
	for _, tt := range []struct{ name, input, want string }{
		{"the sample", string(sample(t, "CONSTRUCTED.QueryExecutionReport_GW01_2022-10-05T172412.log.csv")),
			`17:24:11.8094567 314ms DirectQuery true ""
17:25:13.732 26.268s Refresh true ""
17:25:59.988 12ms Refresh false "The gateway you selected can't establish data source connections because it's exceeded the CPU limit set by your gateway admin. Try again later, or ask your gateway admin to increase the limit."
17:26:59.995 5ms Refresh false "failed, see inner error"
`},
		{"start reports, texts with unquoted commas, a second and wider header",
			string(sample(t, "header.QueryStartReport.v7.csv")) + "g,r,[sql,x],t,2026-01-05T12:00:00Z,Refresh,cXVlcnk=\n" +
				string(sample(t, "header.QueryStartReport.v8.csv")) + "g,r,[sql],t,2026-01-05T11:00:00Z,Refresh,cXVlcnk=,\"{\"\"a\"\":1,\n\"\"b\"\":2}\"\n",
			"11:00:00 0s Refresh true \"\"\n12:00:00 0s Refresh true \"\"\n"},
		{"rows that do not fit", string(sample(t, "header.QueryExecutionReport.csv")) +
			"g,r,d,t,2022-10-05T17:24:12Z,314,Refresh,0,0,0,0,,0,Maybe,\n" +
			"g,r,d,t,2022-10-05T17:24:12Z,-1,Refresh,0,0,0,0,,0,Y,\n" +
			"g,r,a,b,t,when,314,Refresh,0,0,0,0,,0,Y,\n" +
			"g,r,d\n" +
			",r,d,t,2022-10-05T17:24:12Z,314,Refresh,0,0,0,0,,0,Y,\n",
			`f:2:1: expected Y or N for Success, found "Maybe"
f:3:1: expected a number from 0 to 3.16224e+10 for QueryExecutionDuration(ms), found "-1"
f:4:1: expected 15 values as in the header, found 16
f:5:1: expected 15 values as in the header, found 3
f:6:1: expected the id of a gateway for GatewayObjectId, found ""
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requests, skipped, err := ReadRequests(strings.NewReader(tt.input), "f")
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, r := range requests {
				fmt.Fprintf(&b, "%s %v %s %t %q\n", r.Start.Format("15:04:05.9999999"), r.Duration, r.Type, r.Success, r.Error)
			}
			for _, s := range skipped.First {
				fmt.Fprintln(&b, s)
			}
			if b.String() != tt.want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), tt.want)
			}
		})
	}
}

func TestLogsThatAreNone(t *testing.T) {
	for _, tt := range []struct{ name, input, found string }{
		{"empty", "", "an empty file"},
		{"another report", "GatewayObjectId,RequestId\n", `the columns "GatewayObjectId,RequestId"`},
		{"no header", "a,b\n", `"a,b"`},
		{"JSON", `{"value":[]}`, `"{\"value\":[]}"`},
	} {
		for read, err := range map[string]error{
			"counters": func() error { _, _, err := ReadCounters(strings.NewReader(tt.input), "f"); return err }(),
			"requests": func() error { _, _, err := ReadRequests(strings.NewReader(tt.input), "f"); return err }(),
		} {
			var format *FormatError
			if !errors.As(err, &format) || format.Found != tt.found || format.Line != 1 {
				t.Errorf("%s as %s: %v, want a FormatError about line 1 that found %s", tt.name, read, err, tt.found)
			}
		}
	}
}

// TestLongRows has a quote that never closes, and a row beyond the limit, cost no
// more than a walk through the file.
func TestLongRows(t *testing.T) {
	row := "g,2026-01-05T12:00:00Z,2026-01-05T12:05:00Z,SystemCPUPercent,9,1," + strings.Repeat("0", 2000) + "5\n"
	open := counterHeader + "\"" + strings.Repeat(row, maxRow/2000)
	start := time.Now()
	all, skipped, err := ReadCounters(strings.NewReader(open), "f")
	if err != nil || skipped.Count != 1 || len(all) != 1 {
		t.Errorf("a quote that never closes: %d members, %d skipped, %v; want 1 and 1", len(all), skipped.Count, err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	_, _, err = ReadCounters(strings.NewReader(counterHeader+strings.Repeat("x", maxRow+1)), "f")
	var format *FormatError
	if !errors.As(err, &format) || format.Found != "a longer one" {
		t.Errorf("a row beyond the limit: %v", err)
	}
}
