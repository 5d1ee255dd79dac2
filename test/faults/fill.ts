/** Fills a disk, for tests. */
import { statfsSync, writeFileSync } from 'node:fs';

/** Writes to the filler until nothing more fits. */
export function fill(disk: string, filler: string): void {
  const { bavail, bsize } = statfsSync(disk);
  for (let size = Math.max(bavail, 0) * bsize; size > 0; size = Math.floor(size / 2)) {
    try {
      writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Less of it fits.
    }
  }
}
