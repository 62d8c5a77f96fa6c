package gatewayconfig

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatepool/pkg/atomicfile"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func mustParse(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Parse(data, "test.config")
	if err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	return f
}

func set(t testing.TB, f *File, name, value string) *File {
	t.Helper()
	edited, err := f.Set(name, value)
	if err != nil {
		t.Fatalf("Set(%s, %q): %v in\n%s", name, value, err, f.Bytes())
	}
	return edited
}

func unset(t testing.TB, f *File, name string) *File {
	t.Helper()
	edited, err := f.Unset(name)
	if err != nil {
		t.Fatalf("Unset(%s): %v in\n%s", name, err, f.Bytes())
	}
	return edited
}

// config puts settings into a whole file.
func config(settings string) []byte {
	return []byte("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<configuration>\n  <applicationSettings>\n    <X.GatewayCoreSettings>" + settings +
		"</X.GatewayCoreSettings>\n  </applicationSettings>\n</configuration>\n")
}

// setting is one setting on one line.
func setting(name, value string) string {
	return `<setting name="` + name + `" serializeAs="String"><value>` + value + `</value></setting>`
}

// other is a valid value that differs from value.
func other(s Setting, value string) string {
	var candidates []string
	switch s.Kind {
	case Percent, Minutes, Count:
		candidates = []string{"17", "1234", "100"}
	case Bool:
		candidates = []string{"True", "False"}
	case Enum:
		candidates = s.Values
	default:
		candidates = []string{`D:\Temp & <more>`, "x"}
	}
	for _, c := range candidates {
		if c != value && s.valid(c) {
			return c
		}
	}
	panic("no value for " + s.Name)
}

// changed returns the stretch in which two files differ.
func changed(before, after []byte) (old, new string) {
	p := 0
	for p < len(before) && p < len(after) && before[p] == after[p] {
		p++
	}
	s := 0
	for s < len(before)-p && s < len(after)-p && before[len(before)-1-s] == after[len(after)-1-s] {
		s++
	}
	return string(before[p : len(before)-s]), string(after[p : len(after)-s])
}

func TestSamplesSetAndSetBack(t *testing.T) {
	for _, sample := range []string{"GatewayCore.bom-crlf.xml", "GatewayCore.lf.xml", "fragment-netezza-section.xml", "fragment-oracle-section.xml"} {
		t.Run(sample, func(t *testing.T) {
			f := mustParse(t, read(t, sample))
			for _, s := range Known() {
				if s.ReadOnly {
					continue
				}
				was, present := f.Get(s.Name)
				value := other(s, was)
				edited := set(t, f, s.Name, value)
				if got, _ := edited.Get(s.Name); got != value {
					t.Errorf("%s is %q after Set(%q)", s.Name, got, value)
				}
				var back *File
				if present {
					old, new := changed(f.Bytes(), edited.Bytes())
					if was != "" && (!strings.Contains(was, old) || !strings.Contains(escape(value), new)) {
						t.Errorf("%s: %q became %q, which is more than the value", s.Name, old, new)
					}
					back = set(t, edited, s.Name, was)
				} else {
					back = unset(t, edited, s.Name)
				}
				if sha256.Sum256(back.Bytes()) != sha256.Sum256(f.Bytes()) {
					t.Errorf("%s: set and set back gives other bytes:\n%q\n%q", s.Name, f.Bytes(), back.Bytes())
				}
			}
		})
	}
}

func TestSetValue(t *testing.T) {
	tests := []struct {
		name, element, value, want string // the setting is SqlTrustedServers, or what follows a colon in name
	}{
		{"text", "<value>a</value>", "b", "<value>b</value>"},
		{"emptied", "<value>a</value>", "", "<value></value>"},
		{"empty", "<value></value>", "b", "<value>b</value>"},
		{"self-closing as .NET writes it", "<value />", "b", "<value >b</value>"},
		{"self-closing without a blank", "<value/>", "b", "<value>b</value >"},
		{"self-closing with an attribute", "<value a='1' />", "b", "<value a='1' >b</value>"},
		{"escapes", "<value>a</value>", `<&> "x"`, `<value>&lt;&amp;&gt; "x"</value>`},
		{"entities", "<value>a &amp; b</value>", "a", "<value>a</value>"},
		{"character reference", "<value>&#56;0</value>", "90", "<value>90</value>"},
		{"CDATA", "<value><![CDATA[a<b]]></value>", "c<d", "<value><![CDATA[c<d]]></value>"},
		{"CDATA that can't hold it", "<value>\n<![CDATA[a]]></value>", "]]>", "<value>\n<![CDATA[]]]]><![CDATA[>]]></value>"},
		{"blanks of a text", "<value> a </value>", "b", "<value>b</value>"},
		{"blanks of a number:" + CPUThreshold, "<value> 80 </value>", "90", "<value> 90 </value>"},
		{"lines around a number:" + CPUThreshold, "<value>\r\n\t80\r\n</value>", "90", "<value>\r\n\t90\r\n</value>"},
		{"blanks for a number:" + CPUThreshold, "<value> </value>", "90", "<value>90 </value>"},
		{"comment behind", "<value>a<!-- was b --></value>", "b", "<value>b<!-- was b --></value>"},
		{"comment before", "<value><!-- x --><?pi?>a</value>", "b", "<value><!-- x --><?pi?>b</value>"},
		{"comment only", "<value><!-- x --></value>", "b", "<value>b<!-- x --></value>"},
		{"comment within", "<value>a<!-- x -->b</value>", "c", "<value>c<!-- x --></value>"},
		{"comment beside blanks", "<value>\n<!-- x -->\na</value>", "b", "<value>\n<!-- x -->b</value>"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, name, ok := strings.Cut(test.name, ":")
			if !ok {
				name = "SqlTrustedServers"
			}
			around := func(value string) []byte {
				return config("\r\n\t<!--<value>a</value>--><setting serializeAs = 'String'\n name='" + name + "'\t>" + value + "</setting>")
			}
			got := set(t, mustParse(t, around(test.element)), name, test.value)
			if want := around(test.want); !bytes.Equal(got.Bytes(), want) {
				t.Errorf("got\n%s\nwant\n%s", got.Bytes(), want)
			}
		})
	}
}

func TestSetSameValueChangesNothing(t *testing.T) {
	f := mustParse(t, config(setting(CPUThreshold, " 8<!-- -->0 ")+setting("ADServerPath", "<![CDATA[a]]>&#98;")))
	for name, value := range map[string]string{CPUThreshold: "80", "adserverpath": "ab"} {
		if set(t, f, name, value) != f {
			t.Errorf("setting %s to what it is made another file", name)
		}
	}
}

func TestInsertFollowsTheFile(t *testing.T) {
	tests := []struct{ name, section, want string }{
		{"two blanks", "<S>\n  <setting name='a' serializeAs='String'>\n    <value>1</value>\n  </setting>\n</S>",
			"<S>\n  <setting name='a' serializeAs='String'>\n    <value>1</value>\n  </setting>\n  NEW>\n    <value>80</value>\n  </setting>\n</S>"},
		{"tabs, CRLF", "<S>\r\n\t<setting name='a' serializeAs='String'>\r\n\t\t<value>1</value>\r\n\t</setting>\r\n</S>\r\n",
			"<S>\r\n\t<setting name='a' serializeAs='String'>\r\n\t\t<value>1</value>\r\n\t</setting>\r\n\tNEW>\r\n\t\t<value>80</value>\r\n\t</setting>\r\n</S>\r\n"},
		{"value in the setting's line", "<S>\n   <setting name='a' serializeAs='String'> <value>1</value> </setting>\n</S>",
			"<S>\n   <setting name='a' serializeAs='String'> <value>1</value> </setting>\n   NEW> <value>80</value> </setting>\n</S>"},
		{"blank lines between are not copied", "<S>\n\n  <setting name='a' serializeAs='String'><value>1</value></setting>\n\n</S>",
			"<S>\n\n  <setting name='a' serializeAs='String'><value>1</value></setting>\n  NEW><value>80</value></setting>\n\n</S>"},
		{"behind a comment", "<S>\n  <setting name='a' serializeAs='String'><value>1</value></setting> <!-- c -->\n</S>",
			"<S>\n  <setting name='a' serializeAs='String'><value>1</value></setting> <!-- c -->\n  NEW><value>80</value></setting>\n</S>"},
		{"one line", "<S><setting name='a' serializeAs='String'><value>1</value></setting></S>",
			"<S><setting name='a' serializeAs='String'><value>1</value></setting>NEW><value>80</value></setting></S>"},
		{"no setting", "<S>\n</S>", "<S>\n  NEW>\n    <value>80</value>\n  </setting>\n</S>"},
		{"empty", "<S></S>", "<S>NEW><value>80</value></setting></S>"},
		{"self-closing", "<S />", "<S >\n  NEW>\n    <value>80</value>\n  </setting>\n</S>"},
		{"self-closing without a blank", "<S/>", "<S>\n  NEW>\n    <value>80</value>\n  </setting>\n</S >"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			eol := "\n"
			if strings.Contains(test.section, "\r\n") {
				eol = "\r\n"
			}
			whole := func(s string) []byte {
				s = strings.NewReplacer("<S", "<X.GatewayCoreSettings", "</S", "</X.GatewayCoreSettings", "NEW", `<setting name="`+CPUThreshold+`" serializeAs="String"`).Replace(s)
				return []byte("<configuration>" + eol + "<applicationSettings>" + eol + s + eol + "</applicationSettings></configuration>")
			}
			f := mustParse(t, whole(test.section))
			edited := set(t, f, strings.ToLower(CPUThreshold), "80")
			if want := whole(test.want); !bytes.Equal(edited.Bytes(), want) {
				t.Errorf("got\n%s\nwant\n%s", edited.Bytes(), want)
			}
			if back := unset(t, edited, CPUThreshold); !bytes.Equal(back.Bytes(), f.Bytes()) {
				t.Errorf("unset gives\n%s\nnot\n%s", back.Bytes(), f.Bytes())
			}
		})
	}
}

func TestInsertUsesTheSectionsIndentation(t *testing.T) {
	f := mustParse(t, []byte("<configuration>\n\t<applicationSettings>\n\t\t<X.GatewayCoreSettings />\n\t</applicationSettings>\n</configuration>"))
	want := "\n\t\t<X.GatewayCoreSettings >\n\t\t\t<setting name=\"SqlTrustedServers\" serializeAs=\"String\">\n\t\t\t\t<value />\n\t\t\t</setting>\n\t\t</X.GatewayCoreSettings>\n"
	if got := set(t, f, "SqlTrustedServers", ""); !strings.Contains(string(got.Bytes()), want) {
		t.Errorf("got\n%s", got.Bytes())
	}
}

func TestUnsetTakesItsOwnLines(t *testing.T) {
	a, b, c := setting("a", "1"), setting("b", "2"), setting("c", "3")
	tests := []struct{ name, before, unset, after string }{
		{"lines", "\n  " + a + "\n\n  " + b + "\n  " + c + "\n", "b", "\n  " + a + "\n\n  " + c + "\n"},
		{"first", "\n  " + a + "\n  " + b + "\n", "a", "\n  " + b + "\n"},
		{"only", "\n  " + a + "\n", "a", "\n"},
		{"one line", " " + a + " " + b + " " + c, "b", " " + a + " " + c},
		{"comment behind stays in its line", "\n  " + a + "\n  " + b + " <!-- b -->\n", "b", "\n  " + a + "\n   <!-- b -->\n"},
		{"absent", "\n  " + a + "\n", "b", "\n  " + a + "\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := unset(t, mustParse(t, config(test.before)), test.unset)
			if want := config(test.after); !bytes.Equal(got.Bytes(), want) {
				t.Errorf("got\n%q\nwant\n%q", got.Bytes(), want)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	f := mustParse(t, config("\n"+setting("StreamBeforeRequestCompletes", "False")+"\n"+setting("StreamBeforeRequestCompletes", "True")+
		"\n<setting name='SqlTrustedServers' serializeAs='String'/>\n<setting name='ADServerPath' serializeAs='String'><value>a<string/></value></setting>\n"))
	tests := []struct{ name, value, message string }{
		{CPUThreshold, "101", "want a whole number from 0 to 100"},
		{CPUThreshold, "-1", "want a whole number from 0 to 100"},
		{CPUThreshold, "3.5", "want a whole number from 0 to 100"},
		{CPUThreshold, " 80", "want a value without blanks around it"},
		{AggregationMinutes, "0", "want a whole number from 1 to 1440"},
		{"OnPremRuntimeDefaultWorkerMaxWorkingSetInMB", "99", "want a whole number, 100 or more"},
		{ConcurrencyBypass, "yes", "want True or False"},
		{"ServiceBusSystemConnectivityModeString", "Tcp", "want AutoDetect or Https"},
		{"ReportFilePath", "a\x00b", "want text without control characters"},
		{"ReportFilePath", "a\xff", "want text without control characters"},
		{"MashupDQPoolContainerMaxWorkingSetInMB", "100", "cannot be changed here"},
		{"Colour", "red", `unknown setting "Colour"`},
		{"StreamBeforeRequestCompletes", "True", "test.config:6:1: StreamBeforeRequestCompletes is here and in line 5"},
		{"SqlTrustedServers", "a", "test.config:7:1: "},
		{"ADServerPath", "a", "test.config:8:1: "},
	}
	for _, test := range tests {
		edited, err := f.Set(test.name, test.value)
		if err == nil || !strings.Contains(err.Error(), test.message) || edited != nil {
			t.Errorf("Set(%s, %q): %v, want %s", test.name, test.value, err, test.message)
		}
	}
	if _, err := f.Unset("StreamBeforeRequestCompletes"); err == nil {
		t.Error("Unset took one of two")
	}
	for name, near := range map[string]string{
		"CPUUtilisationPercentageThreshold": CPUThreshold,
		"MashupDQPoolMaxCount":              "MashupDQPoolContainerMaxCount",
		"Colour":                            "",
		// A published page has this one.
		"ResourceUtilizationAggregateionPeriodInMinutes": AggregationMinutes,
	} {
		var unknown *UnknownSettingError
		if _, err := f.Set(name, "1"); !errors.As(err, &unknown) || unknown.Nearest != near {
			t.Errorf("Set(%s): %#v, want the nearest to be %q", name, err, near)
		}
	}
}

func TestSetNormalizesOnlyEnums(t *testing.T) {
	f := set(t, mustParse(t, config("")), "servicebussystemconnectivitymodestring", "https")
	f = set(t, f, "EnableFastCombine", "true")
	if v, _ := f.Get("ServiceBusSystemConnectivityModeString"); v != "Https" {
		t.Errorf("the enum is %q", v)
	}
	if v, _ := f.Get("EnableFastCombine"); v != "true" {
		t.Errorf("the Boolean is %q", v)
	}
}

func TestEditedRefusesWhatWasNotMeant(t *testing.T) {
	f := mustParse(t, config(setting("a", "1")))
	at := bytes.Index(f.Bytes(), []byte("<value>1")) + len("<value>")
	if _, err := f.edited([]pair{{"a", "2"}}, splice{at, at + 1, "2"}); err != nil {
		t.Errorf("what was meant: %v", err)
	}
	for _, text := range []string{"3", "</value>", "2</value></setting>" + `<setting name="b" serializeAs="String"><value>`} {
		if _, err := f.edited([]pair{{"a", "2"}}, splice{at, at + 1, text}); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestForce(t *testing.T) {
	f := mustParse(t, config(""))
	edited, err := f.Apply(Edit{Name: `Colour "&"`, Value: "<red>", Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := edited.Get(`Colour "&"`); v != "<red>" || !ok {
		t.Errorf("the forced setting is %q, %v in\n%s", v, ok, edited.Bytes())
	}
	for _, e := range []Edit{{Name: "", Force: true}, {Name: "a\nb", Force: true}, {Name: "a", Value: "\x01", Force: true}, {Name: CPUThreshold, Value: "101", Force: true}} {
		if _, err := f.Apply(e); err == nil {
			t.Errorf("%+v was accepted", e)
		}
	}
}

func TestUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	data := read(t, "GatewayCore.bom-crlf.xml")
	if err := os.WriteFile(path, data, 0o640); err != nil {
		t.Fatal(err)
	}
	update := func(edits ...Edit) (bool, error) {
		result, err := Update(context.Background(), path, atomicfile.Options{}, edits...)
		return result.Written, err
	}
	if written, err := update(Edit{Name: CPUThreshold, Value: "80"}, Edit{Name: MemoryThreshold, Value: "101"}); written || err == nil {
		t.Errorf("one bad edit of two: written %v, %v", written, err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, data) {
		t.Error("a refused edit changed the file")
	}
	if written, err := update(Edit{Name: CPUThreshold, Value: "0"}); written || err != nil {
		t.Errorf("nothing to change: written %v, %v", written, err)
	}
	if written, err := update(Edit{Name: CPUThreshold, Value: "80"}, Edit{Name: ConcurrencyBypass, Value: "True"}); !written || err != nil {
		t.Fatalf("written %v, %v", written, err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if l, err := f.Limits(); err != nil || l.CPU != 80 || l.Concurrency != 0 {
		t.Errorf("limits after the update: %+v, %v", l, err)
	}
	if err := os.Truncate(path, 200<<20); err != nil {
		t.Fatal(err)
	}
	var tooLarge *atomicfile.TooLargeError
	if _, err := update(Edit{Name: CPUThreshold, Value: "80"}); !errors.As(err, &tooLarge) {
		t.Errorf("200 MB: %v", err)
	}
	if _, err := Open(path); !errors.As(err, &tooLarge) {
		t.Errorf("200 MB: %v", err)
	}
}
