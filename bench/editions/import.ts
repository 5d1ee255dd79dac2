/** How long the import of a release takes, and the memory it has at its peak. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { importWords, ROOT, releaseFile } from '../data.ts';
import { round, type Table } from '../figures.ts';
import { cpuSeconds, pinned, residentMb, SERVER_CORE } from '../machine.ts';
import type { Options } from '../options.ts';
import { installedProgram } from '../program.ts';
import { valueRow, valueTable } from '../value-table.ts';
import { expatCpu } from '../xml/expat.ts';

export async function runImport(options: Options): Promise<Table[]> {
  if (!options.isWanted('import', 'import')) return [];
  const file = releaseFile(options.records);
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-import-'));
  try {
    const measure = (name: string, core?: string) =>
      measureProgram(importWords(file, join(folder, name)), core);
    const all = await measure('all');
    const alone = await measure('alone', SERVER_CORE);
    const xml = join(folder, 'release.xml');
    writeFileSync(xml, gunzipSync(readFileSync(file)));
    const expat = expatCpu(xml);
    return [
      valueTable('import', `Import of ${options.records} organisations into an empty folder`, [
        valueRow('import-seconds', 'time', round(all.seconds), 's'),
        valueRow('import-peak', 'largest resident memory', Math.round(all.peakMb), 'MB'),
        valueRow('import-one-core', 'time on one core', round(alone.seconds), 's'),
        valueRow('import-cpu', 'CPU on one core', round(alone.cpu), 's'),
        ...(expat === undefined
          ? []
          : [valueRow('import-to-expat', 'CPU against xmlwf', round(alone.cpu / expat), '')]),
      ]),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Between two looks no import grows by much. */
const LOOK_EVERY_MS = 20;

/** Runs a command of the program to its end. */
export async function measureProgram(command: readonly string[], core?: string) {
  const main = await installedProgram();
  const startMs = performance.now();
  const [file = '', ...words] = [...pinned(core), process.execPath, main, ...command];
  const child = spawn(file, words, { cwd: ROOT, stdio: 'ignore' });
  const exited = once(child, 'exit');
  let peakMb = 0;
  let cpu = 0;
  while (child.exitCode === null) {
    peakMb = Math.max(
      peakMb,
      lookAt(() => residentMb(child.pid)),
    );
    cpu = Math.max(
      cpu,
      lookAt(() => cpuSeconds(child.pid)),
    );
    await Promise.race([exited, delay(LOOK_EVERY_MS)]);
  }
  if (child.exitCode !== 0) throw new Error('the import failed');
  return { seconds: (performance.now() - startMs) / 1000, peakMb, cpu };
}

/** Nothing where the process has just ended. */
function lookAt(figure: () => number): number {
  try {
    return figure() || 0;
  } catch {
    return 0;
  }
}
