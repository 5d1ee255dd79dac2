/** `gazetteer backup`: writes order responses, their audit log and the keys to one file. */
import { openStore, storeUrlOf } from '../storage/open.ts';
import type { Command } from './command.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write order responses, audit log and keys to one file, also while a server runs',
  settings: ['data'],
  argument: { syntax: '<file>', help: 'The file to write, which must not exist' },
  run: async ({ config, arguments: [file = ''], streams }) => {
    await openStore(storeUrlOf(config.data)).backUpOrders(file);
    streams.output.write(`Wrote ${file}. It contains patient data and keys. Keep it safe.\n`);
  },
};
