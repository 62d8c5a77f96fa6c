# Gatepool: functions for the program gatepool. Generated: go run ./docs/gen.
# For Windows PowerShell 5.1 and PowerShell 7.

# Get-GatepoolPath finds the program. A batch file would read the arguments as
# commands of its own, so it is no candidate.
function Get-GatepoolPath {
    $found = Get-Command -Name gatepool -CommandType Application -All -ErrorAction SilentlyContinue |
        Where-Object { '.cmd', '.bat' -notcontains $_.Extension } | Select-Object -First 1
    if ($null -eq $found) {
        throw 'gatepool is not on the PATH'
    }
    $found.Path
}

# ConvertTo-GatepoolArgument quotes one argument for a command line as programs
# take it apart on every system. PowerShell's own quoting differs from version to
# version.
function ConvertTo-GatepoolArgument {
    param([string] $Text)
    '"' + (($Text -replace '(\\*)"', '$1$1\"') -replace '(\\+)\z', '$1$1') + '"'
}

# ConvertTo-GatepoolText writes a parameter's value as gatepool reads it.
function ConvertTo-GatepoolText {
    param($Value)
    if ($Value -is [datetime]) {
        return $Value.ToUniversalTime().ToString('yyyy-MM-ddTHH:mm:ssZ', [cultureinfo]::InvariantCulture)
    }
    [string] $Value
}

# Write-GatepoolError makes error records of what gatepool prints on stderr.
function Write-GatepoolError {
    param($Caller, [string] $Text, [int] $ExitCode)
    $categories = @{
        usage = 'InvalidArgument'; invalid_value = 'InvalidArgument'; not_found = 'ObjectNotFound'
        no_capacity = 'LimitsExceeded'; cpu_limit = 'LimitsExceeded'; memory_limit = 'LimitsExceeded'; concurrency_limit = 'LimitsExceeded'
        host_unhealthy = 'ResourceUnavailable'; unreachable = 'ConnectionError'; not_assigned = 'ResourceUnavailable'
        confirmation_required = 'InvalidOperation'; exists = 'ResourceExists'; conflict = 'InvalidOperation'
        locked = 'ResourceBusy'; changed = 'ResourceBusy'; io = 'WriteError'
        invalid_state = 'InvalidData'; invalid_config = 'InvalidData'; invalid_input = 'InvalidData'; interrupted = 'OperationStopped'
    }
    $failures = @()
    foreach ($line in $Text -split "`r?`n") {
        if ($line.StartsWith('{"error":')) {
            $failure = ($line | ConvertFrom-Json).error
            if ($failure.PSObject.Properties['failures']) { $failures += $failure.failures } else { $failures += $failure }
        }
    }
    if ($failures.Count -eq 0) {
        $failures = @(New-Object -TypeName psobject -Property @{ code = 'internal'; message = $Text.Trim(); target = ''; hint = ''; exitCode = $ExitCode })
    }
    foreach ($failure in $failures) {
        $category = $categories[[string] $failure.code]
        if (-not $category) { $category = 'NotSpecified' }
        $exception = New-Object -TypeName System.InvalidOperationException -ArgumentList ([string] $failure.message)
        $exception.Data['Code'] = [string] $failure.code
        $exception.Data['ExitCode'] = [int] $failure.exitCode
        $exception.Data['Hint'] = [string] $failure.hint
        $record = New-Object -TypeName System.Management.Automation.ErrorRecord -ArgumentList $exception, ('Gatepool.' + $failure.code), $category, $failure.target
        $message = [string] $failure.message
        if ($failure.hint) { $message += "`nhint: " + $failure.hint }
        $record.ErrorDetails = New-Object -TypeName System.Management.Automation.ErrorDetails -ArgumentList $message
        $record.ErrorDetails.RecommendedAction = [string] $failure.hint
        $Caller.WriteError($record)
    }
}

# Invoke-GatepoolCommand runs one command and passes on its objects. Flags maps
# parameters to flags; Arguments are parameters that are positional, in order,
# where * stands for one left out before another.
function Invoke-GatepoolCommand {
    param($Caller, $Bound, [string] $Command, [hashtable] $Flags, [string[]] $Arguments, [string[]] $Switches)
    $line = @($Command, '--output=ndjson') + $Switches
    foreach ($name in $Flags.Keys) {
        if ($Bound.ContainsKey($name)) {
            foreach ($value in $Bound[$name]) { $line += '--' + $Flags[$name] + '=' + (ConvertTo-GatepoolText $value) }
        }
    }
    $names = @()
    $missing = @()
    foreach ($name in $Arguments) {
        if ($Bound.ContainsKey($name)) {
            $names += $missing
            foreach ($value in $Bound[$name]) { $names += ConvertTo-GatepoolText $value }
            $missing = @()
        } else {
            $missing += '*'
        }
    }
    $line += @('--') + $names

    $start = New-Object -TypeName System.Diagnostics.ProcessStartInfo
    $start.FileName = Get-GatepoolPath
    $start.Arguments = ($line | ForEach-Object { ConvertTo-GatepoolArgument $_ }) -join ' '
    $start.WorkingDirectory = $Caller.SessionState.Path.CurrentFileSystemLocation.ProviderPath
    $start.UseShellExecute = $false
    $start.RedirectStandardInput = $true
    $start.RedirectStandardOutput = $true
    $start.RedirectStandardError = $true
    $start.StandardOutputEncoding = New-Object -TypeName System.Text.UTF8Encoding -ArgumentList $false
    $start.StandardErrorEncoding = $start.StandardOutputEncoding
    $process = [System.Diagnostics.Process]::Start($start)
    try {
        $process.StandardInput.Close()
        $errors = $process.StandardError.ReadToEndAsync()
        while ($null -ne ($text = $process.StandardOutput.ReadLine())) {
            if (-not $text.StartsWith('{')) {
                $Caller.WriteObject($text)
                continue
            }
            $object = $text | ConvertFrom-Json
            if ($object.PSObject.Properties['warnings']) {
                foreach ($warning in $object.warnings) { if ($warning -is [string]) { $Caller.WriteWarning($warning) } }
            }
            $Caller.WriteObject($object)
        }
        $process.WaitForExit()
        $global:LASTEXITCODE = $process.ExitCode
        # 10 is what was asked for with -DetailedExitcode.
        if ($process.ExitCode -ne 0 -and $process.ExitCode -ne 10) {
            Write-GatepoolError -Caller $Caller -Text $errors.Result -ExitCode $process.ExitCode
        }
    } finally {
        if (-not $process.HasExited) { $process.Kill() }
        $process.Dispose()
    }
}

function Connect-GatepoolUser {
    <#
    .SYNOPSIS
    Decide where a user or a request lands, and say why
    .DESCRIPTION
    Run the selection engine once on the state file. With -HostPool it decides
    which session host a user gets, and records the session; with -Cluster it
    decides which member takes a request, and records nothing but the position of a
    round robin. -WhatIf records nothing at all.

    -Explain adds what became of every host or member, with the exact probability
    that each had. Chance comes from a seed that is printed; -Seed repeats it.

    A refusal is exit code 4. It says how many hosts stand in the way for which
    reason, and what would help.
    .PARAMETER HostPool
    host pool to connect to
    .PARAMETER User
    user principal name
    .PARAMETER At
    the time to decide at, such as 2026-11-29T08:06:00Z (default now)
    .PARAMETER Explain
    say what became of every host or member
    .PARAMETER SessionHost
    the personal desktop that is meant, where a user owns several
    .PARAMETER Seed
    repeat the choice of this seed, a whole number
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Connect-GatepoolUser -HostPool hp-eu -User 'alice@contoso.example'
    .EXAMPLE
    Connect-GatepoolUser -HostPool hp-eu -User 'new.user@contoso.example' -WhatIf -Explain
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)]
        [string] $HostPool,
        [Parameter(Mandatory = $true)]
        [string] $User,
        [Parameter()]
        [string] $At,
        [Parameter()]
        [switch] $Explain,
        [Parameter()]
        [Alias('Host')]
        [string] $SessionHost,
        [Parameter()]
        [string] $Seed,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'connect'
            Flags     = @{ HostPool = 'hostpool'; User = 'user'; At = 'at'; Explain = 'explain'; SessionHost = 'host'; Seed = 'seed'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @()
            Switches  = @()
        }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess('GatepoolUser', 'Decide where a user or a request lands, and say why')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Connect-GatepoolCluster {
    <#
    .SYNOPSIS
    Decide where a user or a request lands, and say why
    .DESCRIPTION
    Run the selection engine once on the state file. With -HostPool it decides
    which session host a user gets, and records the session; with -Cluster it
    decides which member takes a request, and records nothing but the position of a
    round robin. -WhatIf records nothing at all.

    -Explain adds what became of every host or member, with the exact probability
    that each had. Chance comes from a seed that is printed; -Seed repeats it.

    A refusal is exit code 4. It says how many hosts stand in the way for which
    reason, and what would help.
    .PARAMETER Cluster
    gateway cluster that gets the request
    .PARAMETER At
    the time to decide at, such as 2026-11-29T08:06:00Z (default now)
    .PARAMETER Explain
    say what became of every host or member
    .PARAMETER Seed
    repeat the choice of this seed, a whole number
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Connect-GatepoolCluster -Cluster finance -At 2026-11-29T08:06:00Z -Explain
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)]
        [string] $Cluster,
        [Parameter()]
        [string] $At,
        [Parameter()]
        [switch] $Explain,
        [Parameter()]
        [string] $Seed,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'connect'
            Flags     = @{ Cluster = 'cluster'; At = 'at'; Explain = 'explain'; Seed = 'seed'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @()
            Switches  = @()
        }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess('GatepoolCluster', 'Decide where a user or a request lands, and say why')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Measure-GatepoolCluster {
    <#
    .SYNOPSIS
    Say what a cluster's settings would have done
    .DESCRIPTION
    Send requests through a gateway cluster and say what happens: what each member
    took, what was refused by which limit, failed attempts on offline members,
    operations at one time. Requests are made (-Requests with -Rate or -Profile,
    and -Duration) or replayed from QueryExecution and QueryStart reports (-Trace).
    Nothing is written to the state file.

    -Mode, -Cpu, -Memory and -Concurrency take several values: every combination
    is run with the very same requests. Members' recorded counters are replayed; what
    a machine carries does not change with the requests that are sent to it, because
    nobody knows what a request costs. That is this project's assumption.
    .PARAMETER Name
    name or id of a gateway cluster
    .PARAMETER At
    when made requests begin, such as 2026-11-29T08:00:00Z (default now)
    .PARAMETER Concurrency
    concurrency limits to try; 0 is none
    .PARAMETER Cpu
    CPU thresholds to try, for every member; 0 is off
    .PARAMETER Duration
    how long a request runs, also where a trace does not say: fixed:8h, exponential:8h, lognormal:8h,0.5, or a file with one duration a line
    .PARAMETER Even
    space arrivals evenly, instead of by chance
    .PARAMETER Memory
    memory thresholds to try
    .PARAMETER Mode
    ways of load balancing to try
    .PARAMETER Parallel
    run variations on all cores
    .PARAMETER ArrivalProfile
    file with arrivals per hour, one number a line, for each hour of the run
    .PARAMETER Rate
    how many come: 120/h, 2/m or 0.5/s
    .PARAMETER Requests
    how many requests come
    .PARAMETER Seed
    repeat a run, a whole number
    .PARAMETER Trace
    replay these QueryExecutionReport or QueryStartReport logs
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Measure-GatepoolCluster finance -Requests 1000 -Rate 600/h -Duration exponential:20s -Mode 'failover,random'
    .EXAMPLE
    Measure-GatepoolCluster finance -Requests 5000 -Rate 2/s -Duration 'lognormal:30s,1' -Concurrency '10,20,40' -Seed 1
    .EXAMPLE
    Measure-GatepoolCluster finance -Trace gw-fin-02/QueryExecutionReport_GW-FIN-02_2026-11-29T080000.log -Mode 'failover,random,round-robin'
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('Cluster')]
        [string] $Name,
        [Parameter()]
        [string] $At,
        [Parameter()]
        [string] $Concurrency,
        [Parameter()]
        [string] $Cpu,
        [Parameter()]
        [string] $Duration,
        [Parameter()]
        [switch] $Even,
        [Parameter()]
        [string] $Memory,
        [Parameter()]
        [string] $Mode,
        [Parameter()]
        [switch] $Parallel,
        [Parameter()]
        [Alias('Profile')]
        [string] $ArrivalProfile,
        [Parameter()]
        [string] $Rate,
        [Parameter()]
        [int] $Requests,
        [Parameter()]
        [string] $Seed,
        [Parameter()]
        [string[]] $Trace,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'measure-cluster'
            Flags     = @{ At = 'at'; Concurrency = 'concurrency'; Cpu = 'cpu'; Duration = 'duration'; Even = 'even'; Memory = 'memory'; Mode = 'mode'; Parallel = 'parallel'; ArrivalProfile = 'profile'; Rate = 'rate'; Requests = 'requests'; Seed = 'seed'; Trace = 'trace'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Measure-GatepoolHostPool {
    <#
    .SYNOPSIS
    Say what a host pool's settings would have done
    .DESCRIPTION
    Send arrivals through a host pool and say what happens: refusals, peaks, hosts
    in use, how evenly sessions lie. Arrivals are made (-Arrivals with -Rate or
    -Profile, and -SessionLength) or replayed from WVDCheckpoints and
    WVDConnections exports (-Trace). Nothing is written to the state file.

    -Algorithm, -MaxSessionLimit and -Hosts take several values: every
    combination is run with the very same arrivals and set side by side. More hosts
    than the pool has are made; fewer are its first ones.

    A trace says when connections end, not sessions: a session is taken to end with
    its last connection and -DisconnectTimeout after it; a connection without an
    end lasts -OpenSession. That is this project's assumption, not Microsoft's.
    .PARAMETER Name
    name or id of a host pool
    .PARAMETER LoadBalancerType
    algorithms to try (also -Algorithm)
    .PARAMETER Arrivals
    how many users arrive
    .PARAMETER DisconnectTimeout
    with -Trace: how long a disconnected session keeps its seat
    .PARAMETER Even
    space arrivals evenly, instead of by chance
    .PARAMETER Hosts
    numbers of hosts to try
    .PARAMETER KeepSessions
    start with the sessions that the pool has, and keep them
    .PARAMETER MaxSessionLimit
    session limits to try
    .PARAMETER OpenSession
    with -Trace: how long a connection lasts whose end is not recorded
    .PARAMETER Parallel
    run variations on all cores
    .PARAMETER Plot
    draw sessions, hosts in use and refusals over time into FILE.svg or FILE.png
    .PARAMETER ArrivalProfile
    file with arrivals per hour, one number a line, for each hour of the run
    .PARAMETER Rate
    how many come: 120/h, 2/m or 0.5/s
    .PARAMETER Report
    write tables and plots as one page, FILE.html
    .PARAMETER Seed
    repeat a run, a whole number
    .PARAMETER Series
    write the figures over time as CSV
    .PARAMETER SessionLength
    how long a session lasts: fixed:8h, exponential:8h, lognormal:8h,0.5, or a file with one duration a line
    .PARAMETER Trace
    replay these exports of WVDCheckpoints or WVDConnections (CSV, JSON, Log Analytics)
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Measure-GatepoolHostPool hp-eu -Arrivals 1000 -Rate 120/h -SessionLength exponential:4h -LoadBalancerType 'breadth-first,depth-first'
    .EXAMPLE
    Measure-GatepoolHostPool hp-eu -Arrivals 500 -Rate 60/h -SessionLength fixed:8h -Hosts '20,30' -MaxSessionLimit '8,12,16' -Seed 1
    .EXAMPLE
    Measure-GatepoolHostPool hp-eu -Trace wvdcheckpoints.csv -Plot day.svg -Report day.html
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('HostPool')]
        [string] $Name,
        [Parameter()]
        [Alias('Algorithm')]
        [string] $LoadBalancerType,
        [Parameter()]
        [int] $Arrivals,
        [Parameter()]
        [string] $DisconnectTimeout,
        [Parameter()]
        [switch] $Even,
        [Parameter()]
        [string] $Hosts,
        [Parameter()]
        [switch] $KeepSessions,
        [Parameter()]
        [string] $MaxSessionLimit,
        [Parameter()]
        [string] $OpenSession,
        [Parameter()]
        [switch] $Parallel,
        [Parameter()]
        [string[]] $Plot,
        [Parameter()]
        [Alias('Profile')]
        [string] $ArrivalProfile,
        [Parameter()]
        [string] $Rate,
        [Parameter()]
        [string] $Report,
        [Parameter()]
        [string] $Seed,
        [Parameter()]
        [string] $Series,
        [Parameter()]
        [string] $SessionLength,
        [Parameter()]
        [string[]] $Trace,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'measure-hostpool'
            Flags     = @{ LoadBalancerType = 'load-balancer-type'; Arrivals = 'arrivals'; DisconnectTimeout = 'disconnect-timeout'; Even = 'even'; Hosts = 'hosts'; KeepSessions = 'keep-sessions'; MaxSessionLimit = 'max-session-limit'; OpenSession = 'open-session'; Parallel = 'parallel'; Plot = 'plot'; ArrivalProfile = 'profile'; Rate = 'rate'; Report = 'report'; Seed = 'seed'; Series = 'series'; SessionLength = 'session-length'; Trace = 'trace'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Get-GatepoolState {
    <#
    .SYNOPSIS
    List what the state file holds
    .DESCRIPTION
    List the resources of the state file, one a row: host pools with their session
    hosts and sessions, clusters with their members. All of the file is read and
    checked.
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolState
    #>
    [CmdletBinding()]
    param(
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-state'
            Flags     = @{ LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @()
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function New-GatepoolState {
    <#
    .SYNOPSIS
    Make an empty state file
    .DESCRIPTION
    Make an empty state file: gatepool.yaml in this folder, or the file that -State
    or GATEPOOL_STATE names. A file that is there is left alone.
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    New-GatepoolState
    .EXAMPLE
    New-GatepoolState -State prod.yaml
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'new-state'
            Flags     = @{ LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @()
            Switches  = @()
        }
        if ($PSCmdlet.ShouldProcess('GatepoolState', 'Make an empty state file')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Restore-GatepoolState {
    <#
    .SYNOPSIS
    Bring back the state file before the last change
    .DESCRIPTION
    Bring the state file back as it was before the last change, from the backup that
    every change leaves beside it with the ending .bak. The file itself may be broken
    or missing. What it holds now becomes the backup, so that restoring a second time
    undoes the first.
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Restore-GatepoolState -WhatIf
    .EXAMPLE
    Restore-GatepoolState
    #>
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param(
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'restore-state'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @()
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess('GatepoolState', 'Bring back the state file before the last change')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Add-GatepoolHost {
    <#
    .SYNOPSIS
    Add session hosts to a pool
    .DESCRIPTION
    Add session hosts at the end of a pool's list. They are Available and take new
    sessions unless flags say otherwise.
    .PARAMETER HostPool
    name or id of a host pool
    .PARAMETER Name
    name of a session host
    .PARAMETER AllowNewSession
    take new sessions; :$false is drain mode
    .PARAMETER AnonymousSessions
    sessions known only by number
    .PARAMETER AssignedUser
    owner of a personal desktop; empty for nobody
    .PARAMETER Force
    don't ask
    .PARAMETER FriendlyName
    name shown to users
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER Status
    health of the host
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Add-GatepoolHost hp-eu avd-eu-6.contoso.example
    .EXAMPLE
    Add-GatepoolHost hp-eu 'avd-eu-6.contoso.example', 'avd-eu-7.contoso.example' -Status Shutdown
    .EXAMPLE
    Add-GatepoolHost hp-dev dev-2.contoso.example -AssignedUser 'bob@contoso.example'
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $HostPool,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('SessionHost')]
        [string[]] $Name,
        [Parameter()]
        [switch] $AllowNewSession,
        [Parameter()]
        [int] $AnonymousSessions,
        [Parameter()]
        [string] $AssignedUser,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $FriendlyName,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [ValidateSet('Available', 'NeedsAssistance', 'Shutdown', 'Unavailable', 'Disconnected', 'NoHeartbeat', 'NotJoinedToDomain', 'DomainTrustRelationshipLost', 'SxsStackListenerNotReady', 'FslogixNotHealthy', 'Upgrading', 'UpgradeFailed')]
        [string] $Status,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'add-host'
            Flags     = @{ AllowNewSession = 'allow-new-session'; AnonymousSessions = 'anonymous-sessions'; AssignedUser = 'assigned-user'; Force = 'force'; FriendlyName = 'friendly-name'; PassThru = 'pass-thru'; Status = 'status'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('HostPool', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($HostPool, $Name | ForEach-Object { $_ }) -join ' '), 'Add session hosts to a pool')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Disconnect-GatepoolSession {
    <#
    .SYNOPSIS
    Disconnect user sessions
    .DESCRIPTION
    Disconnect user sessions. A disconnected session goes on and keeps its seat; its
    user comes back to it. Mirrors Disconnect-AzWvdUserSession.
    .PARAMETER HostPool
    name or id of a host pool
    .PARAMETER Name
    user principal name; for sessions also an id as host/3
    .PARAMETER Force
    don't ask
    .PARAMETER SessionHostName
    only sessions on this host
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Disconnect-GatepoolSession hp-eu 'alice@contoso.example'
    .EXAMPLE
    Disconnect-GatepoolSession hp-eu avd-eu-0.contoso.example/1 -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $HostPool,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('User', 'Principal')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $SessionHostName,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'disconnect-session'
            Flags     = @{ Force = 'force'; SessionHostName = 'session-host-name'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('HostPool', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($HostPool, $Name | ForEach-Object { $_ }) -join ' '), 'Disconnect user sessions')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Suspend-GatepoolHost {
    <#
    .SYNOPSIS
    Put session hosts in drain mode
    .DESCRIPTION
    Put session hosts in drain mode: they take no new sessions. Sessions that exist
    go on, and their users come back to them. Mirrors
    Update-AzWvdSessionHost -AllowNewSession:$false.
    .PARAMETER HostPool
    name or id of a host pool
    .PARAMETER Name
    name of a session host
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Suspend-GatepoolHost hp-eu avd-eu-0.contoso.example
    .EXAMPLE
    Suspend-GatepoolHost hp-eu 'avd-eu-*' -WhatIf
    .EXAMPLE
    Get-GatepoolHost hp-eu | Suspend-GatepoolHost
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $HostPool,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('SessionHost')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'drain-host'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('HostPool', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($HostPool, $Name | ForEach-Object { $_ }) -join ' '), 'Put session hosts in drain mode')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Get-GatepoolHost {
    <#
    .SYNOPSIS
    List session hosts
    .DESCRIPTION
    List the session hosts of a pool, or of all pools, in file order: their status,
    whether they take new sessions, and the seats that are taken. Mirrors
    Get-AzWvdSessionHost.
    .PARAMETER HostPool
    name or id of a host pool
    .PARAMETER Name
    name of a session host
    .PARAMETER Status
    only hosts with this status
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolHost hp-eu
    .EXAMPLE
    Get-GatepoolHost hp-eu avd-eu-0.contoso.example
    .EXAMPLE
    Get-GatepoolHost '*' -Status Unavailable | Suspend-GatepoolHost
    #>
    [CmdletBinding()]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $HostPool,
        [Parameter(Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('SessionHost')]
        [string[]] $Name,
        [Parameter()]
        [ValidateSet('Available', 'NeedsAssistance', 'Shutdown', 'Unavailable', 'Disconnected', 'NoHeartbeat', 'NotJoinedToDomain', 'DomainTrustRelationshipLost', 'SxsStackListenerNotReady', 'FslogixNotHealthy', 'Upgrading', 'UpgradeFailed')]
        [string] $Status,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-host'
            Flags     = @{ Status = 'status'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('HostPool', 'Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Get-GatepoolHostPool {
    <#
    .SYNOPSIS
    List host pools
    .DESCRIPTION
    List host pools with their algorithm, limit, and how many hosts and sessions
    they have. Available hosts are those that would take a new session now. Names
    may be cut short with the wildcards *, ? and [ab].
    .PARAMETER Name
    name or id of a host pool
    .PARAMETER ResourceGroupName
    only pools of this resource group
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolHostPool
    .EXAMPLE
    Get-GatepoolHostPool 'hp-*'
    .EXAMPLE
    Get-GatepoolHostPool hp-eu
    #>
    [CmdletBinding()]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('HostPool')]
        [string[]] $Name,
        [Parameter()]
        [string] $ResourceGroupName,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-hostpool'
            Flags     = @{ ResourceGroupName = 'resource-group-name'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Get-GatepoolSession {
    <#
    .SYNOPSIS
    List user sessions
    .DESCRIPTION
    List the user sessions of a pool, or of all pools. A session is named by its
    user, or by its host and id as host/3. Sessions that are known only by number
    are not listed; get-host counts them. Mirrors Get-AzWvdUserSession.
    .PARAMETER HostPool
    name or id of a host pool
    .PARAMETER Name
    user principal name; for sessions also an id as host/3
    .PARAMETER SessionHostName
    only sessions on this host
    .PARAMETER SessionState
    only sessions in this state
    .PARAMETER User
    only sessions of this user; wildcards may be used
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolSession hp-eu
    .EXAMPLE
    Get-GatepoolSession -User 'alice@contoso.example'
    .EXAMPLE
    Get-GatepoolSession hp-eu -SessionState Disconnected | Remove-GatepoolSession -Force
    #>
    [CmdletBinding()]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $HostPool,
        [Parameter(Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('Principal')]
        [string[]] $Name,
        [Parameter()]
        [string] $SessionHostName,
        [Parameter()]
        [ValidateSet('Active', 'Disconnected', 'Pending', 'LogOff', 'Unknown', 'UserProfileDiskMounted')]
        [string] $SessionState,
        [Parameter()]
        [string] $User,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-session'
            Flags     = @{ SessionHostName = 'session-host-name'; SessionState = 'session-state'; User = 'user'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('HostPool', 'Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function New-GatepoolHostPool {
    <#
    .SYNOPSIS
    Add a host pool to the state file
    .DESCRIPTION
    Add a host pool at the end of the state file: pooled and breadth-first unless
    flags say otherwise. A personal pool is persistent, with automatic assignment.
    Mirrors New-AzWvdHostPool.
    .PARAMETER Name
    name or id of a host pool
    .PARAMETER LoadBalancerType
    how a host is chosen (also -Algorithm)
    .PARAMETER Description
    free text
    .PARAMETER Force
    don't ask
    .PARAMETER FriendlyName
    name shown to users
    .PARAMETER HostPoolType
    pooled or personal
    .PARAMETER Location
    Azure region
    .PARAMETER MaxSessionLimit
    most sessions a host takes, 1 to 999999; 0 for none
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER PersonalDesktopAssignmentType
    how personal desktops find their users
    .PARAMETER PreferredAppGroupType
    application group type that wins
    .PARAMETER ResourceGroupName
    Azure resource group
    .PARAMETER StartVMOnConnect
    start a host that is shut down when no other can take a session
    .PARAMETER ValidationEnvironment
    get service updates first
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    New-GatepoolHostPool hp-uk
    .EXAMPLE
    New-GatepoolHostPool hp-uk -LoadBalancerType DepthFirst -MaxSessionLimit 10
    .EXAMPLE
    New-GatepoolHostPool hp-vip -HostPoolType Personal -PersonalDesktopAssignmentType Direct
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('HostPool')]
        [string] $Name,
        [Parameter()]
        [Alias('Algorithm')]
        [ValidateSet('BreadthFirst', 'DepthFirst', 'Persistent', 'MultiplePersistent')]
        [string] $LoadBalancerType,
        [Parameter()]
        [string] $Description,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $FriendlyName,
        [Parameter()]
        [ValidateSet('Pooled', 'Personal', 'ByoDesktop')]
        [string] $HostPoolType,
        [Parameter()]
        [string] $Location,
        [Parameter()]
        [int] $MaxSessionLimit,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [ValidateSet('Automatic', 'Direct')]
        [string] $PersonalDesktopAssignmentType,
        [Parameter()]
        [ValidateSet('None', 'Desktop', 'RailApplications')]
        [string] $PreferredAppGroupType,
        [Parameter()]
        [string] $ResourceGroupName,
        [Parameter()]
        [switch] $StartVMOnConnect,
        [Parameter()]
        [switch] $ValidationEnvironment,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'new-hostpool'
            Flags     = @{ LoadBalancerType = 'load-balancer-type'; Description = 'description'; Force = 'force'; FriendlyName = 'friendly-name'; HostPoolType = 'host-pool-type'; Location = 'location'; MaxSessionLimit = 'max-session-limit'; PassThru = 'pass-thru'; PersonalDesktopAssignmentType = 'personal-desktop-assignment-type'; PreferredAppGroupType = 'preferred-app-group-type'; ResourceGroupName = 'resource-group-name'; StartVMOnConnect = 'start-vm-on-connect'; ValidationEnvironment = 'validation-environment'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Name | ForEach-Object { $_ }) -join ' '), 'Add a host pool to the state file')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Remove-GatepoolHost {
    <#
    .SYNOPSIS
    Take session hosts out of a pool
    .DESCRIPTION
    Take session hosts out of a pool. A host that still has sessions goes only with
    -Force. Asks on a terminal; elsewhere it needs -Force. Mirrors
    Remove-AzWvdSessionHost.
    .PARAMETER HostPool
    name or id of a host pool
    .PARAMETER Name
    name of a session host
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Remove-GatepoolHost hp-eu avd-eu-4.contoso.example
    .EXAMPLE
    Remove-GatepoolHost hp-eu avd-eu-3.contoso.example -Force
    .EXAMPLE
    Remove-GatepoolHost hp-eu 'avd-eu-[34]*' -Force -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $HostPool,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('SessionHost')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'remove-host'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('HostPool', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($HostPool, $Name | ForEach-Object { $_ }) -join ' '), 'Take session hosts out of a pool')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Remove-GatepoolHostPool {
    <#
    .SYNOPSIS
    Take host pools out of the state file
    .DESCRIPTION
    Take host pools out of the state file, with their session hosts, sessions and
    comments. Asks on a terminal; elsewhere it needs -Force. Mirrors
    Remove-AzWvdHostPool.
    .PARAMETER Name
    name or id of a host pool
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Remove-GatepoolHostPool hp-dev
    .EXAMPLE
    Remove-GatepoolHostPool hp-dev -WhatIf
    .EXAMPLE
    Remove-GatepoolHostPool 'hp-test-*' -Force
    #>
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('HostPool')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'remove-hostpool'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Name | ForEach-Object { $_ }) -join ' '), 'Take host pools out of the state file')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Remove-GatepoolSession {
    <#
    .SYNOPSIS
    End user sessions
    .DESCRIPTION
    End (log off) user sessions: their seats are free. Asks on a terminal; elsewhere
    it needs -Force. Mirrors Remove-AzWvdUserSession.
    .PARAMETER HostPool
    name or id of a host pool
    .PARAMETER Name
    user principal name; for sessions also an id as host/3
    .PARAMETER Force
    don't ask
    .PARAMETER SessionHostName
    only sessions on this host
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Remove-GatepoolSession hp-eu 'bob@contoso.example'
    .EXAMPLE
    Remove-GatepoolSession hp-eu avd-eu-1.contoso.example/4 -Force
    .EXAMPLE
    Get-GatepoolSession hp-eu -SessionState Disconnected | Remove-GatepoolSession -Force
    #>
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $HostPool,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('User', 'Principal')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $SessionHostName,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'remove-session'
            Flags     = @{ Force = 'force'; SessionHostName = 'session-host-name'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('HostPool', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($HostPool, $Name | ForEach-Object { $_ }) -join ' '), 'End user sessions')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Resume-GatepoolHost {
    <#
    .SYNOPSIS
    End drain mode of session hosts
    .DESCRIPTION
    End drain mode of session hosts: they take new sessions again. Mirrors
    Update-AzWvdSessionHost -AllowNewSession:$true.
    .PARAMETER HostPool
    name or id of a host pool
    .PARAMETER Name
    name of a session host
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Resume-GatepoolHost hp-eu avd-eu-1.contoso.example
    .EXAMPLE
    Resume-GatepoolHost hp-eu '*'
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $HostPool,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('SessionHost')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'resume-host'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('HostPool', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($HostPool, $Name | ForEach-Object { $_ }) -join ' '), 'End drain mode of session hosts')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Set-GatepoolHost {
    <#
    .SYNOPSIS
    Change properties of session hosts
    .DESCRIPTION
    Change properties of session hosts. What no flag names stays as it is. An
    assigned user is changed only with -Force, as the service demands it; an empty
    one takes the assignment away. Mirrors Update-AzWvdSessionHost.
    .PARAMETER HostPool
    name or id of a host pool
    .PARAMETER Name
    name of a session host
    .PARAMETER AllowNewSession
    take new sessions; :$false is drain mode
    .PARAMETER AnonymousSessions
    sessions known only by number
    .PARAMETER AssignedUser
    owner of a personal desktop; empty for nobody
    .PARAMETER Force
    don't ask
    .PARAMETER FriendlyName
    name shown to users
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER Status
    health of the host
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Set-GatepoolHost hp-eu avd-eu-0.contoso.example -Status Unavailable
    .EXAMPLE
    Set-GatepoolHost hp-eu avd-eu-0.contoso.example -AllowNewSession:$false
    .EXAMPLE
    Set-GatepoolHost hp-dev dev-1.contoso.example -AssignedUser 'bob@contoso.example'
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $HostPool,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('SessionHost')]
        [string[]] $Name,
        [Parameter()]
        [switch] $AllowNewSession,
        [Parameter()]
        [int] $AnonymousSessions,
        [Parameter()]
        [string] $AssignedUser,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $FriendlyName,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [ValidateSet('Available', 'NeedsAssistance', 'Shutdown', 'Unavailable', 'Disconnected', 'NoHeartbeat', 'NotJoinedToDomain', 'DomainTrustRelationshipLost', 'SxsStackListenerNotReady', 'FslogixNotHealthy', 'Upgrading', 'UpgradeFailed')]
        [string] $Status,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'set-host'
            Flags     = @{ AllowNewSession = 'allow-new-session'; AnonymousSessions = 'anonymous-sessions'; AssignedUser = 'assigned-user'; Force = 'force'; FriendlyName = 'friendly-name'; PassThru = 'pass-thru'; Status = 'status'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('HostPool', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($HostPool, $Name | ForEach-Object { $_ }) -join ' '), 'Change properties of session hosts')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Set-GatepoolHostPool {
    <#
    .SYNOPSIS
    Change settings of a host pool
    .DESCRIPTION
    Change settings of host pools. What no flag names stays as it is; an empty text,
    or 0 as the limit, takes a setting away. Sessions that exist are never ended:
    hosts over a lowered limit just take no new ones.

    Depth-first needs a maximum session limit, in the pool or on the line.
    .PARAMETER Name
    name or id of a host pool
    .PARAMETER LoadBalancerType
    how a host is chosen (also -Algorithm)
    .PARAMETER Description
    free text
    .PARAMETER Force
    don't ask
    .PARAMETER FriendlyName
    name shown to users
    .PARAMETER MaxSessionLimit
    most sessions a host takes, 1 to 999999; 0 for none
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER PersonalDesktopAssignmentType
    how personal desktops find their users
    .PARAMETER PreferredAppGroupType
    application group type that wins
    .PARAMETER ResourceGroupName
    Azure resource group
    .PARAMETER StartVMOnConnect
    start a host that is shut down when no other can take a session
    .PARAMETER ValidationEnvironment
    get service updates first
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Set-GatepoolHostPool hp-eu -MaxSessionLimit 14
    .EXAMPLE
    Set-GatepoolHostPool hp-eu -LoadBalancerType DepthFirst -MaxSessionLimit 12
    .EXAMPLE
    Set-GatepoolHostPool 'hp-*' -StartVMOnConnect -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('HostPool')]
        [string[]] $Name,
        [Parameter()]
        [Alias('Algorithm')]
        [ValidateSet('BreadthFirst', 'DepthFirst', 'Persistent', 'MultiplePersistent')]
        [string] $LoadBalancerType,
        [Parameter()]
        [string] $Description,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $FriendlyName,
        [Parameter()]
        [int] $MaxSessionLimit,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [ValidateSet('Automatic', 'Direct')]
        [string] $PersonalDesktopAssignmentType,
        [Parameter()]
        [ValidateSet('None', 'Desktop', 'RailApplications')]
        [string] $PreferredAppGroupType,
        [Parameter()]
        [string] $ResourceGroupName,
        [Parameter()]
        [switch] $StartVMOnConnect,
        [Parameter()]
        [switch] $ValidationEnvironment,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'set-hostpool'
            Flags     = @{ LoadBalancerType = 'load-balancer-type'; Description = 'description'; Force = 'force'; FriendlyName = 'friendly-name'; MaxSessionLimit = 'max-session-limit'; PassThru = 'pass-thru'; PersonalDesktopAssignmentType = 'personal-desktop-assignment-type'; PreferredAppGroupType = 'preferred-app-group-type'; ResourceGroupName = 'resource-group-name'; StartVMOnConnect = 'start-vm-on-connect'; ValidationEnvironment = 'validation-environment'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Name | ForEach-Object { $_ }) -join ' '), 'Change settings of a host pool')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Add-GatepoolClusterUser {
    <#
    .SYNOPSIS
    Give users a role on a gateway cluster
    .DESCRIPTION
    Give users, groups or applications a role on a gateway cluster. An admin manages
    the cluster; a connection creator makes data sources on it, of the types that
    -AllowedDataSourceTypes names or of any; the one with reshare may pass that
    on. An admin has no such types. A user is named by user principal name or by
    object id, and has one role: to give another, take the first away with
    remove-cluster-user. Mirrors Add-DataGatewayClusterUser.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    user principal name; for sessions also an id as host/3
    .PARAMETER AllowedDataSourceTypes
    data source types that a connection creator may create, such as Sql,Oracle (default any)
    .PARAMETER Force
    don't ask
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER PrincipalType
    user, group or app (default user)
    .PARAMETER Role
    what the users may do
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Add-GatepoolClusterUser finance 'admin@contoso.example' -Role Admin
    .EXAMPLE
    Add-GatepoolClusterUser finance 'analyst@contoso.example' -Role ConnectionCreator -AllowedDataSourceTypes 'Sql', 'Oracle'
    .EXAMPLE
    Add-GatepoolClusterUser finance 'Finance analysts' -PrincipalType Group -Role ConnectionCreatorWithReshare
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('User', 'Principal')]
        [string[]] $Name,
        [Parameter()]
        [string[]] $AllowedDataSourceTypes,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [ValidateSet('User', 'Group', 'App')]
        [string] $PrincipalType,
        [Parameter(Mandatory = $true)]
        [ValidateSet('Admin', 'ConnectionCreator', 'ConnectionCreatorWithReshare')]
        [string] $Role,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'add-cluster-user'
            Flags     = @{ AllowedDataSourceTypes = 'allowed-data-source-types'; Force = 'force'; PassThru = 'pass-thru'; PrincipalType = 'principal-type'; Role = 'role'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $Name | ForEach-Object { $_ }) -join ' '), 'Give users a role on a gateway cluster')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Add-GatepoolDataSource {
    <#
    .SYNOPSIS
    Add data sources to a gateway cluster
    .DESCRIPTION
    Add data sources to a gateway cluster. The state file never holds credentials: a
    connection with what looks like a password or a key is refused.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    name of a data source
    .PARAMETER Connection
    server and database, or path; never credentials
    .PARAMETER Force
    don't ask
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER Type
    data source type, such as Sql, Oracle or AnalysisServices
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Add-GatepoolDataSource finance hr -Type Sql -Connection 'sql01;hr'
    .EXAMPLE
    Add-GatepoolDataSource finance reports -Type File -Connection '\\files01\reports'
    .EXAMPLE
    Add-GatepoolDataSource finance hr -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('DataSource')]
        [string[]] $Name,
        [Parameter()]
        [string] $Connection,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [string] $Type,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'add-datasource'
            Flags     = @{ Connection = 'connection'; Force = 'force'; PassThru = 'pass-thru'; Type = 'type'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $Name | ForEach-Object { $_ }) -join ' '), 'Add data sources to a gateway cluster')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Add-GatepoolDataSourceUser {
    <#
    .SYNOPSIS
    Let users use a data source
    .DESCRIPTION
    Let users use a data source of a gateway cluster: read it, or read it and override
    the effective identity. To give another right, take the first away with
    remove-datasource-user. Mirrors Add-DataGatewayClusterDatasourceUser, which has
    no default for the right; here it is read.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER DataSource
    name of a data source
    .PARAMETER Name
    user principal name; for sessions also an id as host/3
    .PARAMETER DataSourceUserAccessRight
    what the users may do (also -Right; default read)
    .PARAMETER Force
    don't ask
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Add-GatepoolDataSourceUser finance sales 'alice@contoso.example'
    .EXAMPLE
    Add-GatepoolDataSourceUser finance sales 'app@contoso.example' -DataSourceUserAccessRight ReadOverrideEffectiveIdentity
    .EXAMPLE
    Add-GatepoolDataSourceUser finance sales 'alice@contoso.example' -DataSourceUserAccessRight Read -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [string] $DataSource,
        [Parameter(Mandatory = $true, Position = 2, ValueFromPipelineByPropertyName = $true)]
        [Alias('User', 'Principal')]
        [string[]] $Name,
        [Parameter()]
        [Alias('Right')]
        [ValidateSet('Read', 'ReadOverrideEffectiveIdentity')]
        [string] $DataSourceUserAccessRight,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'add-datasource-user'
            Flags     = @{ DataSourceUserAccessRight = 'datasource-user-access-right'; Force = 'force'; PassThru = 'pass-thru'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'DataSource', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $DataSource, $Name | ForEach-Object { $_ }) -join ' '), 'Let users use a data source')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Add-GatepoolMember {
    <#
    .SYNOPSIS
    Add members to a gateway cluster
    .DESCRIPTION
    Add members at the end of a cluster's failover order; a cluster has at most ten.
    They are Online and enabled unless flags say otherwise. The first member of a
    cluster without any becomes the primary. Mirrors Add-DataGatewayClusterMember.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    name or id of a member
    .PARAMETER ActiveOperations
    operations running now
    .PARAMETER AggregationMinutes
    minutes over which load is averaged
    .PARAMETER Concurrency
    most operations at a time; 0 is no limit
    .PARAMETER ConfigFile
    the member's GatewayCore .dll.config, relative to the state file; its limits win
    .PARAMETER Cpu
    CPU threshold in percent; 0 is off
    .PARAMETER ExpiryDate
    when the version is out of support, a time or a date
    .PARAMETER Force
    don't ask
    .PARAMETER Id
    gateway object id (GUID), as logs name it
    .PARAMETER Machine
    computer name
    .PARAMETER MemberStatus
    whether the member takes requests: enabled, or none for a disabled one
    .PARAMETER Memory
    memory threshold in percent; 0 is off
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER Status
    whether the service reaches the member
    .PARAMETER Version
    gateway version, such as 3000.322.5
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Add-GatepoolMember finance GW-FIN-04
    .EXAMPLE
    Add-GatepoolMember finance GW-FIN-04 -Version 3000.322.5 -Cpu 80 -Memory 85
    .EXAMPLE
    Add-GatepoolMember finance 'GW-FIN-04', 'GW-FIN-05' -MemberStatus None -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('Member')]
        [string[]] $Name,
        [Parameter()]
        [int] $ActiveOperations,
        [Parameter()]
        [int] $AggregationMinutes,
        [Parameter()]
        [int] $Concurrency,
        [Parameter()]
        [string] $ConfigFile,
        [Parameter()]
        [int] $Cpu,
        [Parameter()]
        [datetime] $ExpiryDate,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $Id,
        [Parameter()]
        [string] $Machine,
        [Parameter()]
        [ValidateSet('None', 'Enabled')]
        [string] $MemberStatus,
        [Parameter()]
        [int] $Memory,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [ValidateSet('Online', 'Offline')]
        [string] $Status,
        [Parameter()]
        [string] $Version,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'add-member'
            Flags     = @{ ActiveOperations = 'active-operations'; AggregationMinutes = 'aggregation-minutes'; Concurrency = 'concurrency'; ConfigFile = 'config-file'; Cpu = 'cpu'; ExpiryDate = 'expiry-date'; Force = 'force'; Id = 'id'; Machine = 'machine'; MemberStatus = 'member-status'; Memory = 'memory'; PassThru = 'pass-thru'; Status = 'status'; Version = 'version'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $Name | ForEach-Object { $_ }) -join ' '), 'Add members to a gateway cluster')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Disable-GatepoolMember {
    <#
    .SYNOPSIS
    Keep requests away from members of a cluster
    .DESCRIPTION
    Keep requests away from members of a gateway cluster: a disabled member is never
    tried. An offline one that stays enabled costs requests a failed attempt.
    Mirrors Set-OnPremisesDataGateway -MemberStatus None.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    name or id of a member
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Disable-GatepoolMember finance GW-FIN-01
    .EXAMPLE
    Disable-GatepoolMember finance 'GW-FIN-0[12]' -WhatIf
    .EXAMPLE
    Get-GatepoolMember finance -Status Offline | Disable-GatepoolMember
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('Member')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'disable-member'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $Name | ForEach-Object { $_ }) -join ' '), 'Keep requests away from members of a cluster')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Enable-GatepoolMember {
    <#
    .SYNOPSIS
    Let members of a cluster take requests
    .DESCRIPTION
    Let members of a gateway cluster take requests again. Mirrors
    Set-OnPremisesDataGateway -MemberStatus Enabled.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    name or id of a member
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Enable-GatepoolMember finance GW-FIN-01
    .EXAMPLE
    Enable-GatepoolMember finance '*' -WhatIf
    .EXAMPLE
    Get-GatepoolMember finance | Enable-GatepoolMember
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('Member')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'enable-member'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $Name | ForEach-Object { $_ }) -join ' '), 'Let members of a cluster take requests')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Get-GatepoolCluster {
    <#
    .SYNOPSIS
    List gateway clusters
    .DESCRIPTION
    List gateway clusters, not their members. Active members are those that are
    enabled and online. Names may be cut short with the wildcards *, ? and [ab], and
    an id is as good as a name. Mirrors Get-DataGatewayCluster and
    Get-OnPremisesDataGatewayClusters.
    .PARAMETER Name
    name or id of a gateway cluster
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolCluster
    .EXAMPLE
    Get-GatepoolCluster 'fin*'
    .EXAMPLE
    Get-GatepoolCluster finance
    #>
    [CmdletBinding()]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('Cluster')]
        [string[]] $Name,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-cluster'
            Flags     = @{ LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Get-GatepoolClusterStatus {
    <#
    .SYNOPSIS
    Say what a cluster would do with a request now
    .DESCRIPTION
    Say what a gateway cluster would do with a request now: which members would take
    it and with which probability, and what stands in the way of the others. Load is
    the mean of the samples that end in the member's aggregation window; it is shown
    beside the limit in force, as in 41.1% / 80%, with - for nothing measured, off for
    no limit and ? for one that can't be told. LIMITS SOURCE says where the limits
    come from: the member's configuration file, the state, or the service's defaults.
    A member whose file is missing or broken is taken to be below its limits, and the
    command fails after showing the rest. A file that is missing
    or broken is reported, and the defaults stand in for what it does not tell.

    It asks, and records nothing; a cluster that refuses is no error here (connect
    has exit code 4 for it). Mirrors Get-DataGatewayClusterStatus.
    .PARAMETER Name
    name or id of a gateway cluster
    .PARAMETER At
    the time to judge at, such as 2026-11-29T08:06:00Z (default now)
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolClusterStatus finance
    .EXAMPLE
    Get-GatepoolClusterStatus finance -At 2026-11-29T08:06:00Z
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('Cluster')]
        [string] $Name,
        [Parameter()]
        [datetime] $At,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-cluster-status'
            Flags     = @{ At = 'at'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Get-GatepoolClusterUser {
    <#
    .SYNOPSIS
    List users of gateway clusters
    .DESCRIPTION
    List who may administer a cluster or create connections through it, of one cluster
    or of all. An object id is as good as a name.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    user principal name; for sessions also an id as host/3
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolClusterUser finance
    .EXAMPLE
    Get-GatepoolClusterUser finance 'dba@contoso.example'
    .EXAMPLE
    Get-GatepoolClusterUser '*' '*@contoso.example'
    #>
    [CmdletBinding()]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('User', 'Principal')]
        [string[]] $Name,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-cluster-user'
            Flags     = @{ LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Get-GatepoolDataSource {
    <#
    .SYNOPSIS
    List data sources of gateway clusters
    .DESCRIPTION
    List the data sources of a cluster, or of all clusters. Their users are counted;
    get-datasource-user lists them. Mirrors Get-DataGatewayClusterDatasource.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    name of a data source
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolDataSource finance
    .EXAMPLE
    Get-GatepoolDataSource finance sales
    .EXAMPLE
    Get-GatepoolDataSource '*' 's*'
    #>
    [CmdletBinding()]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('DataSource')]
        [string[]] $Name,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-datasource'
            Flags     = @{ LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Get-GatepoolDataSourceUser {
    <#
    .SYNOPSIS
    List users of data sources
    .DESCRIPTION
    List who may use a data source, or each of a cluster's data sources. An object id
    that a user of the cluster has is as good as a name. Mirrors
    Get-DataGatewayClusterDatasourceUser.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER DataSource
    name of a data source
    .PARAMETER Name
    user principal name; for sessions also an id as host/3
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolDataSourceUser finance
    .EXAMPLE
    Get-GatepoolDataSourceUser finance sales
    .EXAMPLE
    Get-GatepoolDataSourceUser finance sales '*@contoso.example'
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Position = 1, ValueFromPipelineByPropertyName = $true)]
        [string] $DataSource,
        [Parameter(Position = 2, ValueFromPipelineByPropertyName = $true)]
        [Alias('User', 'Principal')]
        [string[]] $Name,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-datasource-user'
            Flags     = @{ LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'DataSource', 'Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Get-GatepoolMember {
    <#
    .SYNOPSIS
    List members of gateway clusters
    .DESCRIPTION
    List the members of a cluster, or of all clusters, in failover order, the primary
    first. The limits are those in force: of the member's configuration file where
    it names one, otherwise of the state, otherwise the service's defaults; a file
    that is missing or broken is reported, and the defaults stand in. Mirrors
    (Get-DataGatewayCluster).MemberGateways and Get-OnPremisesDataClusterGateways.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    name or id of a member
    .PARAMETER Status
    only members with this status
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolMember finance
    .EXAMPLE
    Get-GatepoolMember finance GW-FIN-02
    .EXAMPLE
    Get-GatepoolMember '*' -Status Offline | Disable-GatepoolMember
    #>
    [CmdletBinding()]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('Member')]
        [string[]] $Name,
        [Parameter()]
        [ValidateSet('Online', 'Offline')]
        [string] $Status,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-member'
            Flags     = @{ Status = 'status'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function New-GatepoolCluster {
    <#
    .SYNOPSIS
    Add a gateway cluster to the state file
    .DESCRIPTION
    Add a gateway cluster at the end of the state file. A cluster is made by its
    first gateway, its primary member, and has the gateway's name unless -Member
    says otherwise; further -Member flags add the members that stand in for it, in
    order, ten at most. Load balancing is off (failover) unless a flag says
    otherwise. Mirrors Add-DataGatewayCluster; no recovery key is asked for, and
    none is kept.
    .PARAMETER Name
    name or id of a gateway cluster
    .PARAMETER AllowCloudDataSourceRefresh
    cloud data sources may be refreshed through the cluster
    .PARAMETER AllowCustomConnectors
    custom connectors may be used
    .PARAMETER ContactInformation
    whom to ask
    .PARAMETER Department
    department that owns the cluster
    .PARAMETER Description
    free text
    .PARAMETER Force
    don't ask
    .PARAMETER LoadBalancingSelectorType
    which member a request goes to; see set-cluster-loadbalancing
    .PARAMETER Member
    name of a member; the first is the primary (default the cluster's name)
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    New-GatepoolCluster GW-HR-01
    .EXAMPLE
    New-GatepoolCluster hr -Member 'GW-HR-01', 'GW-HR-02'
    .EXAMPLE
    New-GatepoolCluster hr -Member GW-HR-01 -LoadBalancingSelectorType Random -Department HR
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('Cluster')]
        [string] $Name,
        [Parameter()]
        [switch] $AllowCloudDataSourceRefresh,
        [Parameter()]
        [switch] $AllowCustomConnectors,
        [Parameter()]
        [string] $ContactInformation,
        [Parameter()]
        [string] $Department,
        [Parameter()]
        [string] $Description,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [ValidateSet('Failover', 'Random', 'RoundRobin')]
        [string] $LoadBalancingSelectorType,
        [Parameter()]
        [string[]] $Member,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'new-cluster'
            Flags     = @{ AllowCloudDataSourceRefresh = 'allow-cloud-datasource-refresh'; AllowCustomConnectors = 'allow-custom-connectors'; ContactInformation = 'contact-information'; Department = 'department'; Description = 'description'; Force = 'force'; LoadBalancingSelectorType = 'load-balancing-selector-type'; Member = 'member'; PassThru = 'pass-thru'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Name | ForEach-Object { $_ }) -join ' '), 'Add a gateway cluster to the state file')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Remove-GatepoolCluster {
    <#
    .SYNOPSIS
    Take gateway clusters out of the state file
    .DESCRIPTION
    Take gateway clusters out of the state file, with their members, users, data
    sources and comments. Asks on a terminal; elsewhere it needs -Force. Mirrors
    Remove-DataGatewayCluster.
    .PARAMETER Name
    name or id of a gateway cluster
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Remove-GatepoolCluster finance
    .EXAMPLE
    Remove-GatepoolCluster finance -WhatIf
    .EXAMPLE
    Remove-GatepoolCluster 'test-*' -Force
    #>
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('Cluster')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'remove-cluster'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Name | ForEach-Object { $_ }) -join ' '), 'Take gateway clusters out of the state file')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Remove-GatepoolClusterUser {
    <#
    .SYNOPSIS
    Take users' roles on a gateway cluster away
    .DESCRIPTION
    Take users' roles on a gateway cluster away. What they may do with its data
    sources is another matter: see remove-datasource-user. Asks on a terminal;
    elsewhere it needs -Force. Mirrors Remove-DataGatewayClusterUser.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    user principal name; for sessions also an id as host/3
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Remove-GatepoolClusterUser finance 'dba@contoso.example'
    .EXAMPLE
    Remove-GatepoolClusterUser finance 'dba@contoso.example' -WhatIf
    .EXAMPLE
    Remove-GatepoolClusterUser finance '*@fabrikam.example' -Force
    #>
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('User', 'Principal')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'remove-cluster-user'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $Name | ForEach-Object { $_ }) -join ' '), 'Take users'' roles on a gateway cluster away')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Remove-GatepoolDataSource {
    <#
    .SYNOPSIS
    Take data sources out of a gateway cluster
    .DESCRIPTION
    Take data sources out of a gateway cluster, with their users. Asks on a terminal;
    elsewhere it needs -Force. Mirrors Remove-DataGatewayClusterDatasource.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    name of a data source
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Remove-GatepoolDataSource finance sales
    .EXAMPLE
    Remove-GatepoolDataSource finance sales -WhatIf
    .EXAMPLE
    Remove-GatepoolDataSource finance 'test-*' -Force
    #>
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('DataSource')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'remove-datasource'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $Name | ForEach-Object { $_ }) -join ' '), 'Take data sources out of a gateway cluster')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Remove-GatepoolDataSourceUser {
    <#
    .SYNOPSIS
    Take users' rights on a data source away
    .DESCRIPTION
    Take users' rights on a data source of a gateway cluster away. Asks on a terminal;
    elsewhere it needs -Force. Mirrors Remove-DataGatewayClusterDatasourceUser.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER DataSource
    name of a data source
    .PARAMETER Name
    user principal name; for sessions also an id as host/3
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Remove-GatepoolDataSourceUser finance sales 'analyst@contoso.example'
    .EXAMPLE
    Remove-GatepoolDataSourceUser finance sales 'analyst@contoso.example' -WhatIf
    .EXAMPLE
    Remove-GatepoolDataSourceUser finance sales '*@fabrikam.example' -Force
    #>
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [string] $DataSource,
        [Parameter(Mandatory = $true, Position = 2, ValueFromPipelineByPropertyName = $true)]
        [Alias('User', 'Principal')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'remove-datasource-user'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'DataSource', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $DataSource, $Name | ForEach-Object { $_ }) -join ' '), 'Take users'' rights on a data source away')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Remove-GatepoolMember {
    <#
    .SYNOPSIS
    Take members out of a gateway cluster
    .DESCRIPTION
    Take members out of a gateway cluster. The primary member goes last: it can't be
    removed while others remain. The cluster itself stays, with its users and data
    sources, also without members: remove-cluster takes it away. Asks on a terminal;
    elsewhere it needs -Force. Mirrors Remove-DataGatewayClusterMember and
    Remove-OnPremisesDataGateway.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    name or id of a member
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Remove-GatepoolMember finance GW-FIN-03
    .EXAMPLE
    Remove-GatepoolMember finance 'GW-FIN-02', 'GW-FIN-03' -Force
    .EXAMPLE
    Remove-GatepoolMember finance '*' -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('Member')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'remove-member'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $Name | ForEach-Object { $_ }) -join ' '), 'Take members out of a gateway cluster')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Set-GatepoolCluster {
    <#
    .SYNOPSIS
    Change settings of a gateway cluster
    .DESCRIPTION
    Change settings of gateway clusters. What no flag names stays as it is; an empty
    text takes a setting away. They are settings of the cluster, not of a member:
    see set-member. Mirrors Set-DataGatewayCluster.
    .PARAMETER Name
    name or id of a gateway cluster
    .PARAMETER AllowCloudDataSourceRefresh
    cloud data sources may be refreshed through the cluster
    .PARAMETER AllowCustomConnectors
    custom connectors may be used
    .PARAMETER ContactInformation
    whom to ask
    .PARAMETER Department
    department that owns the cluster
    .PARAMETER Description
    free text
    .PARAMETER Force
    don't ask
    .PARAMETER LoadBalancingSelectorType
    which member a request goes to; see set-cluster-loadbalancing
    .PARAMETER NewName
    new name (also -NewName)
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Set-GatepoolCluster finance -Department Finance -ContactInformation 'dba@contoso.example'
    .EXAMPLE
    Set-GatepoolCluster finance -AllowCustomConnectors -WhatIf
    .EXAMPLE
    Set-GatepoolCluster finance -NewName finance-eu
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('Cluster')]
        [string[]] $Name,
        [Parameter()]
        [switch] $AllowCloudDataSourceRefresh,
        [Parameter()]
        [switch] $AllowCustomConnectors,
        [Parameter()]
        [string] $ContactInformation,
        [Parameter()]
        [string] $Department,
        [Parameter()]
        [string] $Description,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [ValidateSet('Failover', 'Random', 'RoundRobin')]
        [string] $LoadBalancingSelectorType,
        [Parameter()]
        [string] $NewName,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'set-cluster'
            Flags     = @{ AllowCloudDataSourceRefresh = 'allow-cloud-datasource-refresh'; AllowCustomConnectors = 'allow-custom-connectors'; ContactInformation = 'contact-information'; Department = 'department'; Description = 'description'; Force = 'force'; LoadBalancingSelectorType = 'load-balancing-selector-type'; NewName = 'name'; PassThru = 'pass-thru'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Name | ForEach-Object { $_ }) -join ' '), 'Change settings of a gateway cluster')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Set-GatepoolClusterLoadBalancing {
    <#
    .SYNOPSIS
    Choose how a gateway cluster spreads requests
    .DESCRIPTION
    Choose how gateway clusters spread requests over their members:

      failover      off, the default: the primary member takes every request, and the
                    next one in order only while it is unreachable
      random        on ("distribute requests across all active gateways"): any member
                    that is enabled, each equally likely, and another one if that is
                    unreachable or at a limit
      round-robin   the members in turn, beginning after the one used last

    Microsoft's page contradicts itself about the mode off: since May 2026 it says
    that members are then used round robin, and in two other places that the primary
    always is. gatepool keeps the older rule as failover, and has the newer as
    round-robin for those who see it in their tenant. Mirrors
    Set-DataGatewayCluster -LoadBalancingSelectorType and
    Set-OnPremisesDataGatewayCluster -LoadBalancingType.
    .PARAMETER Name
    name or id of a gateway cluster
    .PARAMETER Force
    don't ask
    .PARAMETER Mode
    how a member is chosen (also -LoadBalancingSelectorType, -LoadBalancingType)
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Set-GatepoolClusterLoadBalancing finance -Mode Failover
    .EXAMPLE
    Set-GatepoolClusterLoadBalancing '*' -Mode Random -WhatIf
    .EXAMPLE
    Set-GatepoolClusterLoadBalancing finance -Mode RoundRobin
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('Cluster')]
        [string[]] $Name,
        [Parameter()]
        [switch] $Force,
        [Parameter(Mandatory = $true)]
        [Alias('LoadBalancingSelectorType', 'LoadBalancingType')]
        [ValidateSet('Failover', 'Random', 'RoundRobin')]
        [string] $Mode,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'set-cluster-loadbalancing'
            Flags     = @{ Force = 'force'; Mode = 'mode'; PassThru = 'pass-thru'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Name | ForEach-Object { $_ }) -join ' '), 'Choose how a gateway cluster spreads requests')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Set-GatepoolDataSource {
    <#
    .SYNOPSIS
    Change data sources of a gateway cluster
    .DESCRIPTION
    Change data sources of a gateway cluster. What no flag names stays as it is; an
    empty text takes a property away. A connection with what looks like a password
    or a key is refused. Mirrors Set-DataGatewayClusterDatasource, which changes the
    name; type and connection can be changed here, in the state file, only.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    name of a data source
    .PARAMETER Connection
    server and database, or path; never credentials
    .PARAMETER DataSourceName
    new name (also -Name, -NewName)
    .PARAMETER Force
    don't ask
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER Type
    data source type, such as Sql, Oracle or AnalysisServices
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Set-GatepoolDataSource finance sales -DataSourceName sales-2026
    .EXAMPLE
    Set-GatepoolDataSource finance sales -Connection 'sql02;sales'
    .EXAMPLE
    Set-GatepoolDataSource finance '*' -Type Sql -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('DataSource')]
        [string[]] $Name,
        [Parameter()]
        [string] $Connection,
        [Parameter()]
        [Alias('NewName')]
        [string] $DataSourceName,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [string] $Type,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'set-datasource'
            Flags     = @{ Connection = 'connection'; DataSourceName = 'datasource-name'; Force = 'force'; PassThru = 'pass-thru'; Type = 'type'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $Name | ForEach-Object { $_ }) -join ' '), 'Change data sources of a gateway cluster')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Set-GatepoolMember {
    <#
    .SYNOPSIS
    Change properties of members of a gateway cluster
    .DESCRIPTION
    Change properties of members of a gateway cluster. What no flag names stays as it
    is; an empty text takes a property away. -Cpu, -Memory, -AggregationMinutes
    and -Concurrency set limits that stand in the state; a member with a
    configuration file has them there, and set-gatewayconfig changes them. Mirrors
    Set-OnPremisesDataGateway; what that can't set is measured or reported by the
    service, and kept here so that connect knows of it.
    .PARAMETER Cluster
    name or id of a gateway cluster
    .PARAMETER Name
    name or id of a member
    .PARAMETER ActiveOperations
    operations running now
    .PARAMETER AggregationMinutes
    minutes over which load is averaged
    .PARAMETER Concurrency
    most operations at a time; 0 is no limit
    .PARAMETER ConfigFile
    the member's GatewayCore .dll.config, relative to the state file; its limits win
    .PARAMETER Cpu
    CPU threshold in percent; 0 is off
    .PARAMETER ExpiryDate
    when the version is out of support, a time or a date
    .PARAMETER Force
    don't ask
    .PARAMETER Id
    gateway object id (GUID), as logs name it
    .PARAMETER Machine
    computer name
    .PARAMETER MemberStatus
    whether the member takes requests: enabled, or none for a disabled one
    .PARAMETER Memory
    memory threshold in percent; 0 is off
    .PARAMETER NewName
    new name (also -NewName)
    .PARAMETER PassThru
    print the object as it is now
    .PARAMETER Status
    whether the service reaches the member
    .PARAMETER Version
    gateway version, such as 3000.322.5
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Set-GatepoolMember finance GW-FIN-01 -Status Online
    .EXAMPLE
    Set-GatepoolMember finance 'GW-FIN-02', 'GW-FIN-03' -Version 3000.330.2
    .EXAMPLE
    Set-GatepoolMember finance GW-FIN-03 -NewName GW-FIN-13 -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string] $Cluster,
        [Parameter(Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)]
        [Alias('Member')]
        [string[]] $Name,
        [Parameter()]
        [int] $ActiveOperations,
        [Parameter()]
        [int] $AggregationMinutes,
        [Parameter()]
        [int] $Concurrency,
        [Parameter()]
        [string] $ConfigFile,
        [Parameter()]
        [int] $Cpu,
        [Parameter()]
        [datetime] $ExpiryDate,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $Id,
        [Parameter()]
        [string] $Machine,
        [Parameter()]
        [ValidateSet('None', 'Enabled')]
        [string] $MemberStatus,
        [Parameter()]
        [int] $Memory,
        [Parameter()]
        [string] $NewName,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [ValidateSet('Online', 'Offline')]
        [string] $Status,
        [Parameter()]
        [string] $Version,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'set-member'
            Flags     = @{ ActiveOperations = 'active-operations'; AggregationMinutes = 'aggregation-minutes'; Concurrency = 'concurrency'; ConfigFile = 'config-file'; Cpu = 'cpu'; ExpiryDate = 'expiry-date'; Force = 'force'; Id = 'id'; Machine = 'machine'; MemberStatus = 'member-status'; Memory = 'memory'; NewName = 'name'; PassThru = 'pass-thru'; Status = 'status'; Version = 'version'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Cluster', 'Name')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Cluster, $Name | ForEach-Object { $_ }) -join ' '), 'Change properties of members of a gateway cluster')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Get-GatepoolGatewayConfig {
    <#
    .SYNOPSIS
    List settings of a gateway's configuration file
    .DESCRIPTION
    List the settings in a gateway machine's
    Microsoft.PowerBI.DataMovement.Pipeline.GatewayCore.dll.config:
    what they are set to, the built-in default, which applies while a setting is
    absent or empty, the valid values (-o wide), and what they mean. -All adds
    known settings that are absent.

    Name the file with -Path, or by the member or cluster of the state file that
    has it as its configFile. Names may be in any case and cut short with the
    wildcards *, ? and [ab].
    .PARAMETER Name
    name
    .PARAMETER All
    known settings that are absent, too
    .PARAMETER Cluster
    the configFile of every member of this cluster
    .PARAMETER Member
    the configFile of this member, as CLUSTER/MEMBER
    .PARAMETER Path
    the file itself
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Get-GatepoolGatewayConfig -Path gw-fin-01/Microsoft.PowerBI.DataMovement.Pipeline.GatewayCore.dll.config
    .EXAMPLE
    Get-GatepoolGatewayConfig -Member finance/GW-FIN-01 -All
    .EXAMPLE
    Get-GatepoolGatewayConfig '*Threshold' -Cluster finance
    #>
    [CmdletBinding()]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string[]] $Name,
        [Parameter()]
        [switch] $All,
        [Parameter()]
        [string] $Cluster,
        [Parameter()]
        [string] $Member,
        [Parameter()]
        [string] $Path,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'get-gatewayconfig'
            Flags     = @{ All = 'all'; Cluster = 'cluster'; Member = 'member'; Path = 'path'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Import-GatepoolCounter {
    <#
    .SYNOPSIS
    Read the gateways' logs of CPU and memory use
    .DESCRIPTION
    Read SystemCounterAggregationReport logs, which gateway machines write to their
    Report folder, into the counters of the members: of each span of time the
    averages of SystemCPUPercent and SystemMEMUsedPercent, which is what limits are
    compared with. A log names its gateway by the GatewayObjectId; that is the id of
    the member (get-member -o wide; import-cluster brings it along).

    Per member, samples are dropped that ended longer than -Keep before the newest.
    Reading a log twice changes nothing. Gateways that the state does not know and
    rows that cannot be read are reported.
    .PARAMETER Path
    path of a file
    .PARAMETER Force
    don't ask
    .PARAMETER Keep
    drop samples that ended longer than this before the member's newest
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Import-GatepoolCounter gw-fin-02/SystemCounterAggregationReport_GW-FIN-02_2026-11-29T075500.log
    .EXAMPLE
    Import-GatepoolCounter 'gw-fin-*/SystemCounterAggregationReport*.log' -Keep 15m
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('FullName')]
        [string[]] $Path,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $Keep,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'import-counter'
            Flags     = @{ Force = 'force'; Keep = 'keep'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Path')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Path | ForEach-Object { $_ }) -join ' '), 'Read the gateways'' logs of CPU and memory use')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Set-GatepoolGatewayConfig {
    <#
    .SYNOPSIS
    Change settings in a gateway's configuration file
    .DESCRIPTION
    Change settings in a gateway machine's
    Microsoft.PowerBI.DataMovement.Pipeline.GatewayCore.dll.config
    without touching any other byte of it: comments, line ends, indentation and
    quotes stay. A setting that is absent is added in the file's own layout. Names
    may be in any case; one that is not known is refused without -Force.

    Name the file with -Path, or by the member or cluster of the state file that
    has it as its configFile. For a cluster all files are checked before the first
    is written. The file as it was is kept beside it with the ending .bak.

    The gateway reads the file only when its service, PBIEgwService, starts: restart it
    afterwards on each machine.
    .PARAMETER AggregationMinutes
    ResourceUtilizationAggregationTimeInMinutes, a whole number from 1 to 1440
    .PARAMETER Cluster
    the configFile of every member of this cluster
    .PARAMETER Concurrency
    ConcurrentOperationLimitPreview, a whole number from 1 to 1000000
    .PARAMETER Cpu
    CPUUtilizationPercentageThreshold, a whole number from 0 to 100
    .PARAMETER Force
    don't ask, and accept names that are not known
    .PARAMETER Member
    the configFile of this member, as CLUSTER/MEMBER
    .PARAMETER Memory
    MemoryUtilizationPercentageThreshold, a whole number from 0 to 100
    .PARAMETER PassThru
    print what was changed
    .PARAMETER Path
    the file itself
    .PARAMETER Setting
    set any setting; may be repeated
    .PARAMETER Unset
    take a setting out, so that its default applies; may be repeated
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Set-GatepoolGatewayConfig -Member finance/GW-FIN-01 -Cpu 80 -Memory 85
    .EXAMPLE
    Set-GatepoolGatewayConfig -Cluster finance -Cpu 80 -AggregationMinutes 5 -WhatIf
    .EXAMPLE
    Set-GatepoolGatewayConfig -Path gw-fin-01/Microsoft.PowerBI.DataMovement.Pipeline.GatewayCore.dll.config -Setting 'StreamBeforeRequestCompletes=True' -Unset ReportFileCount
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter()]
        [int] $AggregationMinutes,
        [Parameter()]
        [string] $Cluster,
        [Parameter()]
        [int] $Concurrency,
        [Parameter()]
        [int] $Cpu,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $Member,
        [Parameter()]
        [int] $Memory,
        [Parameter()]
        [switch] $PassThru,
        [Parameter()]
        [string] $Path,
        [Parameter()]
        [string[]] $Setting,
        [Parameter()]
        [string[]] $Unset,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'set-gatewayconfig'
            Flags     = @{ AggregationMinutes = 'aggregation-minutes'; Cluster = 'cluster'; Concurrency = 'concurrency'; Cpu = 'cpu'; Force = 'force'; Member = 'member'; Memory = 'memory'; PassThru = 'pass-thru'; Path = 'path'; Setting = 'setting'; Unset = 'unset'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @()
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess('GatepoolGatewayConfig', 'Change settings in a gateway''s configuration file')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Test-GatepoolGatewayConfig {
    <#
    .SYNOPSIS
    Find faults in a gateway's configuration file
    .DESCRIPTION
    Find faults in a gateway machine's
    Microsoft.PowerBI.DataMovement.Pipeline.GatewayCore.dll.config:
    what keeps the gateway from starting, what it silently ignores, and what works
    but hardly as meant; each with its place and what would put it right. For a
    cluster its files are also looked at together. -o wide prints a table.

    -Fix repairs the faults whose repair cannot be wrong, byte by byte. The file as
    it was is kept beside it with the ending .bak.

    The exit code is 0 whatever is found. With -DetailedExitcode it is 10 when
    errors or warnings remain; notes need no repair.
    .PARAMETER Cluster
    the configFile of every member of this cluster
    .PARAMETER DetailedExitcode
    exit with 10 when errors or warnings remain
    .PARAMETER Fix
    repair what can be repaired safely
    .PARAMETER Member
    the configFile of this member, as CLUSTER/MEMBER
    .PARAMETER Path
    the file itself
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Test-GatepoolGatewayConfig -Path gw-fin-01/Microsoft.PowerBI.DataMovement.Pipeline.GatewayCore.dll.config
    .EXAMPLE
    Test-GatepoolGatewayConfig -Cluster finance -DetailedExitcode
    .EXAMPLE
    Test-GatepoolGatewayConfig -Member finance/GW-FIN-01 -Fix -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter()]
        [string] $Cluster,
        [Parameter()]
        [switch] $DetailedExitcode,
        [Parameter()]
        [switch] $Fix,
        [Parameter()]
        [string] $Member,
        [Parameter()]
        [string] $Path,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'test-gatewayconfig'
            Flags     = @{ Cluster = 'cluster'; DetailedExitcode = 'detailed-exitcode'; Fix = 'fix'; Member = 'member'; Path = 'path'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @()
            Switches  = @()
        }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess('GatepoolGatewayConfig', 'Find faults in a gateway''s configuration file')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Compare-GatepoolState {
    <#
    .SYNOPSIS
    Show where the services differ from the state file
    .DESCRIPTION
    Show where the live services differ from the state file, resource by resource
    and property by property. The file is the wish, exports of the services (all
    forms that the import commands read) are the fact.

    Only what the exports know counts. A thing of the file is missing only where an
    export lists all of its kind; one that the file lacks is extra. Names are
    compared without regard to case, and no session limit is the same as 999999.
    What comes about by use is no drift and is left out: status, sessions,
    heartbeats, counters, and what the service chose where the file says nothing.
    -Runtime shows that, too.

    A gateway member that has both limits and a configFile is compared as well: its
    limits in the state are the wish, those of the configuration file the fact. That
    needs no -Live. (Both rules are gatepool's own.)

    The exit code is 0 whatever differs. With -DetailedExitcode it is 10 when
    something does.
    .PARAMETER GatewayClusterId
    the cluster, by name or id, where an export does not say
    .PARAMETER DetailedExitcode
    exit with 10 when something differs
    .PARAMETER HostPoolName
    the pool, where an export does not say
    .PARAMETER Live
    export of the live service, - for standard input; more files may follow, or more -Live
    .PARAMETER Runtime
    what comes about by use, too
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Compare-GatepoolState -Live 'hostpools.json', 'sessionhosts.json'
    .EXAMPLE
    Compare-GatepoolState -Live hostpools.json -DetailedExitcode
    #>
    [CmdletBinding()]
    param(
        [Parameter()]
        [Alias('Cluster')]
        [string] $GatewayClusterId,
        [Parameter()]
        [switch] $DetailedExitcode,
        [Parameter()]
        [Alias('HostPool')]
        [string] $HostPoolName,
        [Parameter(Mandatory = $true)]
        [string[]] $Live,
        [Parameter()]
        [switch] $Runtime,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'compare-state'
            Flags     = @{ GatewayClusterId = 'gateway-cluster-id'; DetailedExitcode = 'detailed-exitcode'; HostPoolName = 'hostpool-name'; Live = 'live'; Runtime = 'runtime'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @()
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Export-GatepoolJson {
    <#
    .SYNOPSIS
    Print resources as the services' APIs have them
    .DESCRIPTION
    Print resources of the state file as the services' APIs have them: host pools,
    their session hosts or user sessions as Azure Resource Manager answers, gateway
    clusters as version 2 of the Data Gateway REST API does.

    NAME is a host pool, or with -Kind cluster a cluster; without any, all are
    printed. A host pool that is named without wildcards and alone is one object,
    fit to be put back; everything else is a list with value and nextLink.

    The import commands and compare-state read it. The gateway service has no word
    for round robin; it is printed as load balancing off.
    .PARAMETER Name
    name
    .PARAMETER Kind
    what to print (default host-pool)
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Export-GatepoolJson hp-eu
    .EXAMPLE
    Export-GatepoolJson -Kind Cluster
    #>
    [CmdletBinding()]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName = $true)]
        [string[]] $Name,
        [Parameter()]
        [ValidateSet('HostPool', 'SessionHost', 'UserSession', 'Cluster')]
        [string] $Kind,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'export-json'
            Flags     = @{ Kind = 'kind'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Name')
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Export-GatepoolScript {
    <#
    .SYNOPSIS
    Print what brings the services to the state file
    .DESCRIPTION
    Print the lines that bring the live services to what the state file says: Az and
    DataGateway cmdlets, or az. gatepool runs none of them.

    What differs is found as compare-state finds it, against the exports behind
    -Live. Without -Live nothing is taken to be there yet, and the lines create
    all that a command line can create.

    The lines are in a safe order: new pools, drained hosts, changes, resumed hosts,
    and removals last. Running them again sets the same again. Nothing is removed
    without -IncludeRemovals. What no command line can do, or not without knowing
    more, is a comment that says what can. Every value is quoted for its shell.

    The script itself is the output. Nothing is printed when there is nothing to
    change. With -o json it is an array of lines.
    .PARAMETER GatewayClusterId
    the cluster, by name or id, where an export does not say
    .PARAMETER HostPoolName
    the pool, where an export does not say
    .PARAMETER IncludeRemovals
    also remove what the state file lacks
    .PARAMETER Live
    export of the live service, - for standard input; more files may follow, or more -Live
    .PARAMETER Shell
    whose lines to print
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Export-GatepoolScript -Shell Az -Live hostpools.json -IncludeRemovals
    .EXAMPLE
    Export-GatepoolScript -Shell PowerShell
    #>
    [CmdletBinding()]
    param(
        [Parameter()]
        [Alias('Cluster')]
        [string] $GatewayClusterId,
        [Parameter()]
        [Alias('HostPool')]
        [string] $HostPoolName,
        [Parameter()]
        [switch] $IncludeRemovals,
        [Parameter()]
        [string[]] $Live,
        [Parameter(Mandatory = $true)]
        [ValidateSet('PowerShell', 'Az')]
        [string] $Shell,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'export-script'
            Flags     = @{ GatewayClusterId = 'gateway-cluster-id'; HostPoolName = 'hostpool-name'; IncludeRemovals = 'include-removals'; Live = 'live'; Shell = 'shell'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @()
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

function Import-GatepoolCluster {
    <#
    .SYNOPSIS
    Read gateway clusters that other tools print
    .DESCRIPTION
    Read gateway clusters with their members, users and data sources into the state
    file, merging by id and name; see import-hostpool. Read are the v2
    gatewayClusters list or entity, Fabric gateways and members, PowerShell
    ConvertTo-Json, the older OnPremisesDataGatewayHAMgmt output, and CSV. A list of
    members or data sources that does not say whose they are needs
    -GatewayClusterId.
    .PARAMETER Path
    path of a file
    .PARAMETER GatewayClusterId
    the cluster, by name or id, where the export does not say
    .PARAMETER DataSource
    the data source that a list of users is about
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Import-GatepoolCluster gatewayclusters.json
    .EXAMPLE
    Import-GatepoolCluster members.json -GatewayClusterId finance
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('FullName')]
        [string[]] $Path,
        [Parameter()]
        [Alias('Cluster')]
        [string] $GatewayClusterId,
        [Parameter()]
        [string] $DataSource,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'import-cluster'
            Flags     = @{ GatewayClusterId = 'gateway-cluster-id'; DataSource = 'datasource'; Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Path')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Path | ForEach-Object { $_ }) -join ' '), 'Read gateway clusters that other tools print')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Import-GatepoolHost {
    <#
    .SYNOPSIS
    Read session hosts that other tools print
    .DESCRIPTION
    Read session hosts into their pools, merging by name; see import-hostpool. The
    number of sessions that an export gives becomes those that are known by user and,
    for the rest, anonymousSessions. A pool that the state lacks is made, with a
    warning.
    .PARAMETER Path
    path of a file
    .PARAMETER Force
    don't ask
    .PARAMETER HostPoolName
    the pool, where the export does not say
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Import-GatepoolHost sessionhosts.json
    .EXAMPLE
    Import-GatepoolHost hosts.csv -HostPoolName hp-eu
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('FullName')]
        [string[]] $Path,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [Alias('HostPool')]
        [string] $HostPoolName,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'import-host'
            Flags     = @{ Force = 'force'; HostPoolName = 'hostpool-name'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Path')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Path | ForEach-Object { $_ }) -join ' '), 'Read session hosts that other tools print')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Import-GatepoolHostPool {
    <#
    .SYNOPSIS
    Read host pools that other tools print
    .DESCRIPTION
    Read host pools into the state file, merging by name: what the export knows is
    updated, the rest stays, comments included. Doing it again changes nothing.

    The form is recognised: the ARM REST list or a single object, az CLI, PowerShell
    ConvertTo-Json, CSV; several files may be the pages of one list. - is standard
    input. Registration tokens and other secrets are dropped, and it is said.
    .PARAMETER Path
    path of a file
    .PARAMETER Force
    don't ask
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Import-GatepoolHostPool hostpools.json
    .EXAMPLE
    Import-GatepoolHostPool hostpools.json -WhatIf
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('FullName')]
        [string[]] $Path,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'import-hostpool'
            Flags     = @{ Force = 'force'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Path')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Path | ForEach-Object { $_ }) -join ' '), 'Read host pools that other tools print')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Import-GatepoolSession {
    <#
    .SYNOPSIS
    Read user sessions that other tools print
    .DESCRIPTION
    Read user sessions onto their hosts; see import-hostpool. A session that is new
    by name takes the place of an anonymous one. A list of a whole pool is the truth
    about it: sessions that it no longer has end; a list of some hosts is the truth
    about those.
    .PARAMETER Path
    path of a file
    .PARAMETER Force
    don't ask
    .PARAMETER HostPoolName
    the pool, where the export does not say
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Import-GatepoolSession usersessions.json
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)]
        [Alias('FullName')]
        [string[]] $Path,
        [Parameter()]
        [switch] $Force,
        [Parameter()]
        [Alias('HostPool')]
        [string] $HostPoolName,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'import-session'
            Flags     = @{ Force = 'force'; HostPoolName = 'hostpool-name'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @('Path')
            Switches  = @('--confirm=false')
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) { $ConfirmPreference = 'None' }
        if ($WhatIfPreference) {
            $call.Switches = @('--what-if')
            Invoke-GatepoolCommand @call
            return
        }
        if ($PSCmdlet.ShouldProcess((($Path | ForEach-Object { $_ }) -join ' '), 'Read user sessions that other tools print')) {
            Invoke-GatepoolCommand @call
        }
    }
}

function Test-GatepoolState {
    <#
    .SYNOPSIS
    Find what is wrong or risky in the state file
    .DESCRIPTION
    Find what is wrong, risky or out of date in the state file: settings that the
    service refuses or that surprise somebody, hosts and members that cannot be
    used, configuration files that are missing or faulty, secrets in values and in
    comments. Each finding has a rule, a place, and what would put it right. The
    rules are described in docs/rules.

    Findings that are meant to be so are taken back by a comment in the file, on the
    line of the finding or above it, or at the head of a document for its whole
    resource:

      # gatepool:ignore RULE REASON

    A comment that names no rule, has no reason, or meets no finding is a finding
    itself. -Disable leaves a rule out.

    The default output is a line or two a finding, as compilers print them; -o wide
    is a table. -Report FORMAT=FILE writes them for CI besides, several times if
    need be: json, junit, sarif, or github (workflow commands). With the file - a
    report takes standard output, and the text goes to standard error.

    A file that is not valid is exit code 7, as everywhere; reports are written all
    the same, with the rule invalid-state. Otherwise the exit code is 0 whatever is
    found. With -DetailedExitcode it is 10 when errors or warnings are; infos need
    nothing done.
    .PARAMETER DetailedExitcode
    exit with 10 when errors or warnings are found
    .PARAMETER Disable
    leave a rule out; may be given several times
    .PARAMETER MinSeverity
    leave out findings that matter less
    .PARAMETER Report
    also write a report: json, junit, sarif or github, - for standard output; may be given several times
    .PARAMETER LockTimeout
    how long to wait for another gatepool that writes
    .PARAMETER State
    state file (default $GATEPOOL_STATE, then gatepool.yaml)
    .EXAMPLE
    Test-GatepoolState
    .EXAMPLE
    Test-GatepoolState -MinSeverity Warning -DetailedExitcode
    .EXAMPLE
    Test-GatepoolState -Disable stale-heartbeat -Report 'github=-', 'sarif=gatepool.sarif'
    #>
    [CmdletBinding()]
    param(
        [Parameter()]
        [switch] $DetailedExitcode,
        [Parameter()]
        [string[]] $Disable,
        [Parameter()]
        [ValidateSet('Info', 'Warning', 'Error')]
        [string] $MinSeverity,
        [Parameter()]
        [string[]] $Report,
        [Parameter()]
        [string] $LockTimeout,
        [Parameter()]
        [string] $State
    )
    process {
        $call = @{
            Caller    = $PSCmdlet
            Bound     = $PSBoundParameters
            Command   = 'test-state'
            Flags     = @{ DetailedExitcode = 'detailed-exitcode'; Disable = 'disable'; MinSeverity = 'min-severity'; Report = 'report'; LockTimeout = 'lock-timeout'; State = 'state' }
            Arguments = @()
            Switches  = @()
        }
        Invoke-GatepoolCommand @call
    }
}

Export-ModuleMember -Function @(
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
