/** Order responses and audit entries in the order of writing, one at a time: for exports. */
import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry, AuditRecord } from '../../fhir/audit.ts';
import type { StoredVersion } from '../../fhir/repository.ts';
import { StorageError } from '../storage-error.ts';
import type { AuditQuery } from '../store.ts';
import { instantText, SELECT_VERSIONS, versionOf } from './resource-tables.ts';

/**
 * Every version from the first one on that was written at or after `sinceMs`; so none is missed
 * where the clock was set back in between.
 */
export function* versionsSince(
  database: DatabaseSync,
  sinceMs: number | undefined,
): Generator<StoredVersion> {
  const from = firstSince(database, sinceMs);
  if (from === undefined) return;
  const rows = database
    .prepare(`${SELECT_VERSIONS} WHERE audit_entry >= ? ORDER BY audit_entry`)
    .iterate(from);
  for (const row of rows) yield versionOf(row);
}

/** The number of versions that `versionsSince` returns. */
export function versionCount(database: DatabaseSync, sinceMs: number | undefined): number {
  const from = firstSince(database, sinceMs);
  if (from === undefined) return 0;
  const row = database
    .prepare('SELECT count(*) AS count FROM order_response_version WHERE audit_entry >= ?')
    .get(from);
  return Number(row?.count);
}

/** The audit entry of the first version. */
function firstSince(database: DatabaseSync, sinceMs: number | undefined): number | undefined {
  if (sinceMs === undefined) return 0;
  const first = database
    .prepare('SELECT min(audit_entry) AS first FROM order_response_version WHERE written_at >= ?')
    .get(instantText(sinceMs))?.first;
  return first === undefined || first === null ? undefined : Number(first);
}

/** Likewise, every entry from the first one on that was recorded at or after `sinceMs`. */
export function* auditEntries(
  database: DatabaseSync,
  { sinceMs, resource }: AuditQuery,
): Generator<AuditEntry> {
  let hasBegun = sinceMs === undefined;
  const since = sinceMs === undefined ? '' : instantText(sinceMs);
  const rows = database
    .prepare('SELECT number, recorded_at, entry FROM audit_entry ORDER BY number')
    .iterate();
  for (const row of rows) {
    const recordedAt = String(row.recorded_at);
    hasBegun ||= recordedAt >= since;
    if (!hasBegun) continue;
    const number = Number(row.number);
    const record = parseRecord(String(row.entry), number);
    if (resource !== undefined && record.resource !== resource) continue;
    yield { number, recordedAt, ...record };
  }
}

function parseRecord(text: string, number: number): AuditRecord {
  try {
    const record: AuditRecord | null = JSON.parse(text);
    if (record !== null) return record;
  } catch {
    // As below.
  }
  throw new StorageError(
    'damaged',
    `orders.db: audit entry ${number} cannot be read; run \`gazetteer verify\` to see more`,
  );
}
