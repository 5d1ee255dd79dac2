/** Versions and audit entries in the order of writing, one at a time: for exports. */
import type { AuditEntry } from '../../fhir/audit/audit.ts';
import { auditEntryOf } from '../repository/audit-event-version.ts';
import { exportText } from '../repository/export-rows.ts';
import { instantText, VERSION_COLUMNS } from '../repository/stored-version.ts';
import { type AuditQuery, listEntries } from '../sql/audit-search.ts';
import { FieldKeys } from '../sql/search.ts';
import type { Connection } from './connection.ts';
import { cursorRows } from './cursor.ts';
import { POSTGRES } from './search-values.ts';
import { runSteps, streamRows } from './session.ts';

/**
 * The JSON of every version that was written at or after `sinceMs`. Call it in a transaction with
 * one snapshot.
 */
export async function* versionTexts(
  connection: Connection,
  sinceMs: number | undefined,
): AsyncGenerator<string> {
  const rows = cursorRows(
    connection,
    `SELECT ${VERSION_COLUMNS.text} FROM resource_version AS v JOIN resource AS r ON r.key = v.resource
     WHERE v.written_at >= $1 ORDER BY v.epoch, v.xid, v.key`,
    [sinceText(sinceMs)],
  );
  for await (const row of rows) yield exportText(row);
}

/** The number of versions that `versionTexts` returns. */
export async function countVersions(
  connection: Connection,
  sinceMs: number | undefined,
): Promise<number> {
  const [row] = await connection.query(
    'SELECT count(*) AS count FROM resource_version WHERE written_at >= $1',
    [sinceText(sinceMs)],
  );
  return Number(row?.count);
}

/** Audit entries, the oldest first. Call it in a transaction. */
export async function* listedEntries(
  connection: Connection,
  query: AuditQuery,
): AsyncGenerator<AuditEntry> {
  const listed = listEntries(POSTGRES, new FieldKeys(), query);
  const { entries, queries } = await runSteps(connection, listed);
  yield* entries;
  for (const each of queries) {
    for await (const row of streamRows(connection, each)) yield auditEntryOf(row, POSTGRES.store);
  }
}

function sinceText(sinceMs: number | undefined): string {
  return sinceMs === undefined ? '' : instantText(sinceMs);
}
