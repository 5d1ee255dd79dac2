/** Reports of practitioners: which files are read, and how wrong ones are refused. */
import assert from 'node:assert/strict';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, it, type TestContext } from 'node:test';
import { zipBytes } from '../../../scripts/release/zip.ts';
import {
  PRACTITIONER_FILES,
  type PractitionerFile,
} from '../../../src/directory/practitioners/practitioners.ts';
import { CsvRows, cellsOf } from '../../../src/sources/practitioners/csv-rows.ts';
import { readPractitionerFiles } from '../../../src/sources/practitioners/read-practitioner-files.ts';
import {
  type Cells,
  csvOf,
  openBytes,
  practitionerBytes,
  SMALL_FILES,
  standardRow,
  writeFiles,
} from '../../directory/practitioners/practitioner-files.ts';
import { fc } from '../../property.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

async function refusal(context: TestContext, name: string, content: string | Buffer) {
  const file = join(temporaryFolder(context), name);
  writeFileSync(file, content);
  try {
    await readPractitionerFiles([file]);
  } catch (error) {
    assert.ok(error instanceof Error && error.name === 'SourceError', String(error));
    return error.message;
  }
  return 'read';
}

const GIVE = 'Give the reports egpcur, epracmem, egmcmem, econcur, edconcur, enurse, epcdp, ngpcur';

describe('files of practitioners', () => {
  it('a zip as it is served and renamed files are read like the files', async (context) => {
    const folder = temporaryFolder(context);
    const expected = await practitionerBytes(writeFiles(folder));
    const entries = PRACTITIONER_FILES.map((name) => ({
      name: `pack/${name}.csv`,
      content: [Buffer.from(csvOf(SMALL_FILES[name] ?? []))],
    }));
    const other = { name: 'epraccur.csv', content: [Buffer.from('"A81001","SURGERY"\r\n')] };
    const zip = join(folder, 'prescribingDataPack.zip');
    writeFileSync(zip, Buffer.concat(await Array.fromAsync(zipBytes([other].concat(entries)))));
    assert.deepEqual(await practitionerBytes([zip]), expected);
    const renamed = join(folder, 'EGPCUR (1).csv');
    writeFileSync(renamed, csvOf(SMALL_FILES.egpcur ?? []));
    assert.equal((await readPractitionerFiles([renamed])).practitioners, 3);
  });

  it('names have single spaces, and no characters that the server writes around its values', async (context) => {
    const practitionersOf = async (name: string) => {
      const files = { egpcur: [standardRow('G1234567', name)] };
      const { arrays } = await readPractitionerFiles(writeFiles(temporaryFolder(context), files));
      // The file itself is kept as it is.
      return { ...arrays, 'file.egpcur': undefined };
    };
    assert.deepEqual(
      await practitionersOf(' TESTPERSON\ue0001\ue001  A\ue002'),
      await practitionersOf('TESTPERSON1 A'),
    );
  });

  it('a mark at the beginning, other line ends and cells without quotes do not matter', async (context) => {
    const file = join(temporaryFolder(context), 'epracmem.csv');
    const gps = join(temporaryFolder(context), 'egpcur.csv');
    writeFileSync(file, '\ufeffG1234567,A81001,P,20010401,,0\nG1234567,"A81002",P,,"",0\n');
    writeFileSync(gps, csvOf([standardRow('G1234567', 'O"TEST, A')]));
    const practitioners = openBytes(await practitionerBytes([file, gps]));
    const found = practitioners.find('G1234567');
    assert.equal(found?.name, 'O"TEST, A');
    assert.deepEqual(
      found?.memberships.map(({ organisation }) => organisation),
      ['A81001', 'A81002'],
    );
  });

  const gp = (texts: Readonly<Record<number, string>>) => csvOf([standardRow('G1', 'A', texts)]);
  const changed = (name: PractitionerFile, change: (cells: Cells) => Cells) =>
    csvOf((SMALL_FILES[name] ?? []).map(change));
  const CASES: readonly (readonly [string, string, string | Buffer, RegExp])[] = [
    [
      'headings',
      'egpcur.csv',
      csvOf([standardRow('Organisation Code', 'Name')]),
      /^egpcur\.csv, line 1: column 1 has "ORGANISATION CODE" instead of a code such as G1234567\. /,
    ],
    [
      'another number of columns',
      'epracmem.csv',
      'G1234567,A81001\n',
      /has 2 cells instead of 6\./,
    ],
    [
      'columns in another order',
      'econcur.csv',
      changed('econcur', ([first = '', second = '', ...rest]) => [second, first].concat(rest)),
      /line 1: column 2 has "9000001" instead of a code such as C1234567\./,
    ],
    ...PRACTITIONER_FILES.map(
      (name) =>
        [
          `the columns of ${name} in reverse`,
          `${name}.csv`,
          changed(name, (cells) => cells.toReversed()),
          new RegExp(`^${name}\\.csv, line 1: column \\d+ has "`),
        ] as const,
    ),
    [
      'a date of another form',
      'egpcur.csv',
      csvOf([standardRow('G1234567', 'A', { 11: '2001-04-01' })]),
      /column 11 has "2001-04-01" instead of a date such as 20260401\./,
    ],
    [
      'a day that no month has',
      'epracmem.csv',
      'G1234567,A81001,P,20010231,,0\n',
      /column 4 has "20010231" instead of a date/,
    ],
    [
      'a code twice',
      'egpcur.csv',
      csvOf([standardRow('G1234567', 'A'), standardRow('G1234567', 'B')]),
      /line 2: the code G1234567 is in the file a second time\./,
    ],
    ['a short code', 'egpcur.csv', gp({}), /column 1 has "G1" instead of/],
    ['no rows', 'egpcur.csv', '\r\n\r\n', /^egpcur\.csv has no rows\./],
    ['only nobody', 'egpcur.csv', csvOf([standardRow('G9999998', '')]), /has no rows\./],
    ['an open quotation mark', 'egpcur.csv', '"G1234567","A\nB"\n', /is not closed on its line\./],
    ['another name', 'doctors.csv', gp({}), /^doctors\.csv has the name of no report\. Give /],
    ['bytes', 'egpcur.csv', Buffer.alloc(5_000, 0xff), /line 1: the line has more than 4000 char/],
    ['a damaged zip', 'egpcur.zip', 'PK\u0003\u0004 nothing', /^egpcur\.zip is cut off or damaged/],
  ];
  for (const [what, name, content, message] of CASES) {
    it(`${what}: refused, with the place and the remedy`, async (context) => {
      const found = await refusal(context, name, content);
      assert.match(found, message);
      if (!name.endsWith('.zip')) assert.ok(found.includes(GIVE), found);
    });
  }

  const HEADINGS = ['Organisation Code', 'Name', 'National Grouping', 'Open Date'];
  for (const name of PRACTITIONER_FILES) {
    it(`${name} with headings is refused on its first line`, async (context) => {
      const heading = (_: string, at: number) => HEADINGS[at % HEADINGS.length]!;
      const [first = []] = SMALL_FILES[name] ?? [];
      const content = csvOf([first.map(heading), ...(SMALL_FILES[name] ?? [])]);
      const found = await refusal(context, `${name}.csv`, content);
      assert.match(found, new RegExp(`^${name}\\.csv, line 1: column \\d+ has "`));
    });

    it(`no other report is read in the place of ${name}`, async (context) => {
      for (const other of PRACTITIONER_FILES) {
        // The national pages do not say what codes of Northern Ireland look like.
        if (other === name || (name === 'ngpcur' && other !== 'epracmem')) continue;
        const found = await refusal(context, `${name}.csv`, csvOf(SMALL_FILES[other] ?? []));
        assert.match(found, new RegExp(`^${name}\\.csv, line 1: `), other);
      }
    });
  }

  it('the order of the files does not matter', async (context) => {
    const paths = writeFiles(temporaryFolder(context));
    const readAll = async (files: readonly string[]) => {
      const { count, at, roles, about } = openBytes(await practitionerBytes(files));
      return { roles, rows: about.rows, all: Array.from({ length: count }, (_, row) => at(row)) };
    };
    const given = await readAll(paths);
    for (let first = 0; first < paths.length; first++) {
      const others = paths.slice(first).concat(paths.slice(0, first));
      assert.deepEqual(await readAll(others), given);
      assert.deepEqual(await readAll(others.toReversed()), given);
    }
  });

  it('a practitioner of an unknown practice is kept, and the practice is named', async (context) => {
    const files = { egpcur: [standardRow('G1234567', 'A', { 15: 'Z99999', 16: '20200101' })] };
    const read = await readPractitionerFiles(writeFiles(temporaryFolder(context), files));
    assert.deepEqual(read.organisations, ['Z99999']);
    assert.equal(read.practitioners, 1);
  });

  it('a zip without a report is refused with what it holds', async (context) => {
    const entries = [{ name: 'etr.csv', content: [Buffer.from('x')] }];
    const zip = Buffer.concat(await Array.fromAsync(zipBytes(entries)));
    assert.match(
      await refusal(context, 'pack.zip', zip),
      /no report of practitioners \(it holds etr\.csv\)/,
    );
  });

  it('a file given twice is refused', async (context) => {
    const paths = writeFiles(temporaryFolder(context));
    await assert.rejects(readPractitionerFiles(paths.concat(paths)), {
      name: 'SourceError',
      message: 'egpcur.csv is the second file egpcur. Give each file once.',
    });
  });

  it('a cell of 100 MB is refused after its first few thousand characters', async (context) => {
    const file = join(temporaryFolder(context), 'egpcur.csv');
    const megabyte = Buffer.alloc(1 << 20, 'A');
    const cell = function* () {
      yield Buffer.from('"G1234567","');
      for (let at = 0; at < 100; at++) yield megabyte;
    };
    await pipeline(Readable.from(cell()), createWriteStream(file));
    await assert.rejects(readPractitionerFiles([file]), {
      name: 'SourceError',
      message: /line 1: the line has more than 4000 characters/,
    });
  });
});

describe('the cells of CSV', () => {
  const cells = fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', ' ', 'é', '😀') }), {
    minLength: 1,
    maxLength: 6,
  });

  it('are those that were written, quoted', () => {
    fc.assert(
      fc.property(cells, (row) => {
        assert.deepEqual(cellsOf(csvOf([row]).trimEnd()), row);
      }),
    );
  });

  it('are the same however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(cells), fc.integer({ min: 1, max: 9 }), (rows, size) => {
        const found: Cells[] = [];
        const reader = new CsvRows((row) => void found.push(row));
        const bytes = Buffer.from(csvOf(rows));
        for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size));
        reader.end();
        assert.deepEqual(found, rows);
      }),
    );
  });
});
