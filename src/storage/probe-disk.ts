/**
 * Writes a file beside a database and removes it, because the error of the file system is more
 * exact than that of SQLite.
 */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { FILE_MODE } from './data-folder.ts';
import { StorageError, type StorageErrorKind, withStorageErrors } from './storage-error.ts';

/** A disk with less free space than this counts as full, because the next request may not fit. */
const PROBE_BYTES = 1024 * 1024;

/**
 * Why the disk of a database cannot be written; undefined if it can, and if only
 * permission is missing.
 */
export function diskProblem(databasePath: string): StorageError | undefined {
  try {
    probeDisk(databasePath);
    return undefined;
  } catch (error) {
    if (error instanceof StorageError && OF_DISK.has(error.kind)) return error;
    throw error;
  }
}

const OF_DISK: ReadonlySet<StorageErrorKind> = new Set(['full', 'read-only', 'disk']);

/** Throws a `StorageError` if the disk cannot be written. */
export function probeDisk(databasePath: string): void {
  const path = `${databasePath}-wal.probe`;
  withStorageErrors(databasePath, () => {
    try {
      const file = openSync(path, 'w', FILE_MODE);
      try {
        const piece = new Uint8Array(PROBE_BYTES);
        for (let left = PROBE_BYTES; left > 0; ) left -= writeSync(file, piece, 0, left);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } finally {
      rmSync(path, { force: true });
    }
  });
}
