/** Audit entries as versions of resources, in every kind of store. */
import type { AuditEntry } from '../../fhir/audit/audit.ts';
import { auditEvent, auditEventId } from '../../fhir/audit/audit-event.ts';
import { WRITE_METHODS } from '../../fhir/service/interaction-code.ts';
import type { StoredVersion } from '../../fhir/stored/repository.ts';
import type { Row } from '../sql/statement.ts';
import { parseAuditRecord } from './audit-record.ts';

/** A row with the columns `number`, `recorded_at`, `entry` and `parameters`. */
export function auditEntryOf(row: Row, store: string): AuditEntry {
  const number = Number(row.number);
  const record = parseAuditRecord(String(row.entry));
  if (record === undefined) throw new UnreadableEntry(number, store);
  const { parameters } = row;
  return {
    number,
    recordedAt: String(row.recorded_at),
    ...record,
    ...(typeof parameters === 'string' && { parameters }),
  };
}

/** The one version of its resource. */
export function auditEventVersion(entry: AuditEntry): StoredVersion {
  return {
    id: auditEventId(entry),
    version: 1,
    writtenAt: entry.recordedAt,
    method: WRITE_METHODS.create,
    text: JSON.stringify(auditEvent(entry)),
  };
}

/** Not a `StorageError`, because the storage itself works: other calls of a batch succeed. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';

  /** `store`: its name for people. */
  constructor(number: number, store: string) {
    super(`${store}: audit entry ${number} cannot be read; run \`gazetteer verify\` to see more`);
  }
}
