package cmd

// hostpoolCommands are about host pools, session hosts and sessions.
func hostpoolCommands() []command {
	return []command{
		{"get-hostpool", (*app).getHostpool},
		{"set-hostpool", (*app).setHostpool},
		{"drain-host", (*app).drainHost},
		{"resume-host", (*app).resumeHost},
	}
}
