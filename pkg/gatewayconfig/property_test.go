package gatewayconfig

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sample is a generated file.
type sample struct {
	data    []byte
	present []sampleSetting
	absent  []Setting
}

type sampleSetting struct {
	Setting
	value string
	exact bool // setting the value back must give the same bytes
}

var (
	blanks   = rapid.SampledFrom([]string{"", "", " ", "\t", "  ", "\n", "\r\n  "})
	comments = rapid.SampledFrom([]string{"", "", "<!---->", "<!-- <value>7</value> -->", "<?pi <setting ?>"})
)

// sampleFile draws a file that is valid but as odd as one can be.
func sampleFile(t *rapid.T) sample {
	draw := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	eol := draw("eol", "\n", "\r\n", "")
	unit := draw("unit", " ", "  ", "   ", "    ", "      ", "\t", "")
	line := func(depth int) string {
		if eol == "" {
			return ""
		}
		return eol + strings.Repeat(unit, depth)
	}
	misc := func(depth int) string {
		if c := comments.Draw(t, "comment"); c != "" {
			return line(depth) + c + draw("behind", "", " ", "  ")
		}
		return ""
	}

	var s sample
	var settings strings.Builder
	known := rapid.Permutation(Known()).Draw(t, "settings")
	for _, setting := range known {
		if setting.ReadOnly {
			continue
		}
		if len(s.present) == 4 || rapid.Bool().Draw(t, "absent") {
			s.absent = append(s.absent, setting)
			continue
		}
		element, value, exact := sampleValue(t, setting)
		s.present = append(s.present, sampleSetting{setting, value, exact})
		quote := draw("quote", `"`, `'`)
		attrs := []string{"name=" + quote + setting.Name + quote, "serializeAs = \"String\""}
		if rapid.Bool().Draw(t, "swap") {
			attrs[0], attrs[1] = attrs[1], attrs[0]
		}
		settings.WriteString(misc(3) + line(3) + "<setting " + attrs[0] + draw("between", " ", "\n\t") + attrs[1] + draw("tag end", "", " ") + ">" +
			misc(4) + line(4) + element + misc(4) + line(3) + "</setting>" + draw("trailing", "", "", " "))
	}
	content := settings.String() + misc(3)
	if content != "" || rapid.Bool().Draw(t, "empty") {
		content = "<Some.GatewayCoreSettings>" + content + line(2) + "</Some.GatewayCoreSettings>"
	} else {
		content = "<Some.GatewayCoreSettings" + draw("slash", "/", " /", "\t/") + ">"
	}
	s.data = []byte(draw("bom", "", bom) + draw("declaration", "", `<?xml version="1.0" encoding="utf-8"?>`+eol) + "<configuration>" + misc(1) +
		line(1) + "<applicationSettings>" + misc(2) + line(2) + content + misc(2) + line(1) + "</applicationSettings>" + line(0) + "</configuration>" + draw("end", "", eol))
	return s
}

// sampleValue draws a <value>, says what it holds, and whether it is of a form
// in which a value set back gives the same bytes.
func sampleValue(t *rapid.T, s Setting) (element, value string, exact bool) {
	value = other(s, "")
	if s.Kind == Text || s.Kind == Path {
		value = rapid.SampledFrom([]string{"a", `C:\Ü & <x>`, "]]"}).Draw(t, "value")
	}
	around := ""
	if s.Kind.trims() {
		around = blanks.Draw(t, "blanks")
	}
	before, behind := comments.Draw(t, "before"), comments.Draw(t, "behind")
	start := "<value" + rapid.SampledFrom([]string{"", ` a="1"`}).Draw(t, "start") + ">"
	switch rapid.SampledFrom([]string{"text", "CDATA", "empty", "self-closing", "split", "references"}).Draw(t, "form") {
	case "text":
		return start + before + around + escape(value) + around + behind + "</value>", value, true
	case "CDATA":
		return start + before + cdataStart + around + value + cdataEnd + behind + "</value>", value, true
	case "empty":
		return start + before + "</value>", "", true
	case "self-closing":
		return rapid.SampledFrom([]string{"<value/>", "<value />", "<value\t/>", "<value b='2'/>", "<value b='2' />"}).Draw(t, "tag"), "", true
	case "split":
		return start + before + escape(value[:1]) + "<!-- -->" + cdataStart + value[1:] + cdataEnd + around + "</value>", value, false
	}
	var b strings.Builder
	for _, r := range value {
		b.WriteString("&#" + itoa(int(r)) + ";")
	}
	return start + around + b.String() + behind + "</value>", value, false
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// editsAreExact: a value that is set changes bytes in its <value> and nowhere
// else, and set back gives the file that was there; a setting that was absent
// is added in one piece, and unset gives the file that was there.
func editsAreExact(t *rapid.T) {
	s := sampleFile(t)
	f, err := Parse(s.data, "x")
	if err != nil {
		t.Fatalf("%v in\n%s", err, s.data)
	}
	for i, p := range s.present {
		if got, ok := f.Get(p.Name); got != p.value || !ok {
			t.Fatalf("%s is %q, not %q, in\n%s", p.Name, got, p.value, s.data)
		}
		value := other(p.Setting, p.value)
		edited, err := f.Set(p.Name, value)
		if err != nil {
			t.Fatalf("%v in\n%s", err, s.data)
		}
		if got, _ := edited.Get(p.Name); got != value {
			t.Fatalf("%s is %q, not %q, in\n%s", p.Name, got, value, edited.Bytes())
		}
		tag := f.spans[f.entries[i].value]
		if before, behind := s.data[:tag.start], s.data[tag.end:]; !bytes.HasPrefix(edited.Bytes(), before) || !bytes.HasSuffix(edited.Bytes(), behind) {
			t.Fatalf("bytes outside of the value of %s changed:\n%q\n%q", p.Name, s.data, edited.Bytes())
		}
		back, err := edited.Set(p.Name, p.value)
		if err != nil {
			t.Fatalf("%v in\n%s", err, edited.Bytes())
		}
		if p.exact && !bytes.Equal(back.Bytes(), s.data) {
			t.Fatalf("%s set to %q and back to %q:\n%q\n%q\n%q", p.Name, value, p.value, s.data, edited.Bytes(), back.Bytes())
		}
	}
	for _, a := range s.absent[:min(3, len(s.absent))] {
		edited, err := f.Set(a.Name, other(a, ""))
		if err != nil {
			t.Fatalf("%v in\n%s", err, s.data)
		}
		if old, _ := changed(s.data, edited.Bytes()); !f.spans[f.section].selfClosing() && old != "" {
			t.Fatalf("adding %s took %q away:\n%q\n%q", a.Name, old, s.data, edited.Bytes())
		}
		back, err := edited.Unset(a.Name)
		if err != nil {
			t.Fatalf("%v in\n%s", err, edited.Bytes())
		}
		if !bytes.Equal(back.Bytes(), s.data) {
			t.Fatalf("%s added and taken out:\n%q\n%q\n%q", a.Name, s.data, edited.Bytes(), back.Bytes())
		}
	}
}

func TestEditsAreExact(t *testing.T) { rapid.Check(t, editsAreExact) }

func FuzzEdits(f *testing.F) { f.Fuzz(rapid.MakeFuzz(editsAreExact)) }

// FuzzParse: nothing makes the package panic, each error has its place, an
// edit of whatever parses holds what it promises, and Fix leaves nothing that
// it could repair and breaks nothing.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"GatewayCore.bom-crlf.xml", "GatewayCommon.crlf.xml", "fragment-oracle-section.xml"} {
		f.Add(read(f, name))
	}
	for _, settings := range faults {
		f.Add(config(settings.content))
	}
	for _, h := range hostile() {
		if len(h.data) < 4096 {
			f.Add(h.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		findings := Check(data, "x")
		file, err := Parse(data, "x")
		if err != nil {
			if len(findings) == 0 {
				t.Fatalf("Parse: %v, but Check finds nothing", err)
			}
		} else {
			before := file.pairs()
			if edited, err := file.Set(CPUThreshold, "80"); err == nil {
				if got, _ := edited.Get(CPUThreshold); got != "80" {
					t.Fatalf("set to %q", got)
				}
				if len(edited.pairs()) < len(before) {
					t.Fatal("an edit lost a setting")
				}
			}
			file.Limits()
		}
		repaired, _, left := Fix(data, "x")
		for _, l := range left {
			if l.Line > bytes.Count(repaired, []byte("\n"))+1 {
				t.Fatalf("%+v is behind the end of the file", l)
			}
			if l.Fixable {
				t.Fatalf("%+v was not repaired in %q", l, repaired)
			}
		}
		if _, now := Parse(repaired, "x"); err == nil && now != nil {
			t.Fatalf("Fix broke the file: %v\n%q\n%q", now, data, repaired)
		}
	})
}
