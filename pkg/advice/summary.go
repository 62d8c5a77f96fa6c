package advice

import "fmt"

// Summarise makes short warnings of the findings that the get- and connect
// commands show unasked, one line each and without the remedy: findings of the
// same rule in the same resource become one line that names the first few, as
// in "hp-eu: 3 hosts carry more than the limit of 12: a, b, c".
func Summarise(findings []Finding) []string {
	type key struct{ kind, resource, rule, many string }
	var order []key
	groups := map[key][]Finding{}
	for _, f := range findings {
		if rule, ok := Lookup(f.Rule); !ok || !rule.Shown {
			continue
		}
		k := key{f.Kind, f.Resource, f.Rule, f.many}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], f)
	}
	lines := make([]string, 0, len(order))
	for _, k := range order {
		group := groups[k]
		text := group[0].Message
		if len(group) > 1 {
			var items []string
			for _, f := range group {
				items = append(items, f.item)
			}
			text = fmt.Sprintf("%d %s: %s", len(group), k.many, names(items))
		}
		lines = append(lines, k.resource+": "+text)
	}
	return lines
}
