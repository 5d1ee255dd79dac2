/** `gazetteer orders export`: the versions of order responses, as a file. */
import { versionCount, versionsSince } from '../storage/sqlite/order-reader.ts';
import { recordCommand } from '../storage/sqlite/record-command.ts';
import type { Command, CommandContext } from './command.ts';
import { writeOrdersLines } from './orders-lines.ts';
import {
  demandNdjson,
  FORMAT_OPTION,
  OUTPUT_OPTION,
  SINCE_OPTION,
  sinceMsOf,
} from './orders-query.ts';

export const ordersExportCommand: Command = {
  name: 'orders export',
  summary: 'Write every version of the order responses as NDJSON, oldest first',
  settings: ['data'],
  options: [SINCE_OPTION, FORMAT_OPTION, OUTPUT_OPTION],
  run: exportOrders,
};

async function exportOrders(context: CommandContext): Promise<void> {
  const { since, format } = context.options;
  demandNdjson(format);
  const sinceMs = sinceMsOf(since);
  await writeOrdersLines(context, (database, folder) => {
    recordCommand(folder, 'export', versionCount(database, sinceMs));
    return versionsSince(database, sinceMs).map(({ text }) => text);
  });
}
