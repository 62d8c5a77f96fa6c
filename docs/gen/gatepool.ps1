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
