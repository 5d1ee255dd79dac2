/** `gazetteer audit`: writes the audit log of order responses as FHIR AuditEvents. */

import type { AuditEntry } from '../fhir/audit.ts';
import { auditEvent } from '../fhir/audit-event.ts';
import { AUDIT_OPTIONS, auditQueryOf } from './audit-query.ts';
import type { Command, CommandContext } from './command.ts';
import { ORDER_STORE_SETTINGS, openConfiguredStore } from './open-store.ts';
import { FORMAT_OPTION, OUTPUT_OPTION, requireNdjson } from './orders-query.ts';
import { writeLines } from './output.ts';

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Write the audit log of order responses as DSTU2 AuditEvents, oldest first',
  examples: [
    'audit --since 2026-11-21T00:00:00Z --output audit.ndjson',
    'audit --resource OrderResponse/123 --limit 10',
  ],
  settings: ORDER_STORE_SETTINGS,
  options: [...AUDIT_OPTIONS, FORMAT_OPTION, OUTPUT_OPTION],
  run: exportAudit,
};

async function exportAudit(context: CommandContext): Promise<void> {
  const { config, options } = context;
  requireNdjson(options.format);
  const query = auditQueryOf(options);
  const store = await openConfiguredStore(config);
  await writeLines(linesOf(store.auditEntries(query)), context);
}

async function* linesOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield JSON.stringify(auditEvent(entry));
}
