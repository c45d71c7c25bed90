_tapviz() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=
    case "${{COMP_WORDS[1]}} $before" in
{choices}
    esac
    if [[ -z $words ]]; then
        case "${{COMP_WORDS[1]}}" in
{options}
        esac
        [[ $COMP_CWORD -gt 1 && $current != -* ]] && words=
        [[ $COMP_CWORD -eq 1 ]] && words='{commands}'
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _tapviz tapviz
