/** Finds out that a data folder lost a database, from the files that go with it. */
import { existsSync, readdirSync } from 'node:fs';
import { fileLength } from './file-length.ts';
import { StorageError, withStorageErrors } from './storage-error.ts';

/** The paths of a data folder that show a loss. */
interface Paths {
  readonly directoryDatabase: string;
  readonly editions: string;
  readonly ordersDatabase: string;
  readonly auditKey: string;
}

/** Throws a `StorageError` if the database of order responses was lost. */
export function requireOrdersOfKey(folder: Paths): void {
  const loss = lossOfOrders(folder);
  if (loss !== undefined) throw loss;
}

/**
 * Why the database of order responses was lost, or undefined. A key without its database shows it,
 * because the key is made after it. SQLite would remove a write-ahead log without its database.
 */
export function lossOfOrders({ ordersDatabase, auditKey }: Paths): StorageError | undefined {
  const log = `${ordersDatabase}-wal`;
  if (fileLength(ordersDatabase) > 0) return undefined;
  if (fileLength(log) === 0) {
    if (fileLength(auditKey) === 0) return undefined;
    return new StorageError(
      'damaged',
      `${ordersDatabase}: missing or empty, though its key, audit.key, is there; put it back, or ` +
        'move audit.key away and restore a backup, or begin with none',
    );
  }
  return new StorageError(
    'damaged',
    `${log}: the database that it belongs to, orders.db, is missing; put it back, or move ` +
      'orders.db-wal, orders.db-shm and audit.key away too',
  );
}

/**
 * Throws a `StorageError` if the database of editions was lost. A new one would hide the loss, and
 * its editions would have the numbers of the earlier ones.
 */
export function requireDirectoryOfEditions(folder: Paths): void {
  const loss = lossOfDirectory(folder);
  if (loss !== undefined) throw loss;
}

/**
 * Why the database of editions was lost, or undefined. Editions without their database show it,
 * because they are stored after it. Throws a `StorageError` if their folder cannot be read.
 */
export function lossOfDirectory({ directoryDatabase, editions }: Paths): StorageError | undefined {
  if (fileLength(directoryDatabase) > 0 || !existsSync(editions)) return undefined;
  const names = withStorageErrors(editions, () => readdirSync(editions));
  if (!names.some((name) => EDITION_FOLDER.test(name))) return undefined;
  return new StorageError(
    'damaged',
    `${directoryDatabase}: missing or empty, though there are editions; put it back, or move ` +
      `${editions} away and import again`,
  );
}

/** The name of the folder of an edition: its number in six digits or more. */
export const EDITION_FOLDER = /^\d{6,}$/;
