/** How fast a release and bodies are read from XML, beside saxes and expat. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { releaseFile } from '../data.ts';
import { measure } from '../engine/run.ts';
import { type Cell, round, type Table } from '../figures.ts';
import type { Options } from '../options.ts';
import { valueRow, valueTable } from '../value-table.ts';
import { expatCpu } from './expat.ts';
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
