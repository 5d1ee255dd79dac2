/** `gazetteer complete -- …`: what the scripts of `gazetteer completion` ask the program. */
import type { Command, Option } from 'commander';

/**
 * How the last of `words` can go on: a line for each command or option, with a tab and its
 * description. Empty if any text can stand there, such as the value of an option.
 */
export function completionsOf(program: Command, words: readonly string[]): string {
  const typed = words.at(-1) ?? '';
  const { command, awaitsValue } = positionAfter(program, words.slice(0, -1));
  if (awaitsValue) return '';
  const help = command.createHelp();
  const candidates = typed.startsWith('-')
    ? help.visibleOptions(command).map((option) => [option.long ?? '', option.description] as const)
    : help.visibleCommands(command).map((each) => [each.name(), each.description()] as const);
  return candidates
    .filter(([name]) => name !== '' && name.startsWith(typed))
    .map(([name, description]) => `${name}\t${description}\n`)
    .join('');
}

interface Position {
  command: Command;
  awaitsValue: boolean;
}

/** Where the words before lead: to a command, or to the value of one of its options. */
function positionAfter(program: Command, words: readonly string[]): Position {
  let position: Position = { command: program, awaitsValue: false };
  for (const word of words) {
    const { command, awaitsValue } = position;
    // bash hands over the sign of `--format=csv` as a word.
    const takesValue = word === '=' || (!awaitsValue && optionOf(command, word)?.required === true);
    const next = awaitsValue ? undefined : subcommandOf(command, word);
    position = { command: next ?? command, awaitsValue: takesValue };
  }
  return position;
}

function optionOf(command: Command, word: string): Option | undefined {
  return command.options.find(({ long, short }) => word === long || word === short);
}

function subcommandOf(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word);
}
