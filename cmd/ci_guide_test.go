package cmd

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestCIGuideJobs runs the jobs of the guide about CI: the scripts of each in one
// folder and in their order, as the service does, with stand-ins for az, gh and
// curl. The state differs from the exports in docs/examples and has warnings, so
// lint and drift must fail as they would, and the plan must be in the comment.
func TestCIGuideJobs(t *testing.T) {
	page, err := os.ReadFile("../docs/guides/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(blocks) != 2 {
		t.Fatalf("the guide has %d pipelines, want those of two services", len(blocks))
	}
	const plan = "-AllowNewSession:$false"
	t.Run("GitHub", func(t *testing.T) {
		var pipeline struct {
			Env  map[string]string
			Jobs map[string]struct{ Steps []pipelineStep }
		}
		readPipeline(t, blocks[0][1], &pipeline)
		job := func(name string) jobRun { return runJob(t, pipeline.Env, pipeline.Jobs[name].Steps) }

		lint := job("lint")
		if lint.code != exitFindings || !strings.Contains(lint.printed, "::warning file=avd/contoso.yaml,line=") || !lint.has("gatepool.sarif") {
			t.Errorf("lint: exit code %d\n%s", lint.code, lint.printed)
		}
		if drift := job("drift"); drift.code != exitFindings || !strings.Contains(drift.printed, "maxSessionLimit") {
			t.Errorf("drift: exit code %d\n%s", drift.code, drift.printed)
		}
		if comment := job("plan"); comment.code != 0 || !strings.Contains(comment.sent, plan) || !strings.Contains(comment.sent, "pr comment") {
			t.Errorf("plan: exit code %d\n%s\n%s", comment.code, comment.printed, comment.sent)
		}
	})
	t.Run("Azure", func(t *testing.T) {
		if _, err := exec.LookPath("jq"); err != nil {
			t.Skip("no jq here, which the job uses")
		}
		var pipeline struct {
			Variables map[string]string
			Jobs      []struct {
				Job   string
				Steps []pipelineStep
			}
		}
		readPipeline(t, blocks[1][1], &pipeline)
		runs := map[string]jobRun{}
		for _, j := range pipeline.Jobs {
			runs[j.Job] = runJob(t, pipeline.Variables, j.Steps)
		}
		if lint := runs["lint"]; lint.code != exitFindings || !lint.has("gatepool.xml") {
			t.Errorf("lint: exit code %d\n%s", lint.code, lint.printed)
		}
		if drift := runs["drift"]; drift.code != exitFindings || !strings.Contains(drift.printed, "maxSessionLimit") {
			t.Errorf("drift: exit code %d\n%s", drift.code, drift.printed)
		}
		if comment := runs["plan"]; comment.code != 0 || !strings.Contains(comment.sent, plan) || !strings.Contains(comment.sent, "/pullRequests/7/threads") {
			t.Errorf("plan: exit code %d\n%s\n%s", comment.code, comment.printed, comment.sent)
		}
	})
}

// pipelineStep is a step of either service; one without a script is a ready-made
// action.
type pipelineStep struct {
	Run, Bash string
	Inputs    struct {
		InlineScript string `yaml:"inlineScript"`
	}
}

func (s pipelineStep) script() string { return s.Run + s.Bash + s.Inputs.InlineScript }

func readPipeline(t *testing.T, text []byte, to any) {
	t.Helper()
	if err := yaml.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
}

// jobRun is how a job ended: at its first script that failed, if any did.
type jobRun struct {
	dir     string
	code    int
	printed string // on both streams
	sent    string // to the service, by gh or curl
}

func (r jobRun) has(file string) bool {
	info, err := os.Stat(filepath.Join(r.dir, file))
	return err == nil && info.Size() > 0
}

// standIns answer for the services: az with the exports of docs/examples, gh and
// curl by noting what they are told and the file they are to send.
var standIns = map[string]string{
	"az": `case "$*" in
*"hostpool list --resource-group rg-avd-eu"*) cat "$DIR/avd/hostpools.json" ;;
*/hostPools/hp-eu/sessionHosts*) cat "$DIR/avd/sessionhosts.json" ;;
*) echo "az $*: not expected" >&2; exit 9 ;;
esac`,
	"gh":   `echo "$*" >> "$DIR/sent"; cat comment.md >> "$DIR/sent"`,
	"curl": `echo "$*" >> "$DIR/sent"; cat comment.json >> "$DIR/sent"`,
}

func runJob(t *testing.T, env map[string]string, steps []pipelineStep) jobRun {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here, which the jobs run in")
	}
	r := jobRun{dir: t.TempDir()}
	if err := os.CopyFS(filepath.Join(r.dir, "avd"), os.DirFS("../docs/examples")); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for name, script := range standIns {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!"+bash+"\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	environment := append(os.Environ(), "DIR="+r.dir, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"PULL_REQUEST=7", "SYSTEM_PULLREQUEST_PULLREQUESTID=7")
	for name, value := range env {
		environment = append(environment, name+"="+value)
	}
	for _, s := range steps {
		if s.script() == "" {
			continue
		}
		c := exec.Command(bash, "-e", "-c", s.script())
		c.Dir, c.Env = r.dir, environment
		out, err := c.CombinedOutput()
		r.printed += string(out)
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			r.code = exit.ExitCode()
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sent, err := os.ReadFile(filepath.Join(r.dir, "sent"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	r.sent = string(sent)
	return r
}
