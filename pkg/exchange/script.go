package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatepool/pkg/hostpool"
)

// Shell is what a script is for.
type Shell string

// PowerShell has a cmdlet for most things; az knows host pools only.
const (
	PowerShell Shell = "powershell"
	Az         Shell = "az"
)

// Values lists the valid values.
func (Shell) Values() []string { return []string{"powershell", "az"} }

// ScriptOptions is what a script needs beyond the differences.
type ScriptOptions struct {
	Wish, Fact Snapshot // what the differences are between
	Removals   bool     // also remove what is not wished for
}

// Script writes the lines that bring the service from the fact to the wish: new
// pools, drained hosts, changed pools, other changes, and removals last and only
// when asked for. Running it again sets the same again. What no command line
// can do, or not without knowing more, is a comment that says what can. Runtime
// differences are passed over.
func Script(shell Shell, differences []Difference, o ScriptOptions) []string {
	s := script{shell: shell, ScriptOptions: o}
	for _, group := range grouped(differences) {
		d := group[0]
		switch d.Kind {
		case KindHostPool:
			s.pool(d, group)
		case KindSessionHost:
			s.host(d, group)
		default:
			s.gateway(d, group)
		}
	}
	var lines []string
	for _, stage := range s.stages {
		lines = append(lines, stage...)
	}
	return lines
}

// grouped puts the changes of one thing together, so that they are one line, and
// leaves runtime differences out.
func grouped(differences []Difference) [][]Difference {
	var groups [][]Difference
	at := map[string]int{}
	for _, d := range differences {
		if d.Runtime {
			continue
		}
		key := string(d.Kind) + "\x00" + string(d.Change) + "\x00" + strings.Join(d.Path, "\x00")
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], d)
	}
	return groups
}

// stage is when a line runs.
type stage int

const (
	create stage = iota
	drain        // before limits change and hosts go
	update
	resume
	remove
	last // removals of what others must have left
	stageCount
)

type script struct {
	ScriptOptions
	shell  Shell
	stages [stageCount][]string
}

func (s *script) line(at stage, words ...string) {
	s.stages[at] = append(s.stages[at], strings.Join(words, " "))
}

// comment says what the script leaves undone about the thing of a difference. The
// path is shown escaped; the text must be fit for a script.
func (s *script) comment(at stage, d Difference, text string) {
	s.line(at, "#", string(d.Kind), strconv.QuoteToASCII(strings.Join(d.Path, "/"))+":", text)
}

// removal reports whether what is extra may go, and says so where it may not.
func (s *script) removal(d Difference) bool {
	if !s.Removals {
		s.comment(remove, d, "is not in the state; it is removed only with --include-removals")
	}
	return s.Removals
}

// argument is a property to set, and its value.
type argument struct {
	property string
	value    any
}

// poolParameters are what Update-AzWvdHostPool and az hostpool update can
// change, with the option of az. PowerShell's parameter is the property's name.
var poolParameters = map[string]string{
	"friendlyName":                  "--friendly-name",
	"description":                   "--description",
	"loadBalancerType":              "--load-balancer-type",
	"maxSessionLimit":               "--max-session-limit",
	"personalDesktopAssignmentType": "--personal-desktop-assignment-type",
	"startVMOnConnect":              "--start-vm-on-connect",
	"validationEnvironment":         "--validation-environment",
	"preferredAppGroupType":         "--preferred-app-group-type",
	"tags":                          "--tags",
}

func (s *script) pool(d Difference, group []Difference) {
	switch d.Change {
	case Missing:
		s.newPool(d, d.Wish.(hostpool.Pool))
		return
	case Extra:
		if fact := d.Fact.(hostpool.Pool); s.removal(d) {
			if p, ok := s.target(d, fact, last); ok {
				s.removePool(p)
			}
		}
		return
	}
	var arguments []argument
	for _, d := range group {
		if _, ok := poolParameters[d.Property]; ok {
			arguments = append(arguments, argument{d.Property, d.Wish})
		} else {
			s.comment(update, d, d.Property+" of a pool cannot be changed; a new pool can have it")
		}
	}
	if len(arguments) == 0 {
		return
	}
	p, ok := s.target(d, *s.Fact.pool(d.Path[0]), update)
	if !ok {
		return
	}
	if s.shell == PowerShell {
		s.line(update, append(powershellPool("Update-AzWvdHostPool", p), powershellArguments(arguments)...)...)
		return
	}
	words, err := azArguments(arguments)
	if err != nil {
		s.comment(update, d, err.Error()+"; Update-AzWvdHostPool can")
		return
	}
	s.line(update, append(azPool("update", p), words...)...)
}

// target is the pool with its resource group, which the wish may know when the
// fact does not; false, and a comment, when neither does.
func (s *script) target(d Difference, p hostpool.Pool, at stage) (hostpool.Pool, bool) {
	if wish := s.Wish.pool(p.Name); p.ResourceGroup == "" && wish != nil {
		p.ResourceGroup = wish.ResourceGroup
	}
	if p.ResourceGroup == "" {
		s.comment(at, d, "left out because the resourceGroup of the pool is not known; set it in the state")
	}
	return p, p.ResourceGroup != ""
}

func powershellPool(cmdlet string, p hostpool.Pool) []string {
	return []string{cmdlet, "-Name", QuotePowerShell(p.Name), "-ResourceGroupName", QuotePowerShell(p.ResourceGroup)}
}

// azPool writes each option with = so that a value beginning with a dash is no
// option.
func azPool(verb string, p hostpool.Pool) []string {
	return []string{"az desktopvirtualization hostpool", verb, "--name=" + QuotePOSIX(p.Name), "--resource-group=" + QuotePOSIX(p.ResourceGroup)}
}

const joins = "joins the pool when its agent is registered with a token of the pool"

// newPool creates a pool unless it is there. Its hosts join it with their
// agents.
func (s *script) newPool(d Difference, p hostpool.Pool) {
	if p.ResourceGroup == "" || p.Location == "" {
		s.comment(create, d, "not created because its resourceGroup or location is not known; set them in the state")
		return
	}
	group := p.PreferredAppGroupType
	if group == "" {
		group = "Desktop" // mandatory; the service's own choice in the portal
	}
	arguments := []argument{{"loadBalancerType", p.LoadBalancerType}, {"preferredAppGroupType", group}, {"maxSessionLimit", p.MaxSessionLimit}}
	if p.PersonalDesktopAssignmentType != "" {
		arguments = append(arguments, argument{"personalDesktopAssignmentType", p.PersonalDesktopAssignmentType})
	}
	if p.FriendlyName != "" {
		arguments = append(arguments, argument{"friendlyName", p.FriendlyName})
	}
	if p.Description != "" {
		arguments = append(arguments, argument{"description", p.Description})
	}
	if p.StartVMOnConnect {
		arguments = append(arguments, argument{"startVMOnConnect", true})
	}
	if p.ValidationEnvironment {
		arguments = append(arguments, argument{"validationEnvironment", true})
	}
	if len(p.Tags) > 0 {
		arguments = append(arguments, argument{"tags", p.Tags})
	}
	if s.shell == PowerShell {
		words := append(powershellPool("New-AzWvdHostPool", p), "-Location", QuotePowerShell(p.Location), "-HostPoolType", QuotePowerShell(string(p.HostPoolType)))
		get := append(powershellPool("Get-AzWvdHostPool", p), "-ErrorAction SilentlyContinue")
		s.line(create, "if (-not ("+strings.Join(get, " ")+")) {", strings.Join(append(words, powershellArguments(arguments)...), " "), "}")
	} else {
		words, err := azArguments(arguments)
		if err != nil {
			s.comment(create, d, err.Error()+"; New-AzWvdHostPool can")
			return
		}
		show := append(azPool("show", p), ">/dev/null 2>&1 ||")
		words = append(append(azPool("create", p), "--location="+QuotePOSIX(p.Location), "--host-pool-type="+QuotePOSIX(string(p.HostPoolType))), words...)
		s.line(create, append(show, words...)...)
	}
	for _, h := range p.SessionHosts {
		s.comment(update, Difference{Kind: KindSessionHost, Path: []string{p.Name, h.Name}}, joins)
	}
}

func (s *script) removePool(p hostpool.Pool) {
	if s.shell == PowerShell {
		get := append(powershellPool("Get-AzWvdHostPool", p), "-ErrorAction SilentlyContinue")
		s.line(last, "if ("+strings.Join(get, " ")+") {", strings.Join(append(powershellPool("Remove-AzWvdHostPool", p), "-Force"), " "), "}")
		return
	}
	show := append(azPool("show", p), ">/dev/null 2>&1; then")
	s.line(last, append(append([]string{"if"}, show...), append(azPool("delete", p), "--force=true --yes; fi")...)...)
}

// powershellArguments writes switches as -Name:$true, so that false can be said.
func powershellArguments(arguments []argument) []string {
	var words []string
	for _, a := range arguments {
		name := "-" + strings.ToUpper(a.property[:1]) + a.property[1:]
		switch v := a.value.(type) {
		case bool:
			words = append(words, fmt.Sprintf("%s:$%t", name, v))
		case int:
			words = append(words, name, strconv.Itoa(limitOrNone(v)))
		case map[string]string:
			var pairs []string
			for _, key := range slices.Sorted(maps.Keys(v)) {
				pairs = append(pairs, QuotePowerShell(key)+" = "+QuotePowerShell(v[key]))
			}
			words = append(words, "-Tag", "@{"+strings.Join(pairs, "; ")+"}")
		default:
			words = append(words, name, QuotePowerShell(fmt.Sprint(v)))
		}
	}
	return words
}

// azArguments refuses what az would not take as it stands: it replaces a value
// that begins with @ by the file of that name.
func azArguments(arguments []argument) ([]string, error) {
	var words []string
	for _, a := range arguments {
		option := poolParameters[a.property]
		switch v := a.value.(type) {
		case bool:
			words = append(words, fmt.Sprintf("%s=%t", option, v))
		case int:
			words = append(words, fmt.Sprintf("%s=%d", option, limitOrNone(v)))
		case map[string]string:
			words = append(words, option)
			for _, key := range slices.Sorted(maps.Keys(v)) {
				if strings.HasPrefix(key, "-") || strings.HasPrefix(key, "@") || strings.Contains(key, "=") || strings.HasPrefix(v[key], "@") {
					return nil, fmt.Errorf("az cannot take the tag %s as it is", strconv.QuoteToASCII(key))
				}
				words = append(words, QuotePOSIX(key+"="+v[key]))
			}
			if len(v) == 0 {
				words = append(words, "''")
			}
		default:
			value := fmt.Sprint(v)
			if strings.HasPrefix(value, "@") {
				return nil, fmt.Errorf("az takes %s for the name of a file", strconv.QuoteToASCII(value))
			}
			if value == string(hostpool.MultiplePersistent) {
				return nil, fmt.Errorf("az does not know %s", value)
			}
			words = append(words, option+"="+QuotePOSIX(value))
		}
	}
	return words, nil
}

func (s *script) host(d Difference, group []Difference) {
	pool, host := d.Path[0], d.Path[1]
	if s.shell == Az {
		if d.Change != Extra || s.removal(d) {
			s.comment(update, d, "az has no command for session hosts; Update-AzWvdSessionHost or Remove-AzWvdSessionHost has")
		}
		return
	}
	if d.Change == Missing {
		s.comment(update, d, joins)
		return
	}
	at := update
	if d.Change == Extra {
		if !s.removal(d) {
			return
		}
		at = remove
	}
	p, ok := s.target(d, *s.Fact.pool(pool), at)
	if !ok {
		return
	}
	target := []string{"-HostPoolName", QuotePowerShell(pool), "-ResourceGroupName", QuotePowerShell(p.ResourceGroup), "-Name", QuotePowerShell(host)}
	if d.Change == Extra {
		words := append([]string{"Get-AzWvdSessionHost"}, target...)
		there := "if (" + strings.Join(words, " ") + " -ErrorAction SilentlyContinue) {"
		words[0] = "Update-AzWvdSessionHost"
		s.line(drain, there, strings.Join(words, " "), "-AllowNewSession:$false }")
		words[0] = "Remove-AzWvdSessionHost"
		s.line(remove, there, strings.Join(words, " "), "}")
		return
	}
	words := append([]string{"Update-AzWvdSessionHost"}, target...)
	for _, d := range group {
		switch d.Property {
		case "allowNewSession":
			at := resume
			if d.Wish == false {
				at = drain
			}
			s.line(at, append(slices.Clone(words), fmt.Sprintf("-AllowNewSession:$%t", d.Wish))...)
		case "assignedUser":
			s.line(update, append(slices.Clone(words), "-AssignedUser", QuotePowerShell(d.Wish.(string)), "-Force")...)
		case "friendlyName":
			s.line(update, append(slices.Clone(words), "-FriendlyName", QuotePowerShell(d.Wish.(string)))...)
		default:
			s.comment(update, d, d.Property+" cannot be set")
		}
	}
}
