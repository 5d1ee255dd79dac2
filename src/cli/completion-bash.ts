/** Writes the script with which bash completes command lines; it also works with bash 3.2. */
import type { CompletedCommand, CompletedValue } from './completed-command.ts';

/** `groups` has the summary of each first word that begins several commands. */
export function bashCompletion(
  commands: readonly CompletedCommand[],
  groups: Readonly<Record<string, string>>,
): string {
  const names = new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''));
  const groupCases = Object.keys(groups).map((group) => {
    const seconds = commands.flatMap(({ name }) =>
      name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : [],
    );
    return `    '${group}') second='${seconds.join(' ')}' ;;\n`;
  });
  return [
    ...[FUNCTIONS, `_gazetteer_first='${[...names, 'help', '--help', '--version'].join(' ')}'\n\n`],
    ...[HEAD, ...groupCases, MIDDLE, ...commands.map(commandCase), '  esac\n}\n\n'],
    'complete -F _gazetteer gazetteer\n',
  ].join('');
}

const FUNCTIONS = `# Completion of gazetteer for bash, printed by "gazetteer completion bash".

_gazetteer_reply() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done
}

_gazetteer_words() { _gazetteer_reply < <(compgen -W "$1" -- "$current"); }

_gazetteer_paths() {
  compopt -o filenames 2>/dev/null
  _gazetteer_reply < <(compgen "$1" -- "$current")
}

`;

/** Bash separates `--port=1` into three words. */
const HEAD = `_gazetteer() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" at=2 second=''
  COMPREPLY=()
  if [[ $current == '=' ]]; then current=''
  elif [[ $previous == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  if (( COMP_CWORD == 1 )); then _gazetteer_words "$_gazetteer_first"; return; fi
  if [[ $command == help ]]; then
    if (( COMP_CWORD == 2 )); then _gazetteer_words "$_gazetteer_first"; return; fi
    command="\${COMP_WORDS[2]}" at=3
  fi
  case "$command" in
`;

const MIDDLE = `  esac
  if [[ -n $second ]]; then
    if (( COMP_CWORD == at )); then _gazetteer_words "$second --help"; return; fi
    command="$command \${COMP_WORDS[at]}"
  fi
  if (( at == 3 )); then return; fi
  case "$command" in
`;

function commandCase({ name, options, argument }: CompletedCommand): string {
  const flags = options.map(({ flag }) => flag);
  const withValue = Map.groupBy(
    options.filter(({ value }) => value !== undefined),
    ({ value, isOptional }) => actionOf(value ?? 'text') + (isOptional ? '' : '; return'),
  );
  const cases = Array.from(
    withValue,
    ([action, those]) => `        ${those.map(({ flag }) => flag).join('|')}) ${action} ;;\n`,
  );
  return [
    `    '${name}')\n`,
    `      if [[ $current == -* ]]; then _gazetteer_words '${flags.join(' ')}'; return; fi\n`,
    ...['      case "$previous" in\n', ...cases, '      esac\n'],
    `      ${actionOf(argument?.value ?? 'text')}\n      ;;\n`,
  ].join('');
}

/** The command that completes a value. */
function actionOf(value: CompletedValue): string {
  if (value === 'file') return '_gazetteer_paths -f';
  if (value === 'folder') return '_gazetteer_paths -d';
  return value === 'text' ? ':' : `_gazetteer_words '${value.join(' ')}'`;
}
