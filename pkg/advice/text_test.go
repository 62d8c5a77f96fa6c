package advice

import (
	"slices"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	all := strings.Split("abcdefgh", "")
	for n, want := range []string{"", "a", "a, b", "a, b, c", "a, b, c, d", "a, b, c, d, e", "a, b, c, d, e and 1 more", "a, b, c, d, e and 2 more"} {
		if got := names(slices.Clone(all[:n])); got != want {
			t.Errorf("%d names: %s", n, got)
		}
	}
}
