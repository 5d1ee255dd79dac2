/** `gazetteer backup`: writes order responses, their audit log and the keys to one file. */
import { recipientsOf } from '../age-keys.ts';
import { type Command, type CommandContext, CommandError } from '../command.ts';
import { openConfiguredStore, STORE_SETTINGS } from '../open-store.ts';
import { JSON_OPTION, printResult } from '../printed.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write order responses, audit log and keys to one file, also while a server runs',
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
  run: backup,
};

async function backup(context: CommandContext): Promise<void> {
  const { config, options, stopped } = context;
  const [file = ''] = context.arguments;
  const recipients = await recipientsOf(options);
  try {
    await (await openConfiguredStore(config)).backUpOrders(file, { recipients, stopped });
  } catch (error) {
    throw stopped.aborted ? new CommandError('The backup was stopped before its end.') : error;
  }
  const isEncrypted = recipients.length > 0;
  const text = isEncrypted
    ? `Wrote ${file}, encrypted. Only the identities of its recipients can restore it.\n`
    : `Wrote ${file}. It contains patient data and keys. Keep it safe.\n`;
  printResult(context, { file, isEncrypted }, text);
}
