# TAB completion of gatepool for Windows PowerShell 5.1 and PowerShell 7.
# Printed by: gatepool completion powershell

Register-ArgumentCompleter -Native -CommandName 'gatepool', 'gatepool.exe' -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)

    # The words up to the cursor as gatepool would get them. Nothing in them is
    # evaluated.
    $Words = @()
    $End = 0
    foreach ($Element in @($CommandAst.CommandElements)) {
        $Extent = $Element.Extent
        if ($Extent.StartOffset -ge $CursorPosition) { break }
        $End = $Extent.EndOffset
        if ($End -gt $CursorPosition) {
            $Words += $Extent.Text.Substring(0, $CursorPosition - $Extent.StartOffset).Trim("'", '"')
        } elseif ($Element -is [System.Management.Automation.Language.StringConstantExpressionAst]) {
            $Words += $Element.Value
        } else {
            $Words += $Extent.Text
        }
    }
    if ($End -lt $CursorPosition) { $Words += '' }
    $Words = @($Words | Select-Object -Skip 1)

    $Program = $CommandAst.GetCommandName()
    if (-not $Program) { $Program = 'gatepool' }
    # Percent-encoded both ways: 5.1 loses quotes and empty arguments on the way
    # to a program, and reads its output in the code page of the console.
    $Request = [uri]::EscapeDataString($Words -join [char]10)
    $Out = @(& $Program __completePowerShell $Request 2>$null)
    if ($Out.Count -eq 0) { return }

    # The last line is a colon and a sum: 4 for no names of files.
    $Directive = 0
    $null = [int]::TryParse("$($Out[-1])".TrimStart(':'), [ref]$Directive)
    $Results = @(foreach ($Line in @($Out | Select-Object -SkipLast 1)) {
        $Fields = @("$Line".Split([char]9) | ForEach-Object { [uri]::UnescapeDataString($_) })
        if ($Fields.Count -eq 3) {
            New-Object System.Management.Automation.CompletionResult $Fields[0], $Fields[1], 'ParameterValue', $Fields[2]
        }
    })
    if ($Results.Count -gt 0) {
        $Results
    } elseif ($Directive -band 4) {
        # An empty text keeps PowerShell from offering files.
        ''
    }
}
