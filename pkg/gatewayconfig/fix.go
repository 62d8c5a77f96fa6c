package gatewayconfig

import "slices"

// Fix repairs the faults whose repair can't be wrong, again byte by byte: those
// that Check calls fixable. It returns the repaired file (data itself where
// there is nothing to repair), what it repaired, with positions in the file as
// it was before each round of repairs, and what is left to a human, with
// positions in the repaired file.
func Fix(data []byte, name string) (repaired []byte, fixed, left []Finding) {
	left = Check(data, name)
	const rounds = 10 // a repair can bring another fault to light, but never many
	for range rounds {
		now := disjoint(left)
		if len(now) == 0 {
			break
		}
		var splices []splice
		for _, f := range now {
			splices = append(splices, f.splices...)
		}
		data = apply(data, splices)
		fixed = append(fixed, now...)
		left = Check(data, name)
	}
	return data, fixed, left
}

// disjoint picks fixable findings whose repairs don't touch each other, in file
// order: the removal of a setting goes before a repair inside it.
func disjoint(findings []Finding) []Finding {
	var picked []Finding
	var taken []splice
	for _, f := range findings {
		overlaps := slices.ContainsFunc(f.splices, func(s splice) bool {
			return slices.ContainsFunc(taken, func(t splice) bool { return s.start <= t.end && t.start <= s.end })
		})
		if f.Fixable && !overlaps {
			picked = append(picked, f)
			taken = append(taken, f.splices...)
		}
	}
	return picked
}
