package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestFresh fails when a generated file is not what gen writes now.
func TestFresh(t *testing.T) {
	const root = "../.."
	out, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range out {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: go run ./docs/gen", name)
		}
	}
	old, err := leftOver(root, out)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range old {
		t.Errorf("%s is no longer generated: go run ./docs/gen", name)
	}
}
