package cmd

// The scripts are ours and not cobra's: those evaluate what is typed, leave out
// quotes that names need, want the bash-completion package, and stumble in
// PowerShell over an answer of no line or one. Here gatepool reads and quotes
// the line where the shell doesn't, and a script only asks and passes on.

const bashScript = `# TAB completion of gatepool for bash 3.2 and later. It does not need the
# bash-completion package and goes together with it.
# Printed by: gatepool completion bash

# The last line of an answer is a colon and a sum: 2 for no blank behind the
# word, 4 for no names of files.
_gatepool() {
    local program=${1/#\~\//$HOME/} answer line directive
    type -P -- "$program" >/dev/null || program=gatepool
    # gatepool reads the line itself: nothing in it is evaluated here.
    answer=$("$program" __completeBash "${COMP_LINE:0:COMP_POINT}" "$2" "${COMP_TYPE-}" "${COLUMNS-}" 2>/dev/null)
    directive=${answer##*:}
    COMPREPLY=()
    case $directive in
        '' | *[!0-9]*) return ;;
    esac
    while IFS= read -r line; do
        [[ $line == ":$directive" ]] || COMPREPLY+=("$line")
    done <<<"$answer"
    if ((!(directive & 4))); then
        compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$2"))
    elif ((directive & 2)); then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _gatepool gatepool
`

const zshScript = `#compdef gatepool
# TAB completion of gatepool for zsh: sourced, or as _gatepool in $fpath.
# Printed by: gatepool completion zsh

# The last line of an answer is a colon and a sum: 2 for no blank behind the
# word, 4 for no names of files.
_gatepool() {
    local program=${${(Q)words[1]}/#\~\//$HOME/} tab=$'\t' line directive
    local -a answer values shown how
    whence -p -- "$program" >/dev/null || program=gatepool
    answer=("${(@f)$("$program" __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    directive=${answer[-1]#:}
    [[ $directive == <-> ]] || return 1
    if ((!(directive & 4))); then
        compset -P '*=' || compset -P '-*:'
        _files
        return
    fi
    ((directive & 2)) && how+=(-S '')
    values=("${(@)answer[1,-2]%%$tab*}")
    (($#values)) || return 1
    local -i widest=${#${(O@)values//?/.}[1]}
    for line in "${(@)answer[1,-2]}"; do
        if [[ $line == *$tab* ]]; then
            how+=(-l)
            shown+=("${(r:widest:)line%%$tab*}  -- ${line#*$tab}")
        else
            shown+=("$line")
        fi
    done
    # Letters match in any case. zsh quotes what it puts in.
    compadd -M 'm:{a-zA-Z}={A-Za-z}' "${how[@]}" -d shown -a -- values
}

if [[ ${funcstack[1]-} == _gatepool ]]; then
    _gatepool "$@"
else
    compdef _gatepool gatepool
fi
`

const fishScript = `# TAB completion of gatepool for fish.
# Printed by: gatepool completion fish

# The last line of an answer is a colon and a sum: 4 for no names of files. Fish
# itself quotes what it puts in, and puts no blank behind = and /.
function __gatepool_complete
    set -l words (commandline -opc)
    set -l current (string unescape -- (commandline -ct)) # also in a quote that is open
    set -l program $words[1]
    set -e words[1]
    type -q -- "$program"; or set program gatepool
    type -q -- $program; or return
    set -l answer ($program __complete $words "$current" 2>/dev/null)
    set -q answer[1]; or return
    if test "$answer[-1]" = :0
        set -l before (string match -r -- '^.*=|^-[^:]*:' "$current")
        set -l path (string sub -s (math 1 + (string length -- "$before")) -- "$current")
        for file in (__fish_complete_path $path)
            echo "$before$file"
        end
        return
    end
    set -e answer[-1]
    printf '%s\n' $answer
end
complete -c gatepool -f -a '(__gatepool_complete)'
`

const powerShellScript = `# TAB completion of gatepool for Windows PowerShell 5.1 and PowerShell 7.
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
`
