package gatewayconfig

import (
	"fmt"
	"strings"
	"testing"
)

// faults are sections with what Check finds in them and what Fix makes of them.
var faults = []struct {
	name, content string
	found         string // "line:column rule severity[!]", with ! where it can be fixed; the content begins at 4:28
	fixed         string
}{
	{"none", "\n" + setting(CPUThreshold, "80"), "", ""},
	{"blanks in the name", "\n" + setting(" FullDomainResolutionEnabled ", "True"), "5:1 name-blanks error!", "\n" + setting("FullDomainResolutionEnabled", "True")},
	{"blanks in the name, same setting beside it", "\n" + setting("EnableFastCombine", "True") + "\n" + setting("EnableFastCombine ", "True"),
		"6:1 name-blanks error!", "\n" + setting("EnableFastCombine", "True")},
	{"blanks in the name, other value beside it", "\n" + setting("EnableFastCombine", "False") + "\n" + setting("EnableFastCombine ", "True"), "6:1 name-blanks error", ""},
	{"stray >", "\n" + setting("ADServerPath", " >GC://serverpath1; GC://serverpath2"), "5:58 value-stray-greater error!", "\n" + setting("ADServerPath", "GC://serverpath1; GC://serverpath2")},
	{"value as attribute", "\n<setting name=\"ADServerPath\" serializeAs=\"String\">\n<value=\"WinNT://usa.domain.corp.contoso.com,computer\"/>\n</setting>\n" + setting(CPUThreshold, "101"),
		"6:1 value-as-attribute error!; 8:79 value-invalid error",
		"\n<setting name=\"ADServerPath\" serializeAs=\"String\">\n<value>WinNT://usa.domain.corp.contoso.com,computer</value>\n</setting>\n" + setting(CPUThreshold, "101")},
	{"value as attribute, twice and closed", "<setting name='SqlTrustedServers' serializeAs='String'><value = 'a'></value></setting><setting name='ADServerPath' serializeAs='String'><value=\"b\" /></setting>",
		"4:83 value-as-attribute error!; 4:164 value-as-attribute error!",
		"<setting name='SqlTrustedServers' serializeAs='String'><value>a</value></setting><setting name='ADServerPath' serializeAs='String'><value>b</value></setting>"},
	{"published misspelling", "\n" + setting("ResourceUtilizationAggregateionPeriodInMinutes", "7"), "5:1 name-misspelt error!", "\n" + setting(AggregationMinutes, "7")},
	{"published misspelling", "\n" + setting("QuerExecutionAggregationTimeInMinutes", "7"), "5:1 name-misspelt error!", "\n" + setting("QueryExecutionAggregationTimeInMinutes", "7")},
	{"case of a name", "\n" + setting("cpuutilizationpercentagethreshold", "80"), "5:1 name-misspelt error!", "\n" + setting(CPUThreshold, "80")},
	{"close to a known name", "\n" + setting("CPUUtilisationPercentageThreshold", "80"), "5:1 name-misspelt warning", ""},
	{"close to a known name beside it", "\n" + setting("ReportFilePaths", "a") + setting("ReportFilePath", "a"), "5:1 name-misspelt warning", ""},
	{"unknown", "\n" + setting("MashupSomething", "80"), "", ""},
	{"no name", "\n<setting serializeAs='String'><value/></setting>\n" + setting("", "x"), "5:1 name-missing error; 6:1 name-missing error", ""},
	{"add", "\n<add key=\"QueryTimeout\" value=\"3600\"/>", "5:1 add-element error", ""},
	{"another element", "\n<Setting/><clear/>", "5:1 unexpected-content error; 5:11 unexpected-content error", ""},
	{"text", "\n ...\n <!-- ... -->", "5:2 unexpected-content error", ""},
	{"text and element in a line", "\n x <add/>", "5:2 unexpected-content error; 5:4 add-element error", ""},
	{"two faults in a tag", "\n<setting name=' ReportFilePath'><value>a</value></setting>", "5:1 serialize-as error!; 5:1 name-blanks error!",
		"\n<setting name='ReportFilePath' serializeAs=\"String\"><value>a</value></setting>"},
	{"twice", "\n" + setting("SqlTrustedServers", "a") + "\n  " + setting("SqlTrustedServers", "b") + "\n" + setting("SqlTrustedServers", "c"),
		"5:1 duplicate-setting error!; 6:3 duplicate-setting error!", "\n" + setting("SqlTrustedServers", "c")},
	{"out of range", "\n" + setting(CPUThreshold, "101") + "\n" + setting("ReportFileCount", "ten"), "5:79 value-invalid error; 6:61 value-invalid error", ""},
	{"blanks around a number", "\n" + setting(CPUThreshold, " 80\n"), "5:79 value-blanks warning!", "\n" + setting(CPUThreshold, "80")},
	{"blanks around a text", "\n" + setting("ReportFilePath", " a b "), "5:60 value-blanks error!", "\n" + setting("ReportFilePath", "a b")},
	{"blanks and case", "\n" + setting("ServiceBusSystemConnectivityModeString", " https"), "5:84 value-blanks error!; 5:84 value-case error!", "\n" + setting("ServiceBusSystemConnectivityModeString", "Https")},
	{"not of the enum", "\n" + setting("ServiceBusSystemConnectivityModeString", "Tcp"), "5:84 value-invalid error", ""},
	{"case of a Boolean", "\n" + setting("EnableFastCombine", "true"), "5:63 value-case note", ""},
	{"empty values", "\n" + setting("EnableFastCombine", "") + setting(CPUThreshold, ""), "", ""},
	{"threshold on, aggregation off", "\n" + setting(MemoryThreshold, "80") + "\n" + setting(AggregationMinutes, "0"), "6:89 aggregation-off error", ""},
	{"threshold on, aggregation absent", "\n" + setting(MemoryThreshold, "80"), "", ""},
	{"threshold off, aggregation off", "\n" + setting(AggregationMinutes, "0"), "5:89 value-invalid error", ""},
	{"pool sizes", "\n" + setting("MashupDefaultPoolContainerMaxCount", "4") + setting("MashupDQPoolContainerMaxCount", ""), "5:1 pool-sizes-ignored warning", ""},
	{"pool sizes, switched off", "\n" + setting(AutoConfigDisable, "False") + "\n" + setting("MashupDQPoolContainerMaxCount", "4"), "6:1 pool-sizes-ignored warning", ""},
	{"pool sizes, switched on", "\n" + setting(AutoConfigDisable, "true") + "\n" + setting("MashupDQPoolContainerMaxCount", "4"), "5:78 value-case note", ""},
	{"cannot be changed", "\n" + setting("MashupDQPoolContainerMaxWorkingSetInMB", "4"), "5:1 read-only warning", ""},
	{"serializeAs missing", "\n<setting name='ReportFilePath' ><value>a</value></setting>", "5:1 serialize-as error!", "\n<setting name='ReportFilePath' serializeAs=\"String\" ><value>a</value></setting>"},
	{"serializeAs in another case", "\n<setting serializeAs='string' name='ReportFilePath'><value>a</value></setting>", "5:1 serialize-as error!", "\n<setting serializeAs='String' name='ReportFilePath'><value>a</value></setting>"},
	{"serializeAs another", "\n<setting serializeAs='Xml' name='ReportFilePath'><value>a</value></setting>", "5:1 serialize-as error", ""},
	{"no value", "\n<setting name='ReportFilePath' serializeAs='String'/>", "5:1 value-missing error", ""},
	{"two values", "\n<setting name='ReportFilePath' serializeAs='String'><value>a</value><value>b</value></setting>", "5:1 value-missing error", ""},
	{"elements in a value", "\n<setting name='ReportFilePath' serializeAs='String'><value><a/></value></setting>", "5:1 value-missing error", ""},
	{"attribute twice", "\n<setting name='ReportFilePath' name='ReportFileCount' serializeAs='String'><value>a</value></setting>", "5:1 duplicate-attribute error", ""},
	{"everything in one setting", "\n" + setting(" ADServerPath", "\n>GC://a\n") + "\n" + setting("ADServerPath", "b") + "\n" + setting("ADServerPath", " >GC://a"),
		"5:1 name-blanks error; 8:1 duplicate-setting error!; 9:58 value-stray-greater error!", "\n" + setting(" ADServerPath", "\n>GC://a\n") + "\n" + setting("ADServerPath", "GC://a")},
}

func describe(findings []Finding) string {
	var all []string
	for _, f := range findings {
		s := fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Rule, f.Severity)
		if f.Fixable {
			s += "!"
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

func TestCheckAndFix(t *testing.T) {
	for _, test := range faults {
		t.Run(test.name, func(t *testing.T) {
			data := config(test.content)
			found := Check(data, "test.config")
			if got := describe(found); got != test.found {
				t.Errorf("found %s\n want %s", got, test.found)
			}
			for _, f := range found {
				if f.Message == "" || f.Fix == "" || f.File != "test.config" {
					t.Errorf("%+v says too little", f)
				}
			}
			repaired, fixed, left := Fix(data, "test.config")
			want := test.fixed
			if want == "" {
				want = test.content
			}
			if string(repaired) != string(config(want)) {
				t.Errorf("Fix gives\n%s\nwant\n%s", repaired, config(want))
			}
			if strings.Contains(describe(left), "!") || describe(left) != describe(Check(repaired, "")) {
				t.Errorf("left: %s", describe(left))
			}
			if strings.Contains(test.found, "!") != (len(fixed) > 0) {
				t.Errorf("fixed: %s", describe(fixed))
			}
		})
	}
}

func TestCheckPublishedPieces(t *testing.T) {
	tests := map[string]string{
		"fragment-2020-reporton.xml":                    "",
		"fragment-adserverpath-msdocs-as-published.xml": RuleStrayGreater,
		"fragment-blog-wrong-appsettings-shape.xml":     RuleAddElement,
		"fragment-enablefastcombine-lowercase.xml":      RuleValueCase,
		"fragment-servicebusconnectivity.xml":           "",
		"fragment-spoolerdirectory.xml":                 "",
		"fragment-sqltrustedservers-oneline.xml":        "",
		"fragment-streambeforerequestcompletes.xml":     "",
	}
	for name, rule := range tests {
		found := Check(config(string(read(t, name))), "x")
		if rule == "" && len(found) > 0 || rule != "" && (len(found) == 0 || found[0].Rule != rule) {
			t.Errorf("%s: %+v", name, found)
		}
	}
	notWellFormed := string(read(t, "fragment-adserverpath-winnt-NOT-WELLFORMED-as-published.txt"))
	whole := config("<setting name='ADServerPath' serializeAs='String'>" + strings.TrimSpace(notWellFormed) + "</setting>")
	if got := describe(Check(whole, "x")); got != "4:78 value-as-attribute error!" {
		t.Errorf("%s", got)
	}
	for _, name := range []string{"fragment-netezza-section.xml", "fragment-oracle-section.xml"} {
		if got := describe(Check(read(t, name), "x")); got != "1:1 fragment error; 2:4 unexpected-content error; 6:4 unexpected-content error" {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, name := range []string{"GatewayCore.bom-crlf.xml", "GatewayCore.lf.xml"} {
		if found := Check(read(t, name), FileName); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestCheckFileName(t *testing.T) {
	for name, want := range map[string]int{
		"PowerBI.DataMovement.Pipeline.GatewayCore.dll.config":               1,
		`C:\gw\powerbi.DataMovement.Pipeline.GatewayCore.dll.config`:         1,
		"/gw/Microsoft.PowerBI.DataMovement.Pipeline.GatewayCore.dll.config": 0,
		"gw1.config": 0,
		"":           0,
	} {
		if found := Check(config(""), name); len(found) != want || want == 1 && (found[0].Rule != RuleFileName || found[0].Line != 0) {
			t.Errorf("%q: %+v", name, found)
		}
	}
}

func TestCheckCluster(t *testing.T) {
	file := func(name, settings string) *File {
		f, err := Parse(config(settings), name)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	cpu, memory, off := file("gw1", "\n"+setting(CPUThreshold, "80")), file("gw2", "\n"+setting(CPUThreshold, "0")+setting(MemoryThreshold, "85")), file("gw3", setting(CPUThreshold, "0"))
	for _, test := range []struct {
		files []*File
		want  string
	}{
		{nil, ""},
		{[]*File{cpu}, ""},
		{[]*File{cpu, memory, off}, ""},
		{[]*File{off, cpu}, ""},
		{[]*File{cpu, memory}, "5:79 threshold-all-members warning"},
		{[]*File{memory, cpu}, "5:179 threshold-all-members warning"},
	} {
		found := CheckCluster(test.files...)
		if got := describe(found); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
		if len(found) > 0 && !(strings.Contains(found[0].Message, "gw1: "+CPUThreshold+" 80") && strings.Contains(found[0].Message, "gw2: "+MemoryThreshold+" 85")) {
			t.Errorf("%s doesn't name the members' thresholds", found[0].Message)
		}
	}
}

func TestKnownIsWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Known() {
		if seen[strings.ToLower(s.Name)] || s.Name == "" || s.Meaning == "" || s.Kind == "" {
			t.Errorf("%+v", s)
		}
		seen[strings.ToLower(s.Name)] = true
		if s.Default != "automatic" && !s.valid(s.Default) {
			t.Errorf("the default of %s, %q, is not valid", s.Name, s.Default)
		}
		if near := meant(s.Name + "s"); near != s.Name {
			t.Errorf("%ss is taken for %q", s.Name, near)
		}
	}
}
