/**
 * How long the import of a file of postcodes takes that is as large as the national one, the memory
 * that it has at its peak, and what is on the disk afterwards. The postcodes are invented.
 */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { round, type Table } from '../figures.ts';
import type { Options } from '../options.ts';
import { NATIONAL_COLUMNS, NATIONAL_POSTCODES, postcodeFile } from '../postcode-file.ts';
import { valueRow, valueTable } from '../value-table.ts';
import { measureProgram } from './import.ts';

export async function runPostcodes(options: Options): Promise<Table[]> {
  if (!options.isWanted('postcodes', 'postcodes')) return [];
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-postcodes-'));
  try {
    const file = join(folder, 'onspd.csv');
    const postcodes = postcodeFile({ count: NATIONAL_POSTCODES, columns: NATIONAL_COLUMNS });
    await pipeline(Readable.from(postcodes), createWriteStream(file));
    const data = join(folder, 'data');
    const words = ['import-postcodes', file, '--data', data, '--quiet'];
    const { seconds, peakMb, cpu } = await measureProgram(words);
    const disk = statSync(join(data, 'postcodes.bin')).size / 1e6;
    return [
      valueTable('postcodes', `Import of ${NATIONAL_POSTCODES} postcodes`, [
        valueRow('postcodes-seconds', 'time', round(seconds), 's'),
        valueRow('postcodes-cpu', 'CPU', round(cpu), 's'),
        valueRow('postcodes-peak', 'largest resident memory', Math.round(peakMb), 'MB'),
        valueRow('postcodes-disk', 'on the disk', round(disk), 'MB'),
        valueRow('postcodes-file', 'the file', Math.round(statSync(file).size / 1e6), 'MB'),
      ]),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
