package cmd

// importCommands read into the state what other tools print.
func importCommands() []command {
	return []command{
		{"import-hostpool", (*app).importHostpool},
		{"import-host", (*app).importHost},
		{"import-session", (*app).importSession},
		{"import-cluster", (*app).importCluster},
	}
}
