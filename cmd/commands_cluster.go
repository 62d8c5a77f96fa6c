package cmd

// clusterCommands are about gateway clusters, their members, users and data sources.
func clusterCommands() []command {
	return []command{}
}
