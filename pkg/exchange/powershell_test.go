package exchange

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestScriptsArePowerShell parses scripts full of hostile texts with the
// tree-sitter grammar. GATEPOOL_NODE names the folder in which its npm
// packages tree-sitter-powershell and web-tree-sitter are installed.
func TestScriptsArePowerShell(t *testing.T) {
	packages := os.Getenv("GATEPOOL_NODE")
	if packages == "" {
		t.Skip("GATEPOOL_NODE names no folder with tree-sitter-powershell and web-tree-sitter")
	}
	dir := t.TempDir()
	// Optimising the grammar takes a hundred times longer than using it.
	arguments := []string{"--liftoff-only", "../../docs/gen/testdata/parse.cjs", packages}
	write := func(name, script string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	texts := rapid.OneOf(rapid.SampledFrom(hostile[1:]), rapid.StringN(1, 8, -1))
	rapid.Check(t, func(t *rapid.T) {
		wish, fact := drawSnapshot(t), drawSnapshot(t)
		evil := texts.Draw(t, "evil")
		for _, s := range []Snapshot{wish, fact} {
			for _, p := range s.Pools {
				p.ResourceGroup, p.Location, p.Tags = evil, evil, map[string]string{evil: evil}
				for i := range p.SessionHosts {
					p.SessionHosts[i].Name += evil
				}
			}
			for _, c := range s.Clusters {
				c.Name += evil
				if c.ID == "" {
					c.ID = evil
				}
			}
		}
		// The grammar wants a statement in every file.
		lines := append([]string{"$ErrorActionPreference = 'Stop'"}, scriptOf(PowerShell, wish, fact, true)...)
		arguments = append(arguments, write(fmt.Sprintf("%d.ps1", len(arguments)), strings.Join(lines, "\n")+"\n"))
	})
	if out, err := exec.Command("node", arguments...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if exec.Command("node", append(arguments[:3], write("broken.ps1", "Update-AzWvdHostPool -Name 'a"))...).Run() == nil {
		t.Error("the parser takes a string without an end")
	}
}
