/** The write-ahead log of a database: whether it can be written, and what keeps it from getting shorter. */
import type { DatabaseSync } from 'node:sqlite';
import { StorageError, storageError, withStorageErrors } from '../storage-error.ts';
import { inTransaction, schemaVersion } from './database.ts';

/** A long look at the data lets the log grow; then it is cut back to this. */
export const WAL_BYTES_KEPT = 64 * 1024 * 1024;

/** SQLite moves the log into the database from about half of this on. */
const WAL_BYTES_USUAL = 8 * 1024 * 1024;

/** Commits and syncs a page, and changes nothing. Throws a `StorageError` where that fails. */
export function probeDatabase(database: DatabaseSync, path: string): void {
  withStorageErrors(path, () => {
    if (database.isTransaction) database.exec('ROLLBACK');
    inTransaction(database, () => {
      database.exec(`PRAGMA user_version = ${schemaVersion(database)}`);
    });
  });
}

/**
 * Why the log, which has as many bytes, is longer than it should be; nothing where it is not.
 * SQLite does not say when it cannot move the log into the database, and so this tries it.
 */
export function walProblem(
  database: DatabaseSync,
  path: string,
  bytes: number,
): string | undefined {
  if (bytes <= WAL_BYTES_USUAL) return undefined;
  try {
    const { log, checkpointed } = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {};
    if (bytes <= WAL_BYTES_KEPT || log === checkpointed) return undefined;
    return 'something has read the database for long: an export, a backup or a verification';
  } catch (fault) {
    const error = storageError(fault, path);
    if (error instanceof StorageError) return error.message;
    throw fault;
  }
}
