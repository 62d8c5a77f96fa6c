package exchange

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func showTrace(trace []Connection, skipped Skipped) string {
	var b strings.Builder
	for _, c := range trace {
		id := c.CorrelationID
		if len(id) > 3 {
			id = id[len(id)-3:]
		}
		fmt.Fprintf(&b, "%s %s %s/%s %s%s %s\n", c.Time.Format("15:04:05.999"), c.User, c.Pool, c.Host, c.Outcome, c.State, id)
	}
	for _, s := range skipped.First {
		fmt.Fprintln(&b, s)
	}
	return b.String()
}

const (
	checkpoints = `07:58:10.7 alice@contoso.example hp-pooled/ NewSession 501
07:59:42.1 bob@contoso.example hp-pooled/ NewSession 502
08:00:02.85 carol@contoso.example hp-pooled/ NewSession 503
08:00:03.6 dave@contoso.example hp-pooled/ NewSession 504
08:50:19.6 carol@contoso.example hp-pooled/ Disconnected 505
`
	connections = `07:58:10.1 alice@contoso.example hp-pooled/ Started 501
07:58:31.1 alice@contoso.example hp-pooled/avd-0.contoso.example Connected 501
07:59:41.5 bob@contoso.example hp-pooled/ Started 502
08:00:02.25 carol@contoso.example hp-pooled/ Started 503
08:00:02.5 bob@contoso.example hp-pooled/avd-1.contoso.example Connected 502
08:00:03 dave@contoso.example hp-pooled/ Started 504
08:00:23.25 carol@contoso.example hp-pooled/avd-0.contoso.example Connected 503
08:00:24 dave@contoso.example hp-pooled/avd-1.contoso.example Connected 504
08:44:00 carol@contoso.example hp-pooled/avd-0.contoso.example Completed 503
08:50:19 carol@contoso.example hp-pooled/ Started 505
08:50:23 carol@contoso.example hp-pooled/avd-0.contoso.example Connected 505
09:15:00 erin@contoso.example hp-pooled/ Started 506
09:15:02 erin@contoso.example hp-pooled/ Completed 506
12:02:11 bob@contoso.example hp-pooled/avd-1.contoso.example Completed 502
16:00:00 carol@contoso.example hp-pooled/avd-0.contoso.example Completed 505
16:31:00 alice@contoso.example hp-pooled/avd-0.contoso.example Completed 501
17:05:45 dave@contoso.example hp-pooled/avd-1.contoso.example Completed 504
`
)

func TestReadTrace(t *testing.T) {
	file := func(name string) string { return string(sample(t, name)) }
	const decided = `"Name":"LoadBalancedNewConnection","TimeGenerated":"2026-01-01T10:00:00Z","UserName":"u"`
	for _, tt := range []struct{ name, input, want string }{
		{"checkpoints CSV", file("wvdcheckpoints.synthetic.csv"), checkpoints},
		{"checkpoints JSON", file("wvdcheckpoints.synthetic.json"), checkpoints},
		{"connections CSV", file("wvdconnections.synthetic.csv"), connections},
		{"connections JSON", file("wvdconnections.synthetic.json"), connections},
		{"connections of Log Analytics", file("loganalytics-query-result.wvdconnections.synthetic.json"), connections},
		{"both", file("wvdcheckpoints.synthetic.json") + "[" + `{"TimeGenerated":"2026-03-02T07:00:00Z","UserName":"u","State":"Started"}]`, "07:00:00 u / Started \n" + checkpoints},
		{"one object a line, parameters as text", `{` + decided + `,"Parameters":"{\"LoadBalanceOutcome\":\"pending\"}"}`, "10:00:00 u / Pending \n"},
		{"other checkpoints and the start of a machine", `[{"Name":"Other","Parameters":{},"TimeGenerated":"2026-01-01T10:00:00Z","UserName":"u"},{` + decided + `,"Parameters":{"LoadBalanceOutcome":"VMStarting"}}]`, ""},
		{"the same decision twice", `[{` + decided + `,"CorrelationId":"Abc","Parameters":{"LoadBalanceOutcome":"NewSession"}},{` + decided + `,"CorrelationId":"aBC","Parameters":{"LoadBalanceOutcome":"NewSession"}}]`, "10:00:00 u / NewSession Abc\n"},
		{"joined, in another order, from the portal", "Outcome,SessionHostName,Extra,UserName,CorrelationId,TimeGenerated [UTC]\nNewSession,h,x,u,c2,\"3/2/2026, 1:05:00.100 PM\"\nActive,h,x,u,c1,\"3/2/2026, 9:05:00.000 AM\"\n",
			"09:05:00 u /h Active c1\n13:05:00.1 u /h NewSession c2\n"},
		{"rows that do not fit", "TimeGenerated,UserName,State\n2026-01-01T10:00:00Z,u,Failed\nsoon,u,Started\n,u,Started\n2026-01-01T10:00:00Z,u,Started\n",
			"10:00:00 u / Started \nf:2:24: expected Started, Connected or Completed for State, found \"Failed\"\nf:3:1: expected a time such as 2026-11-29T08:00:00Z for TimeGenerated, found \"soon\"\nf:4:1: expected a time for TimeGenerated, found none\n"},
		{"an unknown outcome", `[{` + decided + `,"Parameters":{"LoadBalanceOutcome":"Odd"}},{` + decided + `,"Parameters":{"LoadBalanceOutcome":"Active"}}]`,
			"10:00:00 u / Active \nf:1:2: expected NewSession, Active, Disconnected or Pending for LoadBalanceOutcome, found \"Odd\"\n"},
		{"no rows", "[]", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			trace, skipped, err := ReadTrace([]byte(tt.input), "f")
			if err != nil {
				t.Fatal(err)
			}
			if got := showTrace(trace, skipped); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestTracesThatAreNone(t *testing.T) {
	for _, tt := range []struct{ name, input, found string }{
		{"errors", string(sample(t, "wvderrors.synthetic.csv")), "CSV with the columns TimeGenerated, CorrelationId, UserName, ActivityType, Source, Code, …"},
		{"an export", string(sample(t, "v2-gatewayPolicy.json")), "an object with @odata.context, id, policy"},
		{"empty", "", "an empty file"},
		{"a table without rows", `{"tables":[{"name":"x"}]}`, "an object with name"},
		{"a table with a short row", `{"tables":[{"columns":[{"name":"a"},{"name":"b"}],"rows":[[1]]}]}`, "a list of 1"},
		{"a table with a column that has no name", `{"tables":[{"columns":[{}],"rows":[]}]}`, "an empty object"},
	} {
		_, _, err := ReadTrace([]byte(tt.input), "f")
		var format *FormatError
		if !errors.As(err, &format) || format.Found != tt.found {
			t.Errorf("%s: %v, want a FormatError that found %s", tt.name, err, tt.found)
		}
	}
}
