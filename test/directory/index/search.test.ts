/** The index answers every search as a plain filter over the same records would. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DirectoryQuery,
  type OrganizationIndex,
  openOrganizationIndex,
} from '../../../src/directory/index/organization-index.ts';
import type { OrganizationRecord } from '../../../src/directory/record/record.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { naiveSearch } from './naive-search.ts';
import { arraysOf, criterion, recordParts, sortedRecords, spread } from './random-records.ts';

test('random searches over random records have the same matches as a plain filter', () => {
  fc.assert(
    fc.property(records, fc.array(searches, { minLength: 1, maxLength: 12 }), (parts, asked) => {
      const sorted = sortedRecords(parts);
      const index = openOrganizationIndex(arraysOf(sorted));
      for (const search of asked) assertSameAsNaive(index, sorted, search);
      for (const [row, { code }] of sorted.entries()) {
        assert.equal(index.rowOf(code), row);
        assert.equal(index.codeOf(row), code);
      }
    }),
    { numRuns: repetitions(80, 250) },
  );
});

test('random searches over many records find what a plain filter finds', () => {
  fc.assert(
    fc.property(
      fc.array(recordParts, { minLength: 8, maxLength: 60 }),
      fc.integer({ min: 200, max: 900 }),
      fc.array(searches, { minLength: 4, maxLength: 12 }),
      (parts, count, asked) => {
        const sorted = sortedRecords(spread(parts, count));
        const index = openOrganizationIndex(arraysOf(sorted));
        for (const search of asked) assertSameAsNaive(index, sorted, search);
      },
    ),
    { numRuns: repetitions(40, 120) },
  );
});

/** Beyond 16,384 rows a query may test more rows one by one than it would sort. */
for (const [count, queries] of [
  [5_000, repetitions(150, 400)],
  [24_000, repetitions(100, 250)],
] as const) {
  test(`${count} records are searched as a plain filter would`, () => {
    const parts = fc.sample(recordParts, { numRuns: count / 6, seed: 7 });
    const sorted = sortedRecords(spread(parts, count));
    const index = openOrganizationIndex(arraysOf(sorted));
    assert.equal(index.count, count);
    for (const search of fc.sample(searches, { numRuns: queries, seed: 8 })) {
      assertSameAsNaive(index, sorted, search);
    }
  });
}

interface Search {
  readonly query: DirectoryQuery;
  readonly offset: number;
  readonly limit: number;
}

function assertSameAsNaive(
  index: OrganizationIndex,
  records: readonly OrganizationRecord[],
  { query, offset, limit }: Search,
): void {
  assert.deepEqual(
    index.search(query, offset, limit),
    naiveSearch(records, query, offset, limit),
    JSON.stringify({ query, offset, limit }),
  );
}

const records = fc.array(recordParts, { maxLength: 60 });
const searches: fc.Arbitrary<Search> = fc.record({
  query: fc.record({
    criteria: fc.oneof(
      criterion.map((single) => [single]),
      fc.array(criterion, { maxLength: 3 }),
    ),
  }),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 80 }), fc.constant(100_000)),
  limit: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.constant(1000)),
});
