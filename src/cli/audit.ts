/** `gazetteer audit`: writes the audit log of order responses as FHIR AuditEvents. */

import type { AuditEntry } from '../fhir/audit.ts';
import { auditEvent } from '../fhir/audit-event.ts';
import type { Command, CommandContext } from './command.ts';
import { ORDER_STORE_SETTINGS, openConfiguredStore } from './open-store.ts';
import {
  FORMAT_OPTION,
  OUTPUT_OPTION,
  requireNdjson,
  resourceIn,
  SINCE_OPTION,
  sinceMsOf,
} from './orders-query.ts';
import { writeLines } from './output.ts';

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Write the audit log of order responses as DSTU2 AuditEvents, oldest first',
  settings: ORDER_STORE_SETTINGS,
  options: [
    SINCE_OPTION,
    {
      syntax: '--resource <reference>',
      help: 'Only the entries of one resource, such as OrderResponse/{id}',
    },
    FORMAT_OPTION,
    OUTPUT_OPTION,
  ],
  run: exportAudit,
};

async function exportAudit(context: CommandContext): Promise<void> {
  const { since, resource, format } = context.options;
  requireNdjson(format);
  const query = { sinceMs: sinceMsOf(since), resource: resourceIn(resource) };
  const store = openConfiguredStore(context.config);
  await writeLines(linesOf(store.auditEntries(query)), context);
}

async function* linesOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield JSON.stringify(auditEvent(entry));
}
