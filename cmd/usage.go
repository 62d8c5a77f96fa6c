package cmd

import "strings"

// A Place is a positional argument as a usage line names it.
type Place struct {
	Name     string // POOL, or COMMAND|TOPIC where either may stand
	Repeats  bool
	Optional bool
	Behind   string // the flag of which these are more values, as in --live FILE...
}

// ReadUse reads a usage line such as get-host [POOL [HOST...]]: the places of
// positional arguments, and the flags that must be given. Where alternatives in
// parentheses begin it ends.
func ReadUse(use string) (places []Place, must []string) {
	words := strings.Fields(strings.ReplaceAll(use, " | ", "|"))[1:]
	depth := 0 // of brackets
	for i := 0; i < len(words); i++ {
		word := strings.TrimLeft(words[i], "[")
		depth += len(words[i]) - len(word)
		place := Place{Optional: depth > 0}
		switch {
		case word[0] == '(':
			return places, must
		case strings.HasPrefix(word, "--"):
			place.Behind = word[2:]
			if depth == 0 {
				must = append(must, place.Behind)
			}
			i++ // its value
			word = words[i]
		}
		place.Name, place.Repeats = strings.CutSuffix(strings.TrimRight(word, "]"), "...")
		if place.Behind == "" || place.Repeats {
			places = append(places, place)
		}
		depth -= strings.Count(word, "]")
	}
	return places, must
}
