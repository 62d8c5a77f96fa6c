//go:build linux

// Measure runs gatepool, yq, cp and a bare Go program in rotation, and prints
// medians of time and peak memory, with the ratios that are promised. Its
// arguments are the folder that bench/run has prepared, and yq's version. It
// exits with 1 when a promise is not kept.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// rounds is how often each command is measured.
const rounds = 11

// A command is measured under its name. Its arguments may differ from run to run,
// so that an edit has something to change every time.
type command struct {
	name  string
	what  string
	state string // the state file, for gatepool
	args  func(run int) []string
}

// A sample is what one run took.
type sample struct {
	wall time.Duration
	rss  int64 // bytes
}

// A limit is a promise about two commands: one takes at most factor times as
// long as the other.
type limit struct {
	what        string
	of, against string
	factor      float64
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: measure FOLDER YQ-VERSION")
		os.Exit(2)
	}
	kept, err := run(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	if !kept {
		os.Exit(1)
	}
}

func run(dir, yqVersion string) (kept bool, err error) {
	commands := list(dir)
	samples := make(map[string][]sample)
	for round := range rounds {
		for _, c := range commands {
			// The first run finds caches cold and memory that the system, or a
			// host of it, has given away meanwhile.
			if _, err := measure(c.state, c.args(2*round)); err != nil {
				return false, fmt.Errorf("%s: %w", c.name, err)
			}
			s, err := measure(c.state, c.args(2*round+1))
			if err != nil {
				return false, fmt.Errorf("%s: %w", c.name, err)
			}
			samples[c.name] = append(samples[c.name], s)
		}
		fmt.Fprintf(os.Stderr, "\rround %d of %d", round+1, rounds)
	}
	fmt.Fprintln(os.Stderr)

	size, err := os.Stat(filepath.Join(dir, "state.yaml"))
	if err != nil {
		return false, err
	}
	fmt.Printf(document, float64(size.Size())/1e6, rounds, model(), runtime.NumCPU(), runtime.Version(), yqVersion, time.Now().Format(time.DateOnly))
	for _, c := range commands {
		fmt.Printf("| %s | %s | %.1f | %.0f |\n", c.name, c.what, milliseconds(wall(samples[c.name])), float64(rss(samples[c.name]))/(1<<20))
	}
	fmt.Printf("\n## Promises\n\n| promise | limit | measured | |\n|---|--:|--:|---|\n")
	kept = true
	report := func(what, limit, measured string, ok bool) {
		verdict := "PASS"
		if !ok {
			verdict, kept = "FAIL", false
		}
		fmt.Printf("| %s | %s | %s | %s |\n", what, limit, measured, verdict)
	}
	for _, l := range limits() {
		ratio := float64(wall(samples[l.of])) / float64(wall(samples[l.against]))
		if l.factor < 0.1 { // read better the other way round
			report(l.what, fmt.Sprintf("≥ %.0f × faster", 1/l.factor), fmt.Sprintf("%.0f ×", 1/ratio), ratio <= l.factor)
		} else {
			report(l.what, fmt.Sprintf("≤ %g ×", l.factor), fmt.Sprintf("%.2f ×", ratio), ratio <= l.factor)
		}
	}
	for _, name := range []string{"set-host", "connect"} {
		peak := float64(rss(samples[name])) / (1 << 20)
		report("peak memory of "+name, "< 64 MB", fmt.Sprintf("%.0f MB", peak), peak < 64)
	}
	return kept, nil
}

// document is what stands above the first table.
const document = `# Speed

Printed by bench/run, which generates the files, runs the commands and checks the
promises. The file has 10,000 hosts and 100,000 sessions in 100 pools, %.1f MB;
×10 has ten times the hosts and sessions. All commands are run in rotation, %d
times, each time twice in a row, of which the second run counts; the tables give
medians of the time from start to end and of the peak memory. Edits are synced to
the disk, which those of yq and cp are not.

%s, %d processors, %s, %s, %s.

| command | does | ms | peak MB |
|---|---|--:|--:|
`

func list(dir string) []command {
	in := func(name string) string { return filepath.Join(dir, name) }
	small, state, state10 := in("small.yaml"), in("state.yaml"), in("state10.yaml")
	always := func(args ...string) func(int) []string { return func(int) []string { return args } }
	gatepool := func(args ...string) func(int) []string { return always(append([]string{in("gatepool")}, args...)...) }
	setHost := func(run int) []string {
		return []string{in("gatepool"), "set-host", "hp-050", "avd-050-0000.contoso.example", "--allow-new-session=" + strconv.FormatBool(run%2 == 1)}
	}
	yqSet := func(run int) []string {
		return []string{in("yq"), "-i", fmt.Sprintf(`(select(.name == "hp-050") | .sessionHosts[0].allowNewSession) = %t`, run%2 == 1), in("yq.yaml")}
	}
	connect := func(run int) []string {
		return []string{in("gatepool"), "connect", "--hostpool", "hp-051", "--user", fmt.Sprintf("new%d@contoso.example", run)}
	}
	pools := gatepool("get-hostpool", "-o", "csv")
	user := gatepool("get-session", "--user", "user012345@contoso.example", "-o", "csv")
	return []command{
		{"bare Go", "starts and ends", "", always(in("bare"))},
		{"yq small", "reads the example", "", always(in("yq"), ".name", small)},
		{"get-state", "reads the example", small, gatepool("get-state")},
		{"cp", "copies the file", "", always("cp", state, in("copy.yaml"))},
		{"yq", "reads the file", "", always(in("yq"), ".name", state)},
		{"yq -i", "edits one host", "", yqSet},
		{"set-host", "edits one host", state, setHost},
		{"connect", "chooses a host, records the session", state, connect},
		{"get-hostpool", "counts hosts and sessions of all pools", state, pools},
		{"get-session", "finds a user in all pools", state, user},
		{"get-host csv", "lists 10,000 hosts", state, gatepool("get-host", "*", "-o", "csv")},
		{"get-host json", "lists 10,000 hosts", state, gatepool("get-host", "*", "-o", "json")},
		{"get-host ndjson", "lists 10,000 hosts", state, gatepool("get-host", "*", "-o", "ndjson")},
		{"get-host table", "lists 10,000 hosts", state, gatepool("get-host", "*", "-o", "table")},
		{"set-host ×10", "edits one host", state10, setHost},
		{"connect ×10", "chooses a host, records the session", state10, connect},
		{"get-hostpool ×10", "counts hosts and sessions of all pools", state10, pools},
		{"get-session ×10", "finds a user in all pools", state10, user},
	}
}

func limits() []limit {
	return []limit{
		{"set-host against yq -i", "set-host", "yq -i", 1.0 / 70},
		{"connect against yq -i", "connect", "yq -i", 1.0 / 70},
		{"get-hostpool against yq", "get-hostpool", "yq", 1.0 / 30},
		{"get-session against yq", "get-session", "yq", 1.0 / 30},
		{"set-host, ten times the file", "set-host ×10", "set-host", 12},
		{"connect, ten times the file", "connect ×10", "connect", 12},
		{"get-hostpool, ten times the file", "get-hostpool ×10", "get-hostpool", 12},
		{"get-session, ten times the file", "get-session ×10", "get-session", 12},
		{"start-up against a bare Go program", "get-state", "bare Go", 2.5},
		{"start-up against yq", "get-state", "yq small", 0.6},
		{"10,000 hosts as a table against csv", "get-host table", "get-host csv", 5},
		{"10,000 hosts as csv against the read", "get-host csv", "get-hostpool", 2},
		{"10,000 hosts as json against the read", "get-host json", "get-hostpool", 2},
		{"10,000 hosts as ndjson against the read", "get-host ndjson", "get-hostpool", 2},
	}
}

// measure runs a command once, with its output to nowhere. What the ones before it
// left to be written to the disk is written first, so that it counts for none.
func measure(state string, args []string) (sample, error) {
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), "GATEPOOL_STATE="+state)
	var stderr strings.Builder
	c.Stderr = &stderr
	syscall.Sync()
	start := time.Now()
	err := c.Run()
	wall := time.Since(start)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return sample{}, fmt.Errorf("%w: %s", err, stderr.String())
	}
	if err != nil {
		return sample{}, err
	}
	return sample{wall, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10}, nil
}

func wall(samples []sample) time.Duration {
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.wall, b.wall) })
	return samples[len(samples)/2].wall
}

func rss(samples []sample) int64 {
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.rss, b.rss) })
	return samples[len(samples)/2].rss
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// model is the processor's name, where the system tells.
func model() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
