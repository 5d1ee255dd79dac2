/** `gazetteer orders export`: the versions of order responses, as a file. */
import { openDataFolder } from '../storage/data-folder.ts';
import { versionsSince } from '../storage/sqlite/order-reader.ts';
import { openOrdersSnapshot } from '../storage/sqlite/orders-database.ts';
import { withStorageErrors } from '../storage/storage-error.ts';
import type { Command, CommandContext } from './command.ts';
import { demandNdjson, FORMAT_OPTION, SINCE_OPTION, sinceMsOf } from './orders-query.ts';
import { writeLines } from './output.ts';

export const ordersExportCommand: Command = {
  name: 'orders export',
  summary: 'write every version of the order responses as NDJSON, oldest first',
  settings: ['data'],
  options: [
    SINCE_OPTION,
    FORMAT_OPTION,
    {
      syntax: '--output <file>',
      help: 'where to write, which must not be there yet (default: standard output)',
    },
  ],
  run: exportOrders,
};

async function exportOrders(context: CommandContext): Promise<void> {
  const { config, options } = context;
  demandNdjson(options.format);
  const sinceMs = sinceMsOf(options.since);
  const { database } = openOrdersSnapshot(openDataFolder(config.data, { mustExist: 'orders' }));
  try {
    const lines = versionsSince(database, sinceMs).map(({ text }) => text);
    await writeLines(lines, context);
  } catch (error) {
    withStorageErrors(config.data, () => {
      throw error;
    });
  } finally {
    database.close();
  }
}
