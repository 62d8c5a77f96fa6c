// Package spelling finds the name that somebody meant who wrote another.
package spelling

import (
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// longest is the length up to which a name is compared: nobody mistypes a
// longer one, and the comparison costs its square.
const longest = 64

// Nearest returns the name that takes the fewest changes of a letter to get
// from got, without regard to case, the first of equals. It returns "" when
// none is near: more than half of the letters would change.
func Nearest(got string, names []string) string { return within(got, names, 2) }

// Slip is Nearest for a name that may well be right, although it is unknown: it
// returns only one that is told apart by at most a sixth of its letters.
func Slip(got string, names []string) string { return within(got, names, 6) }

// within is Nearest where at most one letter in so many may differ.
func within(got string, names []string, letters int) string {
	if len(got) > longest {
		return ""
	}
	got = strings.ToLower(got)
	length := utf8.RuneCountInString(got)
	best, distance := "", length/letters+1
	for _, name := range names {
		if more := utf8.RuneCountInString(name) - length; max(more, -more) >= distance {
			continue // so many letters are missing
		}
		if d := levenshtein.ComputeDistance(got, strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	return best
}
