/** Opens `orders.db`: for writing, together with the key of its audit log, or to read it beside a server. */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { DataFolder } from '../files/data-folder.ts';
import { makeAuditKey, readAuditKey } from '../files/key-file.ts';
import { requireOrdersOfKey } from '../files/lost-databases.ts';
import { StorageError, storageError, withStorageErrors } from '../files/storage-error.ts';
import { CHAIN_START, macOf } from '../repository/audit-chain.ts';
import { ONLY_WRITER } from '../repository/audit-record.ts';
import { isMarkedUsed, markUsed } from './audit-log.ts';
import { openDatabase, openWith, requireSchema, schemaVersion } from './database/database.ts';
import { openToRead } from './database/open-to-read.ts';
import { truncateLog, WAL_BYTES_KEPT } from './database/write-ahead-log.ts';
import {
  addErasure,
  createOrderResponses,
  nameResourceTypes,
  viewsOfFirstSchema,
  viewsOfSchemaBefore,
} from './migrations/orders-001-to-003.ts';
import {
  addVersionErasures,
  createDeliveries,
  indexAuditLog,
  indexSearchParameters,
  noteSetBackClocks,
  viewsOfNoDeliveries,
  viewsOfTokens,
  viewsOfUnindexedLog,
  viewsOfUnnotedClocks,
  viewsOfWholeErasures,
} from './migrations/orders-004-to-008.ts';

export const REPOSITORY_MIGRATIONS = [
  createOrderResponses,
  nameResourceTypes,
  addErasure,
  indexSearchParameters,
  noteSetBackClocks,
  indexAuditLog,
  addVersionErasures,
  createDeliveries,
];

/** By version of the schema: SQL that lets a connection read it as if it were the present one. */
const VIEWS: ReadonlyMap<number, string> = new Map([
  [1, viewsOfFirstSchema + viewsOfSchemaBefore + viewsOfThirdSchema('resource_token')],
  [2, viewsOfSchemaBefore + viewsOfThirdSchema('main.resource_token')],
  [3, viewsOfThirdSchema('main.resource_token')],
  [4, viewsOfUnnotedClocks + viewsOfFifthSchema()],
  [5, viewsOfFifthSchema()],
  [6, viewsOfSixthSchema()],
  [7, viewsOfNoDeliveries],
]);

function viewsOfThirdSchema(tokens: string): string {
  return viewsOfTokens(tokens) + viewsOfUnnotedClocks + viewsOfFifthSchema();
}

function viewsOfFifthSchema(): string {
  return viewsOfUnindexedLog + viewsOfSixthSchema();
}

function viewsOfSixthSchema(): string {
  return viewsOfWholeErasures + viewsOfNoDeliveries;
}

/** Creates change pages all over the search index. SQLite's default of 2 MiB would read them again. */
const CACHE_KIB = 16 * 1024;

export interface RepositoryDatabase {
  readonly database: DatabaseSync;
  readonly auditKey: Uint8Array;
}

/**
 * For the one process that writes. Makes a missing database and key. Migrates a database of an
 * earlier version in one transaction: only for the holder of the lock 'serve' then.
 */
export function openRepositoryDatabase(folder: DataFolder): RepositoryDatabase {
  requireOrdersOfKey(folder);
  const database = openDatabase(folder.ordersDatabase, REPOSITORY_MIGRATIONS);
  try {
    database.exec(`PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    cleanFreePages(database);
    const auditKey = readAuditKey(folder.auditKey) ?? makeMissingKey(folder, database);
    requireKeyOfLog(database, auditKey, folder);
    return { database, auditKey };
  } catch (fault) {
    database.close();
    throw storageError(fault, folder.ordersDatabase);
  }
}

/**
 * Reads what was committed when it was opened, and changes nothing. A server can write at the same
 * time. Close it soon: until then the write-ahead log grows.
 */
export function openRepositorySnapshot(folder: DataFolder): RepositoryDatabase {
  const { ordersDatabase: path } = folder;
  requireOrdersOfKey(folder);
  if (!existsSync(path)) {
    throw new StorageError(
      'unusable',
      `${folder.path}: there are no order responses here; name their folder with --data`,
    );
  }
  const database = openSnapshot(path);
  try {
    const auditKey = readAuditKey(folder.auditKey);
    if (auditKey === undefined) throw missingKey(folder);
    return { database, auditKey };
  } catch (fault) {
    database.close();
    throw fault;
  }
}

/** Any file with the tables of `orders.db`, also of an earlier version. */
export function openSnapshot(path: string): DatabaseSync {
  return openWith(
    path,
    () => openToRead(path),
    (database) => {
      const views = VIEWS.get(schemaVersion(database));
      if (views === undefined) requireSchema(database, path, REPOSITORY_MIGRATIONS.length);
      else database.exec(views);
      database.exec('BEGIN');
      database.prepare('SELECT count(*) FROM sqlite_schema').get(); // the snapshot begins with it
    },
  );
}

/**
 * Rewrites the file once, after a migration, because the first versions of the program did not
 * overwrite what they removed.
 */
function cleanFreePages(database: DatabaseSync): void {
  if (database.prepare('SELECT 1 FROM unclean').get() !== undefined) rewriteDatabase(database);
}

/**
 * Rewrites the file from the rows that are there now. When SQLite moves rows to another page, it can
 * leave copies of them, which an erasure does not find. Returns false if a reader of the earlier
 * state keeps the write-ahead log, which then has copies too. Waits for it up to `waitMs`.
 */
export function rewriteDatabase(database: DatabaseSync, waitMs?: number): boolean {
  database.exec('VACUUM');
  database.exec('DELETE FROM unclean');
  return truncateLog(database, waitMs);
}

/** Whether there is a database of an earlier version, which is migrated when it is opened. */
export function isOfEarlierVersion({ ordersDatabase: path }: DataFolder): boolean {
  if (!existsSync(path)) return false;
  return withStorageErrors(path, () => {
    using database = openToRead(path);
    return VIEWS.has(schemaVersion(database));
  });
}

function makeMissingKey(folder: DataFolder, database: DatabaseSync): Uint8Array {
  if (database.prepare('SELECT 1 FROM audit_entry LIMIT 1').get() !== undefined) {
    throw missingKey(folder);
  }
  return makeAuditKey(folder.auditKey);
}

function missingKey(folder: DataFolder): StorageError {
  return new StorageError(
    'wrong-key',
    `${folder.auditKey}: missing or empty, and the audit log in ${folder.ordersDatabase} ` +
      'cannot go on without it; put it back from a backup',
  );
}

/** Checks the last entry, so that no second chain begins in the middle of the log. */
function requireKeyOfLog(database: DatabaseSync, key: Uint8Array, folder: DataFolder): void {
  const [last, before] = database
    .prepare(
      `SELECT number, recorded_at, entry, mac FROM audit_entry
       WHERE writer = ? ORDER BY number DESC LIMIT 2`,
    )
    .all(ONLY_WRITER);
  if (last === undefined && isMarkedUsed(database)) {
    throw new StorageError(
      'damaged',
      `${folder.ordersDatabase}: the audit log was emptied; restore a backup`,
    );
  }
  if (last === undefined || !(last.mac instanceof Uint8Array)) return;
  if (!isMarkedUsed(database)) markUsed(database);
  const previous = before?.mac instanceof Uint8Array ? before.mac : CHAIN_START.mac;
  const text = {
    number: Number(last.number),
    recordedAt: String(last.recorded_at),
    entry: String(last.entry),
  };
  if (Buffer.compare(macOf(key, previous, text), last.mac) === 0) return;
  throw new StorageError(
    'damaged',
    `${folder.auditKey}: it is not the key of the audit log in ${folder.ordersDatabase}, or the ` +
      'end of that was changed; put both back from one backup',
  );
}
