/** Versions and audit entries in the order of writing, one at a time: for exports. */
import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry, AuditRecord } from '../../fhir/audit.ts';
import type { ResourceAddress, StoredVersion } from '../../fhir/repository.ts';
import { parseAuditRecord } from '../audit-record.ts';
import { StorageError } from '../storage-error.ts';
import type { AuditQuery } from '../store.ts';
import { instantText, versionOf } from '../stored-version.ts';
import { SELECT_VERSIONS } from './resource-tables.ts';

/**
 * The JSON of every version from the first one on that was written at or after `sinceMs`. A version
 * after that one is included even if the clock was set back in between. A version that deletes a
 * resource is a Bundle with one entry, as in a history.
 */
export function* versionsSince(
  database: DatabaseSync,
  sinceMs: number | undefined,
): Generator<string> {
  const from = firstSince(database, sinceMs);
  if (from === undefined) return;
  const rows = database.prepare(`${SELECT_VERSIONS} WHERE v.key >= ? ORDER BY v.key`).iterate(from);
  for (const row of rows) {
    const version = versionOf(row);
    yield version.text ?? deletionText(String(row.resource_type), version);
  }
}

function deletionText(type: string, { id, writtenAt, method }: StoredVersion): string {
  return JSON.stringify({
    resourceType: 'Bundle',
    meta: { lastUpdated: writtenAt },
    type: 'history',
    entry: [{ request: { method, url: `${type}/${id}` } }],
  });
}

/** The number of versions that `versionsSince` returns. */
export function versionCount(database: DatabaseSync, sinceMs: number | undefined): number {
  const from = firstSince(database, sinceMs);
  if (from === undefined) return 0;
  const row = database
    .prepare('SELECT count(*) AS count FROM resource_version WHERE key >= ?')
    .get(from);
  return Number(row?.count);
}

/** The key of the first version. */
function firstSince(database: DatabaseSync, sinceMs: number | undefined): number | undefined {
  if (sinceMs === undefined) return 0;
  const first = database
    .prepare('SELECT min(key) AS first FROM resource_version WHERE written_at >= ?')
    .get(instantText(sinceMs))?.first;
  return first === undefined || first === null ? undefined : Number(first);
}

/** In the same way, every entry from the first one on that was recorded at or after `sinceMs`. */
export function* auditEntries(
  database: DatabaseSync,
  { sinceMs, resource }: AuditQuery,
): Generator<AuditEntry> {
  let hasBegun = sinceMs === undefined;
  const since = sinceMs === undefined ? '' : instantText(sinceMs);
  const rows = database
    .prepare(
      `SELECT a.number, a.recorded_at, a.entry, p.parameters FROM audit_entry AS a
       LEFT JOIN audit_parameters AS p ON p.writer = a.writer AND p.number = a.number
       ORDER BY a.writer, a.number`,
    )
    .iterate();
  for (const row of rows) {
    const recordedAt = String(row.recorded_at);
    hasBegun ||= recordedAt >= since;
    if (!hasBegun) continue;
    const number = Number(row.number);
    const record = parseAuditRecord(String(row.entry));
    if (record === undefined) throw unreadable(number);
    if (resource !== undefined && !isAbout(record, resource)) continue;
    const { parameters } = row;
    yield {
      number,
      recordedAt,
      ...record,
      ...(typeof parameters === 'string' && { parameters }),
    };
  }
}

function isAbout(
  { resourceType, resource, resources = [] }: AuditRecord,
  { type, id }: ResourceAddress,
): boolean {
  return resourceType === type && (resource === id || resources.includes(id));
}

function unreadable(number: number): StorageError {
  return new StorageError(
    'damaged',
    `orders.db: audit entry ${number} cannot be read; run \`gazetteer verify\` to see more`,
  );
}
