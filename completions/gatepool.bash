# TAB completion of gatepool for bash 3.2 and later. It does not need the
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
