# TAB completion of gatepool for fish.
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
