/** Versions and audit entries in the order of writing, one at a time: for exports. */
import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry } from '../../fhir/audit/audit.ts';
import { auditEntryOf, UnreadableEntry } from '../repository/audit-event-version.ts';
import { exportText } from '../repository/export-rows.ts';
import { instantText, VERSION_COLUMNS } from '../repository/stored-version.ts';
import { type AuditQuery, listEntries } from '../sql/audit-search.ts';
import { FieldKeys } from '../sql/search.ts';
import { StorageError } from '../storage-error.ts';
import { SqliteSession } from './session.ts';
import { SQLITE } from './sqlite-dialect.ts';

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
  const rows = database
    .prepare(
      `SELECT ${VERSION_COLUMNS.text} FROM resource_version AS v JOIN resource AS r ON r.key = v.resource WHERE v.key >= ? ORDER BY v.key`,
    )
    .iterate(from);
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
  const session = new SqliteSession(database);
  try {
    const { entries, queries } = session.run(listEntries(SQLITE, new FieldKeys(), query));
    yield* entries;
    for (const each of queries) {
      for (const row of session.rows(each)) yield auditEntryOf(row, SQLITE.store);
    }
  } catch (error) {
    throw error instanceof UnreadableEntry
      ? new StorageError('damaged', error.message, error)
      : error;
  }
}
