/** `gazetteer verify`: compares what is stored with what was written. */
import { headText, parseHead } from '../../storage/repository/audit-chain.ts';
import type { CheckedPart } from '../../storage/store.ts';
import { type Command, type CommandContext, CommandError } from '../command.ts';
import { openConfiguredStore } from '../open-store.ts';
import { JSON_OPTION, ORDER_STORE_SETTINGS } from '../options.ts';
import { printResult } from '../output.ts';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Check the directory, order responses and the audit log, also while a server runs',
  examples: ['verify', 'verify --data /srv/gazetteer'],
  settings: ORDER_STORE_SETTINGS,
  options: [
    {
      syntax: '--head <head>',
      help: 'An audit head that an earlier verify printed, which the log must still contain',
      value: {
        is: (text) => parseHead(text) !== undefined,
        name: 'an audit head that verify printed',
      },
    },
    JSON_OPTION,
  ],
  run: verify,
};

async function verify(context: CommandContext): Promise<void> {
  const { config, options, streams, stopped } = context;
  const expectedHead = options.head === undefined ? undefined : parseHead(String(options.head));
  const store = await openConfiguredStore(config);
  const parts: CheckedPart[] = [];
  let wrong = 0;
  let unchecked = 0;
  try {
    for await (const part of store.verify({ expectedHead, stopped })) {
      if (part.isUnchecked === true) unchecked++;
      else wrong += part.findings.length;
      parts.push(part);
      if (options.json !== true) streams.output.write(textOf(part));
    }
    if (options.json === true) printResult(context, parts.map(withHeadText), '');
  } catch (error) {
    throw stopped.aborted
      ? new CommandError('The verification was stopped before its end.')
      : error;
  }
  if (wrong > 0) {
    throw new CommandError('Some stored data differs from what was written. Restore a backup.');
  }
  if (unchecked > 0) {
    throw new CommandError(
      'Some stored data could not be checked. Do what the lines above say, and verify again.',
    );
  }
}

function textOf({ name, findings, isUnchecked, summary, head }: CheckedPart): string {
  const sound = summary === undefined ? 'sound' : `sound, ${summary}`;
  const lines =
    isUnchecked === true
      ? [`could not be checked: ${findings.join('; ')}`]
      : findings.length === 0
        ? [sound]
        : findings;
  const end = head === undefined ? '' : `audit head ${headText(head)}\n`;
  return lines.map((line) => `${name}: ${line}\n`).join('') + end;
}

/** `--head` takes the head as this text. */
function withHeadText({ head, ...part }: CheckedPart): object {
  return { ...part, ...(head && { head: headText(head) }) };
}
