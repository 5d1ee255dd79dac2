/** All that a data folder has, to carry it to a database; and the way back. */
import { existsSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { DataFolder } from '../data-folder.ts';
import { writeKeyFile } from '../key-file.ts';
import { acquireLock } from '../lock.ts';
import { ONLY_WRITER } from '../repository/audit-record.ts';
import { StorageError, storageError } from '../storage-error.ts';
import {
  MOVED_TABLES,
  MovedEntries,
  type MovedOrders,
  type MovedRow,
  type MovedTable,
  type StoreContents,
} from '../store-contents.ts';
import { AuditLog } from './audit-log.ts';
import { inTransaction, openDatabase } from './database.ts';
import { fillSearchIndex } from './entry-index.ts';
import { readFileEditions, writeFileEditions } from './file-editions.ts';
import { openRepositorySnapshot, REPOSITORY_MIGRATIONS } from './repository-database.ts';

export function createFileContents(open: () => DataFolder): StoreContents {
  return {
    requireEmpty: async () => {
      const folder = open();
      acquireLock(folder.path, 'serve').release();
      for (const path of [folder.directoryDatabase, folder.ordersDatabase, folder.auditKey]) {
        if (!existsSync(path)) continue;
        throw new StorageError('refused', `${path} exists; move into a folder without data`);
      }
    },
    readEditions: async () => {
      const folder = open();
      return existsSync(folder.directoryDatabase) ? readFileEditions(folder) : undefined;
    },
    writeEditions: (editions) => writeFileEditions(open(), editions),
    readOrders: async () => {
      const folder = open();
      return existsSync(folder.ordersDatabase) ? readFileOrders(folder) : undefined;
    },
    writeOrders: (orders) => writeFileOrders(open(), orders),
  };
}

/** Reads what was committed at the start. */
export function readFileOrders(folder: DataFolder): MovedOrders {
  const { database, auditKey } = openRepositorySnapshot(folder);
  return {
    auditKey,
    rows: async function* (table) {
      const columns = MOVED_TABLES[table].join(', ');
      yield* database.prepare(`SELECT ${columns} FROM ${table} ORDER BY ${ORDER[table]}`).iterate();
    },
    close: async () => database.close(),
  };
}

const ORDER: Readonly<Record<MovedTable, string>> = {
  audit_entry: 'writer, number',
  resource: 'key',
  resource_version: 'key',
  erasure: 'resource',
  version_erasure: 'resource, version',
  hold: 'resource',
  audit_parameters: 'writer, number',
};

/** The folder must have no order responses. */
export async function writeFileOrders(folder: DataFolder, orders: MovedOrders): Promise<void> {
  const database = openDatabase(folder.ordersDatabase, REPOSITORY_MIGRATIONS);
  try {
    const entries = new MovedEntries(ONLY_WRITER);
    const log = new AuditLog(database, orders.auditKey);
    await inParts(database, orders.rows('audit_entry'), (rows) => {
      log.begin();
      for (const row of rows) log.append(String(row.recorded_at), entries.add(row).record);
    });
    for (const table of TABLES_AFTER_ENTRIES) {
      const columns = MOVED_TABLES[table];
      const insert = database.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      await inParts(database, orders.rows(table), (rows) => {
        for (const row of rows) {
          const moved = entries.renumber(table, row);
          insert.run(...columns.map((column) => sqlValueOf(moved[column])));
        }
      });
    }
    fillSearchIndex(database);
    writeKeyFile(folder.auditKey, orders.auditKey);
  } catch (error) {
    throw storageError(error, folder.ordersDatabase);
  } finally {
    database.close();
  }
}

const TABLES_AFTER_ENTRIES = [
  ...['resource', 'resource_version', 'erasure', 'version_erasure', 'hold', 'audit_parameters'],
] as const satisfies readonly MovedTable[];

const ROWS_IN_PART = 10_000;

/** A transaction for each part. A move that is interrupted begins again with a new folder. */
async function inParts(
  database: DatabaseSync,
  rows: AsyncIterable<MovedRow>,
  write: (rows: readonly MovedRow[]) => void,
): Promise<void> {
  let part: MovedRow[] = [];
  const flush = () => {
    const full = part;
    part = [];
    inTransaction(database, () => write(full));
  };
  for await (const row of rows) {
    if (part.push(row) === ROWS_IN_PART) flush();
  }
  if (part.length > 0) flush();
}

/** PostgreSQL's driver gives large numbers as text; columns with texts hold only texts. */
function sqlValueOf(value: unknown): SQLInputValue {
  if (value instanceof Uint8Array || typeof value === 'string' || typeof value === 'number') {
    return value;
  }
  if (typeof value === 'bigint') return value;
  throw new TypeError(`a value of a row cannot be stored: ${typeof value}`);
}
