package cmd

// exchangeCommands are about the state beside the real services, and checks for CI.
func exchangeCommands() []command {
	return []command{
		{"test-state", (*app).testState},
		{"compare-state", (*app).compareState},
		{"export-script", (*app).exportScript},
		{"export-json", (*app).exportJSON},
	}
}
