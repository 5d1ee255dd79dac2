/** Versions and audit entries in the order of writing, one at a time: for exports. */
import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry } from '../../fhir/audit/audit.ts';
import { UnreadableEntry } from '../repository/audit-event-version.ts';
import { exportText } from '../repository/export-rows.ts';
import { instantText } from '../repository/stored-version.ts';
import { StorageError } from '../storage-error.ts';
import type { AuditQuery } from '../store.ts';
import { requestCondition } from './audit-criterion-sql.ts';
import { AuditQueries, type FoundEntry } from './audit-queries.ts';
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
  for (const row of rows) yield exportText(row);
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

/** In the same way, the entries from the first one on that was recorded at or after `sinceMs`. */
export function* auditEntries(database: DatabaseSync, query: AuditQuery): Generator<AuditEntry> {
  const { sinceMs, criteria = [], requestId, newest } = query;
  const queries = new AuditQueries(database);
  const from = sinceMs === undefined ? 1 : queries.firstSince(instantText(sinceMs));
  const conditions = requestId === undefined ? [] : [requestCondition(requestId)];
  const selection = { criteria, conditions, from };
  const found =
    newest === undefined
      ? queries.find({ ...selection, order: 'oldest-first' })
      : firstOf(queries.find({ ...selection, order: 'newest-first' }), newest).toReversed();
  try {
    for (const { number } of found) {
      const entry = queries.entry(number);
      if (entry !== undefined) yield entry;
    }
  } catch (error) {
    throw error instanceof UnreadableEntry
      ? new StorageError('damaged', error.message, error)
      : error;
  }
}

function firstOf(entries: Generator<FoundEntry>, count: number): FoundEntry[] {
  return [...entries.take(count)];
}
