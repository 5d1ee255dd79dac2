/** All that a data folder has, to carry it to a database; and the way back. */
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type DataFolder, syncFolder } from '../data-folder.ts';
import { editionPath } from '../editions/edition-folder.ts';
import { byChangeKind, type DetailedEdition } from '../editions/edition-list.ts';
import { writeKeyFile } from '../key-file.ts';
import { acquireLock } from '../lock.ts';
import { ONLY_WRITER } from '../repository/audit-record.ts';
import { StorageError, storageError, withStorageErrors } from '../storage-error.ts';
import type { StoreContents } from '../store-contents.ts';
import {
  MOVED_TABLES,
  type MovedEditions,
  type MovedOrders,
  movedRows,
  writeMovedOrders,
} from '../store-contents.ts';
import { AuditLog } from './audit-log.ts';
import { syncFile } from './backup-repository.ts';
import { inTransaction, openDatabase } from './database/database.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './editions/edition-catalogue.ts';
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
  using database = openDatabase(folder.ordersDatabase, REPOSITORY_MIGRATIONS);
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

/** Undefined if no edition was ever published. */
function readFileEditions(folder: DataFolder): MovedEditions | undefined {
  using database = openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
  const { editions, publications } = new EditionCatalogue(database).read().rows;
  if (editions.length === 0) return undefined;
  return {
    editions: editions.map((row) => ({ ...row, ...detailsOf(database, row.number) })),
    publications,
    folderOf: async (number) => editionPath(folder, number),
  };
}

/** The data first, so that a row always has its folder. */
async function writeFileEditions(
  folder: DataFolder,
  { editions, publications, folderOf }: MovedEditions,
): Promise<void> {
  for (const { number, pruned_at } of editions) {
    if (pruned_at !== null) continue;
    const source = await folderOf(number);
    withStorageErrors(folder.editions, () => copyDurably(source, editionPath(folder, number)));
  }
  using database = openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
  const catalogue = new EditionCatalogue(database);
  inTransaction(database, () => {
    for (const edition of editions) catalogue.addEdition(edition);
    for (const publication of publications) catalogue.addPublication(publication);
  });
}

/** Also of damaged rows. */
function detailsOf(
  database: DatabaseSync,
  edition: number,
): Pick<DetailedEdition, 'byRole' | 'codes'> {
  const byRole = database.prepare('SELECT difference_by_role FROM edition WHERE number = ?');
  const select = database.prepare(
    'SELECT codes FROM edition_difference WHERE edition = ? AND kind = ?',
  );
  const codes = (kind: string) => {
    const value = select.get(edition, kind)?.codes;
    return value instanceof Uint8Array ? value : new Uint8Array();
  };
  return {
    byRole: String(byRole.get(edition)?.difference_by_role),
    codes: byChangeKind(codes),
  };
}

function copyDurably(source: string, target: string): void {
  cpSync(source, target, { recursive: true, errorOnExist: true, force: false });
  for (const name of readdirSync(target)) syncFile(join(target, name));
  syncFolder(target);
}
