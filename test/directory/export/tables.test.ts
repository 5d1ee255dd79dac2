/** The files for analysis: their rows, types and keys, in both forms. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { openEdition } from '../../../src/directory/edition/edition.ts';
import type { DirectoryCriterion } from '../../../src/directory/index/organization-index.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { findMatches } from '../../../src/interfaces/faces/export-matches.ts';
import type { TableForm } from '../../../src/interfaces/files/tables/table.ts';
import { TABLE_FORM_NAMES } from '../../../src/interfaces/files/tables/table-forms.ts';
import { TABLES } from '../../../src/interfaces/files/tables/tables.ts';
import { writeTables } from '../../../src/interfaces/files/tables/write-tables.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS, relationship } from '../../web/related-records.ts';
import { editionOf } from '../directory-server.ts';
import { editionArrays } from '../edition-arrays.ts';
import { postcodeFile } from '../places/postcode-rows.ts';
import { organization, role } from '../records.ts';
import { type ReadTables, readParquetZip, readSqlite } from './read-tables.ts';

const PERIODS = [
  { kind: 'Operational', start: '2001-04-01', end: '2010-03-31' },
  { kind: 'Operational', start: '2012-04-01' },
  { kind: 'Legal', start: '2000-01-01', end: '2011-12-31' },
] as const;

const DAYS = {
  operational_start: '2001-04-01',
  operational_end: '2010-03-31',
  legal_start: '2000-01-01',
  legal_end: '2011-12-31',
};

const NO_DAYS = {
  operational_start: null,
  operational_end: null,
  legal_start: null,
  legal_end: null,
};

/** Has a value in every column. */
const FULL: SourceRecord = {
  ...organization('A1', {
    name: 'Café "Quotes", 😀',
    isActive: false,
    lastUpdated: '2019-07-01T10:30:00.500+01:00',
    recordClass: '2',
    periods: PERIODS,
    roles: [role('177', { isPrimary: true, isActive: false, periods: PERIODS, uniqueId: 7 })],
    telecoms: [
      { system: 'phone', value: '0113 1' },
      { system: 'phone', value: '0113 2' },
      { system: 'fax', value: '0113 3' },
      { system: 'email', value: 'a@example.org' },
      { system: 'url', value: 'https://example.org/' },
    ],
    address: {
      lines: ['ONE', 'TWO', 'THREE', 'FOUR'],
      city: 'LEEDS',
      district: 'WEST YORKSHIRE',
      postalCode: 'LS1 1AA',
      country: 'ENGLAND',
      uprn: '0012345',
    },
    authority: 'HSCIC',
  }),
  relationships: [
    relationship('4', 'B1', '98', { isActive: false, periods: PERIODS, uniqueId: 4_000_000_000 }),
    relationship('8', 'NONE', '272'),
  ],
  successions: [
    { kind: 'Successor', periods: PERIODS, uniqueId: 3, isForward: true, target: { code: 'B1' } },
    { kind: 'Predecessor', periods: [], target: { code: 'GONE' } },
  ],
};

/** The rows of an edition with this record alone. */
const FULL_TABLES = {
  edition: [
    {
      number: 12,
      published_at: '2026-09-01T10:00:00.123Z',
      publication_date: null,
      records: 1,
      is_complete: true,
      program_version: '1.2.3',
    },
  ],
  organisation: [
    {
      code: 'A1',
      name: 'Café "Quotes", 😀',
      status: 'Inactive',
      primary_role: 'RO177',
      primary_role_name: 'PRESCRIBING COST CENTRE',
      record_class: 'RC2',
      record_class_name: 'HSCSite',
      address_line_1: 'ONE',
      address_line_2: 'TWO',
      address_line_3: 'THREE, FOUR',
      town: 'LEEDS',
      county: 'WEST YORKSHIRE',
      postcode: 'LS1 1AA',
      country: 'ENGLAND',
      uprn: '0012345',
      phone: '0113 1',
      fax: '0113 3',
      email: 'a@example.org',
      url: 'https://example.org/',
      last_changed: '2019-07-01',
      ...DAYS,
      reference_only: false,
      authority: 'HSCIC',
      operator: null,
      network: 'NONE',
      sub_icb: 'B1',
      icb: null,
      region: null,
      latitude: 53.7957,
      longitude: -1.5509,
      easting: 429_686,
      northing: 433_370,
    },
  ],
  role: [
    {
      organisation: 'A1',
      role: 'RO177',
      name: 'PRESCRIBING COST CENTRE',
      is_primary: true,
      status: 'Inactive',
      ...DAYS,
      unique_id: 7,
    },
  ],
  relationship: [
    {
      source: 'A1',
      type: 'RE4',
      type_name: 'IS COMMISSIONED BY',
      target: 'B1',
      target_primary_role: 'RO98',
      status: 'Inactive',
      ...DAYS,
      unique_id: 4_000_000_000,
    },
    {
      source: 'A1',
      type: 'RE8',
      type_name: 'IS PARTNER TO',
      target: 'NONE',
      target_primary_role: 'RO272',
      status: 'Active',
      ...NO_DAYS,
      operational_start: '2020-04-01',
      unique_id: null,
    },
  ],
  succession: [
    {
      predecessor: 'A1',
      successor: 'B1',
      ...DAYS,
      predecessor_unique_id: 3,
      successor_unique_id: null,
      is_forward: true,
    },
    {
      predecessor: 'GONE',
      successor: 'A1',
      ...NO_DAYS,
      predecessor_unique_id: null,
      successor_unique_id: null,
      is_forward: null,
    },
  ],
};

/** A record of a FHIR source, with dates that lack a day or a month. */
const PARTIAL: SourceRecord = {
  ...organization('B1', {
    roles: [
      role('98', {
        isPrimary: true,
        periods: [
          { kind: 'Operational', start: '2001', end: '2004' },
          { kind: 'Legal', start: '2003-02', end: '2004-02' },
        ],
      }),
      role('OTHER', { periods: [] }),
    ],
    periods: [],
  }),
  successions: [{ kind: 'Predecessor', periods: [], uniqueId: 9, target: { code: 'A1' } }],
};

const REFERENCE: SourceRecord = {
  ...organization('C1', { roles: [], periods: [] }),
  isReferenceOnly: true,
  successions: [{ kind: 'Predecessor', periods: [], target: { code: 'B1' } }],
};

const IDENTITY = { number: 12, publishedAt: '2026-09-01T10:00:00.123Z' };

/** Writes both forms, and checks that they have the same rows. */
async function tablesOf(
  context: TestContext,
  records: readonly SourceRecord[],
  criteria: readonly DirectoryCriterion[] = [],
): Promise<ReadTables> {
  const folder = temporaryFolder(context);
  const edition = openEdition(
    IDENTITY,
    editionArrays(records, { codeSystems: RELATED_CODE_SYSTEMS }),
    postcodeFile([
      {
        postcode: 'LS1 1AA',
        position: { latitude: 53.7957, longitude: -1.5509 },
        grid: { easting: 429_686, northing: 433_370 },
      },
    ]),
  );
  const matches = findMatches(edition, { criteria }, true);
  const pathOf = (form: TableForm) => join(folder, `file.${form}`);
  for (const form of TABLE_FORM_NAMES) {
    await writeTables(form, pathOf(form), { edition, ...matches, programVersion: '1.2.3' });
  }
  const fromSqlite = readSqlite(pathOf('sqlite'));
  const fromParquet = await readParquetZip(pathOf('parquet'));
  assert.deepEqual(fromParquet.tables, fromSqlite.tables);
  return { ...fromSqlite, datapackage: fromParquet.datapackage };
}

describe('the files for analysis', () => {
  it('have every part of a record, with its type', async (context) => {
    const { tables } = await tablesOf(context, [FULL]);
    assert.deepEqual(tables, FULL_TABLES);
  });

  it('name what an organisation belongs to on the day of the edition', async (context) => {
    const { tables } = await tablesOf(context, RELATED_RECORDS);
    const levels = Object.fromEntries(
      (tables.organisation ?? []).map(({ code, operator, network, sub_icb, icb, region }) => [
        code,
        [operator, network, sub_icb, icb, region],
      ]),
    );
    assert.deepEqual(levels.A81001, [null, 'U10001', '15F', 'QWO', 'Y63']);
    assert.deepEqual(levels.RR801, ['RR8', null, null, 'QWO', 'Y63']);
  });

  it('have a date without a day or a month as the first or last day of it', async (context) => {
    const { tables } = await tablesOf(context, [PARTIAL]);
    const [first, second] = tables.role ?? [];
    assert.deepEqual(
      { ...first },
      {
        ...first,
        operational_start: '2001-01-01',
        operational_end: '2004-12-31',
        legal_start: '2003-02-01',
        legal_end: '2004-02-29',
      },
    );
    assert.deepEqual({ ...second }, { ...second, role: 'OTHER', name: null, ...NO_DAYS });
  });

  it('have the reference-only records, which may have no role', async (context) => {
    const { tables } = await tablesOf(context, [FULL, PARTIAL, REFERENCE]);
    assert.deepEqual(
      tables.organisation?.map((row) => [row.code, row.primary_role, row.reference_only]),
      [
        ['A1', 'RO177', false],
        ['B1', 'RO98', false],
        ['C1', null, true],
      ],
    );
  });

  it('have a succession once, though both records state it', async (context) => {
    const { tables } = await tablesOf(context, [FULL, PARTIAL, REFERENCE]);
    assert.deepEqual(
      tables.succession?.map((row) => [
        row.predecessor,
        row.successor,
        row.legal_start,
        row.predecessor_unique_id,
        row.successor_unique_id,
      ]),
      [
        ['A1', 'B1', '2000-01-01', 3, 9],
        ['GONE', 'A1', null, null, null],
        ['B1', 'C1', null, null, null],
      ],
    );
  });

  it('have only what belongs to the organisations of a search', async (context) => {
    const code: DirectoryCriterion = {
      type: 'token',
      field: 'primaryRole',
      values: [{ code: '98' }],
    };
    const { tables } = await tablesOf(context, [FULL, PARTIAL, REFERENCE], [code]);
    assert.deepEqual(
      Object.entries(tables).map(([name, rows]) => [name, rows.length]),
      [
        ['edition', 1],
        ['organisation', 1],
        ['role', 2],
        ['relationship', 0],
        ['succession', 2],
      ],
    );
    assert.equal(tables.edition?.[0]?.is_complete, false);
    assert.deepEqual(
      tables.succession?.map((row) => [row.predecessor, row.successor]),
      [
        ['A1', 'B1'],
        ['B1', 'C1'],
      ],
    );
  });

  it('have more rows than one group of Parquet', async (context) => {
    const many = Array.from({ length: 10_001 }, (_, i) => organization(`A${10_000 + i}`));
    const { tables } = await tablesOf(context, many);
    assert.equal(tables.organisation?.length, 10_001);
    assert.equal(tables.organisation.at(-1)?.code, 'A20000');
  });

  it('of no organisations have no rows', async (context) => {
    const { tables } = await tablesOf(context, []);
    assert.deepEqual(tables, {
      edition: tables.edition,
      organisation: [],
      role: [],
      relationship: [],
      succession: [],
    });
  });

  it('describe every column in a data package', async (context) => {
    const { tables, datapackage } = await tablesOf(context, [FULL]);
    const { resources, version } = JSON.parse(datapackage);
    assert.equal(version, '12');
    for (const { name, path, schema } of resources) {
      assert.equal(path, `${name}.parquet`);
      const fields: readonly { name: string; type: string; description: string }[] = schema.fields;
      assert.deepEqual(
        fields.map((field) => field.name),
        Object.keys(tables[name]?.[0] ?? {}),
      );
      for (const { description } of fields) assert.match(description, /\.$/);
    }
    assert.deepEqual(
      resources.map(({ schema }: { schema: object }) => ({ ...schema, $schema: 0, fields: 0 })),
      [
        { $schema: 0, fields: 0, primaryKey: ['number'] },
        { $schema: 0, fields: 0, primaryKey: ['code'] },
        { $schema: 0, fields: 0, foreignKeys: [ofOrganisation('organisation')] },
        { $schema: 0, fields: 0, foreignKeys: [ofOrganisation('source')] },
        { $schema: 0, fields: 0, primaryKey: ['predecessor', 'successor'] },
      ],
    );
  });
});

function ofOrganisation(field: string) {
  return { fields: [field], reference: { resource: 'organisation', fields: ['code'] } };
}

describe('the SQLite database', () => {
  const edition = editionOf(RELATED_RECORDS, 1, RELATED_CODE_SYSTEMS);
  const source = { edition, ...findMatches(edition, { criteria: [] }, true), programVersion: '' };

  async function open(context: TestContext): Promise<DatabaseSync> {
    const path = join(temporaryFolder(context), 'file.sqlite');
    await writeTables('sqlite', path, source);
    const database = new DatabaseSync(path, { readOnly: true });
    context.after(() => database.close());
    return database;
  }

  it('is sound, and its foreign keys hold', async (context) => {
    const database = await open(context);
    assert.deepEqual(
      database
        .prepare('PRAGMA integrity_check')
        .all()
        .map((row) => ({ ...row })),
      [{ integrity_check: 'ok' }],
    );
    const keys = database.prepare('PRAGMA foreign_key_list(relationship)').all();
    assert.deepEqual(
      keys.map(({ from, table, to }) => [from, table, to]),
      [['source', 'organisation', 'code']],
    );
    assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
  });

  for (const [table, column] of [
    ...TABLES.flatMap(({ name, indexes }) => indexes.map((column) => [name, column] as const)),
    ['organisation', 'code'],
    ['succession', 'predecessor'],
  ] as const) {
    it(`finds rows of ${table} by ${column} with an index`, async (context) => {
      const database = await open(context);
      const sql = `EXPLAIN QUERY PLAN SELECT * FROM ${table} WHERE ${column} = 'A'`;
      assert.match(String(database.prepare(sql).get()?.detail), /^SEARCH .* USING INDEX/);
    });
  }

  it('has its description too', async (context) => {
    const database = await open(context);
    const { resources } = JSON.parse(
      String(database.prepare('SELECT * FROM datapackage').get()?.json),
    );
    assert.deepEqual(resources[1].dialect, { table: 'organisation' });
  });

  for (const form of TABLE_FORM_NAMES) {
    it(`${form} is the same bytes each time, and never replaces a file`, async (context) => {
      const folder = temporaryFolder(context);
      const [first, second] = [join(folder, 'first'), join(folder, 'second')];
      await writeTables(form, first, source, { mode: 0o600 });
      await writeTables(form, second, source);
      assert.deepEqual(readFileSync(first), readFileSync(second));
      assert.equal(statSync(first).mode & 0o777, 0o600);
      writeFileSync(first, 'other');
      await assert.rejects(writeTables(form, first, source), { code: 'EEXIST' });
      assert.equal(readFileSync(first, 'utf8'), 'other');
    });

    it(`${form} leaves no file when it is stopped or fails`, async (context) => {
      const folder = temporaryFolder(context);
      const path = join(folder, 'file');
      const stopped = AbortSignal.abort();
      await assert.rejects(writeTables(form, path, source, { stopped }), { name: 'AbortError' });
      assert.deepEqual(readdirSync(folder), []);
      const codeOf = () => {
        throw new RangeError('no such row');
      };
      const links = { ...edition.links, codeOf };
      const broken = { ...source, edition: { ...edition, links } };
      await assert.rejects(writeTables(form, path, broken), RangeError);
      assert.deepEqual(readdirSync(folder), []);
    });
  }
});
