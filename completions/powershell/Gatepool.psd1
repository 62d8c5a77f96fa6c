# Generated: go run ./docs/gen.
@{
    RootModule           = 'Gatepool.psm1'
    ModuleVersion        = '1.0.0'
    GUID                 = '6d0f3a7e-58c1-4c1b-9a54-1f0c2be7d9a3'
    Author               = 'The authors of gatepool'
    Copyright            = 'The authors of gatepool'
    Description          = 'Host pools and data gateway clusters in a state file: functions for the program gatepool, which must be on the PATH.'
    PowerShellVersion    = '5.1'
    CompatiblePSEditions = @('Desktop', 'Core')
    CmdletsToExport      = @()
    VariablesToExport    = @()
    AliasesToExport      = @()
    FunctionsToExport    = @(
        'Connect-GatepoolUser',
        'Connect-GatepoolCluster',
        'Measure-GatepoolCluster',
        'Measure-GatepoolHostPool',
        'Get-GatepoolState',
        'New-GatepoolState',
        'Restore-GatepoolState',
        'Add-GatepoolHost',
        'Disconnect-GatepoolSession',
        'Suspend-GatepoolHost',
        'Get-GatepoolHost',
        'Get-GatepoolHostPool',
        'Get-GatepoolSession',
        'New-GatepoolHostPool',
        'Remove-GatepoolHost',
        'Remove-GatepoolHostPool',
        'Remove-GatepoolSession',
        'Resume-GatepoolHost',
        'Set-GatepoolHost',
        'Set-GatepoolHostPool',
        'Add-GatepoolClusterUser',
        'Add-GatepoolDataSource',
        'Add-GatepoolDataSourceUser',
        'Add-GatepoolMember',
        'Disable-GatepoolMember',
        'Enable-GatepoolMember',
        'Get-GatepoolCluster',
        'Get-GatepoolClusterStatus',
        'Get-GatepoolClusterUser',
        'Get-GatepoolDataSource',
        'Get-GatepoolDataSourceUser',
        'Get-GatepoolMember',
        'New-GatepoolCluster',
        'Remove-GatepoolCluster',
        'Remove-GatepoolClusterUser',
        'Remove-GatepoolDataSource',
        'Remove-GatepoolDataSourceUser',
        'Remove-GatepoolMember',
        'Set-GatepoolCluster',
        'Set-GatepoolClusterLoadBalancing',
        'Set-GatepoolDataSource',
        'Set-GatepoolMember',
        'Get-GatepoolGatewayConfig',
        'Import-GatepoolCounter',
        'Set-GatepoolGatewayConfig',
        'Test-GatepoolGatewayConfig',
        'Compare-GatepoolState',
        'Export-GatepoolJson',
        'Export-GatepoolScript',
        'Import-GatepoolCluster',
        'Import-GatepoolHost',
        'Import-GatepoolHostPool',
        'Import-GatepoolSession',
        'Test-GatepoolState'
    )
}
