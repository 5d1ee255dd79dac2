/** How fast a release and bodies are read from XML, beside saxes and expat. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { releaseFile } from '../data.ts';
import { measure } from '../engine/run.ts';
import { type Cell, round, type Table } from '../figures.ts';
import { pinned, SERVER_CORE } from '../machine.ts';
import type { Options } from '../options.ts';
import { valueRow, valueTable } from '../value-table.ts';
import type { XmlFigures } from './measure.ts';

export function runXml(options: Options): Table[] {
  if (!options.isWanted('xml', 'xml')) return [];
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-xml-'));
  try {
    const file = join(folder, 'release.xml');
    // Without its byte order mark, as the tokenizer is given it.
    writeFileSync(file, gunzipSync(readFileSync(releaseFile(options.records))).subarray(3));
    const figures = measure<XmlFigures>('xml/measure.ts', ['--file', file]);
    return [readersTable(figures, expatCpu(file)), bodiesTable(figures.bodies)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readersTable({ megabytes, readers }: XmlFigures, expat: number | undefined): Table {
  const row = (name: string, cpu: number): Cell[] => {
    return [name, round(cpu), round(megabytes / cpu)];
  };
  const rows = Object.entries(readers).map(([name, cpu]) => row(name, cpu));
  rows.push(
    expat === undefined
      ? ['expat (xmlwf)', 'skipped: xmlwf is not installed', '']
      : row('expat (xmlwf)', expat),
  );
  return {
    name: 'xml',
    title: `Reading the XML of a release, ${Math.round(megabytes)} MB, on one core`,
    columns: ['reader', 'CPU s', 'MB/s'],
    rows,
  };
}

function bodiesTable({ xml, json }: XmlFigures['bodies']): Table {
  return valueTable('xml-bodies', 'Decoding and checking an order response', [
    valueRow('xml-body', 'from XML, CPU', round(xml), 'µs'),
    valueRow('json-body', 'from JSON, CPU', round(json), 'µs'),
    valueRow('xml-to-json', 'XML against JSON', round(xml / json), ''),
  ]);
}

/** The least CPU time of some runs; undefined where expat's program is not installed. */
function expatCpu(file: string): number | undefined {
  const seconds: number[] = [];
  for (let run = 0; run < EXPAT_RUNS; run++) {
    const words = [...pinned(SERVER_CORE), 'xmlwf', file].map((word) => `'${word}'`).join(' ');
    // The shell tells what its children took in the second line of `times`.
    const { stdout } = spawnSync('sh', ['-c', `${words} && times`], { encoding: 'utf8' });
    const [, children = ''] = stdout.trim().split('\n');
    const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
    if (parts.length !== 2) return undefined;
    seconds.push(parts.reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0));
  }
  return Math.min(...seconds);
}

const EXPAT_RUNS = 5;
