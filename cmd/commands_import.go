package cmd

// importCommands are about what other tools print, read into the state.
func importCommands() []command {
	return []command{}
}
