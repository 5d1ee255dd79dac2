/** The text about a command or an option that does not exist, in place of that of commander. */
import type { Command } from 'commander';
import { unknownName } from '../../fhir/request/unknown-name.ts';

/**
 * `text`: an error of commander, such as `error: unknown command 'serv'`. `words`: the command as
 * it is called. Undefined if the error is another one.
 */
export function unknownWordText(text: string, command: Command, words: string): string | undefined {
  const [, kind, sent = ''] = /^error: unknown (command|option) '(.*)'\n$/s.exec(text) ?? [];
  if (kind === undefined) return undefined;
  const help = command.createHelp();
  const known =
    kind === 'command'
      ? help.visibleCommands(command).map((each) => each.name())
      : help.visibleOptions(command).map((each) => each.long ?? each.flags);
  return `gazetteer: ${unknownName({ kind, sent, known, listedAt: `"${words} --help"` })}\n`;
}
