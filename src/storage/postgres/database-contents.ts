/** All that a database has, to carry it to a data folder; and the way back. */
import { randomUUID } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import type { DataFolder } from '../data-folder.ts';
import type { DatabaseAddress } from '../database-address.ts';
import { byChangeKind, type DetailedEdition } from '../editions/edition-list.ts';
import { makeAuditKey, readAuditKey } from '../key-file.ts';
import { type ChainHead, chainedAfter } from '../repository/audit-chain.ts';
import { auditRecordText } from '../repository/audit-record.ts';
import { StorageError } from '../storage-error.ts';
import {
  type MovedEditions,
  type MovedEntry,
  type MovedOrders,
  type MovedRow,
  movedRows,
  type StoreContents,
  writeMovedOrders,
} from '../store-contents.ts';
import { connectForCommand } from './command-session.ts';
import { type Connection, connect } from './connection/connection.ts';
import { connectWithLock, IMPORT_LOCK } from './connection/program-lock.ts';
import type { DatabaseSettings } from './database-settings.ts';
import { EditionCache } from './editions/edition-cache.ts';
import { uploadFolder } from './editions/edition-chunks.ts';
import {
  insertEdition,
  insertPublication,
  readDetails,
  readList,
} from './editions/edition-rows.ts';
import { fillDatabaseIndex } from './fill-index.ts';
import { addWriter, noteHeads } from './lanes/audit-writers.ts';
import { currentEpoch, openOrdersDatabase } from './orders-database.ts';
import { POSTGRES } from './postgres-dialect.ts';
import { requireDatabaseSchema } from './schema.ts';
import { readerOf } from './session.ts';

export function createDatabaseContents(
  settings: DatabaseSettings,
  openFolder: () => DataFolder,
): StoreContents {
  const { address } = settings;
  return {
    requireEmpty: async () => {
      await using connection = await connect(address, { name: 'gazetteer move' });
      await requireDatabaseSchema(connection);
      const [row = {}] = await connection.query(SELECT_USE);
      if (row.is_used === true) {
        throw new StorageError(
          'refused',
          `${connection.host}: the database has editions or order responses already; name an ` +
            'empty one',
        );
      }
      if (row.has_server === true) {
        throw new StorageError(
          'locked',
          `${connection.host}: a server uses the database; stop it first`,
        );
      }
    },
    readEditions: () => readDatabaseEditions(address, openFolder()),
    writeEditions: (editions) => writeDatabaseEditions(address, editions),
    readOrders: () => readDatabaseOrders(settings),
    writeOrders: (orders) => writeDatabaseOrders(settings, orders),
  };
}

const SELECT_USE = `
  SELECT EXISTS (SELECT 1 FROM edition) OR EXISTS (SELECT 1 FROM resource)
      OR EXISTS (SELECT 1 FROM audit_writer) AS is_used,
    EXISTS (SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'gazetteer serve') AS has_server`;

/** Undefined if there never was an access. Reads what was committed at the start. */
async function readDatabaseOrders(settings: DatabaseSettings): Promise<MovedOrders | undefined> {
  const connection = await connectForCommand(settings.address);
  try {
    const [row] = await connection.query('SELECT EXISTS (SELECT 1 FROM audit_entry) AS is_used');
    if (row?.is_used !== true) {
      await connection.close();
      return undefined;
    }
    const { auditKey } = await openOrdersDatabase(settings.address, settings.auditKeyFile);
    await connection.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return {
      auditKey,
      rows: async function* (table) {
        yield* readerOf(connection).rows(movedRows(POSTGRES, table));
      },
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The database must have no order responses. All of them come in one transaction. */
async function writeDatabaseOrders(
  { address, auditKeyFile }: DatabaseSettings,
  orders: MovedOrders,
): Promise<void> {
  requireSameKey(auditKeyFile, orders.auditKey);
  await using connection = await connectForCommand(address);
  const nowMs = Date.now();
  const epoch = await currentEpoch(connection, nowMs);
  const { writer, head } = await addWriter(connection, orders.auditKey, nowMs);
  const last = await connection.transaction(() =>
    writeRows(connection, orders, { writer, head, epoch }),
  );
  await noteHeads(connection, orders.auditKey, new Map([[writer, last]]), nowMs);
  await connection.query('DELETE FROM search_index');
  await fillDatabaseIndex(connection);
}

/** Writes the key file of this machine if it is missing. */
function requireSameKey(file: string, key: Uint8Array): void {
  const known = readAuditKey(file) ?? makeAuditKey(file, key);
  if (Buffer.compare(known, key) === 0) return;
  throw new StorageError(
    'refused',
    `${file}: this is not the key of the audit log that is moved; name that key with ` +
      'orders.auditKeyFile',
  );
}

interface MoveStart {
  readonly writer: number;
  readonly head: ChainHead;
  readonly epoch: number;
}

/** Returns the end of the chain. */
async function writeRows(
  connection: Connection,
  orders: MovedOrders,
  { writer, head, epoch }: MoveStart,
): Promise<ChainHead> {
  let last = head;
  const chained = ({ recordedAt, record }: MovedEntry): MovedRow => {
    const entry = auditRecordText(writer, record);
    const next = chainedAfter(last, orders.auditKey, { recordedAt, entry });
    last = next;
    return { writer, number: next.number, recorded_at: recordedAt, entry, mac: next.mac };
  };
  await writeMovedOrders(orders, {
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
  return last;
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

/** Undefined if no edition was ever published. Copies the data to the cache of this machine. */
async function readDatabaseEditions(
  address: DatabaseAddress,
  folder: DataFolder,
): Promise<MovedEditions | undefined> {
  const cache = new EditionCache(folder, address);
  await using connection = await connect(address, { name: 'gazetteer move' });
  const { rows } = await readList(connection);
  if (rows.editions.length === 0) return undefined;
  const contents = new Map(rows.editions.map(({ number, content }) => [number, content]));
  const editions: DetailedEdition[] = [];
  for (const row of rows.editions) {
    editions.push({ ...row, ...(await detailsOf(connection, row.number)) });
  }
  return {
    editions,
    publications: rows.publications,
    folderOf: (number) => cache.fetch(contents.get(number) ?? ''),
  };
}

/** The data first. Nothing of it can be seen before the transaction of the list. */
async function writeDatabaseEditions(
  address: DatabaseAddress,
  { editions, publications, folderOf }: MovedEditions,
): Promise<void> {
  await using connection = await connectWithLock(address, IMPORT_LOCK);
  const contents = new Map(editions.map(({ number }) => [number, randomUUID()]));
  for (const { number, pruned_at } of editions) {
    if (pruned_at !== null) continue;
    await uploadFolder(connection, contents.get(number)!, await folderOf(number));
  }
  await connection.transaction(async () => {
    for (const edition of editions) {
      await insertEdition(connection, edition, contents.get(edition.number)!);
    }
    for (const publication of publications) await insertPublication(connection, publication);
  });
}

/** Also of damaged rows. */
async function detailsOf(
  connection: Connection,
  edition: number,
): Promise<Pick<DetailedEdition, 'byRole' | 'codes'>> {
  const rows = await readDetails(connection, edition);
  const contentOf = (kind: string) =>
    rows.find((row) => row.kind === kind)?.content ?? deflateSync('');
  return {
    byRole: inflateSync(contentOf('by-role')).toString('latin1'),
    codes: byChangeKind(contentOf),
  };
}
