/**
 * The script of each shell. Each passes the words of the line as they are typed, as arguments:
 * nothing of a line that its user has not yet sent may run.
 */

/** `COMP_WORDS` needs no package: bash sets it. Without answers, bash completes names of files. */
const BASH = `# Completion of gazetteer in bash.
_gazetteer() {
  local word rest
  COMPREPLY=()
  while IFS=$'\\t' read -r word rest; do
    COMPREPLY+=("$word")
  done < <(gazetteer complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _gazetteer gazetteer
`;

const ZSH = `# Completion of gazetteer in zsh.
_gazetteer() {
  local word rest
  local -a found
  while IFS=$'\\t' read -r word rest; do
    found+=("$word:$rest")
  done < <(gazetteer complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then
    _describe gazetteer found
  else
    _files
  fi
}
compdef _gazetteer gazetteer
`;

const FISH = `# Completion of gazetteer in fish.
function __gazetteer_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --cut-at-cursor --current-token)
    set -e words[1]
    set -l found (gazetteer complete -- $words "$current" 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete --command gazetteer --no-files --arguments '(__gazetteer_complete)'
`;

export const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['bash', BASH],
  ['zsh', ZSH],
  ['fish', FISH],
]);
