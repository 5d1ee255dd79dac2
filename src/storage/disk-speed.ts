/** Measures how long a disk takes for a sync. Every write of an order response waits for one. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_MODE } from './data-folder.ts';
import { withStorageErrors } from './storage-error.ts';

const SYNCS = 9;
const PIECE_BYTES = 4096;

/** The median time of a sync in milliseconds. Throws a `StorageError` if the disk cannot be written. */
export function measureSyncMs(folder: string): number {
  const path = join(folder, `sync-${process.pid}.probe`);
  return withStorageErrors(folder, () => {
    const file = openSync(path, 'wx', FILE_MODE);
    try {
      const piece = new Uint8Array(PIECE_BYTES);
      const times = Array.from({ length: SYNCS }, () => {
        writeSync(file, piece);
        const startMs = performance.now();
        fsyncSync(file);
        return performance.now() - startMs;
      });
      return times.sort((a, b) => a - b)[(SYNCS - 1) / 2] ?? 0;
    } finally {
      closeSync(file);
      rmSync(path, { force: true });
    }
  });
}
