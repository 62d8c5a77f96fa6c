package cmd

// measureCommands are about what a setting would have done.
func measureCommands() []command {
	return []command{}
}
