/** `gazetteer orders export`: writes every version of the order responses to a file. */

import type { Command } from '../command.ts';
import { ORDER_STORE_SETTINGS, openConfiguredStore } from '../open-store.ts';
import { writeLines } from '../output.ts';
import {
  FORMAT_OPTION,
  instantMsOf,
  OUTPUT_OPTION,
  requireNdjson,
  SINCE_OPTION,
} from '../selection/orders-query.ts';

export const ordersExportCommand: Command = {
  name: 'orders export',
  summary: 'Write every version of the order responses as NDJSON, oldest first',
  examples: [
    'orders export --output data/orders.ndjson',
    'orders export --since 2026-11-21T09:30:00Z',
  ],
  settings: ORDER_STORE_SETTINGS,
  options: [SINCE_OPTION, FORMAT_OPTION, OUTPUT_OPTION],
  run: async (context) => {
    const { since, format } = context.options;
    requireNdjson(format);
    const sinceMs = instantMsOf(since);
    const store = await openConfiguredStore(context.config);
    await writeLines(store.exportVersions(sinceMs), context);
  },
};
