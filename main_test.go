package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed are the arrows between packages, downwards only. What is not here
// must not be imported.
var allowed = map[string][]string{
	"gatepool":                   {"cmd"},
	"gatepool/cmd":               {"state", "pkg/*"},
	"gatepool/state":             {"pkg/hostpool", "pkg/gateway", "pkg/atomicfile", "pkg/spelling"},
	"gatepool/pkg/hostpool":      {},
	"gatepool/pkg/gateway":       {},
	"gatepool/pkg/spelling":      {},
	"gatepool/pkg/shell":         {},
	"gatepool/pkg/atomicfile":    {},
	"gatepool/pkg/balance":       {"pkg/hostpool", "pkg/gateway", "pkg/shell"},
	"gatepool/pkg/advice":        {"pkg/hostpool", "pkg/gateway", "pkg/shell", "pkg/spelling"},
	"gatepool/pkg/exchange":      {"pkg/hostpool", "pkg/gateway", "pkg/spelling", "pkg/shell"},
	"gatepool/pkg/simulate":      {"pkg/hostpool", "pkg/gateway", "pkg/balance"},
	"gatepool/pkg/simulate/plot": {"pkg/simulate", "pkg/hostpool"},
	"gatepool/pkg/report":        {"pkg/advice"},
	"gatepool/pkg/gatewayconfig": {"pkg/gateway", "pkg/atomicfile", "pkg/spelling"},
	"gatepool/pkg/output":        {"pkg/spelling"},
	"gatepool/docs/gen":          {"cmd", "state", "pkg/advice", "pkg/exchange"},
	"gatepool/bench/bare":        {},
	"gatepool/bench/gen":         {},
	"gatepool/bench/measure":     {},
}

// pure packages have no files, no clock and no chance but what they are given.
var pure = []string{"gatepool/pkg/hostpool", "gatepool/pkg/gateway", "gatepool/pkg/balance", "gatepool/pkg/advice", "gatepool/pkg/report", "gatepool/pkg/spelling", "gatepool/pkg/shell"}

// only names the packages that may import a library; no other may.
var only = map[string][]string{
	"github.com/spf13/cobra":                  {"gatepool/cmd", "gatepool/docs/gen"},
	"github.com/olekukonko/tablewriter":       {"gatepool/pkg/output"},
	"gopkg.in/yaml.v3":                        {"gatepool/state", "gatepool/pkg/output"},
	"github.com/beevik/etree":                 {"gatepool/pkg/gatewayconfig"},
	"github.com/agnivade/levenshtein":         {"gatepool/pkg/spelling"},
	"github.com/cpuguy83/go-md2man/v2/md2man": {"gatepool/docs/gen"},
}

func TestImportsPointDownwards(t *testing.T) {
	for _, p := range packages(t) {
		may, known := allowed[p.ImportPath]
		if !known {
			t.Errorf("package %s is new: say in this test what it may import", p.ImportPath)
		}
		for _, i := range p.Imports {
			if rest, ours := strings.CutPrefix(i, "gatepool/"); ours && !slices.ContainsFunc(may, func(a string) bool {
				return a == rest || a == "pkg/*" && strings.HasPrefix(rest, "pkg/")
			}) {
				t.Errorf("%s must not import %s", p.ImportPath, i)
			}
			if slices.Contains(pure, p.ImportPath) && slices.Contains([]string{"os", "io/fs", "net", "math/rand", "crypto/rand"}, i) {
				t.Errorf("%s is pure and must not import %s", p.ImportPath, i)
			}
			if users, limited := only[i]; limited && !slices.Contains(users, p.ImportPath) {
				t.Errorf("%s must not import %s: only %s may", p.ImportPath, i, strings.Join(users, " and "))
			}
		}
	}
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}
