package cmd

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatepool/pkg/spelling"
)

// Flags fill options. An option that tells "not given" from "empty" is a
// pointer, nil until the flag is given.

// flagValue is a flag whose text is read by set. What set says of a wrong one goes
// on behind the flag's name, by which it was given; see flagError.
type flagValue struct {
	set  func(text string) error
	kind string // shown in help: text, number, true|false, or the values
	text string
}

func (v *flagValue) Set(text string) error {
	if err := v.set(text); err != nil {
		return err
	}
	v.text = text
	return nil
}

func (v *flagValue) String() string { return v.text }
func (v *flagValue) Type() string   { return v.kind }

func addText(c *cobra.Command, to **string, name, usage string) {
	c.Flags().Var(&flagValue{kind: "text", set: func(text string) error {
		*to = &text
		return nil
	}}, name, usage)
}

// addNumber adds a flag for a whole number in a range.
func addNumber(c *cobra.Command, to **int, name string, min, max int, usage string) {
	c.Flags().Var(&flagValue{kind: "number", set: func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < min || n > max {
			return invalidValue(text, "is %q; expected a whole number from %d to %d", text, min, max)
		}
		*to = &n
		return nil
	}}, name, usage)
}

// addTime adds a flag for a moment; a date is its midnight UTC, and an empty
// text no time.
func addTime(c *cobra.Command, to **time.Time, name, usage string) {
	c.Flags().Var(&flagValue{kind: "time", set: func(text string) error {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t, err = time.Parse(time.DateOnly, text)
		}
		if err != nil && text != "" {
			return invalidValue(text, "is %q; expected a time such as 2026-11-29T08:06:00Z, or a date", text)
		}
		*to = &t
		return nil
	}}, name, usage)
}

// addBool adds a flag that is true alone and takes =false and PowerShell's
// :$false.
func addBool(c *cobra.Command, to **bool, name, usage string) {
	addTruth(c, name, "", usage, func(b bool) { *to = &b })
}

// addSwitch adds a flag that is false unless given.
func addSwitch(c *cobra.Command, to *bool, name, usage string) {
	addTruth(c, name, "false", usage, func(b bool) { *to = b })
}

func addTruth(c *cobra.Command, name, unset, usage string, set func(bool)) {
	f := c.Flags().VarPF(&flagValue{kind: "bool", text: unset, set: func(text string) error {
		switch strings.ToLower(strings.TrimPrefix(text, "$")) {
		case "true", "1":
			set(true)
		case "false", "0":
			set(false)
		default:
			return invalidValue(text, "is %q; expected true or false", text)
		}
		return nil
	}}, name, "", usage)
	f.NoOptDefVal = "true"
}

// enum is a text type that knows its values, such as hostpool.Status.
type enum interface {
	~string
	Values() []string
}

// addEnum adds a flag for one of an enumeration's values, in any case and
// spelling: depth-first is DepthFirst.
func addEnum[T enum](c *cobra.Command, to **T, name, usage string) {
	var zero T
	values := zero.Values()
	c.Flags().Var(&flagValue{kind: strings.Join(kebabs(values), "|"), set: func(text string) error {
		value, ok := oneOf(text, values)
		if !ok {
			f := invalidValue(text, "is %q; expected %s", text, strings.Join(kebabs(values), ", "))
			if near := spelling.Nearest(text, kebabs(values)); near != "" {
				f.withHint("did you mean %s?", near)
			}
			return f
		}
		e := T(value)
		*to = &e
		return nil
	}}, name, usage)
	completeFlag(c, name, kebabs(values))
}

// addEnumList adds a flag for several of an enumeration's values, separated by
// commas.
func addEnumList[T enum](c *cobra.Command, to *[]T, name, usage string) {
	var zero T
	values := zero.Values()
	c.Flags().Var(&flagValue{kind: "list", set: func(text string) error {
		for part := range strings.SplitSeq(text, ",") {
			value, ok := oneOf(strings.TrimSpace(part), values)
			if !ok {
				f := invalidValue(part, "holds %q; expected some of %s", part, strings.Join(kebabs(values), ", "))
				if near := spelling.Nearest(part, kebabs(values)); near != "" {
					f.withHint("did you mean %s?", near)
				}
				return f
			}
			*to = append(*to, T(value))
		}
		return nil
	}}, name, usage)
	completeFlag(c, name, kebabs(values))
}

// addNumberList adds a flag for several whole numbers in a range, separated by
// commas.
func addNumberList(c *cobra.Command, to *[]int, name string, min, max int, usage string) {
	c.Flags().Var(&flagValue{kind: "list", set: func(text string) error {
		for part := range strings.SplitSeq(text, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(part))
			if err != nil || n < min || n > max {
				return invalidValue(part, "holds %q; expected whole numbers from %d to %d, separated by commas", part, min, max)
			}
			*to = append(*to, n)
		}
		return nil
	}}, name, usage)
}

// completeFlag offers these values for a flag.
func completeFlag(c *cobra.Command, name string, values []string) {
	// The only error is a flag that does not exist or has values already.
	_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// sameAs gives a flag another name.
func sameAs(c *cobra.Command, name, other string) {
	f := c.Flags().Lookup(other)
	c.Flags().AddFlag(&pflag.Flag{Name: name, Usage: "same as --" + other, Value: f.Value, NoOptDefVal: f.NoOptDefVal})
	if complete, ok := c.GetFlagCompletionFunc(other); ok {
		_ = c.RegisterFlagCompletionFunc(name, complete)
	}
}

// oneOf finds the value that a text means, in any case and spelling.
func oneOf(text string, values []string) (string, bool) {
	for _, v := range values {
		if squash(v) == squash(text) {
			return v, true
		}
	}
	return "", false
}

// squash leaves out what case and spelling may add: DepthFirst, depth-first and
// "depth first" are one word.
func squash(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
}

// kebab writes DepthFirst as depth-first. SxS and FSLogix are words.
func kebab(s string) string {
	s = strings.NewReplacer("SxS", "Sxs", "FSLogix", "Fslogix").Replace(s)
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		upper := c >= 'A' && c <= 'Z'
		if upper && i > 0 && (!isUpper(s[i-1]) || i+1 < len(s) && !isUpper(s[i+1])) {
			b.WriteByte('-')
		}
		b.WriteByte(c)
	}
	return strings.ToLower(b.String())
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func kebabs(values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = kebab(v)
	}
	return out
}
