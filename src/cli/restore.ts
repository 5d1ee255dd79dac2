/** `gazetteer restore`: restores a backup of order responses. */
import { headText } from '../storage/audit-chain.ts';
import type { Command } from './command.ts';
import { openConfiguredStore } from './open-store.ts';
import { reportMade } from './output.ts';

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Restore a backup of order responses into a data folder that has none',
  settings: ['data'],
  argument: { syntax: '<file>', help: 'The file that gazetteer backup wrote' },
  run: async ({ config, arguments: [file = ''], streams }) => {
    const store = openConfiguredStore(config);
    const { resources, versions, head } = await store.restoreOrders(file, reportMade(streams));
    streams.output.write(
      `Restored ${resources} order responses with ${versions} versions.\n` +
        `audit head ${headText(head)}\n`,
    );
  },
};
