package advice

import (
	"fmt"
	"strings"
)

// mostNames is how many names a sentence lists before it only counts.
const mostNames = 5

// names lists names for a sentence: "a, b, c", or the first few "and 98 more".
func names(list []string) string {
	if len(list) <= mostNames {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:mostNames], ", "), len(list)-mostNames)
}

// count is a number with its noun: "1 session", "2 sessions".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
