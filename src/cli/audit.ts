/** `gazetteer audit`: who did what with order responses, as FHIR resources. */
import { auditEvent } from '../order-response/audit-event.ts';
import { openDataFolder } from '../storage/data-folder.ts';
import { auditEntries } from '../storage/sqlite/order-reader.ts';
import { openOrdersSnapshot } from '../storage/sqlite/orders-database.ts';
import { withStorageErrors } from '../storage/storage-error.ts';
import type { Command, CommandContext } from './command.ts';
import {
  demandNdjson,
  FORMAT_OPTION,
  resourceIdOf,
  SINCE_OPTION,
  sinceMsOf,
} from './orders-query.ts';
import { writeLines } from './output.ts';

export const auditCommand: Command = {
  name: 'audit',
  summary: 'write the audit log of order responses as DSTU2 AuditEvents, oldest first',
  settings: ['data'],
  options: [
    SINCE_OPTION,
    { syntax: '--resource <reference>', help: 'only of one: OrderResponse/{id}' },
    FORMAT_OPTION,
    {
      syntax: '--output <file>',
      help: 'where to write, which must not be there yet (default: standard output)',
    },
  ],
  run: exportAudit,
};

async function exportAudit(context: CommandContext): Promise<void> {
  const { config, options } = context;
  demandNdjson(options.format);
  const query = { sinceMs: sinceMsOf(options.since), resource: resourceIdOf(options.resource) };
  const { database } = openOrdersSnapshot(openDataFolder(config.data, { mustExist: 'orders' }));
  try {
    const lines = auditEntries(database, query).map((entry) => JSON.stringify(auditEvent(entry)));
    await writeLines(lines, context);
  } catch (error) {
    withStorageErrors(config.data, () => {
      throw error;
    });
  } finally {
    database.close();
  }
}
