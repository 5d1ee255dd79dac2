/** Reports of invented practitioners. Their names are words that no person has. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PractitionersBuilder } from '../../../src/directory/practitioners/build-practitioners.ts';
import type {
  PractitionerFile,
  Practitioners,
} from '../../../src/directory/practitioners/practitioners.ts';
import { openPractitioners } from '../../../src/directory/practitioners/stored-practitioners.ts';
import { readPractitionerFiles } from '../../../src/sources/practitioners/read-practitioner-files.ts';
import { decodeTable, encodeTable } from '../../../src/storage/tables/table-bytes.ts';
import { PRACTITIONER_TABLE } from '../../../src/storage/tables/table-kinds.ts';

export type Cells = readonly string[];
export type Files = Readonly<Partial<Record<PractitionerFile, readonly Cells[]>>>;

export function csvOf(rows: readonly Cells[]): string {
  return rows
    .map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`)
    .join('');
}

/** A row of as many cells, of which some have a text, by the number of the column. */
export function rowWith(cells: number, texts: Readonly<Record<number, string>>): Cells {
  return Array.from({ length: cells }, (_, at) => texts[at + 1] ?? '');
}

/** A row of egpcur, epcdp or ngpcur. */
export function standardRow(
  code: string,
  name: string,
  texts: Readonly<Record<number, string>> = {},
) {
  return rowWith(27, { 1: code, 2: name, 13: 'A', ...texts });
}

/** One or a few of each kind. The practices and trusts are those of `test/directory/records.ts`, or unknown. */
export const SMALL_FILES: Files = {
  egpcur: [
    standardRow('G1234567', 'TESTPERSON A', {
      5: '1 EXAMPLE ROAD',
      10: 'LS1 4AP',
      11: '20010401',
      14: 'P',
      15: 'A81001',
      16: '20010401',
      18: '0113 496 0000',
    }),
    standardRow('G7654321', 'TESTPERSON A', { 14: 'O', 15: 'A81002', 16: '20200101' }),
    standardRow('G1111111', 'SAMPLE-NAME B', {
      12: '20240331',
      13: 'C',
      14: 'P',
      15: 'A81001',
      16: '19990401',
      17: '20240331',
    }),
    standardRow('G9999998', 'LOCUM'),
  ],
  epracmem: [
    ['G1234567', 'A81001', 'P', '20010401', '', '0'],
    ['G7654321', 'A81002', 'P', '20200101', '', '0'],
    ['G1111111', 'A81001', 'P', '19990401', '20240331', '1'],
    ['G1111111', 'Z99999', 'P', '19900401', '19990331', '0'],
  ],
  egmcmem: [
    ['9000001', 'Anyone', 'Testperson', 'G1234567', '20260401'],
    ['9000001', 'Anyone', 'Testperson', 'G7654321', '20260401'],
  ],
  econcur: [
    rowWith(13, { 1: '9000001', 2: 'C9000001', 3: 'TESTPERSON A', 6: '120|130', 8: 'RR8' }),
    rowWith(13, { 1: '9000002', 2: 'C9000002', 3: 'PLACEHOLDER C D', 6: '300', 8: 'RR8' }),
    rowWith(13, { 1: '9000002', 2: 'C9000002', 3: 'PLACEHOLDER C D', 6: '300', 8: 'RCB' }),
  ],
  edconcur: [rowWith(8, { 1: '9000001', 2: 'CD900001', 3: 'MADEUP', 4: 'E', 6: '140', 8: 'RR8' })],
  enurse: [
    rowWith(20, { 1: 'PN', 2: 'A81001', 3: '01A2345E', 4: '20100101', 7: 'F', 8: 'INVENTED' }),
    rowWith(20, { 1: 'PN', 2: 'A81002', 3: '01A2345E', 4: '20150101', 7: 'F', 8: 'INVENTED' }),
  ],
  epcdp: [standardRow('Q1234567', 'FICTIONAL G', { 14: '1', 15: 'QWO', 16: '20100101' })],
  ngpcur: [standardRow('Z1234', 'NOBODY H', { 14: 'P', 15: 'Z00001' })],
};

/** Writes the files, and returns their paths. */
export function writeFiles(folder: string, files: Files = SMALL_FILES): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(files).map(([name, rows]) => {
    const path = join(folder, `${name}.csv`);
    writeFileSync(path, csvOf(rows));
    return path;
  });
}

/** The bytes that a store keeps of the files at these paths. */
export async function practitionerBytes(paths: readonly string[]): Promise<Uint8Array> {
  const { arrays, organisations: _, ...read } = await readPractitionerFiles(paths);
  const about = { source: 'practitioners', importedAt: '2026-04-01T10:00:00.000Z', ...read };
  return encodeTable(PRACTITIONER_TABLE, about, arrays);
}

/** As a server opens them. */
export function openBytes(bytes: Uint8Array): Practitioners {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return openPractitioners(decodeTable(PRACTITIONER_TABLE, 'test', memory));
}

/** The codes of the organisations that invented practitioners work for, by the number of the row. */
export interface Employers {
  practice(at: number): string;
  trust(at: number): string;
}

const INVENTED_EMPLOYERS: Employers = {
  practice: (at) => `A${digits(at % 9000, 5)}`,
  trust: (at) => `R${digits(at % 300, 2)}`,
};

/** Files of about `count` practitioners, in the shares of the national files. */
export function manyFiles(count: number, employers: Employers = INVENTED_EMPLOYERS): Files {
  const { practice } = employers;
  const [gps, rest] = [Math.round(count * 0.4), Math.round(count * 0.03)];
  return {
    egpcur: each(gps, (at) => manyGp(at, practice(at))),
    epracmem: each(gps * 2, (at) => [
      `G${digits((at % gps) + 1)}`,
      practice(at),
      'P',
      at < gps ? '20010401' : '19910401',
      at < gps ? '' : '20010331',
      '0',
    ]),
    egmcmem: each(gps, (at) => [
      digits(at + 1),
      `Given${at}`,
      `Testperson${at}`,
      `G${digits(at + 1)}`,
      '20260401',
    ]),
    econcur: each(Math.round(count * 0.45), (at) =>
      manyConsultant(at, digits(at + 1), `C${digits(at + 1)}`, String(100 + (at % 80)), employers),
    ),
    edconcur: each(rest, (at) =>
      manyConsultant(at, digits(at + 1, 6), `CD${digits(at + 1, 6)}`, '140', employers),
    ),
    enurse: each(Math.round(count * 0.12), (at) => manyNurse(at, practice(at))),
    epcdp: each(rest, (at) =>
      standardRow(`Q${digits(at + 1)}`, manyName(at), { 14: '1', 15: 'QWO' }),
    ),
    ngpcur: each(rest, (at) =>
      standardRow(`Z${digits(at + 1, 4)}`, manyName(at), { 14: 'P', 15: 'Z00001' }),
    ),
  };
}

function each<Item>(length: number, make: (at: number) => Item): Item[] {
  return Array.from({ length }, (_, at) => make(at));
}

function digits(number: number, length = 7): string {
  return String(number).padStart(length, '0');
}

function manyName(at: number): string {
  return `TESTPERSON${digits(at, 6)} ${letter(at)}${letter(at / 26)}`;
}

function manyGp(at: number, practice: string): Cells {
  return standardRow(`G${digits(at + 1)}`, manyName(at), {
    3: 'Y63',
    4: 'QWO',
    5: 'THE EXAMPLE SURGERY',
    6: `${at % 300} EXAMPLE STREET`,
    8: 'EXAMPLETOWN',
    9: 'EXAMPLESHIRE',
    10: 'LS1 4AP',
    11: '20010401',
    14: at % 4 === 0 ? 'O' : 'P',
    15: practice,
    16: '20010401',
    18: '0113 4960000',
    22: '0',
  });
}

function manyConsultant(
  at: number,
  number: string,
  code: string,
  specialty: string,
  { trust }: Employers,
): Cells {
  return rowWith(13, { 1: number, 2: code, 3: manyName(at), 6: specialty, 8: trust(at) });
}

function manyNurse(at: number, practice: string): Cells {
  return rowWith(20, {
    1: at % 2 === 0 ? 'PN' : 'CN',
    2: practice,
    3: `${digits(Math.floor(at / 10_000) % 100, 2)}A${digits(at % 10_000, 4)}E`,
    4: '20100101',
    6: 'MX',
    7: letter(at),
    8: `TESTPERSON${at}`,
    9: 'THE EXAMPLE SURGERY',
    14: 'LS1 4AP',
    18: manyName(at),
  });
}

function letter(number: number): string {
  return String.fromCharCode(65 + (Math.floor(number) % 26));
}

/** As a store keeps some GPs, without a file that they come from. */
export function bytesOfGps(count: number): Uint8Array {
  const builder = new PractitionersBuilder();
  for (let at = 1; at <= count; at++) {
    const code = `G${String(at).padStart(7, '0')}`;
    const numbers = [{ kind: 1, value: code }] as const;
    const membership = { kind: 'ME1', organisation: `A${at}` } as const;
    const name = `TESTPERSON ${at}`;
    builder.add({ code, name, type: 'PGP', roles: [], isActive: true, numbers, membership }, true);
  }
  const { arrays, practitioners, memberships } = builder.finish();
  const about = {
    source: 'practitioners',
    importedAt: '2026-04-01T10:00:00.000Z',
    practitioners,
    memberships,
    rows: {},
  };
  return encodeTable(PRACTITIONER_TABLE, about, arrays);
}
