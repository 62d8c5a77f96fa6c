package cmd

import "slices"

// hostpoolCmdlets are those of Az.DesktopVirtualization 6.
func hostpoolCmdlets() []cmdlet {
	pool := argument(1, "HostPoolName").must()
	host := argument(2, "Name", "SessionHostName").must()
	inGroup := parameter{name: "ResourceGroupName", mandatory: true, use: asResourceGroup}
	sessionHost := option("SessionHostName", "session-host-name")
	sessionID := parameter{name: "Id", aliases: []string{"UserSessionId"}, use: asSession}
	force := toggle("Force", "force")
	passThru := toggle("PassThru", "pass-thru")
	hostSettings := []parameter{
		toggle("AllowNewSession", "allow-new-session"),
		option("AssignedUser", "assigned-user"),
		option("FriendlyName", "friendly-name"),
	}
	return []cmdlet{
		{"Get-AzWvdHostPool", "get-hostpool", slices.Concat([]parameter{
			argument(1, "Name", "HostPoolName"),
			option("ResourceGroupName", "resource-group-name"),
		}, azure(), paging())},
		{"New-AzWvdHostPool", "new-hostpool", slices.Concat([]parameter{
			argument(1, "Name", "HostPoolName").must(),
			option("ResourceGroupName", "resource-group-name").must(),
			option("Location", "location").must(),
			option("HostPoolType", "host-pool-type").must(),
			option("LoadBalancerType", "load-balancer-type").must(),
			option("PreferredAppGroupType", "preferred-app-group-type").must(),
		}, poolParameters(),
			unkept("ExpirationTime", "RegistrationTokenOperation", "ManagementType", "Kind", "ManagedBy", "IdentityType",
				"PlanName", "PlanProduct", "PlanPromotionCode", "PlanPublisher", "PlanVersion",
				"SkuCapacity", "SkuFamily", "SkuName", "SkuSize", "SkuTier", "DesktopAppGroupName", "WorkspaceName"),
			each(leftOut, takesValue, secretKept, "RegistrationInfoToken"),
			azure(), whatIf())},
		{"Update-AzWvdHostPool", "set-hostpool", slices.Concat([]parameter{
			argument(1, "Name", "HostPoolName").must(),
			inGroup,
			option("LoadBalancerType", "load-balancer-type"),
			option("PreferredAppGroupType", "preferred-app-group-type"),
		}, poolParameters(),
			unkept("RegistrationInfoExpirationTime", "RegistrationInfoRegistrationTokenOperation"),
			azure(), whatIf())},
		{"Remove-AzWvdHostPool", "remove-hostpool", slices.Concat([]parameter{
			argument(1, "Name", "HostPoolName").must(), inGroup, force,
		}, noPassThru(), azure(), whatIf())},

		{"Get-AzWvdSessionHost", "get-host", slices.Concat([]parameter{
			pool, inGroup, argument(2, "Name", "SessionHostName"),
		}, azure(), paging())},
		{"New-AzWvdSessionHost", "add-host", slices.Concat([]parameter{pool, host, inGroup}, hostSettings, azure(), whatIf())},
		{"Update-AzWvdSessionHost", "set-host", slices.Concat([]parameter{pool, host, inGroup, force, passThru}, hostSettings, azure(), whatIf())},
		{"Remove-AzWvdSessionHost", "remove-host", slices.Concat([]parameter{pool, host, inGroup, force}, noPassThru(), azure(), whatIf())},

		{"Get-AzWvdUserSession", "get-session", slices.Concat([]parameter{
			pool, inGroup, sessionHost, sessionID,
			{name: "Filter", use: refused, why: "use --user USER or --session-state STATE instead of an OData filter"},
		}, azure(), paging())},
		{"Disconnect-AzWvdUserSession", "disconnect-session", slices.Concat([]parameter{
			pool, inGroup, sessionHost.must(), sessionID.must(),
		}, noPassThru(), azure(), whatIf())},
		{"Remove-AzWvdUserSession", "remove-session", slices.Concat([]parameter{
			pool, inGroup, sessionHost.must(), sessionID.must(), force,
		}, noPassThru(), azure(), whatIf())},
	}
}

// poolParameters are settings that New- and Update-AzWvdHostPool have both.
func poolParameters() []parameter {
	return slices.Concat([]parameter{
		option("MaxSessionLimit", "max-session-limit"),
		option("PersonalDesktopAssignmentType", "personal-desktop-assignment-type"),
		toggle("StartVMOnConnect", "start-vm-on-connect"),
		toggle("ValidationEnvironment", "validation-environment"),
		option("FriendlyName", "friendly-name"),
		option("Description", "description"),
	}, unkept("Ring", "CustomRdpProperty", "AgentUpdateMaintenanceWindow", "AgentUpdateMaintenanceWindowTimeZone", "AgentUpdateType",
		"PublicNetworkAccess", "DirectUdp", "ManagedPrivateUdp", "PublicUdp", "RelayUdp",
		"SsoClientId", "SsoSecretType", "SsoadfsAuthority", "VMTemplate", "Tag"),
		each(leftOut, isSwitch, notKept, "AgentUpdateUseSessionHostLocalTime"),
		each(leftOut, takesValue, secretKept, "SsoClientSecretKeyVaultPath"))
}

// azure are the parameters of every cmdlet of the module.
func azure() []parameter {
	return slices.Concat(
		each(ignored, takesValue, "", "SubscriptionId"),
		[]parameter{{name: "DefaultProfile", aliases: []string{"AzContext", "AzureRmContext", "AzureCredential"}}},
		each(refused, takesValue, noObjects, "InputObject"),
	)
}

// paging are the parameters of lists.
func paging() []parameter {
	return slices.Concat(
		each(ignored, takesValue, "", "PageSize"),
		each(refused, takesValue, "lists are complete and in file order; leave it out", "InitialSkip"),
		each(leftOut, isSwitch, "lists are in file order", "IsDescending"),
	)
}

// noPassThru is -PassThru where it only prints True.
func noPassThru() []parameter { return each(ignored, isSwitch, "", "PassThru") }
