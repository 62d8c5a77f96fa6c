// Package spelling finds the name that somebody meant who wrote another.
package spelling

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// longest is the length up to which a name is compared: nobody mistypes a
// longer one, and the comparison costs its square.
const longest = 64

// Nearest returns the name that takes the fewest changes of a letter to get
// from got, without regard to case, the first of equals. It returns "" when
// none is near: more than half of the letters would change.
func Nearest(got string, names []string) string {
	if len(got) > longest {
		return ""
	}
	best, distance := "", len(got)/2+1
	for _, name := range names {
		if d := levenshtein.ComputeDistance(strings.ToLower(got), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	return best
}
