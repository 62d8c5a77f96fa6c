package gatewayconfig

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Severity is how much a finding matters.
type Severity string

// Error: the gateway doesn't start, or what was meant has no effect. Warning:
// it works, probably not as meant. Note: nothing to worry about.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// The rules. Those up to RuleSectionTwice make Parse fail.
const (
	RuleTooLarge      = "too-large"
	RuleEmpty         = "empty"
	RuleEncoding      = "encoding"
	RuleDoctype       = "doctype"
	RuleNotWellFormed = "not-well-formed"
	RuleNoSection     = "no-section"
	RuleSectionTwice  = "section-twice"

	RuleFileName           = "file-name"             // without "Microsoft."
	RuleFragment           = "fragment"              // the section alone, not in /configuration/applicationSettings
	RuleValueAsAttribute   = "value-as-attribute"    // <value="…"/>
	RuleAddElement         = "add-element"           // <add key="…"/> in the section
	RuleUnexpected         = "unexpected-content"    // another element, or text, in the section
	RuleDuplicateAttribute = "duplicate-attribute"   //
	RuleSerializeAs        = "serialize-as"          // missing, or not String
	RuleNameMissing        = "name-missing"          //
	RuleNameBlanks         = "name-blanks"           // name=" X "
	RuleNameMisspelt       = "name-misspelt"         // close to a known name
	RuleDuplicate          = "duplicate-setting"     //
	RuleValueMissing       = "value-missing"         // not exactly one <value> of text
	RuleStrayGreater       = "value-stray-greater"   // <value> >…
	RuleValueBlanks        = "value-blanks"          // blanks around it
	RuleValueCase          = "value-case"            // right but for its case
	RuleValueInvalid       = "value-invalid"         // of the wrong type, or out of range
	RuleReadOnly           = "read-only"             // can't be changed here
	RuleAggregationOff     = "aggregation-off"       // while a threshold is on
	RulePoolSizesIgnored   = "pool-sizes-ignored"    // MashupDisableContainerAutoConfig isn't True
	RuleThresholdsAll      = "threshold-all-members" // of CheckCluster
)

// Finding is a fault in a file.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	File     string   `json:"file"`
	Line     int      `json:"line"` // from 1; 0 where the finding is about the file as a whole
	Column   int      `json:"column"`
	Setting  string   `json:"setting,omitempty"` // as written
	Message  string   `json:"message"`
	Fix      string   `json:"fix"`     // what would put it right
	Fixable  bool     `json:"fixable"` // Fix does it

	splices []splice
}

// Check returns every fault of a file, in file order. name is the file's name
// or path; it need not be the one under which the gateway looks for the file,
// since copies have others.
func Check(data []byte, name string) []Finding {
	c := &checker{name: name}
	base := filepath.Base(strings.ReplaceAll(name, `\`, "/"))
	if _, short, _ := strings.Cut(FileName, "."); strings.EqualFold(base, short) {
		c.add(Finding{Rule: RuleFileName, Severity: Error, Message: "the gateway doesn't read a file of this name", Fix: "rename it to " + FileName})
	}
	f, err := c.parse(data)
	if err != nil {
		fix := cmp.Or(err.Hint, "correct it by hand, or restore the file from a backup")
		c.add(Finding{Rule: err.Rule, Severity: Error, Line: err.Line, Column: err.Column, Message: err.Message, Fix: fix})
	} else {
		c.file = f
		c.section()
		for i := range f.entries {
			c.entry(&f.entries[i])
		}
		c.poolSizes()
	}
	slices.SortStableFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return c.findings
}

type checker struct {
	name     string
	file     *File
	findings []Finding
}

func (c *checker) add(f Finding) {
	f.File = c.name
	f.Fixable = len(f.splices) > 0
	c.findings = append(c.findings, f)
}

// at adds a finding about a setting.
func (c *checker) at(e *Entry, f Finding) {
	f.Line, f.Column, f.Setting = e.Line, e.Column, e.Name
	c.add(f)
}

// atValue adds a finding about a setting's value.
func (c *checker) atValue(e *Entry, f Finding) {
	f.Line, f.Column, f.Setting = e.ValueLine, e.ValueColumn, e.Name
	c.add(f)
}

// valueAsAttribute is <value="…"/>, as published pages have it.
var valueAsAttribute = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<value\s*=\s*(?:"([^"<]*)"|'([^'<]*)')\s*(?:/>|>\s*</value\s*>)`)
})

// parse reads data, and where <value="…"/> keeps it from being well-formed,
// notes that and goes on as if an empty value of the same length stood there.
func (c *checker) parse(data []byte) (*File, *FormatError) {
	const enough = 20
	for range enough {
		f, err := parse(data)
		if err == nil || err.Rule != RuleNotWellFormed {
			return f, err
		}
		found := valueAsAttribute().FindSubmatch(data[err.offset:])
		if found == nil {
			return nil, err
		}
		right := "<value>" + string(found[1]) + string(found[2]) + "</value>"
		end := err.offset + len(found[0])
		c.add(Finding{Rule: RuleValueAsAttribute, Severity: Error, Line: err.Line, Column: err.Column,
			Message: "not well-formed: the value is written like an attribute, and the gateway doesn't start with this file",
			Fix:     "write " + right, splices: []splice{{err.offset, end, right}}})
		empty := "<value" + strings.Repeat(" ", len(found[0])-len("<value/>")) + "/>"
		data = apply(data, []splice{{err.offset, end, empty}})
	}
	return parse(data)
}

// section checks what stands in the section beside settings. .NET accepts
// nothing else there but comments.
func (c *checker) section() {
	f, at := c.file, newLocator(c.file.data)
	add := func(offset int, finding Finding) {
		finding.Severity = Error
		finding.Line, finding.Column = at.position(offset)
		c.add(finding)
	}
	section := f.spans[f.section]
	if f.section.Parent().Parent() == nil {
		add(section.start, Finding{Rule: RuleFragment, Message: "the section stands alone; the gateway looks for it in /configuration/applicationSettings",
			Fix: "put it into the gateway's whole file"})
	}
	for _, e := range f.section.ChildElements() {
		switch e.Tag {
		case "setting":
		case "add":
			add(f.spans[e].start, Finding{Rule: RuleAddElement, Setting: e.SelectAttrValue("key", ""),
				Message: "<add key=…> is not a setting, and the gateway doesn't start with it",
				Fix:     `remove it, or write <setting name="…" serializeAs="String"><value>…</value></setting> if the gateway has such a setting`})
		default:
			add(f.spans[e].start, Finding{Rule: RuleUnexpected, Message: fmt.Sprintf("<%s> is not a setting, and the gateway doesn't start with it", e.FullTag()), Fix: "remove it"})
		}
	}
	content := f.data[section.inner:section.innerEnd]
	for _, p := range pieces(content) {
		if blanks := leadingBlanks(content[p.start:p.end]); blanks < p.end-p.start {
			add(section.inner+p.start+blanks, Finding{Rule: RuleUnexpected, Message: "text between settings, and the gateway doesn't start with it", Fix: "remove it, or make it a comment"})
		}
	}
}

// entry checks one setting by itself and against others of its name.
func (c *checker) entry(e *Entry) {
	tag := c.file.spans[e.element]
	attrs := attributes(c.file.data[tag.start:tag.inner])
	for i, a := range attrs {
		if slices.ContainsFunc(attrs[:i], func(b attribute) bool { return a.name == b.name }) {
			c.at(e, Finding{Rule: RuleDuplicateAttribute, Severity: Error, Message: fmt.Sprintf("the attribute %s stands twice, and the gateway doesn't start with it", a.name), Fix: "remove one of them"})
			break
		}
	}
	c.serializeAs(e, attrs)
	c.entryName(e, attrs)
	if last := c.file.last(e.Name); e.Name != "" && last.element != e.element {
		c.at(e, Finding{Rule: RuleDuplicate, Severity: Error, Message: fmt.Sprintf("%s is set again in line %d, which is what counts", e.Name, last.Line),
			Fix: "remove this one", splices: []splice{c.file.remove(e.element)}})
	}
	switch setting, ok := lookupExact(e.Name); {
	case e.value == nil || len(e.value.ChildElements()) > 0:
		c.at(e, Finding{Rule: RuleValueMissing, Severity: Error, Message: "the setting doesn't hold one <value> of text", Fix: "write <value>…</value>, or remove the setting"})
	case ok:
		c.value(e, setting)
	}
}

func (c *checker) serializeAs(e *Entry, attrs []attribute) {
	const want = "String"
	finding := Finding{Rule: RuleSerializeAs, Severity: Error, Fix: `write serializeAs="String"`}
	start := c.file.spans[e.element].start
	i := slices.IndexFunc(attrs, func(a attribute) bool { return a.name == "serializeAs" })
	switch value := e.element.SelectAttrValue("serializeAs", ""); {
	case i < 0:
		end := start + len("<"+e.element.FullTag())
		if len(attrs) > 0 {
			end = start + attrs[len(attrs)-1].valueEnd + 1
		}
		finding.Message = "serializeAs is missing, and the gateway doesn't start without it"
		finding.splices = []splice{{end, end, ` serializeAs="String"`}}
	case value == want:
		return
	case strings.EqualFold(strings.TrimSpace(value), want):
		finding.Message = fmt.Sprintf("serializeAs is %q, and its case and blanks matter", value)
		finding.splices = []splice{{start + attrs[i].value, start + attrs[i].valueEnd, want}}
	default:
		finding.Message = fmt.Sprintf("serializeAs is %q; the settings of this file are strings", value)
	}
	c.at(e, finding)
}

// entryName finds names that the gateway doesn't know but that are meant to be
// ones it knows.
func (c *checker) entryName(e *Entry, attrs []attribute) {
	bare := strings.TrimSpace(e.Name)
	known, isKnown := Lookup(bare)
	var finding Finding
	want, certain := bare, true
	switch {
	case bare == "":
		c.at(e, Finding{Rule: RuleNameMissing, Severity: Error, Message: "the setting has no name", Fix: "name it, or remove it"})
		return
	case bare != e.Name:
		finding = Finding{Rule: RuleNameBlanks, Severity: Error, Message: fmt.Sprintf("blanks in the name make %q another setting, which the gateway ignores", e.Name)}
	case isKnown && known.Name != bare:
		want = known.Name
		finding = Finding{Rule: RuleNameMisspelt, Severity: Error, Message: fmt.Sprintf("the case of a name matters; the gateway ignores %s", e.Name)}
	case !isKnown:
		if want = meant(bare); want == "" {
			return
		}
		certain = published(bare) != ""
		finding = Finding{Rule: RuleNameMisspelt, Severity: Warning, Message: fmt.Sprintf("%s is not a known setting, but close to %s", e.Name, want)}
		if certain {
			finding.Severity = Error
			finding.Message = fmt.Sprintf("%s is a misspelling of %s, and the gateway ignores it", e.Name, want)
		}
	default:
		return
	}
	// A fix must not decide between two values: which of them was meant?
	start := c.file.spans[e.element].start
	i := slices.IndexFunc(attrs, func(a attribute) bool { return a.name == "name" })
	switch other := c.file.last(want); {
	case other == nil:
		finding.Fix = "write " + want
		if certain {
			finding.splices = []splice{{start + attrs[i].value, start + attrs[i].valueEnd, escapeAttribute(want)}}
		}
	case other.text == e.text && certain:
		finding.Fix = fmt.Sprintf("remove it; line %d sets %s to the same", other.Line, want)
		finding.splices = []splice{c.file.remove(e.element)}
	default:
		finding.Fix = fmt.Sprintf("remove it, or remove line %d, which sets %s to %q, and write %[2]s here", other.Line, want, other.Value)
	}
	c.at(e, finding)
}

// value checks the value of a known setting.
func (c *checker) value(e *Entry, setting Setting) {
	bare := strings.TrimSpace(e.text)
	replace := func(finding Finding, value string) {
		finding.Fix = "write " + value
		finding.splices = c.file.replaceText(e, value)
		c.atValue(e, finding)
	}
	if setting.ReadOnly {
		c.at(e, Finding{Rule: RuleReadOnly, Severity: Warning, Message: setting.Name + " cannot be changed here; the value has no effect", Fix: "remove it"})
	}
	if rest := strings.TrimLeft(bare, "> \t\r\n"); strings.HasPrefix(bare, ">") {
		replace(Finding{Rule: RuleStrayGreater, Severity: Error, Message: "a stray > begins the value"}, rest)
		return
	}
	if bare != e.text {
		severity := Error // for they are a part of the value
		if setting.Kind.trims() {
			severity = Warning
		}
		replace(Finding{Rule: RuleValueBlanks, Severity: severity, Message: fmt.Sprintf("blanks around the value %q", bare)}, bare)
	}
	right, err := setting.normalize(bare)
	switch {
	case setting.ReadOnly:
	case err != nil && setting.valid(bare): // text that only Set refuses
	case setting.Name == AggregationMinutes && isZero(bare) && len(c.file.thresholds()) > 0:
		c.atValue(e, Finding{Rule: RuleAggregationOff, Severity: Error,
			Message: "the aggregation time is off, so " + strings.Join(c.file.thresholds(), " and ") + " can have no effect", Fix: "write 5, the default, or another number of minutes"})
	case err != nil:
		c.atValue(e, Finding{Rule: RuleValueInvalid, Severity: Error, Message: fmt.Sprintf("%s is %q, which the gateway takes for its default", setting.Name, bare), Fix: "write " + setting.Range()})
	case right != bare:
		replace(Finding{Rule: RuleValueCase, Severity: Error, Message: fmt.Sprintf("the case of %q is wrong, and here it matters", bare)}, right)
	case setting.Kind == Bool && bare != "" && bare != "True" && bare != "False":
		c.atValue(e, Finding{Rule: RuleValueCase, Severity: Note, Message: fmt.Sprintf("%q is read like True or False", bare), Fix: "nothing needs to be done"})
	}
}

// poolSizes finds sizes that are given but not asked for.
func (c *checker) poolSizes() {
	f := c.file
	if manual, _ := f.Get(AutoConfigDisable); strings.EqualFold(manual, "True") {
		return
	}
	for i := range f.entries {
		e := &f.entries[i]
		if s, ok := lookupExact(e.Name); ok && s.PoolSize && e.Value != "" {
			c.at(e, Finding{Rule: RulePoolSizesIgnored, Severity: Warning, Message: e.Name + " is ignored unless " + AutoConfigDisable + " is True",
				Fix: "set " + AutoConfigDisable + " to True, or remove the pool size"})
		}
	}
}

// thresholds lists the CPU and memory thresholds that are on.
func (f *File) thresholds() []string {
	var on []string
	for _, name := range []string{CPUThreshold, MemoryThreshold} {
		if value, err := f.effective(name); err == nil && !isZero(value) {
			on = append(on, name+" "+value)
		}
	}
	return on
}

func isZero(number string) bool { return number != "" && strings.Trim(number, "0") == "" }

// CheckCluster returns the faults of a cluster that no file shows by itself.
// files are the files of all its members.
func CheckCluster(files ...*File) []Finding {
	var on []string
	for _, f := range files {
		thresholds := f.thresholds()
		if len(thresholds) == 0 {
			return nil
		}
		on = append(on, f.name+": "+strings.Join(thresholds, ", "))
	}
	if len(files) < 2 {
		return nil
	}
	name, _, _ := strings.Cut(files[0].thresholds()[0], " ")
	e := files[0].last(name)
	return []Finding{{Rule: RuleThresholdsAll, Severity: Warning, File: files[0].name, Line: e.ValueLine, Column: e.ValueColumn, Setting: e.Name,
		Message: "every member has a threshold, so requests fail when all are at it (" + strings.Join(on, "; ") + ")",
		Fix:     "leave one member without a threshold, if requests had better be slow than fail"}}
}
