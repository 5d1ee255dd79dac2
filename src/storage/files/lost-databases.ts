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
 * Whether the database of editions is missing or empty, though there are editions. Throws a
 * `StorageError` if their folder cannot be read.
 */
export function hasLostDirectory({ directoryDatabase, editions }: Paths): boolean {
  if (fileLength(directoryDatabase) > 0 || !existsSync(editions)) return false;
  const names = withStorageErrors(editions, () => readdirSync(editions));
  return names.some((name) => EDITION_FOLDER.test(name));
}

/** The name of the folder of an edition: its number in six digits or more. */
export const EDITION_FOLDER = /^\d{6,}$/;
