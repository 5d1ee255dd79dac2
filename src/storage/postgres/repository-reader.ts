/** Versions and audit entries in the order of writing, one at a time: for exports. */
import type { AuditEntry } from '../../fhir/audit/audit.ts';
import { auditEntryOf } from '../repository/audit-event-version.ts';
import { exportText } from '../repository/export-rows.ts';
import { instantText } from '../repository/stored-version.ts';
import type { Connection } from './connection.ts';
import { cursorRows } from './cursor.ts';
import { SELECT_ENTRIES, VERSION_COLUMNS } from './version-rows.ts';

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
    `SELECT ${VERSION_COLUMNS} FROM resource_version AS v JOIN resource AS r ON r.key = v.resource
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

/** The entries of all writers by their time. Call it in a transaction. */
export async function* listAuditEntries(
  connection: Connection,
  sinceMs: number | undefined,
): AsyncGenerator<AuditEntry> {
  const rows = cursorRows(
    connection,
    `${SELECT_ENTRIES} WHERE a.recorded_at >= $1 ORDER BY a.recorded_at, a.writer, a.number`,
    [sinceText(sinceMs)],
  );
  for await (const row of rows) yield auditEntryOf(row, connection.host);
}

function sinceText(sinceMs: number | undefined): string {
  return sinceMs === undefined ? '' : instantText(sinceMs);
}
