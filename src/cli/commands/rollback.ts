/** `gazetteer rollback`: makes another edition current. */

import { type Command, UsageError } from '../command.ts';
import { openConfiguredServerStore, STORE_SETTINGS } from '../open-store.ts';

export const rollbackCommand: Command = {
  name: 'rollback',
  summary: 'Make another edition current, by default the one numbered below the current one',
  examples: ['rollback', 'rollback --to 3'],
  settings: STORE_SETTINGS,
  options: [{ syntax: '--to <number>', help: 'The edition to make current' }],
  run: async ({ config, options, streams }) => {
    const to = options.to;
    if (to !== undefined && !/^[1-9]\d{0,8}$/.test(String(to))) {
      throw new UsageError(`--to must be the number of an edition. Got "${to}".`);
    }
    const store = await (await openConfiguredServerStore(config)).openEditions({ mustExist: true });
    try {
      const edition = await store.rollback(to === undefined ? undefined : Number(to));
      streams.output.write(
        `Edition ${edition.number}, published ${edition.publicationDate}, is now current.\n`,
      );
    } finally {
      await store.close();
    }
  },
};
