/** `gazetteer backup` and `restore`: order responses, their audit log and the keys in one file. */
import { readFileSync, statSync } from 'node:fs';
import { requireReadableFiles } from '../../config/load-config.ts';
import { isAgeFile, isIdentity, isRecipient } from '../../storage/files/age-file.ts';
import { headText } from '../../storage/repository/audit-chain.ts';
import { resourcesText } from '../../storage/sql/stored-counts.ts';
import { type Command, type CommandContext, CommandError, UsageError } from '../parts/command.ts';
import { openConfiguredStore } from '../parts/open-store.ts';
import { JSON_OPTION, STORE_SETTINGS } from '../parts/options.ts';
import { printResult, reportMade } from '../parts/output.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write order responses, audit log and keys to one file, even while a server runs',
  examples: [
    'backup data/orders.backup',
    'backup data/orders.age --recipients-file recipients.txt',
  ],
  settings: STORE_SETTINGS,
  argument: { syntax: '<file>', help: 'The file to write, which must not exist' },
  options: [
    {
      syntax: '--recipient <recipient>',
      help: 'Encrypt the backup for this age recipient, age1…; can be repeated',
      isRepeatable: true,
    },
    {
      syntax: '--recipients-file <file>',
      help: 'Encrypt the backup for the age recipients in this file, one on each line',
    },
    JSON_OPTION,
  ],
  whenStopped: 'The backup was stopped before its end.',
  run: backup,
};

async function backup(context: CommandContext): Promise<void> {
  const { config, options, stopped } = context;
  const [file = ''] = context.arguments;
  const recipients = await recipientsOf(options);
  const store = await openConfiguredStore(config);
  const counts = await store.backUpOrders(file, { recipients, stopped });
  const isEncrypted = recipients.length > 0;
  const text = isEncrypted
    ? `Wrote ${file}, encrypted. Only the identities of its recipients can restore it.\n`
    : `Wrote ${file}. It contains patient data and keys. Keep it safe.\n`;
  const content = `It contains ${resourcesText(counts)} with ${counts.versions} versions.\n`;
  printResult(context, { file, isEncrypted, ...counts }, text + content);
}

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Restore a backup of order responses into a data folder that has none',
  examples: [
    'restore orders.backup --data ./restored',
    'restore orders.age --identity identity.txt',
  ],
  settings: STORE_SETTINGS,
  argument: { syntax: '<file>', help: 'The file that gazetteer backup wrote' },
  options: [
    {
      syntax: '--identity <file>',
      help: 'The file with the age identity, AGE-SECRET-KEY-…, for an encrypted backup',
    },
  ],
  whenStopped: 'The restore was stopped before its end.',
  run: restore,
};

async function restore(context: CommandContext): Promise<void> {
  const { config, options, streams, stopped } = context;
  const [file = ''] = context.arguments;
  const store = await openConfiguredStore(config);
  const identities =
    typeof options.identity === 'string' ? await keysOf(options.identity, IDENTITIES) : undefined;
  const { head, ...counts } = await store.restoreOrders(file, {
    identities,
    onMade: reportMade(streams),
    stopped,
  });
  streams.output.write(
    `Restored ${resourcesText(counts)} with ${counts.versions} versions.\naudit head ${headText(head)}\n`,
  );
}

/** Of `--recipient` and `--recipients-file`. */
async function recipientsOf({
  recipient,
  recipientsFile,
}: CommandContext['options']): Promise<string[]> {
  const given = typeof recipient === 'string' ? recipient.split(' ') : [];
  for (const text of given) {
    if (await isRecipient(text)) continue;
    // A secret must not get into a log.
    const shown = /^AGE-/i.test(text) ? 'an identity, which is a secret' : JSON.stringify(text);
    throw new UsageError(
      '--recipient must be an age recipient, which begins with "age1". ' +
        `Got ${shown}${faultIn(text, ', which is ')}.`,
    );
  }
  const ofFile = typeof recipientsFile === 'string' ? await keysOf(recipientsFile, RECIPIENTS) : [];
  const recipients = [...new Set([...given, ...ofFile])];
  if (recipients.length <= RECIPIENTS_MAX) return recipients;
  throw new UsageError(
    `A backup can have at most ${RECIPIENTS_MAX} recipients. Got ${recipients.length}.`,
  );
}

/** The fault of a text that begins like a recipient, after `start`. Empty for other texts. */
function faultIn(text: string, start: string): string {
  if (!text.startsWith('age1')) return '';
  return /^age1[a-z0-9-]+1/.test(text)
    ? `${start}a recipient of a plugin. Use a recipient that age-keygen printed`
    : `${start}cut off or mistyped. Copy the whole recipient that age-keygen printed`;
}

const RECIPIENTS_MAX = 100;

interface KindOfKey {
  readonly option: string;
  readonly name: string;
  readonly mark: string;
  readonly isKey: (text: string) => Promise<boolean>;
}

const RECIPIENTS: KindOfKey = {
  option: '--recipients-file',
  name: 'age recipient',
  mark: 'age1',
  isKey: isRecipient,
};

const IDENTITIES: KindOfKey = {
  option: '--identity',
  name: 'age identity',
  mark: 'AGE-SECRET-KEY-',
  isKey: isIdentity,
};

/** One key on each line. Lines that are empty or begin with `#` are ignored. */
async function keysOf(file: string, { option, name, mark, isKey }: KindOfKey): Promise<string[]> {
  const keys: string[] = [];
  for (const [i, line] of readKeyLines(file, option).entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    if (!(await isKey(text))) {
      const fault = text.startsWith(mark) ? faultIn(text, ': it is ') : '';
      throw new CommandError(
        `Line ${i + 1} of ${file} is not an ${name}` +
          `${fault === '' ? `, which begins with "${mark}"` : fault}. ` +
          `Correct the line, or name another file with ${option}.`,
      );
    }
    keys.push(text);
  }
  if (keys.length > 0) return keys;
  throw new CommandError(`${file} contains no ${name}. Name another file with ${option}.`);
}

function readKeyLines(file: string, option: string): string[] {
  requireReadableFiles({ [option]: file });
  if (statSync(file).size > FILE_BYTES_MAX) {
    throw new CommandError(`${file} is too large for ${option}. Name another file.`);
  }
  if (!isAgeFile(file)) return readFileSync(file, 'utf8').split('\n');
  throw new CommandError(
    `${file} is encrypted. Decrypt it with "age --decrypt", and name the result with ${option}.`,
  );
}

const FILE_BYTES_MAX = 1024 * 1024;
