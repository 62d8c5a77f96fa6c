package cmd

// stateCommands are about the state file as a whole.
func stateCommands() []command {
	return []command{
		{"new-state", (*app).newState},
		{"get-state", (*app).getState},
		{"restore-state", (*app).restoreState},
	}
}
