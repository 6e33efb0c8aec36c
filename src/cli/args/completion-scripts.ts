// Each script calls `ao __complete WORD ...`, which prints one candidate per line, with its meaning after a tab. If ao
// has no candidates, the shell completes files.

const BASH = `# bash completion for ao
_ao() {
  local value _rest
  COMPREPLY=()
  while IFS=$'\\t' read -r value _rest; do
    COMPREPLY+=("$(printf '%q' "$value")")
  done < <(ao __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _ao ao
`;

const ZSH = `#compdef ao
_ao() {
  local line value
  local -a found
  for line in "\${(@f)$(ao __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    value=\${line%%$'\\t'*}
    found+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe 'ao' found; else _files; fi
}
if [[ $funcstack[1] == _ao ]]; then _ao "$@"; else compdef _ao ao; fi
`;

const FISH = `# fish completion for ao
function __ao_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (ao __complete $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c ao -f -a '(__ao_complete)'
`;

/** The completion script of each shell. */
export const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
