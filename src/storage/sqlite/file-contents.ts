/** All that a data folder has, to carry it to a database; and the way back. */
import { existsSync } from 'node:fs';
import type { SQLInputValue } from 'node:sqlite';
import type { DataFolder } from '../data-folder.ts';
import { writeKeyFile } from '../key-file.ts';
import { acquireLock } from '../lock.ts';
import { ONLY_WRITER } from '../repository/audit-record.ts';
import { StorageError, storageError } from '../storage-error.ts';
import type { StoreContents } from '../store-contents.ts';
import { MOVED_TABLES, type MovedOrders, movedRows, writeMovedOrders } from '../store-contents.ts';
import { AuditLog } from './audit-log.ts';
import { inTransaction, openDatabase } from './database.ts';
import { readFileEditions, writeFileEditions } from './editions/moved-editions.ts';
import { fillSearchIndex } from './entry-index.ts';
import { openRepositorySnapshot, REPOSITORY_MIGRATIONS } from './repository-database.ts';
import { SqliteSession } from './session.ts';
import { SQLITE } from './sqlite-dialect.ts';

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
function readFileOrders(folder: DataFolder): MovedOrders {
  const { database, auditKey } = openRepositorySnapshot(folder);
  return {
    auditKey,
    rows: async function* (table) {
      yield* new SqliteSession(database).rows(movedRows(SQLITE, table));
    },
    close: async () => database.close(),
  };
}

/** The folder must have no order responses. A move that is interrupted begins again with a new one. */
async function writeFileOrders(folder: DataFolder, orders: MovedOrders): Promise<void> {
  const database = openDatabase(folder.ordersDatabase, REPOSITORY_MIGRATIONS);
  try {
    const log = new AuditLog(database, orders.auditKey);
    await writeMovedOrders(orders, {
      writer: ONLY_WRITER,
      rowsInPart: ROWS_IN_PART,
      addEntries: (entries) =>
        inTransaction(database, () => {
          log.begin();
          for (const { recordedAt, record } of entries) log.append(recordedAt, record);
        }),
      insert: (table, rows) =>
        inTransaction(database, () => {
          const columns = MOVED_TABLES[table];
          const insert = database.prepare(
            `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
          );
          for (const row of rows) insert.run(...columns.map((column) => sqlValueOf(row[column])));
        }),
    });
    fillSearchIndex(database);
    writeKeyFile(folder.auditKey, orders.auditKey);
  } catch (error) {
    throw storageError(error, folder.ordersDatabase);
  } finally {
    database.close();
  }
}

const ROWS_IN_PART = 10_000;

function sqlValueOf(value: unknown): SQLInputValue {
  if (value instanceof Uint8Array || typeof value === 'string' || typeof value === 'number') {
    return value;
  }
  if (typeof value === 'bigint') return value;
  throw new TypeError(`a value of a row cannot be stored: ${typeof value}`);
}
