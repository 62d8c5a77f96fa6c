package cmd

// hostpoolCommands are about host pools, session hosts and sessions.
func hostpoolCommands() []command {
	return []command{
		{"get-hostpool", (*app).getHostpool},
		{"new-hostpool", (*app).newHostpool},
		{"set-hostpool", (*app).setHostpool},
		{"remove-hostpool", (*app).removeHostpool},
		{"get-host", (*app).getHost},
		{"add-host", (*app).addHost},
		{"set-host", (*app).setHost},
		{"remove-host", (*app).removeHost},
		{"drain-host", (*app).drainHost},
		{"resume-host", (*app).resumeHost},
		{"get-session", (*app).getSession},
		{"disconnect-session", (*app).disconnectSession},
		{"remove-session", (*app).removeSession},
	}
}
