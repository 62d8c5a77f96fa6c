package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"gatepool/pkg/exchange"
)

// moduleVersion goes up when a function or parameter changes.
const moduleVersion = "1.0.0"

// helpers is the part of the module that does not depend on the commands.
//
//go:embed gatepool.ps1
var helpers string

// modulePage says how the module is used.
//
//go:embed gatepool.md
var modulePage []byte

// powershellModule writes the PowerShell module and the Crescendo
// configuration, which holds the same functions.
func powershellModule(out files) error {
	all := functions()
	out["completions/powershell/README.md"] = modulePage
	out["completions/powershell/Gatepool.psm1"] = module(all)
	out["completions/powershell/Gatepool.psd1"] = manifest(all)
	configuration, err := crescendo(all)
	out["completions/powershell/Gatepool.crescendo.json"] = configuration
	return err
}

// module is the script module. It is plain ASCII: Windows PowerShell takes any
// other file without a mark for one in the system's code page.
func module(all []function) []byte {
	var b bytes.Buffer
	b.WriteString(helpers)
	for i := range all {
		all[i].write(&b, all)
	}
	b.WriteString("\nExport-ModuleMember -Function @(\n")
	for i, f := range all {
		fmt.Fprintf(&b, "    %s%s\n", exchange.QuotePowerShell(f.name()), comma(i, len(all)))
	}
	b.WriteString(")\n")
	return b.Bytes()
}

func manifest(all []function) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Generated: go run ./docs/gen.
@{
    RootModule           = 'Gatepool.psm1'
    ModuleVersion        = '%s'
    GUID                 = '6d0f3a7e-58c1-4c1b-9a54-1f0c2be7d9a3'
    Author               = 'The authors of gatepool'
    Copyright            = 'The authors of gatepool'
    Description          = 'Host pools and data gateway clusters in a state file: functions for the program gatepool, which must be on the PATH.'
    PowerShellVersion    = '5.1'
    CompatiblePSEditions = @('Desktop', 'Core')
    CmdletsToExport      = @()
    VariablesToExport    = @()
    AliasesToExport      = @()
    FunctionsToExport    = @(
`, moduleVersion)
	for i, f := range all {
		fmt.Fprintf(&b, "        %s%s\n", exchange.QuotePowerShell(f.name()), comma(i, len(all)))
	}
	b.WriteString("    )\n}\n")
	return b.Bytes()
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}

// write writes the function with its help.
func (f *function) write(b *bytes.Buffer, all []function) {
	fmt.Fprintf(b, "\nfunction %s {\n    <#\n", f.name())
	f.writeHelp(b, all)
	b.WriteString("    #>\n")
	switch {
	case f.removes():
		b.WriteString("    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]\n")
	case f.changes():
		b.WriteString("    [CmdletBinding(SupportsShouldProcess = $true)]\n")
	default:
		b.WriteString("    [CmdletBinding()]\n")
	}
	b.WriteString("    param(\n")
	for i := range f.parameters {
		f.parameters[i].write(b, i)
		b.WriteString(comma(i, len(f.parameters)) + "\n")
	}
	b.WriteString("    )\n    process {\n")
	f.writeBody(b)
	b.WriteString("    }\n}\n")
}

func (f *function) writeHelp(b *bytes.Buffer, all []function) {
	section := func(keyword, text string) {
		fmt.Fprintf(b, "    .%s\n", keyword)
		for line := range strings.SplitSeq(helpText(text), "\n") {
			b.WriteString(strings.TrimRight("    "+line, " ") + "\n")
		}
	}
	section("SYNOPSIS", f.command.Short)
	section("DESCRIPTION", f.command.Long)
	for _, p := range f.parameters {
		section("PARAMETER "+p.name, p.usage)
	}
	for _, example := range f.examples(all) {
		section("EXAMPLE", example)
	}
}

// write declares a parameter.
func (p *parameter) write(b *bytes.Buffer, position int) {
	var attributes []string
	if p.mandatory {
		attributes = append(attributes, "Mandatory = $true")
	}
	if p.flag == "" {
		attributes = append(attributes, fmt.Sprintf("Position = %d", position), "ValueFromPipelineByPropertyName = $true")
	}
	fmt.Fprintf(b, "        [Parameter(%s)]\n", strings.Join(attributes, ", "))
	if len(p.aliases) > 0 {
		fmt.Fprintf(b, "        [Alias(%s)]\n", quoteAll(p.aliases))
	}
	if len(p.values) > 0 {
		fmt.Fprintf(b, "        [ValidateSet(%s)]\n", quoteAll(p.values))
	}
	kind := p.kind
	if p.list {
		kind += "[]"
	}
	fmt.Fprintf(b, "        [%s] $%s", kind, p.name)
}

// writeBody writes the call of the command. PowerShell asks; gatepool is told
// not to, but still refuses what only -Force overrides.
func (f *function) writeBody(b *bytes.Buffer) {
	var flags, arguments []string
	for _, p := range f.parameters {
		if p.flag == "" {
			arguments = append(arguments, p.name)
		} else {
			flags = append(flags, fmt.Sprintf("%s = %s", p.name, exchange.QuotePowerShell(p.flag)))
		}
	}
	fmt.Fprintf(b, "        $call = @{\n            Caller    = $PSCmdlet\n            Bound     = $PSBoundParameters\n            Command   = %s\n", exchange.QuotePowerShell(f.command.Name()))
	fmt.Fprintf(b, "            Flags     = @{ %s }\n            Arguments = @(%s)\n            Switches  = @(", strings.Join(flags, "; "), quoteAll(arguments))
	if f.hasConfirm {
		b.WriteString("'--confirm=false'")
	}
	b.WriteString(")\n        }\n")
	if !f.changes() {
		b.WriteString("        Invoke-GatepoolCommand @call\n")
		return
	}
	if f.hasConfirm {
		b.WriteString("        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }\n")
	}
	target := exchange.QuotePowerShell(f.noun)
	if len(arguments) > 0 {
		target = "(($" + strings.Join(arguments, ", $") + " | ForEach-Object { $_ }) -join ' ')"
	}
	if f.hasWhatIf {
		b.WriteString("        if ($WhatIfPreference) {\n            $call.Switches = @('--what-if')\n            Invoke-GatepoolCommand @call\n            return\n        }\n")
	}
	fmt.Fprintf(b, "        if ($PSCmdlet.ShouldProcess(%s, %s)) {\n            Invoke-GatepoolCommand @call\n        }\n", target, exchange.QuotePowerShell(f.command.Short))
}

// flagInText finds flags in prose, and the values of switches.
var flagInText = regexp.MustCompile(`--[a-z][a-z-]*[a-z](=(true|false))?|=(true|false)`)

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = exchange.QuotePowerShell(text)
	}
	return strings.Join(quoted, ", ")
}

// quoteList writes the values of one parameter.
func quoteList(texts []string) string {
	if len(texts) == 1 {
		return quoteArgument(texts[0])
	}
	return quoteAll(texts)
}

// quoteArgument quotes a bare word of a call where it needs it.
func quoteArgument(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_./:", r)
	}) < 0
	if s != "" && plain && s[0] != '-' {
		return s
	}
	return exchange.QuotePowerShell(s)
}

// helpText is text in a comment: flags are parameters there, the comment's end
// must not occur in it, a line that begins with a point would be a keyword, and
// it is ASCII.
func helpText(s string) string {
	s = flagInText.ReplaceAllStringFunc(s, func(flag string) string {
		name, value, _ := strings.Cut(flag, "=")
		if value != "" {
			value = ":$" + value
		}
		if name == "" {
			return value
		}
		return "-" + pascal(strings.TrimPrefix(name, "--")) + value
	})
	s = strings.NewReplacer("#>", "# >", "<#", "< #").Replace(s)
	s = strings.ReplaceAll("\n"+s, "\n.", "\n .")[1:]
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, s)
}
