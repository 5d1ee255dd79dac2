/**
 * Answers a query. The page of a single criterion is read off if possible. For several criteria, if
 * the total is known, rows are tested until the page is full. Otherwise, either the rows of the
 * smallest one are listed and filtered, or whole sets are intersected.
 */
import type { IndexCriterion, Query } from '../../../fhir/search/criterion.ts';
import type { Page } from '../../query.ts';
import { type FindRows, type FoundRows, matchingRows, rangeOf } from '../columns/column.ts';
import type { TotalOf } from '../columns/columns.ts';
import { markAll } from '../sets/bits.ts';
import { filterList, isListable, listedMax } from './filter-list.ts';
import { intersectSets } from './intersect-sets.ts';
import { readKnownPage } from './read-known-page.ts';
import { readPage } from './read-set.ts';
import type { SortOrder } from './sort-order.ts';
import { sortPage } from './sort-page.ts';
import { createWorkingMemory, type WorkingMemory } from './working-memory.ts';

const NOTHING: Page = { total: 0, rows: [] };

/** Without `order`, the rows of the page ascend. */
type SearchRows = (
  query: Query<IndexCriterion>,
  offset: number,
  limit: number,
  order: SortOrder | undefined,
) => Page;

export function createSearch(
  findRows: FindRows<IndexCriterion>,
  rowCount: number,
  totalOf?: TotalOf,
): SearchRows {
  const memory = createWorkingMemory(rowCount);
  return ({ criteria }, offset, limit, order) => {
    const found: FoundRows[] = [];
    for (const criterion of criteria) {
      const one = joinRanges(found, findRows(criterion));
      if (one.size === 0) return NOTHING;
      found.push(one);
    }
    if (found.length === 0 && order === undefined) return readAll(rowCount, offset, limit);
    const total = order === undefined ? totalOf?.(criteria) : undefined;
    const known = readKnownPage(memory, found, total, offset, limit);
    if (known !== undefined) return known;
    const matches = matchesOf(memory, found);
    return order === undefined
      ? readPage(memory, matches, offset, limit)
      : sortPage(memory, matches, order, offset, limit);
  };
}

/** The rows that all criteria have found, each once. */
function matchesOf(memory: WorkingMemory, found: FoundRows[]): FoundRows {
  const only = found[0];
  if (only === undefined) {
    const { kept, rowCount } = memory;
    markAll(kept, rowCount);
    return matchingRows({ kind: 'bits', words: kept, count: rowCount }, rowCount);
  }
  if (found.length === 1 && only.isDistinct && !only.isNegated) return only;
  const [smallest = only, ...others] = found.sort((a, b) => a.size - b.size);
  return isListable(smallest) && smallest.size <= listedMax(memory, smallest, others)
    ? filterList(memory, smallest, others)
    : intersectSets(memory, found);
}

/** Two ranges of the same field are joined: the earlier one is taken out of `found`. */
function joinRanges(found: FoundRows[], one: FoundRows): FoundRows {
  const range = found.length === 0 ? undefined : rangeOf(one);
  if (range === undefined) return one;
  const at = found.findIndex((each) => rangeOf(each)?.ranked === range.ranked);
  const [earlier] = at < 0 ? [] : found.splice(at, 1);
  const other = earlier && rangeOf(earlier);
  if (other === undefined) return one;
  const from = Math.max(range.from, other.from);
  const to = Math.max(from, Math.min(range.to, other.to));
  const joined = { ...range, from, to, ascending: range.ascending || other.ascending };
  return { sets: [joined], size: to - from, isDistinct: true, isNegated: false };
}

function readAll(rowCount: number, offset: number, limit: number): Page {
  const rows: number[] = [];
  for (let row = offset; row < rowCount && rows.length < limit; row++) rows.push(row);
  return { total: rowCount, rows };
}
