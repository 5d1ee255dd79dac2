/** How often a second the disk syncs a file that grows by a page each time. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PAGE_BYTES = 4096;
const DURATION_MS = 1000;

export function measureSyncs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-disk-'));
  const file = openSync(join(folder, 'syncs'), 'w');
  try {
    const page = Buffer.alloc(PAGE_BYTES, 1);
    const startMs = performance.now();
    let count = 0;
    let elapsedMs = 0;
    for (; elapsedMs < DURATION_MS; count++) {
      writeSync(file, page);
      fdatasyncSync(file);
      elapsedMs = performance.now() - startMs;
    }
    return (count / elapsedMs) * 1000;
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}
