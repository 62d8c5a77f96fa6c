package cmd

// programCommands are about gatepool itself.
func programCommands() []command {
	return []command{
		{"completion", (*app).completion},
		{"version", (*app).version},
	}
}
