/** `gazetteer audit`: who did what with order responses, as FHIR resources. */
import { auditEvent } from '../order-response/audit-event.ts';
import { auditEntries } from '../storage/sqlite/order-reader.ts';
import type { Command, CommandContext } from './command.ts';
import { writeOrdersLines } from './orders-lines.ts';
import {
  demandNdjson,
  FORMAT_OPTION,
  OUTPUT_OPTION,
  resourceIdOf,
  SINCE_OPTION,
  sinceMsOf,
} from './orders-query.ts';

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Write the audit log of order responses as DSTU2 AuditEvents, oldest first',
  settings: ['data'],
  options: [
    SINCE_OPTION,
    {
      syntax: '--resource <reference>',
      help: 'Only the entries of one order response: OrderResponse/{id}',
    },
    FORMAT_OPTION,
    OUTPUT_OPTION,
  ],
  run: exportAudit,
};

async function exportAudit(context: CommandContext): Promise<void> {
  const { since, resource, format } = context.options;
  demandNdjson(format);
  const query = { sinceMs: sinceMsOf(since), resource: resourceIdOf(resource) };
  await writeOrdersLines(context, (database) =>
    auditEntries(database, query).map((entry) => JSON.stringify(auditEvent(entry))),
  );
}
