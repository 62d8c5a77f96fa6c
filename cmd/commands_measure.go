package cmd

// measureCommands say what a setting would have done.
func measureCommands() []command {
	return []command{
		{"measure-hostpool", (*app).measureHostpool},
		{"measure-cluster", (*app).measureCluster},
	}
}
