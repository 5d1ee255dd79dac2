/** `gazetteer backup`: order responses, their audit log and the keys, in one file. */
import { openDataFolder } from '../storage/data-folder.ts';
import { backupOrders } from '../storage/sqlite/backup-orders.ts';
import { recordCommand } from '../storage/sqlite/record-command.ts';
import type { Command } from './command.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write order responses, audit log and keys to one file, also while a server runs',
  settings: ['data'],
  argument: { syntax: '<file>', help: 'The file to write, which must not exist' },
  run: async ({ config, arguments: [file = ''], streams }) => {
    const folder = openDataFolder(config.data, { mustExist: 'orders' });
    backupOrders(folder, file, (versions) => recordCommand(folder, 'backup', versions));
    streams.output.write(`${file}: written. It holds patient data and keys: keep it safe.\n`);
  },
};
