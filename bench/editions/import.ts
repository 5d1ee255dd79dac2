/** How long the import of a release takes, and the memory it has at its peak. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { importWords, ROOT, releaseFile } from '../data.ts';
import { round, type Table } from '../figures.ts';
import { residentMb } from '../machine.ts';
import type { Options } from '../options.ts';
import { valueRow, valueTable } from '../value-table.ts';

export async function runImport(options: Options): Promise<Table[]> {
  if (!options.isWanted('import', 'import')) return [];
  const file = releaseFile(options.records);
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-import-'));
  try {
    const { seconds, peakMb } = await measureImport(file, folder);
    return [
      valueTable('import', `Import of ${options.records} organisations into an empty folder`, [
        valueRow('import-seconds', 'time', round(seconds), 's'),
        valueRow('import-peak', 'largest resident memory', Math.round(peakMb), 'MB'),
      ]),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Between two looks no import grows by much. */
const LOOK_EVERY_MS = 20;

async function measureImport(file: string, folder: string) {
  const startMs = performance.now();
  const child = spawn(process.execPath, importWords(file, folder), { cwd: ROOT, stdio: 'ignore' });
  const exited = once(child, 'exit');
  let peakMb = 0;
  while (child.exitCode === null) {
    peakMb = Math.max(peakMb, lookAt(child.pid));
    await Promise.race([exited, delay(LOOK_EVERY_MS)]);
  }
  if (child.exitCode !== 0) throw new Error('the import failed');
  return { seconds: (performance.now() - startMs) / 1000, peakMb };
}

/** Nothing where the process has just ended. */
function lookAt(pid: number | undefined): number {
  try {
    return residentMb(pid) || 0;
  } catch {
    return 0;
  }
}
