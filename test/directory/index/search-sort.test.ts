/** Sorted results have the rows of a plain filter, in the order of a plain sort. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SortKeyOf } from '../../../src/directory/index/columns/columns.ts';
import {
  type DirectoryQuery,
  type OrganizationColumns,
  type OrganizationIndex,
  openOrganizationIndex,
} from '../../../src/directory/index/organization-index.ts';
import { lastUpdatedMs, type OrganizationRecord } from '../../../src/directory/record/record.ts';
import { fold } from '../../../src/fhir/search/string.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { naiveSearch } from './naive-search.ts';
import { arraysOf, criterion, recordParts, sortedRecords, spread } from './random-records.ts';
import { recordOf } from './record-of.ts';

type Key = SortKeyOf<OrganizationColumns>;

interface SortedSearch {
  readonly query: DirectoryQuery;
  readonly sort: readonly Key[];
  readonly offset: number;
  readonly limit: number;
}

const searches: fc.Arbitrary<SortedSearch> = fc.record({
  query: fc.record({ criteria: fc.array(criterion, { maxLength: 2 }) }),
  sort: fc.array(
    fc.record({
      field: fc.constantFrom('name', 'lastUpdated', 'row'),
      isDescending: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 80 }), fc.constant(100_000)),
  limit: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.constant(1000)),
});

for (const [count, runs] of [
  [{ min: 1, max: 60 }, repetitions(50, 150)],
  [{ min: 200, max: 900 }, repetitions(20, 60)],
] as const) {
  test(`${count.min} to ${count.max} random records are sorted as by a plain sort`, () => {
    fc.assert(
      fc.property(
        fc.array(recordParts, { minLength: 1, maxLength: 60 }),
        fc.integer(count),
        fc.array(searches, { minLength: 4, maxLength: 12 }),
        (parts, recordCount, asked) => {
          const sorted = sortedRecords(spread(parts, recordCount));
          const index = openOrganizationIndex(arraysOf(sorted));
          for (const search of asked) assertSorted(index, sorted, search);
        },
      ),
      { numRuns: runs },
    );
  });
}

test('many records with few values are sorted by all keys', () => {
  const parts = fc.sample(recordParts, { numRuns: 40, seed: 9 });
  const sorted = sortedRecords(spread(parts, 20_000));
  const index = openOrganizationIndex(arraysOf(sorted));
  for (const search of fc.sample(searches, { numRuns: repetitions(70, 200), seed: 10 })) {
    assertSorted(index, sorted, search);
  }
});

test('records of which a part comes late in the order are sorted by all keys', () => {
  const count = 6000;
  const records = Array.from({ length: count }, (_, row) => {
    // No order of the rows: a step that has no factor in common with their number.
    const place = (row * 2741) % count;
    return recordOf({
      code: String(row).padStart(5, '0'),
      name: place % 97 === 0 ? undefined : `NAME ${String(place >> 1).padStart(4, '0')}`,
      lastUpdated: `20${10 + Math.floor(place / 600)}-01-01`,
      roles: [`${Math.floor(place / 500)}`, `${100 + Math.floor(Math.log2(place + 1))}`],
    });
  });
  const index = openOrganizationIndex(arraysOf(records));
  const role = (...codes: readonly string[]) =>
    ({ type: 'token', field: 'role', values: codes.map((code) => ({ code })) }) as const;
  for (const criterion of [
    ...['0', '1', '6', '11', '104', '107', '109', '111', '112'].map((code) => role(code)),
    role('4', '5'),
    role('9', '10', '11'),
    role('4', '108', '11'),
    { type: 'not', criterion: role('0', '1', '11') } as const,
    { type: 'string', field: 'name', match: 'contains', values: ['9', '88'] } as const,
    { type: 'string', field: 'name', match: 'startsWith', values: ['name 2'] } as const,
  ]) {
    for (const sort of [
      [{ field: 'name', isDescending: false }],
      [{ field: 'name', isDescending: true }],
      [
        { field: 'lastUpdated', isDescending: true },
        { field: 'name', isDescending: false },
      ],
      [
        { field: 'lastUpdated', isDescending: false },
        { field: 'row', isDescending: true },
      ],
    ] as const) {
      for (const [offset, limit] of [
        [0, 20],
        [110, 20],
        [3, 2000],
      ] as const) {
        const query = { criteria: [criterion] };
        assertSorted(index, records, { query, sort, offset, limit });
      }
    }
  }
});

const records = [
  recordOf({ code: 'A1', name: 'LEEDS TEACHING', lastUpdated: '2020-01-01' }),
  recordOf({ code: 'A2', name: 'Leeds', lastUpdated: '2020-01-02' }),
  recordOf({ code: 'A3', lastUpdated: '2020-01-01' }),
  recordOf({ code: 'A4', name: 'LEEDS', lastUpdated: '2020-01-02' }),
  recordOf({ code: 'A5', name: 'ÉCOLE', lastUpdated: '2019-01-01' }),
];
const index = openOrganizationIndex(arraysOf(records));

const cases: readonly [sort: string, codes: string][] = [
  ['', 'A1 A2 A3 A4 A5'],
  ['name', 'A5 A2 A4 A1 A3'],
  ['-name', 'A1 A2 A4 A5 A3'],
  ['name,-row', 'A5 A4 A2 A1 A3'],
  ['-row', 'A5 A4 A3 A2 A1'],
  ['-row,name', 'A5 A4 A3 A2 A1'],
  ['lastUpdated', 'A5 A1 A3 A2 A4'],
  ['-lastUpdated,-row', 'A4 A2 A3 A1 A5'],
  ['lastUpdated,-name', 'A5 A1 A3 A2 A4'],
];

for (const [text, codes] of cases) {
  test(`organisations sorted by "${text}"`, () => {
    const sort = text.split(',').flatMap((key): Key[] => {
      const field = key.replace('-', '');
      const isField = field === 'name' || field === 'lastUpdated' || field === 'row';
      return isField ? [{ field, isDescending: key.startsWith('-') }] : [];
    });
    const all = { criteria: [] };
    const codesOf = (rows: readonly number[]) => rows.map((row) => index.codeOf(row)).join(' ');
    assert.equal(codesOf(index.search(all, 0, 20, sort).rows), codes);
    assert.equal(codesOf(index.search(all, 1, 3, sort).rows), codes.slice(3, 11));
    assert.deepEqual(index.search(all, 0, 0, sort), { total: 5, rows: [] });
  });
}

test('rows that are together in the order, or have no value, are sorted', () => {
  const names = [() => undefined, (i: number) => `ZED ${i % 60}`, (i: number) => `ABLE ${i % 70}`];
  const many = Array.from({ length: 2000 }, (_, i) => {
    const kind = i % 20;
    const name = kind < names.length ? names[kind]?.(i) : `MID ${i}`;
    return recordOf({
      code: `B${String(i).padStart(4, '0')}`,
      roles: [['76', '57', '177'][kind] ?? '197'],
      ...(name !== undefined && { name }),
    });
  });
  const large = openOrganizationIndex(arraysOf(many));
  for (const role of ['76', '57', '177', '197']) {
    const values = [{ code: role }];
    const query = { criteria: [{ type: 'token', field: 'role', values } as const] };
    for (const isDescending of [false, true]) {
      for (const offset of [0, 70]) {
        const sort = [{ field: 'name', isDescending } as const];
        assertSorted(large, many, { query, sort, offset, limit: 20 });
      }
    }
  }
});

test('values of different indexes can be compared', () => {
  assert.equal(index.sortValue('name', 4), 'ecole');
  assert.equal(index.sortValue('name', 2), undefined);
  assert.equal(index.sortValue('lastUpdated', 0), Date.parse('2020-01-01'));
});

function assertSorted(
  index: OrganizationIndex,
  records: readonly OrganizationRecord[],
  { query, sort, offset, limit }: SortedSearch,
): void {
  const { total, rows } = naiveSearch(records, query, 0, records.length);
  const values = rows.map((row) => sort.map(({ field }) => sortedBy(records[row]!, row, field)));
  const places = [...rows.keys()].sort((one, other) => {
    for (const [key, { isDescending }] of sort.entries()) {
      const [first, second] = [values[one]![key], values[other]![key]];
      if (first === second) continue;
      if (first === undefined) return 1;
      if (second === undefined) return -1;
      return first < second === isDescending ? 1 : -1;
    }
    return one - other;
  });
  const sorted = places.map((place) => rows[place]!);
  assert.deepEqual(
    index.search(query, offset, limit, sort),
    { total, rows: sorted.slice(offset, offset + limit) },
    JSON.stringify({ query, sort, offset, limit }),
  );
}

function sortedBy(record: OrganizationRecord, row: number, field: Key['field']) {
  if (field === 'row') return row;
  if (field === 'lastUpdated') return lastUpdatedMs(record);
  return record.name === undefined ? undefined : fold(record.name);
}
