/** Checks the write-ahead log of a database: whether it can be written, and why it grows. */
import type { DatabaseSync } from 'node:sqlite';
import { StorageError, storageError, withStorageErrors } from '../../files/storage-error.ts';
import { BUSY_TIMEOUT_MS, inTransaction, schemaVersion } from './database.ts';

/** A long read lets the log grow. Afterwards the log is truncated to this size. */
export const WAL_BYTES_KEPT = 64 * 1024 * 1024;

/** SQLite starts a checkpoint at about half of this size. */
const WAL_BYTES_USUAL = 8 * 1024 * 1024;

/** Commits and syncs a page, and changes nothing. Throws a `StorageError` if that fails. */
export function probeDatabase(database: DatabaseSync, path: string): void {
  withStorageErrors(path, () => {
    if (database.isTransaction) database.exec('ROLLBACK');
    inTransaction(database, () => {
      database.exec(`PRAGMA user_version = ${schemaVersion(database)}`);
    });
  });
}

/**
 * Moves everything from the log to the database, and empties the log. Returns false if a reader or a
 * writer prevents it for longer than `waitMs`.
 */
export function truncateLog(database: DatabaseSync, waitMs = BUSY_TIMEOUT_MS): boolean {
  database.exec(`PRAGMA busy_timeout = ${waitMs}`);
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Why a log of this many bytes is longer than it should be; undefined if it is not. SQLite
 * does not report a checkpoint that cannot finish, so this function tries one.
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
    return 'a long read of the database is running: an export, a backup or a verification';
  } catch (fault) {
    const error = storageError(fault, path);
    if (error instanceof StorageError) return error.message;
    throw fault;
  }
}
