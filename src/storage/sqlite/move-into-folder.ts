/** Writes the contents of a move into a data folder: everything, or nothing. */
import { cpSync, existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { editionPath } from '../editions/edition-folder.ts';
import { type DataFolder, openDataFolder, replaceFile, syncFolder } from '../files/data-folder.ts';
import { writeKeyFile } from '../files/key-file.ts';
import { storageError, withStorageErrors } from '../files/storage-error.ts';
import { ONLY_WRITER } from '../repository/audit-record.ts';
import {
  MOVED_TABLES,
  type MovedContents,
  type MovedEditions,
  type MovedOrders,
  writeMovedOrders,
} from '../store/store-contents.ts';
import { AuditLog } from './audit-log.ts';
import { syncFile } from './backup-repository.ts';
import { inTransaction, openDatabase } from './database/database.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './editions/edition-catalogue.ts';
import { fillSearchIndex } from './entry-index.ts';
import { REPOSITORY_MIGRATIONS } from './repository-database.ts';
import { SqliteSession } from './session.ts';

/**
 * The folder must have no data, and no server. All files are written to a folder in it, and renamed
 * when all are complete. A move that is killed leaves that folder, which the next move removes.
 */
export async function moveIntoFolder(
  folder: DataFolder,
  { editions, postcodes, practitioners, receivers, orders }: MovedContents,
): Promise<void> {
  const path = join(folder.path, 'move.draft');
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    remove();
    const draft = openDataFolder(path);
    if (editions !== undefined) await writeEditions(draft, editions);
    if (postcodes !== undefined) replaceFile(draft.postcodes, postcodes);
    if (practitioners !== undefined) replaceFile(draft.practitioners, practitioners);
    if (Object.keys(receivers).length > 0) {
      replaceFile(draft.webhooks, Buffer.from(`${JSON.stringify(receivers)}\n`));
    }
    if (orders !== undefined) await writeOrders(draft, orders);
    putInPlace(draft, folder);
  } catch (fault) {
    throw storageError(fault, folder.path);
  } finally {
    remove();
  }
}

/**
 * The key file is renamed first and its database last. If the move is killed in between, a server
 * refuses the folder, because the database of the key is missing.
 */
function putInPlace(draft: DataFolder, folder: DataFolder): void {
  const placed: string[] = [];
  const names = [
    draft.auditKey,
    draft.editions,
    draft.postcodes,
    draft.practitioners,
    draft.webhooks,
    draft.directoryDatabase,
    draft.ordersDatabase,
  ].filter(existsSync);
  try {
    rmdirSync(folder.editions); // empty
    for (const from of names) {
      const to = join(folder.path, basename(from));
      renameSync(from, to);
      placed.push(to);
    }
    syncFolder(folder.path);
  } catch (fault) {
    for (const path of placed) rmSync(path, { recursive: true, force: true });
    throw fault;
  }
}

/** The data first, so that a row always has its folder. */
async function writeEditions(
  folder: DataFolder,
  { editions, publications, folderOf }: MovedEditions,
): Promise<void> {
  for (const { number, pruned_at } of editions) {
    if (pruned_at !== null) continue;
    const source = await folderOf(number);
    withStorageErrors(folder.editions, () => copyDurably(source, editionPath(folder, number)));
  }
  syncFolder(folder.editions);
  using database = openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
  const catalogue = new EditionCatalogue(database);
  inTransaction(database, () => {
    for (const edition of editions) catalogue.addEdition(edition);
    for (const publication of publications) catalogue.addPublication(publication);
  });
}

async function writeOrders(folder: DataFolder, orders: MovedOrders): Promise<void> {
  using database = openDatabase(folder.ordersDatabase, REPOSITORY_MIGRATIONS);
  const log = new AuditLog(database, orders.auditKey);
  await writeMovedOrders(orders, {
    reader: new SqliteSession(database),
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
}

const ROWS_IN_PART = 10_000;

function sqlValueOf(value: unknown): SQLInputValue {
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  throw new TypeError(`a value of a row cannot be stored: ${typeof value}`);
}

function copyDurably(source: string, target: string): void {
  cpSync(source, target, { recursive: true, errorOnExist: true, force: false });
  for (const name of readdirSync(target)) syncFile(join(target, name));
  syncFolder(target);
}
