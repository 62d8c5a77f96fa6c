package cmd

// configCommands are about the gateways' configuration files and counters.
func configCommands() []command {
	return []command{
		{"get-gatewayconfig", (*app).getGatewayconfig},
		{"set-gatewayconfig", (*app).setGatewayconfig},
		{"test-gatewayconfig", (*app).testGatewayconfig},
		{"import-counter", (*app).importCounter},
	}
}
