/** All that a database has, to carry it to a data folder; and the way back. */
import type { DataFolder } from '../data-folder.ts';
import { makeAuditKey, readAuditKey } from '../key-file.ts';
import { type ChainHead, macOf } from '../repository/audit-chain.ts';
import { auditRecordText } from '../repository/audit-record.ts';
import { StorageError } from '../storage-error.ts';
import {
  MOVED_TABLES,
  MovedEntries,
  type MovedOrders,
  type MovedRow,
  type MovedTable,
  type StoreContents,
} from '../store-contents.ts';
import type { DatabaseSettings } from '../threads/repository-messages.ts';
import { addWriter, noteHeads } from './audit-writers.ts';
import { connectForCommand } from './command-session.ts';
import { type Connection, withConnection } from './connection.ts';
import { readDatabaseEditions, writeDatabaseEditions } from './editions/moved-editions.ts';
import { fillDatabaseIndex } from './fill-index.ts';
import { currentEpoch, openOrdersDatabase } from './orders-database.ts';
import { requireDatabaseSchema } from './schema.ts';
import { cursorRows } from './session.ts';

export function createDatabaseContents(
  settings: DatabaseSettings,
  openFolder: () => DataFolder,
): StoreContents {
  const { address } = settings;
  return {
    requireEmpty: () =>
      withConnection(address, { name: 'gazetteer move' }, async (connection) => {
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
      }),
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
export async function readDatabaseOrders(
  settings: DatabaseSettings,
): Promise<MovedOrders | undefined> {
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
        const columns = MOVED_TABLES[table].join(', ');
        const query = `SELECT ${columns} FROM ${table} ORDER BY ${ORDER[table]}`;
        for await (const each of cursorRows(connection, query)) yield withNumbers(each);
      },
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

const ORDER: Readonly<Record<MovedTable, string>> = {
  audit_entry: 'recorded_at, writer, number',
  resource: 'key',
  resource_version: 'epoch, xid, key',
  erasure: 'resource',
  version_erasure: 'resource, version',
  hold: 'resource',
  audit_parameters: 'writer, number',
};

/** The driver gives 8-byte numbers as texts. */
function withNumbers(row: MovedRow): MovedRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      NUMBERS.has(column) ? Number(value) : value,
    ]),
  );
}

const NUMBERS: ReadonlySet<string> = new Set([
  ...['writer', 'number', 'key', 'current_version', 'resource', 'version'],
  ...['audit_writer', 'audit_number'],
]);

/** The database must have no order responses. All of them come in one transaction. */
export async function writeDatabaseOrders(
  { address, auditKeyFile }: DatabaseSettings,
  orders: MovedOrders,
): Promise<void> {
  requireSameKey(auditKeyFile, orders.auditKey);
  const connection = await connectForCommand(address);
  try {
    const nowMs = Date.now();
    const epoch = await currentEpoch(connection, nowMs);
    const { writer, head } = await addWriter(connection, orders.auditKey, nowMs);
    const last = await connection.transaction(() =>
      writeRows(connection, orders, { writer, head, epoch }),
    );
    await noteHeads(connection, orders.auditKey, new Map([[writer, last]]), nowMs);
    await connection.query('DELETE FROM search_index');
    await fillDatabaseIndex(connection);
  } finally {
    await connection.close();
  }
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

interface MoveTarget {
  readonly writer: number;
  readonly head: ChainHead;
  readonly epoch: number;
}

/** Returns the end of the chain. */
async function writeRows(
  connection: Connection,
  orders: MovedOrders,
  { writer, head, epoch }: MoveTarget,
): Promise<ChainHead> {
  const entries = new MovedEntries(writer);
  let last = head;
  const chained = (row: MovedRow): MovedRow => {
    const { number, record } = entries.add(row);
    const recordedAt = String(row.recorded_at);
    const entry = auditRecordText(writer, record);
    const mac = macOf(orders.auditKey, last.mac, { number, recordedAt, entry });
    last = { number, mac };
    return { writer, number, recorded_at: recordedAt, entry, mac };
  };
  for await (const rows of inParts(orders.rows('audit_entry'))) {
    await insertRows(connection, 'audit_entry', rows.map(chained));
  }
  for (const table of [
    'resource',
    'resource_version',
    'erasure',
    'version_erasure',
    'hold',
    'audit_parameters',
  ] as const) {
    for await (const rows of inParts(orders.rows(table))) {
      const moved = rows.map((row) => entries.renumber(table, row));
      const isVersion = table === 'resource_version';
      await insertRows(
        connection,
        table,
        isVersion ? moved.map((row) => ({ ...row, epoch })) : moved,
      );
    }
  }
  await connection.query(
    `SELECT setval('resource_key_seq', (SELECT coalesce(max(key), 1) FROM resource))`,
  );
  return last;
}

const ROWS_IN_PART = 250;

async function* inParts(rows: AsyncIterable<MovedRow>): AsyncGenerator<readonly MovedRow[]> {
  let part: MovedRow[] = [];
  for await (const row of rows) {
    if (part.push(row) < ROWS_IN_PART) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

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
