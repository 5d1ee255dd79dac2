/** `gazetteer restore`: a backup of order responses into a data folder that has none. */
import { resolve } from 'node:path';
import { headText } from '../storage/audit-chain.ts';
import { openDataFolder } from '../storage/data-folder.ts';
import { acquireLock } from '../storage/lock.ts';
import { demandBackup, restoreOrders } from '../storage/sqlite/restore-orders.ts';
import type { Command } from './command.ts';
import { tellMade } from './output.ts';

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Put a backup of order responses into a data folder that has none',
  settings: ['data'],
  argument: { syntax: '<file>', help: 'The file that gazetteer backup wrote' },
  run: async ({ config, arguments: [file = ''], streams }) => {
    demandBackup(resolve(file));
    const folder = openDataFolder(config.data, { onMade: tellMade(streams) });
    const lock = acquireLock(folder.path, 'serve');
    try {
      const { orderResponses, versions, head } = restoreOrders(folder, file);
      streams.output.write(
        `Restored ${orderResponses} order responses with ${versions} versions.\n` +
          `audit head ${headText(head)}\n`,
      );
    } finally {
      lock.release();
    }
  },
};
