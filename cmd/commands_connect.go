package cmd

// connectCommands are about where a user or a request lands.
func connectCommands() []command {
	return []command{
		{"connect", (*app).connect},
	}
}
