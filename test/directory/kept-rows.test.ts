/** Searches that keep rows have the same pages as those that do not, and search less often. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenColumns } from '../../src/directory/index/columns/columns.ts';
import {
  type DirectoryQuery,
  openOrganizationIndex,
} from '../../src/directory/index/organization-index.ts';
import type { SearchIndex } from '../../src/directory/index/search-index.ts';
import { createLoadedEditions } from '../../src/interfaces/answer/editions.ts';
import { createKeptRows } from '../../src/interfaces/answer/result-cache.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { editionArrays } from './edition-arrays.ts';
import { arraysOf, criterion, recordParts, sortedRecords, spread } from './index/random-records.ts';
import { RECORDS } from './records.ts';

const query = fc.record({
  criteria: fc.array(criterion, { maxLength: 2 }),
});
const sort = fc.option(
  fc.array(
    fc.record({
      field: fc.constantFrom('name', 'lastUpdated', 'row'),
      isDescending: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  { nil: undefined },
);
/** Each request is for one of a few searches, so that most searches are repeated. */
const requests = fc.array(
  fc.record({
    which: fc.nat({ max: 2 }),
    isReferences: fc.boolean(),
    offset: fc.oneof(fc.nat({ max: 60 }), fc.constant(0), fc.constant(100_000)),
    limit: fc.oneof(fc.nat({ max: 30 }), fc.constant(0), fc.constant(1000)),
  }),
  { minLength: 10, maxLength: 60 },
);
const bounds = fc.record({
  bytesMax: fc.constantFrom(0, 700, 3000, 1 << 20),
  rowsMax: fc.constantFrom(0, 5, 50, 10_000),
});

it('random searches that are repeated have the pages of the same searches without kept rows', () => {
  fc.assert(
    fc.property(
      fc.array(recordParts, { minLength: 8, maxLength: 60 }),
      fc.tuple(query, query, query),
      fc.tuple(sort, sort, sort),
      requests,
      bounds,
      (parts, queries, sorts, asked, limits) => {
        const full = openOrganizationIndex(arraysOf(sortedRecords(spread(parts, 200))));
        const references = openOrganizationIndex(arraysOf(sortedRecords(parts)));
        const keepRows = createKeptRows(limits);
        const keeping = [keepRows(full), keepRows(references)] as const;
        for (const { which, isReferences, offset, limit } of asked) {
          const [plain, kept] = isReferences ? [references, keeping[1]] : [full, keeping[0]];
          assert.deepEqual(
            kept.search(queries[which]!, offset, limit, sorts[which]),
            plain.search(queries[which]!, offset, limit, sorts[which]),
          );
        }
      },
    ),
    { numRuns: repetitions(30, 200) },
  );
});

describe('an index that keeps rows', () => {
  it('searches for the first two pages, and reads the others off', () => {
    const { index, searches } = countedIndex(90);
    const { search } = createKeptRows()(index);
    for (let offset = 0; offset < 100; offset += 20) {
      const rows = Array.from({ length: 90 }, (_, row) => row).slice(offset, offset + 20);
      assert.deepEqual(search(named('a'), offset, 20), { total: 90, rows });
    }
    assert.deepEqual(search(named('a'), 0, 0), { total: 90, rows: [] });
    assert.deepEqual(searches, ['a 0 20', 'a 20 20', 'a 0 90']);
  });

  it('reads all rows of a sorted search whose pages are all read from the first row on', () => {
    const { index, searches } = countedIndex(90);
    const { search } = createKeptRows()(index);
    for (let end = 20; end < 100; end += 20) search(named('a'), 0, end, BY_NAME);
    assert.deepEqual(searches, ['a 0 20', 'a 0 40', 'a 0 60', 'a 0 90']);
  });

  it('keeps only the first page if no other is requested', () => {
    const { index, searches } = countedIndex(90);
    const { search } = createKeptRows()(index);
    for (let time = 0; time < 5; time++) search(named('a'), 0, 20);
    for (let time = 0; time < 5; time++) search(named('a'), 0, 0);
    assert.deepEqual(searches, ['a 0 20', 'a 0 20']);
  });

  it('keeps only the total and the first page of too many rows', () => {
    const { index, searches } = countedIndex(1_000_000);
    const { search } = createKeptRows()(index);
    for (const offset of [40, 40, 40, 0, 0, 0, 40]) search(named('a'), offset, 20);
    for (let time = 0; time < 5; time++) search(named('a'), 0, 0);
    const deep = 'a 40 20';
    assert.deepEqual(searches, [deep, deep, deep, 'a 0 20', deep]);
    search(named('a'), 0, 1_000_000);
    search(named('a'), 0, 20);
    assert.equal(searches.length, 6, 'the first page stays');
  });

  it('distinguishes the order, and not an order without keys from none', () => {
    const { index, searches } = countedIndex(90);
    const { search } = createKeptRows()(index);
    search(named('a'), 0, 20);
    search(named('a'), 0, 20, BY_NAME);
    search(named('a'), 0, 20, []);
    search(named('a'), 0, 20);
    assert.equal(searches.length, 3);
  });

  it('drops the oldest result first when the memory is full', () => {
    const { index, searches } = countedIndex(10);
    const { search } = createKeptRows({ bytesMax: 3000, rowsMax: 100 })(index);
    const again = (text: string) => {
      searches.length = 0;
      search(named(text), 0, 20);
      return searches.length > 0;
    };
    for (const text of 'abcdefgh') {
      search(named(text), 0, 20);
      search(named(text), 0, 20);
    }
    assert.deepEqual([...'hgfedcba'].map(again), [
      false,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it('forgets searches that were requested long ago', () => {
    const { index, searches } = countedIndex(10);
    const { search } = createKeptRows()(index);
    for (let time = 0; time < 3; time++) {
      for (let i = 0; i < 1500; i++) search(named(`${i}`), 0, 20);
    }
    assert.equal(searches.length, 4500);
  });

  it('keeps a search among many rows that a question has found, for as long as they are the same', () => {
    const { index, searches } = countedIndex(10);
    const { search } = createKeptRows()(index);
    const found = Uint32Array.from({ length: 100_000 }, (_, row) => row);
    const among = (rows: Uint32Array) =>
      search({ criteria: [...named('a').criteria, { type: 'rows', rows }] }, 0, 20);
    for (let time = 0; time < 4; time++) among(found.subarray(0, 50_000));
    assert.equal(searches.length, 2);
    among(found.subarray(0, 50_001));
    among(found.slice(0, 50_000));
    assert.equal(searches.length, 4);
  });

  it('keeps no search with many values', () => {
    const { index, searches } = countedIndex(10);
    const { search } = createKeptRows()(index);
    for (let time = 0; time < 4; time++) search(named('a'.repeat(1000)), 0, 20);
    assert.equal(searches.length, 4);
  });
});

it('an edition that replaces another one has its own rows', () => {
  const inMemory = (number: number, records = RECORDS) => ({
    number,
    publishedAt: `2026-09-0${number}T00:00:00.000Z`,
    arrays: editionArrays(records),
  });
  const editions = createLoadedEditions();
  const before = inMemory(1);
  const all: DirectoryQuery = { criteria: [] };
  const totals = () => {
    const { index, references } = editions.current()!;
    const ofEach = [index, references.index].map(({ search }) => {
      const [first, ...others] = [0, 1, 2].map(() => search(all, 0, 20));
      for (const page of others) assert.deepEqual(page, first);
      return first?.total;
    });
    assert.equal(ofEach[0], index.count);
    assert.equal(ofEach[1], references.index.count);
    return ofEach;
  };
  editions.take({ current: before, replaced: [], onDisk: [] });
  const first = totals();
  const fewer = RECORDS.filter(({ code }) => code !== RECORDS[0]?.code);
  editions.take({ current: inMemory(2, fewer), replaced: [before], onDisk: [] });
  assert.notDeepEqual(totals(), first);
  editions.take({ current: before, replaced: [], onDisk: [] });
  assert.deepEqual(totals(), first);
});

const BY_NAME = [{ field: 'name', isDescending: false }];

function named(value: string) {
  return {
    criteria: [{ type: 'string', field: 'name', match: 'contains', values: [value] }],
  } as const;
}

/** Every search of this index finds its first rows. It notes what it is asked. */
function countedIndex(total: number) {
  const searches: string[] = [];
  const index: Pick<SearchIndex<OpenColumns>, 'search'> = {
    search: ({ criteria: [criterion] }, offset, limit) => {
      const value = criterion?.type === 'string' ? criterion.values[0] : '';
      searches.push(`${value} ${offset} ${limit}`);
      const length = Math.max(0, Math.min(limit, total - offset));
      return { total, rows: Array.from({ length }, (_, i) => offset + i) };
    },
  };
  return { index, searches };
}
