/** `gazetteer orders export`: writes every version of the order responses to a file. */
import { openStore, storeUrlOf } from '../storage/open.ts';
import type { Command } from './command.ts';
import {
  FORMAT_OPTION,
  OUTPUT_OPTION,
  requireNdjson,
  SINCE_OPTION,
  sinceMsOf,
} from './orders-query.ts';
import { writeLines } from './output.ts';

export const ordersExportCommand: Command = {
  name: 'orders export',
  summary: 'Write every version of the order responses as NDJSON, oldest first',
  settings: ['data'],
  options: [SINCE_OPTION, FORMAT_OPTION, OUTPUT_OPTION],
  run: async (context) => {
    const { since, format } = context.options;
    requireNdjson(format);
    const sinceMs = sinceMsOf(since);
    const store = openStore(storeUrlOf(context.config.data));
    await writeLines(store.exportVersions(sinceMs), context);
  },
};
