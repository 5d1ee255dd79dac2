/** Tries a disk with a file: whether it can be written, and how long it takes for a sync. */
import { fsyncSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { withFile } from './data-folder.ts';
import { StorageError, type StorageErrorKind, withStorageErrors } from './storage-error.ts';

/** A disk with less free space than this counts as full, because the next request may not fit. */
const PROBE_BYTES = 1024 * 1024;

/**
 * Why the disk of a database cannot be written; undefined if it can. Throws the `StorageError` of
 * another reason, such as a missing permission.
 */
export function diskProblem(databasePath: string): StorageError | undefined {
  const reason = unwritableReason(databasePath);
  if (reason === undefined || OF_DISK.has(reason.kind)) return reason;
  throw reason;
}

const OF_DISK: ReadonlySet<StorageErrorKind> = new Set(['full', 'read-only', 'disk']);

/** Why a file beside a database cannot be written, also for lack of permission; undefined if it can be. */
export function unwritableReason(databasePath: string): StorageError | undefined {
  try {
    probeDisk(databasePath);
    return undefined;
  } catch (error) {
    if (error instanceof StorageError) return error;
    throw error;
  }
}

/**
 * Throws a `StorageError` if the disk of a database cannot be written. The error of the file system
 * is more exact than that of SQLite.
 */
export function probeDisk(databasePath: string): void {
  withProbe(`${databasePath}-wal.probe`, databasePath, (file) => {
    const piece = new Uint8Array(PROBE_BYTES);
    for (let left = PROBE_BYTES; left > 0; ) left -= writeSync(file, piece, 0, left);
    fsyncSync(file);
  });
}

const SYNCS = 9;
const PIECE_BYTES = 4096;

/**
 * The median time of a sync in milliseconds: every write of an order response waits for one. Throws
 * a `StorageError` if the disk cannot be written.
 */
export function measureSyncMs(folder: string): number {
  return withProbe(join(folder, `sync-${process.pid}.probe`), folder, (file) => {
    const piece = new Uint8Array(PIECE_BYTES);
    const times = Array.from({ length: SYNCS }, () => {
      writeSync(file, piece);
      const startMs = performance.now();
      fsyncSync(file);
      return performance.now() - startMs;
    });
    return times.sort((a, b) => a - b)[(SYNCS - 1) / 2] ?? 0;
  });
}

/** Reads every byte of a file. Throws a `StorageError` if the disk has an error. */
export function readThrough(path: string): void {
  const piece = new Uint8Array(PIECE_READ_BYTES);
  withStorageErrors(path, () =>
    withFile(path, 'r', (file) => {
      for (let at = 0, count = -1; count !== 0; at += count) {
        count = readSync(file, piece, 0, piece.length, at);
      }
    }),
  );
}

const PIECE_READ_BYTES = 1 << 16;

/** Makes a file, and removes it at the end. Errors name `place`. */
function withProbe<Result>(path: string, place: string, action: (file: number) => Result): Result {
  return withStorageErrors(place, () => {
    try {
      return withFile(path, 'w', action);
    } finally {
      rmSync(path, { force: true });
    }
  });
}
