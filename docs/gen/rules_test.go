package main

import (
	"bytes"
	"testing"

	"gatepool/pkg/advice"
)

// TestEveryRuleHasAPage: and the index leads to it.
func TestEveryRuleHasAPage(t *testing.T) {
	out := files{}
	if err := rules(out); err != nil {
		t.Fatal(err)
	}
	for _, r := range advice.Rules() {
		page := out["docs/rules/"+r.ID+".md"]
		for _, text := range []string{r.ID, r.Severity.String(), string(r.Source), "## Why", "## What to do"} {
			if !bytes.Contains(page, []byte(text)) {
				t.Errorf("the page of %s lacks %q", r.ID, text)
			}
		}
		if !bytes.Contains(out["docs/rules/README.md"], []byte("("+r.ID+".md)")) {
			t.Errorf("the index lacks %s", r.ID)
		}
	}
	if want := len(advice.Rules()) + 1; len(out) != want {
		t.Errorf("%d pages, want %d", len(out), want)
	}
}
