//go:build unix

package cmd

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// Keys as a terminal sends them.
const (
	keyTab   = "\t"
	keyDump  = "\x18\x10" // Ctrl-X Ctrl-P, which the tests bind to print the line
	keyClear = "\x15"     // Ctrl-U
)

// press is something typed, TAB at its end, and what the command line then
// says: the words that gatepool would get, and "" behind them where a blank
// stands for the next one.
type press struct {
	typed string
	want  []string
}

// presses must hold in every shell that reads a line as POSIX shells do.
func presses() []press {
	return []press{
		{`gatepool drain-`, []string{"drain-host", ""}},
		{`gatepool Get-AzWvdH`, []string{"Get-AzWvdHostPool", ""}},
		{`gatepool get-host po`, []string{"get-host", "pool one", ""}},
		{`gatepool get-host 'po`, []string{"get-host", "pool one", ""}},
		{`gatepool get-host "po`, []string{"get-host", "pool one", ""}},
		{`gatepool get-host pool\ o`, []string{"get-host", "pool one", ""}},
		{`gatepool get-host PO`, []string{"get-host", "pool one", ""}},
		{`gatepool get-host \$`, []string{"get-host", "$(touch x)", ""}},
		{`gatepool get-host "\$`, []string{"get-host", "$(touch x)", ""}},
		{`gatepool get-host '$`, []string{"get-host", "$(touch x)", ""}},
		{`gatepool get-host it`, []string{"get-host", "it's; touch x", ""}},
		{`gatepool get-host "it`, []string{"get-host", "it's; touch x", ""}},
		{`gatepool get-host sa`, []string{"get-host", `say "hi"!`, ""}},
		{`gatepool get-host 'sa`, []string{"get-host", `say "hi"!`, ""}},
		{`gatepool get-host eu:w`, []string{"get-host", "eu:west", ""}},
		{`gatepool get-host eu:`, []string{"get-host", "eu:west", ""}},
		{`gatepool get-host a=`, []string{"get-host", "a=b{c,d}", ""}},
		{`gatepool get-host \~`, []string{"get-host", "~root", ""}},
		{`gatepool get-host ba`, []string{"get-host", `back\slash`, ""}},
		{`gatepool get-host 東`, []string{"get-host", "東京 プール", ""}},
		{`gatepool get-host "東京 `, []string{"get-host", "東京 プール", ""}},
		{`gatepool get-host 東京\ プール zz`, []string{"get-host", "東京 プール", "zz"}},
		{`gatepool drain-host pool\ one ba`, []string{"drain-host", "pool one", "back`touch x`tick", ""}},
		{`gatepool drain-host "pool one" "ba`, []string{"drain-host", "pool one", "back`touch x`tick", ""}},
		{`gatepool remove-session 'pool one' alice@c`, []string{"remove-session", "pool one", "alice@contoso.example", ""}},
		{`gatepool remove-session 'pool one' o`, []string{"remove-session", "pool one", "o'hara@contoso.example", ""}},
		{`gatepool connect --hostpool=po`, []string{"connect", "--hostpool=pool one", ""}},
		{`gatepool connect --hostpool="po`, []string{"connect", "--hostpool=pool one", ""}},
		{`gatepool connect --hostpool 'pool one' --user=al`, []string{"connect", "--hostpool", "pool one", "--user=alice@contoso.example", ""}},
		{`gatepool set-hostpool eu:west --load-balancer-type=de`, []string{"set-hostpool", "eu:west", "--load-balancer-type=depth-first", ""}},
		{`gatepool set-hostpool eu:west -LoadBalancerType:De`, []string{"set-hostpool", "eu:west", "-LoadBalancerType:DepthFirst", ""}},
		{`gatepool set-hostpool eu:west -Max`, []string{"set-hostpool", "eu:west", "-MaxSessionLimit", ""}},
		{`gatepool set-gatewayconfig --setting ReportFileC`, []string{"set-gatewayconfig", "--setting", "ReportFileCount="}},
		{`gatepool get-host zz`, []string{"get-host", "zz"}},
		{`gatepool import-host exp`, []string{"import-host", "export 1.json", ""}},
		{`gatepool get-state --state=exp`, []string{"get-state", "--state=export 1.json", ""}},
	}
}

// TestCompleteReadsFilesOnly: nothing that has no end or never begins.
func TestCompleteReadsFilesOnly(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		if got := values(completions(t, path, "get-host", "")); got != ":4" {
			t.Errorf("%s: got %q", path, got)
		}
	}
}

func TestBashTAB(t *testing.T) {
	bash := need(t, "bash")
	for name, setup := range map[string]string{"alone": "", "bash-completion": "source /usr/share/bash-completion/bash_completion"} {
		t.Run(name, func(t *testing.T) {
			if setup != "" {
				needFile(t, strings.TrimPrefix(setup, "source "))
			}
			c := newConsole(t, map[string]string{"rc": setup + `
PS1=
bind 'set bell-style none'
bind 'set enable-bracketed-paste off'
dump() { printf '\n<<%s>>\n' "$READLINE_LINE"; }
bind -x '"\C-x\C-p": dump'
source ./gatepool.bash
echo ready
`}, bash, "--noprofile", "--rcfile", "rc", "-i")
			c.testPresses(append(presses(),
				press{`gatepool get-host "sa`, []string{"get-host", `say "hi"!`, ""}},
				press{`gatepool get-state > exp`, []string{"get-state", ">", "export 1.json", ""}},
				press{`gatepool get-state --state ~/hom`, []string{"get-state", "--state", c.home + "/home.yaml", ""}},
				press{`gatepool get-hostpool --state ~/home.yaml on`, []string{"get-hostpool", "--state", c.home + "/home.yaml", "only", ""}},
			))
		})
	}
}

func TestZshTAB(t *testing.T) {
	zsh := need(t, "zsh")
	for name, setup := range map[string]string{
		"sourced": "autoload -Uz compinit; compinit -u -D; source ./gatepool.zsh",
		"fpath":   "mkdir f; cp gatepool.zsh f/_gatepool; fpath=($PWD/f $fpath); autoload -Uz compinit; compinit -u -D",
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t, map[string]string{".zshrc": setup + `
PS1=
unsetopt zle_bracketed_paste beep
unset zle_bracketed_paste
bindkey -e
dump() { print -r -- $'\n'"<<$BUFFER>>" }
zle -N dump
bindkey '^X^P' dump
echo ready
`}, zsh, "-d", "-i")
			c.testPresses(presses())
		})
	}
}

func TestFishTAB(t *testing.T) {
	fish := need(t, "fish")
	c := newConsole(t, map[string]string{"config.fish": `
source ./gatepool.fish
function fish_prompt; end
function fish_greeting; end
bind \cx\cp 'printf "\n<<%s>>\n" (commandline)'
bind \t complete
echo ready
`}, fish, "--no-config", "-i", "-C", "source config.fish")
	c.testPresses(presses())
}

// TestFishList asks fish as it asks itself while somebody types.
func TestFishList(t *testing.T) {
	fish := need(t, "fish")
	dir := completionFolder(t)
	for _, test := range []struct{ line, want string }{
		{"gatepool drain-", "drain-host\tPut session hosts in drain mode"},
		{"gatepool get-host po", "pool one"},
		{"gatepool get-host 'po", "pool one"},
		{"gatepool get-host --no-c", "--no-color\tprint without colour"},
		{"gatepool connect --hostpool=", "--hostpool=$(touch x)\n--hostpool=a=b{c,d}\n--hostpool=back\\slash\n--hostpool=eu:west\n--hostpool=it's; touch x\n--hostpool=pool one\n--hostpool=say \"hi\"!\n--hostpool=~root\n--hostpool=東京 プール"},
		{"gatepool drain-host 'pool one' ", "back`touch x`tick\tAvailable\nhost one.contoso.example\tAvailable\nホスト・一\tAvailable"},
		{"gatepool remove-session 'pool one' 'host one.contoso.example/", "host one.contoso.example/1\tActive\nhost one.contoso.example/2\tDisconnected"},
		{"gatepool remove-session 'pool one' \"host one.contoso.example/", "host one.contoso.example/1\tActive\nhost one.contoso.example/2\tDisconnected"},
		{"gatepool import-host ex", "export 1.json"},
		{"gatepool get-state --state=ex", "--state=export 1.json"},
		{"gatepool get-host zz", ""},
		{"/nowhere/gatepool get-host po", "pool one"},
	} {
		command := exec.Command(fish, "--no-config", "-c", "source gatepool.fish; complete --do-complete $argv[1]", "--", test.line)
		command.Dir, command.Env = dir, shellEnv(dir)
		out, err := command.CombinedOutput()
		if got := strings.TrimSuffix(string(out), "\n"); got != test.want {
			t.Errorf("%s: %v\n got %q\nwant %q", test.line, err, got, test.want)
		}
	}
}

// need finds a program that a test can't do without.
func need(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("no %s here", program)
	}
	return path
}

func needFile(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
}

// console is an interactive shell in a terminal of its own.
type console struct {
	t      *testing.T
	shell  string
	home   string
	tty    *os.File
	output chan []byte
	seen   bytes.Buffer
}

// newConsole starts a shell in a new folder, which is its home and holds the
// completion scripts, the state file and the files given. It is ready when it
// has said so.
func newConsole(t *testing.T, files map[string]string, shell string, args ...string) *console {
	t.Helper()
	dir := completionFolder(t)
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}
	command := exec.Command(shell, args...)
	command.Dir = dir
	command.Env = shellEnv(dir)
	tty, err := pty.StartWithSize(command, &pty.Winsize{Rows: 50, Cols: 250})
	if err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, shell: shell, home: dir, tty: tty, output: make(chan []byte)}
	done := make(chan struct{})
	go func() {
		for {
			b := make([]byte, 4096)
			n, err := tty.Read(b)
			select {
			case c.output <- b[:n]:
			case <-done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		close(done)
		_ = command.Process.Kill()
		_ = command.Wait()
		_ = tty.Close()
	})
	c.wait("ready")
	return c
}

// completionFolder makes a folder with the scripts and files to complete.
func completionFolder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	state, err := os.ReadFile("testdata/complete/hostile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "gatepool.yaml"), string(state))
	writeFile(t, filepath.Join(dir, "home.yaml"), "kind: HostPool\napiVersion: gatepool/v1\nname: only\n")
	writeFile(t, filepath.Join(dir, "export 1.json"), "[]")
	for _, s := range CompletionScripts() {
		writeFile(t, filepath.Join(dir, "gatepool."+s.Shell), s.Text)
	}
	return dir
}

func shellEnv(dir string) []string {
	// A program with the race detector would wait a second before it ends.
	return []string{"GORACE=atexit_sleep_ms=0", "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "ZDOTDIR=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_DATA_HOME=" + dir, "TERM=xterm", "LC_ALL=C.UTF-8"}
}

// wait reads the terminal until it shows text, and returns what came before.
func (c *console) wait(text string) string {
	c.t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		if before, after, ok := strings.Cut(c.seen.String(), text); ok {
			c.seen.Reset()
			c.seen.WriteString(after)
			return before
		}
		select {
		case b := <-c.output:
			c.seen.Write(b)
		case <-deadline:
			c.t.Fatalf("no %q in %q", text, c.seen.String())
		}
	}
}

// send types keys.
func (c *console) send(keys string) {
	c.t.Helper()
	if _, err := c.tty.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
}

// complete types a line and TAB, and returns what then stands in the line.
func (c *console) complete(typed string) (line, shown string) {
	c.t.Helper()
	c.send(typed + keyTab + keyDump)
	shown = c.wait("<<")
	line = c.wait(">>")
	c.send(keyClear)
	return line, shown
}

func (c *console) testPresses(all []press) {
	c.t.Helper()
	for _, p := range all {
		line, shown := c.complete(p.typed)
		if got := c.words(line); !slices.Equal(got, p.want) {
			c.t.Errorf("%s TAB: %s\nwords %q\n want %q", p.typed, line, got, p.want)
		}
		c.mustNotShow(shown)
	}
	// A second TAB lists what there is.
	for line, want := range map[string][]string{
		"gatepool get-host ":              {"$(touch x)", "pool one", "say \"hi\"!", "東京 プール"},
		"gatepool drain-host 'pool one' ": {"back`touch x`tick", "host one.contoso.example", "ホスト・一"},
		"gatepool drain-":                 {"drain-host"},
	} {
		_, shown := c.complete(line + keyTab)
		for _, name := range want {
			if !strings.Contains(shown, name) {
				c.t.Errorf("%s TAB TAB does not list %s: %q", line, name, shown)
			}
		}
		c.mustNotShow(shown)
	}
	if _, err := os.Stat(filepath.Join(c.home, "x")); err == nil {
		c.t.Error("a name in the state file was run")
	}
}

// mustNotShow fails when names that steer a terminal came through, in any form.
func (c *console) mustNotShow(shown string) {
	c.t.Helper()
	for _, bad := range []string{"]0;title", "red\x1b", "[31m", "line\n", "line\r", "--force"} {
		if strings.Contains(shown, bad) {
			c.t.Errorf("the terminal got %q: %q", bad, shown)
		}
	}
}

// words is what the shell makes of the words behind gatepool in a line, with ""
// at the end where the line ends in a blank. Redirections are not done.
func (c *console) words(line string) []string {
	c.t.Helper()
	_, arguments, _ := strings.Cut(line, " ")
	arguments = strings.ReplaceAll(arguments, " > ", ` \> `)
	command := exec.Command(c.shell, "-c", `printf '%s\0' `+arguments)
	command.Dir, command.Env = c.home, shellEnv(c.home)
	out, err := command.Output()
	if err != nil {
		return []string{fmt.Sprintf("%v: %s", err, line)}
	}
	words := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if strings.HasSuffix(line, " ") {
		words = append(words, "")
	}
	return words
}
