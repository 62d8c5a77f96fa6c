package cmd

// configCommands are about the gateways' configuration files and counters.
func configCommands() []command {
	return []command{}
}
