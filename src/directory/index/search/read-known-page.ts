/** Reads the page of a search whose total is known: tests the rows in order until the page is full. */
import type { Page } from '../../query.ts';
import { type FoundRows, rangeOf } from '../columns/column.ts';
import { DROP, KEEP } from '../sets/bits.ts';
import { keepRanked } from '../sets/keep-rows.ts';
import type { RowSet } from '../sets/row-set.ts';
import { isTestable, keepTested } from '../sets/row-tests.ts';
import type { WorkingMemory } from './working-memory.ts';

/** Testing this number of rows takes less time than intersecting large sets. */
const TESTS_MAX = 1 << 14;
/** The number of rows that are tested by one criterion before the next one. */
const BLOCK = 128;

/** Undefined if the total is not known, or if the page is not full after `TESTS_MAX` rows. */
export function readKnownPage(
  { listed, rowCount }: WorkingMemory,
  found: readonly FoundRows[],
  total: number | undefined,
  offset: number,
  limit: number,
): Page | undefined {
  if (total === undefined || !found.every(({ sets }) => sets.every(isTestable))) return undefined;
  if (offset >= total || limit === 0) return { total, rows: [] };
  const wanted = Math.min(offset + limit, total);
  const tests = found.toSorted((one, other) => one.size - other.size);
  const source = listOf(tests[0]) ?? { rows: undefined, from: 0, to: rowCount };
  const { rows, from, to } = source;
  if (((to - from) / total) * wanted > TESTS_MAX) return undefined;
  const page: number[] = [];
  const end = Math.min(to, from + TESTS_MAX);
  for (let start = from, matches = 0; start < end; start += BLOCK) {
    let count = Math.min(BLOCK, end - start);
    for (let i = 0; i < count; i++) listed[i] = rows === undefined ? start + i : rows[start + i]!;
    for (const test of tests) count = keepFound(listed, count, test);
    for (let i = 0; i < count; i++) {
      if (matches++ >= offset) page.push(listed[i]!);
      if (matches === wanted) return { total, rows: page };
    }
  }
  return undefined;
}

function listOf(found: FoundRows | undefined): (RowSet & { kind: 'list' }) | undefined {
  const only = found?.sets.length === 1 && !found.isNegated ? found.sets[0] : undefined;
  return only?.kind === 'list' ? only : undefined;
}

/** Keeps those of the first `count` rows of the list that a criterion found. Returns their number. */
function keepFound(list: Uint32Array, count: number, found: FoundRows): number {
  const range = rangeOf(found);
  return range === undefined
    ? keepTested(list, 0, list, 0, count, found.sets, found.isNegated ? DROP : KEEP)
    : keepRanked(list, 0, list, 0, count, range.ranked.rank, range.from, range.to);
}
