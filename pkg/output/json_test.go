package output

import (
	"bufio"
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// anyJSON makes values with so many levels of arrays and objects.
func anyJSON(levels int) *rapid.Generator[any] {
	text := rapid.SampledFrom(hostile)
	leaf := rapid.OneOf(
		rapid.SampledFrom([]any{nil, true, false, []any{}, map[string]any{}, json.Number("-1.5e+30")}),
		text.AsAny(),
	)
	if levels == 0 {
		return leaf
	}
	child := anyJSON(levels - 1)
	return rapid.OneOf(leaf, rapid.SliceOfN(child, 0, 3).AsAny(), rapid.MapOfN(text, child, 0, 3).AsAny())
}

// An indenter does what json.Indent does, however the text is cut.
func TestIndentIsJSONIndent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var compact, want, got bytes.Buffer
		if err := encoder(&compact).Encode(anyJSON(4).Draw(t, "value")); err != nil {
			t.Fatal(err)
		}
		text := bytes.TrimSuffix(compact.Bytes(), []byte("\n"))
		if err := json.Indent(&want, text, "", "  "); err != nil {
			t.Fatal(err)
		}
		out := bufio.NewWriter(&got)
		in := &indenter{out: out}
		first := 0
		if text[0] == '[' || text[0] == '{' {
			first = rapid.IntRange(0, 1).Draw(t, "cut behind the bracket")
		}
		in.Write(text[:first])
		in.Write(append(text[first:], '\n'))
		out.Flush()
		if got.String() != want.String() {
			t.Fatalf("got\n%s\nwant\n%s", got.String(), want.String())
		}
	})
}
