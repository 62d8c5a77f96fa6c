package cmd

import "slices"

// cmdlets is the table of all cmdlets that commands mirror. It is built only
// for a line whose command has no name of our own, and for the documentation.
func cmdlets() []cmdlet {
	all := slices.Concat(hostpoolCmdlets(), gatewayCmdlets(), oldGatewayCmdlets())
	for i := range all {
		all[i].parameters = slices.Concat(all[i].parameters, commonParameters())
	}
	return all
}

// The constructors below make the tables read like the cmdlets' help pages.

// argument is a parameter that becomes the positional argument n.
func argument(n int, name string, aliases ...string) parameter {
	return parameter{name: name, aliases: aliases, use: asArgument, position: n}
}

// option is a parameter with a value that becomes a flag.
func option(name, flag string, aliases ...string) parameter {
	return parameter{name: name, aliases: aliases, use: asFlag, flag: flag}
}

// toggle is a switch that becomes a flag.
func toggle(name, flag string, aliases ...string) parameter {
	p := option(name, flag, aliases...)
	p.kind = isSwitch
	return p
}

// boolean is a parameter with $true or $false that becomes a flag.
func boolean(name, flag string) parameter {
	p := option(name, flag)
	p.kind = takesBool
	return p
}

// must marks a parameter that the cmdlet can't do without.
func (p parameter) must() parameter {
	p.mandatory = true
	return p
}

// where gives values other names.
func (p parameter) where(values map[string]string) parameter {
	p.values = values
	return p
}

// each makes parameters of one use.
func each(u use, k kind, why string, names ...string) []parameter {
	parameters := make([]parameter, len(names))
	for i, name := range names {
		parameters[i] = parameter{name: name, use: u, kind: k, why: why}
	}
	return parameters
}

const (
	notKept    = "the state file keeps no such setting"
	secretKept = "the state file keeps no secrets, and one on a command line ends up in the shell's history"
	noObjects  = "objects don't fit into a command line; pipe gatepool's own with -o ndjson and --stdin"
)

// unkept are settings with a value that the state does not keep.
func unkept(names ...string) []parameter { return each(leftOut, takesValue, notKept, names...) }

// commonParameters are those of every cmdlet.
func commonParameters() []parameter {
	common := func(k kind, name, alias string) parameter {
		return parameter{name: name, aliases: []string{alias}, kind: k, use: ignored}
	}
	return []parameter{
		common(takesValue, "ErrorAction", "ea"), common(takesValue, "ErrorVariable", "ev"),
		common(takesValue, "WarningAction", "wa"), common(takesValue, "WarningVariable", "wv"),
		common(takesValue, "InformationAction", "infa"), common(takesValue, "InformationVariable", "iv"),
		common(takesValue, "ProgressAction", "proga"), common(takesValue, "PipelineVariable", "pv"),
		common(takesValue, "OutVariable", "ov"), common(takesValue, "OutBuffer", "ob"),
		common(isSwitch, "Verbose", "vb"), common(isSwitch, "Debug", "db"),
	}
}

// whatIf are the parameters of cmdlets that change something. -Confirm:$false
// leaves out the question and no check that -Force overrides.
func whatIf() []parameter {
	return []parameter{toggle("WhatIf", "what-if", "wi"), toggle("Confirm", "confirm", "cf")}
}
