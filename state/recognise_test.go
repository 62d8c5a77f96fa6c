package state

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sameNodes makes sure that the recogniser hands a document over, or reads it
// just as yaml.v3 does.
func sameNodes(t interface {
	Helper()
	Errorf(string, ...any)
}, text string) (recognised bool) {
	t.Helper()
	var nodes nodeSink
	if !simpleCharacters(text) || !recognise(text, &nodes) {
		return false
	}
	fast := &nodes.stack[0]
	f := &file{path: "test.yaml", data: []byte(text), eol: "\n"}
	slow, err := f.parseYAML(&document{end: len(text)})
	switch {
	case err != nil:
		t.Errorf("recognised what yaml.v3 refuses: %v\n%q", err, text)
	case slow == nil:
		t.Errorf("recognised an empty document: %q", text)
	default:
		if difference := compareNodes(fast, slow, ""); difference != "" {
			t.Errorf("%s\n%q", difference, text)
		}
	}
	return true
}

func compareNodes(a, b *node, path string) string {
	if a.kind != b.kind || a.style != b.style || a.value != b.value || a.start != b.start || a.end != b.end || len(a.items) != len(b.items) {
		return fmt.Sprintf("at %q: recogniser %s style %d %q [%d,%d] %d items, yaml.v3 %s style %d %q [%d,%d] %d items", path,
			a.kind, a.style, a.value, a.start, a.end, len(a.items), b.kind, b.style, b.value, b.start, b.end, len(b.items))
	}
	for i := range a.items {
		if d := compareNodes(&a.items[i], &b.items[i], fmt.Sprintf("%s/%d", path, i)); d != "" {
			return d
		}
	}
	return ""
}

// Forms at the edge of what is recognised, with what the recogniser must say.
var recogniserCases = []struct {
	text       string
	recognised bool
}{
	{"a: b", true},
	{"a: b\n", true},
	{"a:   b  # c\r\nd: 'e f' # g\r\n", true},
	{"\n# c\n\n  a: 1\n  b:\n    c: d\n", true},
	{"a:\n- b\n- c: d\n  e: [f, \"g\"]\nh: {}\n", true},
	{"a:\n  - b: c\n\n  # x\n\n  -   b: d\n      e: f\n# y\ng: []\n", true},
	{"- a\n- b\n", true},
	{"-\n  a: b\n", true},
	{"ключ: значение\n", false}, // a key must be ASCII
	{"a: значение — \u00a0é\n", true},
	{"a: b?c\n", true},
	{"a: {b: c?d}\n", false},
	{"a: b,c]d}\n", true},
	{"a: b #c\n", true},
	{"a: b#c\n", true},
	{"a: http://x/y:z\n", true},
	{"a: b: c\n", false},
	{"a: b:\n", false},
	{"a:b\n", false},
	{"a: b\n c\n", false},
	{"a: b\n\n  c: d\n", false},
	{"a:\nb: c\n", false},
	{"a: ~\n", false},
	{"a: null\n", false},
	{"null: a\n", false},
	{"a: *b\n", false},
	{"a: &b c\n", false},
	{"a: !t c\n", false},
	{"a: |\n  b\n", false},
	{"a: \"b\\n\"\n", false},
	{"a: 'b''c'\n", false},
	{"a: \"b\n  c\"\n", false},
	{"a: [b,\n  c]\n", false},
	{"a: [b,]\n", false},
	{"a: [b: c]\n", false},
	{"a: {b}\n", false},
	{"a: {b:c}\n", false},
	{"? a\n: b\n", false},
	{"a: b\n...\n", false},
	{"%YAML 1.1\n", false},
	{"a:\tb\n", false},
	{"a: b\t# c\n", false},
	{"a: b\rc\n", false},
	{"a: b\u2028c\n", false},
	{"a: b\u0085c\n", false},
	{"a: b\ufeffc\n", false},
	{"a: - b\n", false},
	{"- - a\n", false},
	{"a:\n  b: c\n d: e\n", false},
	{"a:\n    b: c\n  d: e\n", false},
	{"", false},
	{"# only a comment\n", false},
}

func TestRecogniserEqualsYAML(t *testing.T) {
	for _, test := range recogniserCases {
		if got := sameNodes(t, test.text); got != test.recognised {
			t.Errorf("%q: recognised %t, want %t", test.text, got, test.recognised)
		}
	}
	for depth := range maxDepth + 3 {
		sameNodes(t, strings.Repeat("- a:\n", 1)+nested(depth))
		sameNodes(t, "a: "+strings.Repeat("[", depth)+strings.Repeat("]", depth))
		sameNodes(t, "a: "+strings.Repeat("[", depth)+"x"+strings.Repeat("]", depth))
	}
	example, err := os.ReadFile("../docs/examples/contoso.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i, doc := range strings.Split(string(example), "---\n") {
		if !sameNodes(t, doc) {
			t.Errorf("document %d of the example is not recognised", i)
		}
	}
}

// nested is a mapping in a mapping, that many times.
func nested(depth int) string {
	var b strings.Builder
	for i := range depth {
		fmt.Fprintf(&b, "%sk:\n", strings.Repeat(" ", i+2))
	}
	return b.String() + strings.Repeat(" ", depth+2) + "k: v\n"
}

// almostSimple draws documents of the simple form, of which most are then
// damaged in a place or two.
func almostSimple() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		simpleBlock(t, &b, 0, 0)
		return mutate(t, b.String())
	})
}

// mutate damages a text in up to two places.
func mutate(t *rapid.T, text string) string {
	for range rapid.IntRange(0, 2).Draw(t, "mutations") {
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		gone := rapid.IntRange(0, min(2, len(text)-at)).Draw(t, "gone")
		text = text[:at] + rapid.SampledFrom([]string{"", "", " ", "  ", "\n", "\r\n", ":", ": ", "#", " #", "-", "- ", "?", ",", "[", "]", "{", "}", "'", "\"", "\\", "~", "&", "*", "!", "|", ">", "%", "@", "\t", "é", "null", "...", "a: "}).Draw(t, "mutation") + text[at+gone:]
	}
	return text
}

func simpleBlock(t *rapid.T, b *strings.Builder, indent, depth int) {
	list := rapid.Bool().Draw(t, "list") && depth > 0
	pad := strings.Repeat(" ", indent)
	for i := range rapid.IntRange(1, 3).Draw(t, "entries") {
		comment := rapid.SampledFrom([]string{"", "", "", " ", " # c", "   # a: b"}).Draw(t, "comment")
		end := comment + rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", "\n\n", "\n# c\n", "\n          # c\n"}).Draw(t, "end")
		lead := pad + fmt.Sprintf("k%d:", i)
		if list {
			lead = pad + "-"
			if rapid.Bool().Draw(t, "item mapping") {
				// The first key stands behind the dash, the others below it.
				b.WriteString(lead + " k: " + simpleValue(t, 0) + end)
				if rapid.Bool().Draw(t, "second key") {
					b.WriteString(pad + "  l: " + simpleValue(t, 0) + end)
				}
				continue
			}
		}
		if depth < 3 && rapid.Bool().Draw(t, "nest") {
			b.WriteString(lead + end)
			simpleBlock(t, b, indent+rapid.SampledFrom([]int{2, 2, 4, 1, 0}).Draw(t, "in"), depth+1)
			continue
		}
		b.WriteString(lead + strings.Repeat(" ", rapid.IntRange(1, 3).Draw(t, "blanks")) + simpleValue(t, 0) + end)
	}
}

func simpleValue(t *rapid.T, depth int) string {
	sort := rapid.IntRange(0, 5).Draw(t, "value")
	if depth > 2 || sort > 1 {
		if depth > 0 {
			return rapid.SampledFrom([]string{"a", "12", "x:y", "é", "\"q, }\"", "'s: #'", "a b"}).Draw(t, "scalar")
		}
		return rapid.SampledFrom([]string{"a", "true", "12", "2026-11-29T08:00:00Z", "sql01;sales", "a b", "x:y", "é", "\"q\"", "'s'", "\"\"", "a#b", "C:\\x", "a?", ".5", "+1", "//", "a, b]", "it's"}).Draw(t, "scalar")
	}
	var parts []string
	for i := range rapid.IntRange(0, 3).Draw(t, "parts") {
		part := simpleValue(t, depth+1)
		if sort == 0 {
			part = fmt.Sprintf("k%d: %s", i, part)
		}
		parts = append(parts, part)
	}
	if sort == 0 {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + strings.Join(parts, rapid.SampledFrom([]string{",", ", ", " ,  "}).Draw(t, "comma")) + "]"
}

func TestRecogniserEqualsYAMLOnRandomDocuments(t *testing.T) {
	recognised := 0
	rapid.Check(t, func(t *rapid.T) {
		if sameNodes(t, almostSimple().Draw(t, "document")) {
			recognised++
		}
	})
	if !testing.Short() && recognised < 10 {
		t.Errorf("only %d documents were recognised: the generator is too wild to say anything", recognised)
	}
}

func FuzzRecogniser(f *testing.F) {
	for _, test := range recogniserCases {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) { sameNodes(t, text) })
}
