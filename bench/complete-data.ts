/**
 * A data folder with all that can be imported: two editions, postcodes and practitioners. It is made
 * once and kept. Both are invented, and as many as nationally.
 */
import { cpSync, createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { zipBytes } from '../scripts/release/zip.ts';
import type { Edition } from '../src/directory/edition/edition.ts';
import { partsOfPostcode } from '../src/directory/places/postcodes.ts';
import { primaryRoleOf } from '../src/directory/record/record-facts.ts';
import {
  type Employers,
  manyFiles,
  writeFiles,
} from '../test/directory/practitioners/practitioner-files.ts';
import { dataFolder, folderOf, openSample, ROOT, run } from './data.ts';
import { NATIONAL_POSTCODES, namesOfAreas, postcodeFile, READ_COLUMNS } from './postcode-file.ts';

const NATIONAL_PRACTITIONERS = 250_000;

/** The folder of a release of so many organisations. */
export async function completeDataFolder(records: number): Promise<string> {
  const folder = join(folderOf(records), 'data-complete');
  // The last that is made.
  if (existsSync(join(folder, 'practitioners.bin'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  cpSync(dataFolder(records, 2), folder, { recursive: true });
  await importOthers(folder, {
    postcodes: NATIONAL_POSTCODES,
    practitioners: NATIONAL_PRACTITIONERS,
  });
  return folder;
}

/** Imports invented postcodes and practitioners into a folder with an edition. */
export async function importOthers(
  folder: string,
  counts: { readonly postcodes: number; readonly practitioners: number },
): Promise<void> {
  const edition = await openSample(folder);
  const made = mkdtempSync(join(tmpdir(), 'gazetteer-bench-files-'));
  try {
    const postcodes = join(made, 'postcodes.zip');
    await writePostcodes(postcodes, counts.postcodes, edition);
    const words = ['--data', folder, '--quiet'];
    run(ROOT, ['src/main.ts', 'import-postcodes', postcodes, ...words]);
    const files = writeFiles(made, manyFiles(counts.practitioners, employersOf(edition)));
    run(ROOT, ['src/main.ts', 'import-practitioners', ...files, ...words]);
  } finally {
    rmSync(made, { recursive: true });
  }
}

/** The postcodes of the organisations, and others. */
async function writePostcodes(file: string, count: number, { rows }: Edition): Promise<void> {
  const own = new Set<string>();
  const codes: string[] = [];
  for (let row = 0; row < rows.count; row++) {
    const { code, address } = rows.recordAt(row);
    const parts = partsOfPostcode(address?.postalCode ?? '');
    if (parts !== undefined) own.add(parts.join(' '));
    if (codes.length < CODES) codes.push(code);
  }
  const table = postcodeFile({ count, columns: READ_COLUMNS, own });
  const entries = [
    { name: 'Data/ONSPD_INVENTED_UK.csv', content: Readable.from(table).map(Buffer.from) },
    ...namesOfAreas(count, codes).map(([name, text]) => ({ name, content: [Buffer.from(text)] })),
  ];
  await pipeline(Readable.from(zipBytes(entries)), createWriteStream(file));
}

/** As many as there are areas with a name. */
const CODES = 500;

const TRUST = '197';
const PRACTICE = '177';

/** As many consultants as the largest trusts have. */
const OF_LARGE_TRUST = 2_000;

/** One trust has many consultants. The others work for organisations of any kind. */
function employersOf({ rows }: Edition): Employers {
  const records = Array.from({ length: rows.count }, (_, row) => rows.recordAt(row));
  const codesOf = (role?: string) =>
    records
      .filter((record) => role === undefined || primaryRoleOf(record)?.code === role)
      .map(({ code }) => code);
  const [practices, [largeTrust = ''], all] = [codesOf(PRACTICE), codesOf(TRUST), codesOf()];
  return {
    practice: (at) => practices[at % practices.length] ?? '',
    trust: (at) => (at < OF_LARGE_TRUST ? largeTrust : (all[at % all.length] ?? '')),
  };
}
