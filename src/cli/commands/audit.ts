/** `gazetteer audit`: writes the audit log of order responses as FHIR AuditEvents, or as a table for people. */
import type { AuditEntry } from '../../fhir/audit/audit.ts';
import { auditEvent } from '../../fhir/audit/audit-event.ts';
import type { Command, CommandContext } from '../command.ts';
import { ORDER_STORE_SETTINGS, openConfiguredStore } from '../open-store.ts';
import { writeLines } from '../output.ts';
import { isForPeople, LINES_OPTION, rowText } from '../printed.ts';
import { AUDIT_OPTIONS, auditQueryOf } from '../selection/audit-query.ts';
import { FORMAT_OPTION, OUTPUT_OPTION, requireNdjson } from '../selection/orders-query.ts';

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Write the audit log of order responses as DSTU2 AuditEvents, oldest first',
  examples: [
    'audit --since 2026-11-21T00:00:00Z --output data/audit.ndjson',
    'audit --resource OrderResponse/123 --limit 10',
  ],
  settings: ORDER_STORE_SETTINGS,
  options: [...AUDIT_OPTIONS, LINES_OPTION, FORMAT_OPTION, OUTPUT_OPTION],
  run: exportAudit,
};

async function exportAudit(context: CommandContext): Promise<void> {
  const { config, options } = context;
  requireNdjson(options.format);
  const query = auditQueryOf(options);
  const store = await openConfiguredStore(config);
  const entries = store.auditEntries(query);
  await writeLines(isForPeople(context) ? rowsOf(entries) : linesOf(entries), context);
}

async function* linesOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield JSON.stringify(auditEvent(entry));
}

/** The log can be long, so the widths of its columns do not depend on the entries. */
async function* rowsOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  yield rowText(['time', 'outcome', 'interaction', 'resource', 'user', 'request id'], WIDTHS);
  for await (const entry of entries) {
    const { recordedAt, outcome, interaction, resourceType, resource, subject, client } = entry;
    const named = [resourceType, resource].filter((part) => part !== undefined).join('/');
    const time = recordedAt.slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replace('T', ' ');
    const cells = [time, outcome, interaction, named, subject ?? client, entry.requestId];
    yield rowText(
      cells.map((cell = '') => cell),
      WIDTHS,
    );
  }
}

/** The type and the UUID of an order response take 50 characters. */
const WIDTHS = [19, 15, 16, 50, 20];
