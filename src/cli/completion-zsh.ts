/** Writes the script with which zsh completes command lines. */
import type { CompletedCommand, CompletedOption, CompletedValue } from './completed-command.ts';

/** `groups` has the summary of each first word that begins several commands. */
export function zshCompletion(
  commands: readonly CompletedCommand[],
  groups: Readonly<Record<string, string>>,
): string {
  const singles = commands.filter(({ name }) => !name.includes(' '));
  const first = [
    ...singles.map(({ name, summary }) => described(name, summary)),
    ...Object.entries(groups).map(([name, summary]) => described(name, summary)),
    described('help', 'Print the help of a command'),
  ];
  const groupCases = Object.keys(groups).map((group) => {
    const seconds = commands.flatMap(({ name, summary }) =>
      name.startsWith(`${group} `) ? [described(name.slice(group.length + 1), summary)] : [],
    );
    return `    ${group}) second=(${seconds.join(' ')}) ;;\n`;
  });
  return [
    `${HEAD}  first=(\n    ${first.join('\n    ')}\n  )\n${CHOOSE_FIRST}`,
    ...[...groupCases, CHOOSE_SECOND, ...commands.map(commandCase), END],
  ].join('');
}

const HEAD = `#compdef gazetteer
# Completion of gazetteer for zsh, printed by "gazetteer completion zsh".
compdef _gazetteer gazetteer

_gazetteer() {
  local is_help=0
  local -a first second
`;

const CHOOSE_FIRST = `  if (( CURRENT > 2 )) && [[ $words[2] == help ]]; then
    is_help=1
    shift words
    (( CURRENT-- ))
  fi
  if (( CURRENT == 2 )); then _describe command first; return; fi
  local command="$words[2]"
  case "$command" in
`;

const CHOOSE_SECOND = `  esac
  shift words
  (( CURRENT-- ))
  if (( $#second > 0 )); then
    if (( CURRENT == 2 )); then _describe command second; return; fi
    command="$command $words[2]"
    shift words
    (( CURRENT-- ))
  fi
  if (( is_help )); then return; fi
  case "$command" in
`;

/** The file also works if zsh loads it as the function `_gazetteer`. */
const END = `  esac
}

if [[ $funcstack[1] == _gazetteer ]]; then _gazetteer "$@"; fi
`;

function commandCase({ name, options, argument }: CompletedCommand): string {
  const specifications = [
    ...options.map(optionText),
    ...(argument === undefined
      ? []
      : [quoted(`*:${escaped(argument.help)}:${actionOf(argument.value)}`)]),
  ];
  return `    '${name}')\n      _arguments \\\n        ${specifications.join(' \\\n        ')}\n      ;;\n`;
}

function optionText({ flag, help, value, isOptional, isRepeatable }: CompletedOption): string {
  const repeat = isRepeatable ? '*' : '';
  const text = `[${escaped(help)}]`;
  if (value === undefined) return quoted(`${repeat}${flag}${text}`);
  const separator = isOptional ? '::' : ':';
  return quoted(`${repeat}${flag}=${text}${separator}value:${actionOf(value)}`);
}

/** The action of `_arguments` that completes a value. */
function actionOf(value: CompletedValue): string {
  if (value === 'file') return '_files';
  if (value === 'folder') return '_files -/';
  return value === 'text' ? ' ' : `(${value.join(' ')})`;
}

/** An item of `_describe`. */
function described(name: string, help: string): string {
  return quoted(`${name}:${help}`);
}

function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
