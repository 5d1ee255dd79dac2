/** `gazetteer backup`: writes order responses, their audit log and the keys to one file. */

import type { Command } from './command.ts';
import { openConfiguredStore } from './open-store.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write order responses, audit log and keys to one file, also while a server runs',
  settings: ['data'],
  argument: { syntax: '<file>', help: 'The file to write, which must not exist' },
  run: async ({ config, arguments: [file = ''], streams }) => {
    await openConfiguredStore(config).backUpOrders(file);
    streams.output.write(`Wrote ${file}. It contains patient data and keys. Keep it safe.\n`);
  },
};
