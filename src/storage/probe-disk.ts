/** Writes a file beside a database and removes it: the file system then says what SQLite does not. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { FILE_MODE } from './data-folder.ts';
import { withStorageErrors } from './storage-error.ts';

/** A disk with less room than this is full: the next request may not fit. */
const PROBE_BYTES = 1024 * 1024;

/** Throws a `StorageError` where nothing can be written. */
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
