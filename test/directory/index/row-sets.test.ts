/** However the rows of a set are come by, they are the same ones. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORGANIZATION_COLUMNS } from '../../../src/directory/index/organization-index.ts';
import { openFinder } from '../../../src/directory/index/search-index.ts';
import {
  addRows,
  countBits,
  DROP,
  KEEP,
  readRows,
  wordCount,
} from '../../../src/directory/index/sets/bits.ts';
import {
  addRange,
  buildRankedRows,
  openRankedRows,
} from '../../../src/directory/index/sets/ranked-rows.ts';
import { keepMarked, keepTested, markRows } from '../../../src/directory/index/sets/row-set.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { naiveSearch } from './naive-search.ts';
import { arraysOf, criterion, recordParts, sortedRecords, spread } from './random-records.ts';

test('the rows of a criterion are the same marked and tested one by one', () => {
  fc.assert(
    fc.property(
      fc.array(recordParts, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 900 }),
      fc.array(criterion, { minLength: 4, maxLength: 12 }),
      (parts, count, criteria) => {
        const records = sortedRecords(spread(parts, count));
        const findRows = openFinder(ORGANIZATION_COLUMNS, arraysOf(records), count);
        const words = new Uint32Array(wordCount(count));
        for (const criterion of criteria) {
          const query = { criteria: [criterion] };
          const { rows } = naiveSearch(records, query, 0, count);
          const { sets, size, isDistinct, isNegated } = findRows(criterion);
          const all = Uint32Array.from(records.keys());
          const inSets = isNegated ? [...all].filter((row) => !rows.includes(row)) : rows;

          const marked = markRows(words.fill(GARBAGE), sets);
          assert.ok(marked === undefined || marked === inSets.length);
          assert.deepEqual(rowsOf(words), inSets);

          const how = isNegated ? DROP : KEEP;
          if (sets.every(({ kind }) => kind !== 'hits')) {
            const list = all.slice();
            const end = keepTested(list, count, sets, how);
            assert.deepEqual([...list.subarray(0, end)], rows);
          }
          const list = all.slice();
          assert.equal(keepMarked(list, count, words, how), rows.length);
          assert.deepEqual([...list.subarray(0, rows.length)], rows);

          assert.ok(size >= rows.length);
          if (isDistinct) assert.equal(size, rows.length);
        }
      },
    ),
    { numRuns: repetitions(50, 150) },
  );
});

test('the rows of a range of ranks are added to a set', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5000 }),
      // Of so many rows in a hundred, none has a rank.
      fc.constantFrom(0, 1, 40),
      fc.array(fc.tuple(fc.nat(5000), fc.nat(5000)), { minLength: 1, maxLength: 12 }),
      fc.nat(),
      (rowCount, unranked, ranges, seed) => {
        const order = shuffled(rowCount, seed).filter((row) => row % 100 >= unranked);
        const ranked = openRankedRows('x', buildRankedRows('x', order, rowCount));
        const some = shuffled(rowCount, seed + 1).subarray(0, rowCount / 3);
        for (const [a, b] of ranges) {
          const ends = [a, b].map((end) => Math.min(end, order.length)).sort((x, y) => x - y);
          const [from = 0, to = 0] = ends;
          const inside = new Set(order.subarray(from, to));
          const words = new Uint32Array(wordCount(rowCount));
          assert.equal(addRows(words, some, 0, some.length), some.length);
          const all = new Set(some).union(inside);
          const added = addRange(words, ranked, from, to);
          assert.deepEqual(rowsOf(words), ascending(all));
          assert.ok(added === undefined || added === all.size - some.length);
        }
      },
    ),
    { numRuns: repetitions(100, 300) },
  );
});

/** What is left of the search before. */
const GARBAGE = 0xdead_beef;

function rowsOf(words: Uint32Array): number[] {
  return readRows(words, countBits(words), 0, words.length * 32);
}

function ascending(rows: ReadonlySet<number>): number[] {
  return [...rows].sort((a, b) => a - b);
}

/** The rows in an order of no meaning. */
function shuffled(rowCount: number, seed: number): Uint32Array<ArrayBuffer> {
  const places = Array.from({ length: rowCount }, (_, row) => ({
    row,
    place: Math.imul(row + 1, 0x9e37_79b1 ^ seed) >>> 0,
  }));
  return Uint32Array.from(places.sort((a, b) => a.place - b.place).map(({ row }) => row));
}
