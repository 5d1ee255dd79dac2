/** Reads the audit entries of the first versions of resources: they name who created them. */
import { bigintArray } from './arrays.ts';
import type { BatchNeeds } from './batch-needs.ts';
import type { LoadedRows } from './batch-tables.ts';
import type { Connection } from './connection.ts';

export async function loadFirstEntries(
  connection: Connection,
  { needsCreators }: BatchNeeds,
  current: LoadedRows['current'],
): Promise<LoadedRows['firstEntries']> {
  if (!needsCreators || current.size === 0) return new Map();
  const rows = await connection.queryPrepared(
    `SELECT v.resource, a.entry FROM resource_version AS v
     JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number
     WHERE v.resource = ANY ($1::bigint[]) AND v.version = 1`,
    [bigintArray([...current.values()].flatMap((loaded) => loaded?.key ?? []))],
  );
  return new Map(rows.map(({ resource, entry }) => [Number(resource), String(entry)]));
}
