package cmd

import (
	"strings"
	"testing"
)

// TestHelpFitsTheTerminal keeps the help of gatepool itself within 80 columns,
// and the topics but for the lines that are to be typed.
func TestHelpFitsTheTerminal(t *testing.T) {
	var help strings.Builder
	root := Tree()
	root.SetOut(&help)
	if err := root.Help(); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"help": help.String()}
	for _, topic := range Topics() {
		texts[topic.Name] = topic.Text
	}
	for name, text := range texts {
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if len(line) > helpWidth && !strings.Contains(line, "gatepool ") {
				t.Errorf("%s has a line of %d columns: %s", name, len(line), line)
			}
		}
	}
}

// TestEveryCommandSaysWhatItIs keeps commands without a text out of the
// reference.
func TestEveryCommandSaysWhatItIs(t *testing.T) {
	for _, c := range Tree().Commands() {
		if c.Short == "" || c.Long == "" || c.GroupID == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: short %q, long %q, group %q", c.Name(), c.Short, c.Long, c.GroupID)
		}
	}
}
