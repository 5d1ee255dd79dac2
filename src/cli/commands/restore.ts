/** `gazetteer restore`: restores a backup of order responses. */
import { headText } from '../../storage/repository/audit-chain.ts';
import { identitiesOf } from '../age-keys.ts';
import { type Command, type CommandContext, CommandError } from '../command.ts';
import { openConfiguredStore, STORE_SETTINGS } from '../open-store.ts';
import { reportMade } from '../output.ts';

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
  run: restore,
};

async function restore(context: CommandContext): Promise<void> {
  const { config, options, streams, stopped } = context;
  const [file = ''] = context.arguments;
  const store = await openConfiguredStore(config);
  const identities =
    typeof options.identity === 'string' ? await identitiesOf(options.identity) : undefined;
  try {
    const { resources, versions, head } = await store.restoreOrders(file, {
      identities,
      onMade: reportMade(streams),
      stopped,
    });
    streams.output.write(
      `Restored ${resources} order responses with ${versions} versions.\n` +
        `audit head ${headText(head)}\n`,
    );
  } catch (error) {
    throw stopped.aborted ? new CommandError('The restore was stopped before its end.') : error;
  }
}
