/** Writes the contents of a move into a database: everything, or nothing. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { makeAuditKey, readAuditKey } from '../files/key-file.ts';
import { StorageError } from '../files/storage-error.ts';
import { chainedAfter } from '../repository/audit-chain.ts';
import { auditRecordText } from '../repository/audit-record.ts';
import {
  type MovedContents,
  type MovedEditions,
  type MovedEntry,
  type MovedOrders,
  type MovedRow,
  writeMovedOrders,
} from '../store/store-contents.ts';
import { POSTCODE_TABLE, PRACTITIONER_TABLE } from '../tables/table-kinds.ts';
import type { Connection } from './connection/connection.ts';
import type { DatabaseSettings } from './connection/database-settings.ts';
import { insertTable } from './database-tables.ts';
import { removeChunks, uploadFolder } from './editions/edition-chunks.ts';
import { insertEdition, insertPublication } from './editions/edition-rows.ts';
import { connectForCommand } from './orders/command-session.ts';
import { currentEpoch } from './orders/orders-database.ts';
import { fillIndexAtOnce } from './schema/fill-index.ts';
import { connectWithLock, IMPORT_LOCK } from './schema/program-lock.ts';
import { saveReceiver } from './shared-state.ts';
import { insertHeads, insertWriter } from './tables/audit-writers.ts';
import { readerOf } from './tables/session.ts';

/**
 * The database must have no data, and no server. The files of editions come first, because no server
 * reads them before the list of editions. Everything else comes in one transaction.
 */
export async function moveIntoDatabase(
  { address, auditKeyFile }: DatabaseSettings,
  contents: MovedContents,
): Promise<void> {
  await using holder = await connectWithLock(address, IMPORT_LOCK);
  await using connection = await connectForCommand(address);
  const { editions, orders } = contents;
  const files = new Map(editions?.editions.map(({ number }) => [number, randomUUID()]));
  const hasMadeKey = orders !== undefined && putKey(auditKeyFile, orders.auditKey);
  let isComplete = false;
  try {
    if (editions !== undefined) await uploadEditions(holder, editions, files);
    await connection.transaction(async () => {
      await insertContents(connection, contents, files);
      isComplete = true;
    });
  } catch (error) {
    if (isComplete) throw unknownOutcome(connection, error);
    for (const name of files.values()) await removeChunks(holder, name).catch(() => {});
    if (hasMadeKey) rmSync(auditKeyFile, { force: true });
    throw error;
  }
}

/** Makes the key file of this machine if it is missing. Returns whether it was missing. */
function putKey(file: string, key: Uint8Array): boolean {
  const known = readAuditKey(file);
  const present = known ?? makeAuditKey(file, key);
  if (Buffer.compare(present, key) === 0) return known === undefined;
  throw new StorageError(
    'refused',
    `${file}: this is not the key of the audit log that is moved; name that key with ` +
      'orders.auditKeyFile',
  );
}

/** The commit has failed. */
function unknownOutcome({ host }: Connection, cause: unknown): StorageError {
  return new StorageError(
    'unsynced',
    `${host}: the connection was lost at the end of the move, so the move may be complete; run ` +
      'the command again; if the database has data already, check it with "gazetteer verify"',
    cause,
  );
}

/** `files`: the names of the files of each edition, by its number. */
async function uploadEditions(
  connection: Connection,
  { editions, folderOf }: MovedEditions,
  files: ReadonlyMap<number, string>,
): Promise<void> {
  for (const { number, pruned_at } of editions) {
    if (pruned_at !== null) continue;
    await uploadFolder(connection, files.get(number)!, await folderOf(number));
  }
}

async function insertContents(
  connection: Connection,
  { editions, postcodes, practitioners, receivers, orders }: MovedContents,
  files: ReadonlyMap<number, string>,
): Promise<void> {
  for (const edition of editions?.editions ?? []) {
    await insertEdition(connection, edition, files.get(edition.number)!);
  }
  for (const publication of editions?.publications ?? []) {
    await insertPublication(connection, publication);
  }
  if (postcodes !== undefined) await insertTable(POSTCODE_TABLE, connection, postcodes);
  if (practitioners !== undefined) {
    await insertTable(PRACTITIONER_TABLE, connection, practitioners);
  }
  for (const [receiver, state] of Object.entries(receivers)) {
    await saveReceiver(connection, receiver, state);
  }
  if (orders !== undefined) await insertOrders(connection, orders);
}

async function insertOrders(connection: Connection, orders: MovedOrders): Promise<void> {
  const nowMs = Date.now();
  const epoch = await currentEpoch(connection, nowMs);
  const { writer, head } = await insertWriter(connection, orders.auditKey, nowMs);
  let last = head;
  const chained = ({ recordedAt, record }: MovedEntry): MovedRow => {
    const entry = auditRecordText(writer, record);
    const next = chainedAfter(last, orders.auditKey, { recordedAt, entry });
    last = next;
    return { writer, number: next.number, recorded_at: recordedAt, entry, mac: next.mac };
  };
  await writeMovedOrders(orders, {
    reader: readerOf(connection),
    writer,
    rowsInPart: ROWS_IN_PART,
    addEntries: (entries) => insertRows(connection, 'audit_entry', entries.map(chained)),
    insert: (table, rows) => {
      const isVersion = table === 'resource_version';
      return insertRows(
        connection,
        table,
        isVersion ? rows.map((row) => ({ ...row, epoch })) : rows,
      );
    },
  });
  await connection.query(
    `SELECT setval('resource_key_seq', (SELECT coalesce(max(key), 1) FROM resource))`,
  );
  await insertHeads(connection, orders.auditKey, new Map([[writer, last]]), nowMs);
  await fillIndexAtOnce(connection);
}

const ROWS_IN_PART = 250;

/** The columns that the rows do not have get their defaults. */
async function insertRows(
  connection: Connection,
  table: string,
  rows: readonly MovedRow[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  await connection.query(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json) WITH ORDINALITY
     ORDER BY ordinality`,
    [JSON.stringify(rows, bytesAsHex)],
  );
}

/** As PostgreSQL reads bytes in a text. */
function bytesAsHex(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key];
  return original instanceof Uint8Array ? `\\x${Buffer.from(original).toString('hex')}` : value;
}
