/** Rebuilds the search index if the search parameters of the program have changed. */

import { entriesOfText, INDEX_FORM, rowsOf } from '../../repository/search-rows.ts';
import { FieldKeys, fieldsOf } from '../../sql/search.ts';
import type { Connection } from '../connection/connection.ts';
import { isTransient } from '../connection/database-error.ts';
import { bigintArray } from '../tables/arrays.ts';
import { insertSearchEntries } from '../tables/insert-search-entries.ts';
import { runSteps } from '../tables/session.ts';

const RESOURCES_IN_PART = 500;

/**
 * Servers can go on meanwhile: the entries of a resource are replaced while it is locked. `isForced`:
 * also if the parameters have not changed, because servers of the version before wrote entries.
 */
export async function fillDatabaseIndex(connection: Connection, isForced = false): Promise<void> {
  const [state] = await connection.query('SELECT form FROM search_index');
  if (state?.form === INDEX_FORM && !isForced) return;
  const fields = new FieldKeys();
  for (let last: number | undefined = 0; last !== undefined; ) {
    last = await repeated(connection, fields, last);
  }
  await connection.transaction(() => noteIndexForm(connection));
}

/** Fills the index in the open transaction, for a database that no server uses. */
export async function fillIndexAtOnce(connection: Connection): Promise<void> {
  const fields = new FieldKeys();
  let last: number | undefined = 0;
  while (last !== undefined) last = await fillPart(connection, fields, last);
  await noteIndexForm(connection);
}

/** Notes that the index is that of this program. */
export async function noteIndexForm(connection: Connection): Promise<void> {
  await connection.query('DELETE FROM search_index');
  await connection.query('INSERT INTO search_index (form) VALUES ($1)', [INDEX_FORM]);
}

/** A server can lock the same resources in another order. */
async function repeated(
  connection: Connection,
  fields: FieldKeys,
  after: number,
): Promise<number | undefined> {
  for (let failures = 1; ; failures++) {
    try {
      return await connection.transaction(() => fillPart(connection, fields, after));
    } catch (error) {
      if (!isTransient(error) || failures === FAILURES_MAX) throw error;
      fields.forget();
    }
  }
}

const FAILURES_MAX = 20;

/** Returns the last key of the part; undefined if no resources follow. */
async function fillPart(
  connection: Connection,
  fields: FieldKeys,
  after: number,
): Promise<number | undefined> {
  const locked = await connection.query(
    'SELECT key FROM resource WHERE key > $1 ORDER BY key LIMIT $2 FOR UPDATE',
    [after, RESOURCES_IN_PART],
  );
  const keys = bigintArray(locked.map(({ key }) => Number(key)));
  await connection.query('DELETE FROM search_entry WHERE resource = ANY ($1::bigint[])', [keys]);
  const resources = await connection.query(
    `SELECT r.key, r.resource_type, v.written_at, v.text FROM resource AS r
     JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version
     WHERE r.key = ANY ($1::bigint[])`,
    [keys],
  );
  const indexed = resources.map(({ key, resource_type, text, written_at }) => {
    const type = String(resource_type);
    const entries = entriesOfText(type, String(text), String(written_at));
    return { type, key: Number(key), entries };
  });
  const names = indexed.flatMap(({ type, entries }) => fieldsOf(type, entries.flatMap(rowsOf)));
  await runSteps(connection, fields.add(names));
  await insertSearchEntries(connection, fields, indexed);
  const last = locked.length < RESOURCES_IN_PART ? undefined : locked.at(-1);
  return last && Number(last.key);
}
