package gatewayconfig

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"gatepool/pkg/gateway"
)

func TestParseSample(t *testing.T) {
	f := mustParse(t, read(t, "GatewayCore.bom-crlf.xml"))
	entries := f.Settings()
	if len(entries) != 23 {
		t.Fatalf("%d settings", len(entries))
	}
	path := entries[6]
	if path.Name != "ReportFilePath" || path.Value != `%LOCALAPPDATA%\Microsoft\On-premises data gateway\Report` ||
		path.Line != 29 || path.Column != 7 || path.ValueLine != 30 || path.ValueColumn != 16 {
		t.Errorf("%+v", path)
	}
	if v, ok := f.Get("SqlTrustedServers"); v != "" || !ok {
		t.Errorf("an empty setting: %q, %v", v, ok)
	}
	if _, ok := f.Get("EnableFastCombine"); ok {
		t.Error("an absent setting is present")
	}
	limits, err := f.Limits()
	if err != nil || limits != gateway.DefaultLimits() {
		t.Errorf("%+v, %v", limits, err)
	}
}

func TestColumnsCountCharacters(t *testing.T) {
	f := mustParse(t, []byte(bom+"<S.GatewayCoreSettings><!-- äöü --><setting name='a' serializeAs='String'><value>1</value></setting><setting name='b'/></S.GatewayCoreSettings>"))
	if e := f.Settings(); e[0].Line != 1 || e[0].Column != 36 || e[0].ValueColumn != 82 || e[1].Column != 101 {
		t.Errorf("%+v", e)
	}
}

func TestLimits(t *testing.T) {
	all := func(cpu, memory, minutes, concurrency string) string {
		return setting(CPUThreshold, cpu) + setting(MemoryThreshold, memory) + setting(AggregationMinutes, minutes) + setting(ConcurrencyLimit, concurrency)
	}
	tests := []struct {
		settings string
		want     gateway.Limits
		err      string
	}{
		{"", gateway.Limits{AggregationMinutes: 5, Concurrency: 40}, ""},
		{all("", "", "", ""), gateway.Limits{AggregationMinutes: 5, Concurrency: 40}, ""},
		{all("80", " 85\n", "10", "<![CDATA[7]]>"), gateway.Limits{CPU: 80, Memory: 85, AggregationMinutes: 10, Concurrency: 7}, ""},
		{all("80", "85", "10", "7") + setting(ConcurrencyBypass, "true"), gateway.Limits{CPU: 80, Memory: 85, AggregationMinutes: 10}, ""},
		{setting(ConcurrencyBypass, "False"), gateway.Limits{AggregationMinutes: 5, Concurrency: 40}, ""},
		{setting(CPUThreshold, "10") + setting(CPUThreshold, "20"), gateway.Limits{CPU: 20, AggregationMinutes: 5, Concurrency: 40}, ""},
		{setting(" "+CPUThreshold, "10"), gateway.Limits{AggregationMinutes: 5, Concurrency: 40}, ""},
		{"\n" + setting(CPUThreshold, "101"), gateway.Limits{}, `test.config:5:79: CPUUtilizationPercentageThreshold is "101"; want a whole number from 0 to 100`},
		{"\n" + setting(AggregationMinutes, "0"), gateway.Limits{}, `is "0"; want a whole number from 1 to 1440`},
		{"\n" + setting(ConcurrencyLimit, "8 0"), gateway.Limits{}, `is "8 0"`},
		{"\n" + setting(ConcurrencyBypass, "1"), gateway.Limits{}, `is "1"; want True or False`},
	}
	for _, test := range tests {
		got, err := mustParse(t, config(test.settings)).Limits()
		if test.err != "" {
			var format *FormatError
			if !errors.As(err, &format) || format.Rule != RuleValueInvalid || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: %v, want %s", test.settings, err, test.err)
			}
		} else if err != nil || got != test.want {
			t.Errorf("%s: %+v, %v", test.settings, got, err)
		}
	}
}

type hostileFile struct {
	name, rule, position string // position as line:column, where the fault has one
	data                 []byte
}

func hostile() []hostileFile {
	utf16 := []byte("\xff\xfe")
	for _, r := range "<configuration/>" {
		utf16 = append(utf16, byte(r), 0)
	}
	text := func(s string) []byte { return []byte(s) }
	whole := string(config(""))
	return []hostileFile{
		{"UTF-16", RuleEncoding, "", utf16},
		{"UTF-16 without a mark", RuleEncoding, "", utf16[2:]},
		{"UTF-16, big-endian", RuleEncoding, "", text("\xfe\xff\x00<\x00a")},
		{"declared windows-1252", RuleEncoding, "1:1", text(strings.Replace(whole, "utf-8", "windows-1252", 1))},
		{"declared UTF-16", RuleEncoding, "1:1", text(bom + strings.Replace(whole, "utf-8", "UTF-16", 1))},
		{"bytes of windows-1252", RuleEncoding, "2:7", text("<!-- \u00fc\n -->  \xfc<a/>")},
		{"DOCTYPE", RuleDoctype, "2:1", text("\n<!DOCTYPE a [<!ENTITY b \"c\">]>\n<a>&b;</a>")},
		{"entity", RuleNotWellFormed, "2:5", text("<a>\nx &b;</a>")},
		{"two roots", RuleNotWellFormed, "1:6", text("<a/>\t<b/>")},
		{"junk after the root", RuleNotWellFormed, "7:2", text(whole + " junk")},
		{"text before the root", RuleNotWellFormed, "1:1", text("x" + whole)},
		{"end tag after the root", RuleNotWellFormed, "1:5", text("<a/></a>")},
		{"declaration inside", RuleNotWellFormed, "1:2", text(" " + whole)},
		{"never closed", RuleNotWellFormed, "2:1", text("<a>\n<b>")},
		{"closed in the wrong order", RuleNotWellFormed, "2:4", text("<a>\n<b></a></b>")},
		{"comment without end", RuleNotWellFormed, "2:2", text("<a>\n <!-- x")},
		{"empty", RuleEmpty, "", nil},
		{"only a mark and blanks", RuleEmpty, "", text(bom + " \r\n")},
		{"only a comment", RuleEmpty, "", text("<!-- x -->")},
		{"50,000 nested elements", RuleTooLarge, "1:301", text(strings.Repeat("<a>", 50_000) + strings.Repeat("</a>", 50_000))},
		{"100,000 nested elements", RuleTooLarge, "", text(strings.Repeat("<a>", 100_000) + strings.Repeat("</a>", 100_000))},
		{"100,000 elements", RuleTooLarge, "1:12000", text("<a>" + strings.Repeat("<b/>", 100_000))},
		{"200 MB", RuleTooLarge, "", make([]byte, 200<<20)},
		{"another program's", RuleNoSection, "4:5", text(strings.Replace(string(config("")), "GatewayCore", "GatewayCommon", 2))},
		{"no section", RuleNoSection, "1:1", text("<configuration><system.diagnostics/></configuration>")},
		{"section elsewhere", RuleNoSection, "1:30", text("<configuration><userSettings><X.GatewayCoreSettings/></userSettings></configuration>")},
		{"section too deep", RuleNoSection, "1:44", text("<configuration><applicationSettings><group><X.GatewayCoreSettings/></group></applicationSettings></configuration>")},
		{"section twice", RuleSectionTwice, "1:59", text("<configuration><applicationSettings><GatewayCoreSettings/><X.GatewayCoreSettings/></applicationSettings></configuration>")},
	}
}

func TestParseRefuses(t *testing.T) {
	for _, h := range hostile() {
		t.Run(h.name, func(t *testing.T) {
			f, err := Parse(h.data, "test.config")
			var format *FormatError
			if !errors.As(err, &format) || f != nil {
				t.Fatalf("%v, %v", f, err)
			}
			if format.Rule != h.rule || format.Message == "" {
				t.Errorf("rule %s, not %s: %v", format.Rule, h.rule, err)
			}
			if got := fmt.Sprintf("%d:%d", format.Line, format.Column); h.position != "" && got != h.position {
				t.Errorf("at %s, not %s: %v", got, h.position, err)
			}
			if found := Check(h.data, "test.config"); len(found) != 1 || found[0].Rule != h.rule || found[0].Severity != Error {
				t.Errorf("Check: %+v", found)
			}
		})
	}
	if _, err := Parse(read(t, "GatewayCommon.crlf.xml"), "x"); err == nil || !strings.Contains(err.Error(), "another program's file") {
		t.Errorf("GatewayCommon: %v", err)
	}
}

// TestBounds: the worst that fits the bounds is quick and small.
func TestBounds(t *testing.T) {
	limit := 3 * time.Second // a third of it on an idle machine
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		limit *= 30
	}
	fill := func(before, piece, behind string) []byte {
		room := MaxSize - len(config(before+behind))
		return config(before + strings.Repeat(piece, room/len(piece)) + behind)
	}
	worst := map[string][]byte{
		"settings":        config(strings.Repeat(setting(CPUThreshold, "1"), 1490)),
		"misspelt":        config(strings.Repeat("<setting name='ResourceUtilisationAgregationTimeInMinuts'/>", 2990)),
		"attributes":      fill("<setting ", "a='' ", "/>"),
		"some attributes": config(strings.Repeat("<setting "+strings.Repeat("a='' b='' ", 9)+"/>", 2990)),
		"pieces":          fill("<setting name='ReportFilePath' serializeAs='String'><value>", "x<!---->", "</value></setting>"),
		"attribute":       fill("", `<value="`+strings.Repeat("x", 100)+`"/>`, ""),
		"text":            config(strings.Repeat("x<a/>", 2990)),
		"references":      fill("<setting name='ReportFilePath' serializeAs='String'><value>", "&gt; ", "</value></setting>"),
	}
	for name, data := range worst {
		t.Run(name, func(t *testing.T) {
			for what, act := range map[string]func(){
				"Check": func() { Check(data, "x") },
				"Set": func() {
					if f, err := Parse(data, "x"); err == nil {
						f.Set("ReportFilePath", "x")
					}
				},
			} {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := time.Now()
				act()
				took := time.Since(start)
				runtime.ReadMemStats(&after)
				if used := after.TotalAlloc - before.TotalAlloc; took > limit || used > 150<<20 {
					t.Errorf("%s took %v and allocated %d MB in all", what, took, used>>20)
				}
			}
		})
	}
}

func TestDeclaredCaseOfEncodingDoesNotMatter(t *testing.T) {
	for _, declared := range []string{"UTF-8", "utf-8", "Utf-8"} {
		mustParse(t, bytes.Replace(config(""), []byte("utf-8"), []byte(declared), 1))
	}
}
