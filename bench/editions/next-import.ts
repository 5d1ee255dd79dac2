/** What imports cost that change little, against a full import of the same release in the same run. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importWords, releaseFile } from '../data.ts';
import { round, spreadOf, type Table } from '../figures.ts';
import type { Options } from '../options.ts';
import { valueRow, valueTable } from '../value-table.ts';
import { writeChanges, writeNewRecords, writeNextRelease } from './changed-releases.ts';
import { measureProgram } from './import.ts';

export async function runNextImport(options: Options): Promise<Table[]> {
  if (!options.isWanted('next-import', 'next-import')) return [];
  const release = releaseFile(options.records);
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-next-'));
  try {
    const path = (name: string) => join(folder, name);
    writeChanges(release, path('one.xml'), 1);
    writeChanges(release, path('thousand.xml'), Math.min(1000, options.records >> 3));
    writeNewRecords(release, path('new.xml'), Math.min(100, options.records >> 3));
    writeNextRelease(release, path('next.xml'));
    // As the release is, which the full import reads.
    spawnSync('gzip', [path('next.xml')]);
    const cpuOf = async (file: string, data: string) => {
      const { cpu } = await measureProgram(importWords(file, path(data)));
      return cpu;
    };
    const ratios: Record<string, number[]> = { one: [], thousand: [], new: [], next: [] };
    const full: number[] = [];
    for (let time = 0; time < options.rounds; time++) {
      const whole = await cpuOf(release, `full-${time}`);
      full.push(whole);
      for (const [name, file] of Object.entries(FILES)) {
        cpSync(path(`full-${time}`), path(`${name}-${time}`), { recursive: true });
        const cpu = await cpuOf(path(file), `${name}-${time}`);
        ratios[name]!.push(cpu / whole);
      }
    }
    const median = (values: readonly number[] = []) => round(spreadOf(values).median);
    return [
      valueTable('next-import', `Imports after one of ${options.records} organisations`, [
        valueRow('next-import-full', 'CPU of the full import', median(full), 's'),
        valueRow('next-import-one', 'changes of 1 record, of that CPU', median(ratios.one), ''),
        valueRow('next-import-thousand', 'of 1,000 records', median(ratios.thousand), ''),
        valueRow('next-import-new', '100 new records', median(ratios.new), ''),
        valueRow('next-import-release', 'a release with 1 % changed', median(ratios.next), ''),
      ]),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const FILES = { one: 'one.xml', thousand: 'thousand.xml', new: 'new.xml', next: 'next.xml.gz' };
