// Command gen writes what is made from the program itself: the reference, the
// man pages, the help topics as pages, the JSON Schema of the state file, and
// what completions/ holds. Run it at the top of the repository:
//
//	go run ./docs/gen
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// files are generated files by their path from the top of the repository, with
// slashes.
type files map[string][]byte

// folders hold generated files only: any other file there is a left-over.
var folders = []string{"docs/reference", "docs/man", "docs/topics", "docs/rules", "docs/schema", "completions"}

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(root string) error {
	out, err := generate()
	if err != nil {
		return err
	}
	for name, data := range out {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	old, err := leftOver(root, out)
	if err != nil {
		return err
	}
	for _, name := range old {
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			return err
		}
	}
	return nil
}

// generate makes all generated files.
func generate() (files, error) {
	out := files{}
	for _, generator := range []func(files) error{reference, cmdlets, powershellModule, manPages, topics, schema, rules, completions} {
		if err := generator(out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// leftOver lists the files in the generated folders that are no longer made.
func leftOver(root string, out files) ([]string, error) {
	var old []string
	for _, folder := range folders {
		err := fs.WalkDir(os.DirFS(root), folder, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && out[path] == nil {
				old = append(old, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(old)
	return old, nil
}
