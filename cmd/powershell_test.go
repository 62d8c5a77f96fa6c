package cmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pairs runs, of each two lines of a file, both on a copy of the state, and
// demands the same exit code, output and state of them: pairs FILE. The second
// of the two must do something: print, change the state or fail.
func pairs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: pairs FILE")
	}
	type result struct{ stdout, state, failure string }
	before := ts.ReadFile("gatepool.yaml")
	run := func(line string) result {
		ts.Check(os.WriteFile(ts.MkAbs("gatepool.yaml"), []byte(before), 0o644))
		words, err := split(line)
		ts.Check(err)
		var stdout, stderr bytes.Buffer
		r := result{}
		if code := Main(append(words, "--state", ts.MkAbs("gatepool.yaml")), strings.NewReader(""), &stdout, &stderr); code != exitOK {
			first, _, _ := strings.Cut(stderr.String(), "\n")
			r.failure = fmt.Sprintf("exit code %d: %s", code, first)
		}
		r.stdout, r.state = stdout.String(), ts.ReadFile("gatepool.yaml")
		return r
	}
	var lines []string
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	if len(lines) < 80 || len(lines)%2 != 0 {
		ts.Fatalf("%s holds %d lines; expected at least 40 pairs", args[0], len(lines))
	}
	for pair := range slices.Chunk(lines, 2) {
		cmdlet, own := run(pair[0]), run(pair[1])
		if cmdlet != own {
			ts.Fatalf("not the same:\n%s\n%+v\n\n%s\n%+v", pair[0], cmdlet, pair[1], own)
		}
		if own.stdout == "" && own.failure == "" && own.state == before {
			ts.Fatalf("%s does nothing, so nothing is compared", pair[1])
		}
	}
}

// split takes a line apart as a shell does; quotes are single.
func split(line string) ([]string, error) {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words[len(words)-1] += part
			continue
		}
		fields := strings.Split(part, " ")
		if i > 0 {
			words[len(words)-1] += fields[0]
			fields = fields[1:]
		}
		words = append(words, fields...)
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" }), nil
}

// TestCmdletTable checks that what the table says exists.
func TestCmdletTable(t *testing.T) {
	root := Tree()
	names := map[string]bool{}
	for _, c := range cmdlets() {
		if names[strings.ToLower(c.name)] {
			t.Errorf("%s stands twice", c.name)
		}
		names[strings.ToLower(c.name)] = true
		command := named(root, c.command)
		if command == nil {
			t.Errorf("%s: there is no command %s", c.name, c.command)
			continue
		}
		taken := map[string]bool{}
		for _, p := range c.parameters {
			for _, name := range append([]string{p.name}, p.aliases...) {
				if taken[squash(name)] {
					t.Errorf("%s: -%s means two parameters", c.name, name)
				}
				taken[squash(name)] = true
			}
			switch p.use {
			case asFlag:
				f := command.Flags().Lookup(p.flag)
				if f == nil {
					t.Errorf("%s: -%s: %s has no flag --%s", c.name, p.name, c.command, p.flag)
				} else if (f.NoOptDefVal != "") != (p.kind != takesValue) {
					t.Errorf("%s: -%s: one of it and --%s takes a value", c.name, p.name, p.flag)
				}
			case asArgument:
				if places := strings.Count(command.Use, " "); p.position < 1 || p.position > places {
					t.Errorf("%s: -%s is argument %d of %q", c.name, p.name, p.position, command.Use)
				}
			case leftOut, refused:
				if p.why == "" {
					t.Errorf("%s: -%s: no reason", c.name, p.name)
				}
			}
		}
	}
}

// TestDocumentedParameters compares the table with what Microsoft's help pages
// show, in testdata/cmdlets.txt.
func TestDocumentedParameters(t *testing.T) {
	text, err := os.ReadFile("testdata/cmdlets.txt")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		c := findCmdlet(fields[0])
		if c == nil {
			t.Errorf("%s is no cmdlet of the table", fields[0])
			continue
		}
		documented[c.name] = true
		for _, word := range fields[1:] {
			name, mandatory := strings.CutSuffix(word, "!")
			name, aliases, _ := strings.Cut(name, "=")
			i := slices.IndexFunc(c.parameters, func(p parameter) bool { return p.name == name })
			if i < 0 {
				t.Errorf("%s: -%s is not known", c.name, name)
				continue
			}
			p := c.parameters[i]
			if p.mandatory != mandatory {
				t.Errorf("%s: -%s: mandatory is %v, want %v", c.name, name, p.mandatory, mandatory)
			}
			if got := strings.Join(p.aliases, ","); aliases != "" && got != aliases {
				t.Errorf("%s: -%s has the aliases %s, want %s", c.name, name, got, aliases)
			}
		}
	}
	for _, c := range cmdlets() {
		if !documented[c.name] {
			t.Errorf("%s is not in testdata/cmdlets.txt", c.name)
		}
	}
}

// translated is what a cmdlet's line becomes: the command, its flags and
// arguments, without the --.
func translated(line ...string) (string, error) {
	a := &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, now: time.Now}
	root := a.root()
	alias, err := a.addCommands(root, line[0])
	if err != nil {
		return "", err
	}
	c := named(root, alias.command)
	c.InitDefaultHelpFlag()
	words, err := a.translate(alias, c, line[1:], []*pflag.FlagSet{c.Flags(), root.PersistentFlags()})
	if err != nil {
		return "", err
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "--" })
	return strings.Join(append([]string{c.Name()}, words...), " "), nil
}

func TestTranslate(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"Update-AzWvdHostPool -Name hp -MaxSessionLimit 12", "set-hostpool --max-session-limit=12 hp"},
		{"UPDATE-AZWVDHOSTPOOL -name:hp -max=12", "set-hostpool --max-session-limit=12 hp"},
		{"Update-AzWvdHostPool -HostPoolName hp -Start", "set-hostpool --start-vm-on-connect=true hp"},
		{"Update-AzWvdHostPool hp -Algorithm DepthFirst", "set-hostpool --algorithm=DepthFirst hp"},
		{"Update-AzWvdHostPool -Name hp -Description -5", "set-hostpool --description=-5 hp"},
		{"Update-AzWvdHostPool -Name hp -Description:a:b=c", "set-hostpool --description=a:b=c hp"},
		{"Update-AzWvdHostPool -Name hp -Description: later", "set-hostpool --description=later hp"},
		{"Update-AzWvdHostPool -Name hp -Description=", "set-hostpool --description= hp"},
		{"Update-AzWvdHostPool -Name hp -ErrorAction Stop -ea 0 -Verbose -SubscriptionId x -Ring 2 -WhatIf", ""},
		{"Update-AzWvdHostPool -Name hp -ErrorAction Stop -Verbose -SubscriptionId x -Ring 2 -WhatIf", "set-hostpool --what-if=true hp"},
		{"Update-AzWvdHostPool -Name hp -wi -cf:$false", "set-hostpool --what-if=true --confirm=$false hp"},
		{"Update-AzWvdHostPool -ojson -Name hp", "set-hostpool -ojson hp"},
		{"Update-AzWvdHostPool -o json -Name hp", "set-hostpool --output=json hp"},
		{"Update-AzWvdHostPool -Output json -Name hp", "set-hostpool --output=json hp"},
		{"Update-AzWvdHostPool --name hp --max-session-limit 3", "set-hostpool --max-session-limit=3 hp"},
		{"Update-AzWvdHostPool hp -Name=", "set-hostpool  hp"},
		{"Update-AzWvdHostPool -?", "set-hostpool --help"},
		{"Update-AzWvdHostPool -Foo 1 -Name hp", ""},
		{"Update-AzWvdHostPool -Name hp -Max 1 -MaxSessionLimit 2", ""},
		{"Update-AzWvdHostPool -Name hp -R 1", ""},
		{"Update-AzWvdHostPool -Name hp -Description", ""},
		{"Update-AzWvdHostPool -Name hp -Description -WhatIf", ""},
		{"Update-AzWvdHostPool -Name hp -Description -RING", ""},
		{"Update-AzWvdHostPool -InputObject x", ""},
		{"Update-AzWvdSessionHost -HostPoolName hp -Name h -AllowNewSession:$false", "set-host --allow-new-session=$false hp h"},
		{"Update-AzWvdSessionHost -Name h -HostPoolName hp -AllowNewSession: False", "set-host --allow-new-session=False hp h"},
		{"Update-AzWvdSessionHost -Name h -HostPoolName hp -AllowNewSession True", "set-host --allow-new-session=True hp h"},
		{"Update-AzWvdSessionHost -Name h -HostPoolName hp -AllowNewSession", "set-host --allow-new-session=true hp h"},
		{"Update-AzWvdSessionHost -AllowNewSession:False hp -- h -x", "set-host --allow-new-session=False hp h -x"},
		{"Update-AzWvdSessionHost -Name h -HostPoolName hp -AllowNewSession:", ""},
		{"Update-AzWvdSessionHost -Name h -AllowNewSession:$true", ""},
		{"Update-AzWvdSessionHost hp -Name h", "set-host hp h"},
		{"Get-AzWvdUserSession -HostPoolName hp -SessionHostName h -Id 3", "get-session --session-host-name=h hp h/3"},
		{"Get-AzWvdUserSession -Id 3 -SessionHostName hp/h -HostPoolName hp", "get-session --session-host-name=hp/h hp h/3"},
		{"Get-AzWvdUserSession -HostPoolName hp -Id hp/h/3", "get-session hp hp/h/3"},
		{"Get-AzWvdUserSession -HostPoolName hp -Id 3", ""},
		{"Get-AzWvdUserSession -HostPoolName hp -Filter x", ""},
		{"Get-AzWvdUserSession -Filter x", ""},
		{"Set-DataGatewayCluster -Id c -AllowCustomConnectors $true", "set-cluster --allow-custom-connectors=$true c"},
		{"Set-DataGatewayCluster -Cluster c -AllowCustomConnectors false -AllowCloud:True", "set-cluster --allow-custom-connectors=false --allow-cloud-datasource-refresh=True c"},
		{"Set-DataGatewayCluster -Cluster c -AllowCustomConnectors -Name d", ""},
		{"Set-DataGatewayCluster -GatewayClusterId c -Name d -Scope Organization -RegionKey weu", "set-cluster --name=d c"},
		{"Set-OnPremisesDataGatewayCluster -ClusterObjectId c -LoadBalancingType 1", "set-cluster --load-balancing-selector-type=Random c"},
		{"Set-OnPremisesDataGateway -ClusterObjectId c -GatewayObjectId g -MemberStatus None", "set-member --member-status=None c g"},
		{"Add-DataGatewayClusterDatasourceUser -GatewayClusterId c -DatasourceId d -Identifier g -EmailAddress u -DatasourceUserAccessRight Read", "add-datasource-user --datasource-user-access-right=Read c d u"},
		{"Add-DataGatewayClusterDatasourceUser -EmailAddress u -Identifier g -GatewayClusterId c -DatasourceId d", "add-datasource-user c d u"},
		{"Add-DataGatewayClusterUser -GatewayClusterId c -User u -Role Admin -AllowedDataSourceTypes $null", "add-cluster-user --role=Admin --allowed-data-source-types= c u"},
		{"Add-DataGatewayCluster -RecoveryKey s3cret -Name c", "new-cluster c"},
		{"Remove-AzWvdHostPool -Name hp -PassThru -Force", "remove-hostpool --force=true hp"},
	} {
		got, err := translated(strings.Fields(test.line)...)
		switch {
		case test.want == "" && err == nil:
			t.Errorf("%s: is %q, want an error", test.line, got)
		case test.want != "" && (err != nil || got != test.want):
			t.Errorf("%s: is %q, %v; want %q", test.line, got, err, test.want)
		}
		if err != nil && classify(err).exit != exitUsage {
			t.Errorf("%s: %v has exit code %d, want %d", test.line, err, classify(err).exit, exitUsage)
		}
	}
}

// TestTranslateHostileValues checks that a value stays one argument, whatever
// it looks like.
func TestTranslateHostileValues(t *testing.T) {
	for _, value := range []string{"--force", "-WhatIf", "--", "", " ", "a b", "$false", "--state=x", "=", ":"} {
		var got []string
		a := &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, now: time.Now}
		c := a.setHostpool()
		c.RunE = func(c *cobra.Command, args []string) error {
			got = append(slices.Clone(args), c.Flag("description").Value.String())
			return nil
		}
		words, err := a.translate(findCmdlet("Update-AzWvdHostPool"), c, []string{"-Name:" + value, "-Description=" + value}, []*pflag.FlagSet{c.Flags()})
		if value == "" {
			// A colon with nothing behind it takes the next argument, which is a parameter here.
			if err == nil {
				t.Errorf("-Name: before a parameter is %q, want an error", words)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", value, err)
			continue
		}
		c.PreRunE = nil // it speaks to the terminal
		c.SetArgs(words)
		if err := c.Execute(); err != nil || !slices.Equal(got, []string{value, value}) {
			t.Errorf("%q arrives as %q, %v", value, got, err)
		}
	}
}

func TestSecretsOnTheLineAreDroppedWithAWarning(t *testing.T) {
	var stdout, stderr bytes.Buffer
	path := t.TempDir() + "/gatepool.yaml"
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"Add-DataGatewayCluster", "-GatewayName", "gw", "-RecoveryKey", "s3cret", "-State", path}
	if code := Main(args, strings.NewReader(""), &stdout, &stderr); code != exitOK {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	if !strings.Contains(stderr.String(), "-RecoveryKey is left out") || strings.Contains(stderr.String(), "s3cret") {
		t.Errorf("stderr is %q", &stderr)
	}
	state, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(state, []byte("name: gw")) || bytes.Contains(state, []byte("s3cret")) {
		t.Errorf("the state is %q, %v", state, err)
	}
}
