/** `gazetteer verify`: compares what is stored with what was written. */
import { unlikeFromNothing } from '../../directory/edition/build-edition.ts';
import { openEdition } from '../../directory/edition/edition.ts';
import { headText, parseHead } from '../../storage/repository/audit-chain.ts';
import type { CheckedPart } from '../../storage/repository/verification.ts';
import { failedCheck } from '../../storage/repository/verification.ts';
import type { Store } from '../../storage/store/store.ts';
import { type Command, type CommandContext, CommandError } from '../parts/command.ts';
import { openConfiguredStore } from '../parts/open-store.ts';
import { JSON_OPTION, ORDER_STORE_SETTINGS } from '../parts/options.ts';
import { printResult } from '../parts/output.ts';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Check the directory, order responses and the audit log, even while a server runs',
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
    {
      syntax: '--from-nothing',
      help: 'Also compare the current edition with one that is built from nothing out of its records',
    },
    JSON_OPTION,
  ],
  argumentRemedy: 'To check a backup, restore it into a new folder and verify that folder.',
  whenStopped: 'The verification was stopped before its end.',
  run: verify,
};

async function verify(context: CommandContext): Promise<void> {
  const { config, options, streams, stopped } = context;
  const expectedHead = options.head === undefined ? undefined : parseHead(String(options.head));
  const store = await openConfiguredStore(config);
  const parts: CheckedPart[] = [];
  let wrong = 0;
  let unchecked = 0;
  const add = (part: CheckedPart) => {
    if (part.isUnchecked === true) unchecked++;
    else wrong += part.findings.length;
    parts.push(part);
    if (options.json !== true) streams.output.write(textOf(part));
  };
  for await (const part of store.verify({ expectedHead, stopped })) add(part);
  const unlike = options.fromNothing === true ? await compareFromNothing(store) : undefined;
  if (unlike !== undefined) add(unlike);
  if (options.json === true) printResult(context, parts.map(withHeadText), '');
  if (wrong > 0 && wrong === unlike?.findings.length) {
    throw new CommandError(
      'The current edition differs from one built from nothing. Import its release with --full.',
    );
  }
  if (wrong > 0) {
    const damaged = parts.filter((part) => part.findings.length > 0 && part.isUnchecked !== true);
    const remedies = new Set(damaged.map(({ remedy = RESTORE }) => remedy));
    throw new CommandError(
      [
        'Some stored data is missing or differs from what was written.',
        ...remedies,
        ...(unchecked > 0 ? ['Other stored data could not be checked: see the lines above.'] : []),
      ].join(' '),
    );
  }
  if (unchecked > 0) {
    throw new CommandError(
      'Some stored data could not be checked. Do what the lines above say, and verify again.',
    );
  }
}

const RESTORE = 'Restore a backup of the order responses.';

/** A part with the result. The edition is read from the store, and nothing is written. */
async function compareFromNothing(store: Store): Promise<CheckedPart> {
  await using editions = await store.readEditions();
  let name = 'edition';
  try {
    const current = await editions.current();
    if (current === undefined) return { name, findings: [], summary: 'there is none' };
    name = `edition ${current.number}`;
    const arrays = await editions.load(current.number);
    const unlike = await unlikeFromNothing({ ...openEdition(current, arrays), arrays });
    if (unlike === undefined) {
      const finding = 'an earlier version of the program made it. Import its release with --full';
      return { name, findings: [finding], isUnchecked: true };
    }
    const findings = unlike.map((part) => `${part} differs from an edition built from nothing`);
    const remedy = 'Import the release with --full.';
    if (findings.length > 0) return { name, findings, remedy };
    return { name, findings: [], summary: 'same as an edition built from nothing' };
  } catch (error) {
    return { name, ...failedCheck(error) };
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
