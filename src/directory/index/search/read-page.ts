/** Reads the page of rows that are each found once: in ascending order, or sorted by some fields. */

import { lowest } from '../../arrays/binary-search.ts';
import type { FoundRows, SortedRows } from '../columns/columns.ts';
import { addRows, hasRow, readRows, wordCount } from '../sets/bits.ts';
import type { RankedRows } from '../sets/ranked-rows.ts';
import {
  areListed,
  type ListedRows,
  listRows,
  markRows,
  type RowSet,
  SORTED_MAX,
} from '../sets/row-set.ts';
import { bitsOf, type WorkingMemory } from './match-criteria.ts';

/** Rows with equal values of one key are in the order of the next one. */
export interface SortOrder {
  readonly keys: readonly OrderKey[];
  /** Whether rows with equal values of all keys descend. */
  readonly isDescending: boolean;
}

export interface OrderKey {
  readonly sorted: SortedRows;
  readonly isDescending: boolean;
}

/** The rows from `offset` on, at most `limit` (1 or more). Without `order`, they ascend. */
export function readPage(
  memory: WorkingMemory,
  matches: FoundRows,
  order: SortOrder | undefined,
  offset: number,
  limit: number,
): number[] {
  const { sets, size } = matches;
  if (order === undefined) return readAscending(memory, matches, offset, limit);
  if (!isComparingWorthwhile(order, size, offset + limit)) {
    return readSorted(bitsOf(memory, sets), size, order, offset, limit);
  }
  const rows = areListed(sets) ? listOf(sets, size) : readRows(bitsOf(memory, sets), size, 0, size);
  return compareAll(rows, order).slice(offset, offset + limit);
}

function readAscending(
  { kept }: WorkingMemory,
  { sets, size }: FoundRows,
  offset: number,
  limit: number,
): number[] {
  const [first, ...others] = sets;
  const ofOne = first && others.length === 0 ? readSet(first, offset, limit) : undefined;
  if (ofOne !== undefined) return ofOne;
  const end = offset + limit;
  if (end <= SORTED_MAX && sets.every(({ kind }) => kind === 'list' || kind === 'bits')) {
    const rows = sets.flatMap((set) => readSet(set, 0, end) ?? []);
    return rows.sort((one, other) => one - other).slice(offset, end);
  }
  if (size <= SORTED_MAX && areListed(sets)) {
    return readList(listOf(sets, size).sort(), offset, size, limit);
  }
  markRows(kept, sets);
  return readRows(kept, size, offset, limit);
}

/** The rows of a set in ascending order. Undefined if marking the set is faster. */
function readSet(set: RowSet, offset: number, limit: number): number[] | undefined {
  switch (set.kind) {
    case 'bits':
      return readRows(set.words, set.count, offset, limit);
    case 'list':
      return readList(set.rows, set.from + offset, set.to, limit);
    case 'range':
      return readRanks(set.ranked, set.from, set.to, offset, limit);
    default:
      return undefined;
  }
}

function listOf(sets: readonly ListedRows[], size: number): Uint32Array {
  const list = new Uint32Array(size);
  listRows(list, sets);
  return list;
}

function readList(list: Uint32Array, from: number, to: number, limit: number): number[] {
  const rows: number[] = [];
  for (let i = from; i < to && rows.length < limit; i++) rows.push(list[i]!);
  return rows;
}

/** The scan ends when it has read this many times the rows that evenly spread matches would need. */
const UNEVEN_MAX = 4;

/**
 * Scans the ranks of all rows from the first row on: a large range soon has enough of them.
 * Undefined if reading the range itself is faster, or if the scan does not find the page in time.
 */
function readRanks(
  { rank }: RankedRows,
  from: number,
  to: number,
  offset: number,
  limit: number,
): number[] | undefined {
  const size = to - from;
  const end = Math.min(rank.length, (((offset + limit) * rank.length) / size) * UNEVEN_MAX);
  if (end > size) return undefined;
  const rows: number[] = [];
  let skip = offset;
  for (let row = 0; row < end; row++) {
    if ((rank[row]! - from) >>> 0 >= size) continue;
    if (skip > 0) skip--;
    else if (rows.push(row) === limit) return rows;
  }
  return end === rank.length ? rows : undefined;
}

/** The cost of comparing two rows, in rows that are read in the order of a key. */
const COMPARE_COST = 8;

/** Whether comparing this number of rows is faster than reading the order of the first key. */
function isComparingWorthwhile({ keys }: SortOrder, count: number, pageEnd: number): boolean {
  const rowCount = keys[0]?.sorted.numbers.length ?? 0;
  const reading = Math.min(rowCount, (rowCount / count) * pageEnd);
  return count * Math.log2(count) * COMPARE_COST < reading;
}

function compareAll(rows: ArrayLike<number>, { keys, isDescending }: SortOrder): number[] {
  return Array.from(rows).sort((one, other) => {
    for (const key of keys) {
      const difference = placeOf(key, one) - placeOf(key, other);
      if (difference !== 0) return difference;
    }
    return isDescending ? other - one : one - other;
  });
}

/** A number that sorts as the value of the row does. Rows without the field come last. */
function placeOf({ sorted, isDescending }: OrderKey, row: number): number {
  const { numbers, valueCount } = sorted;
  const number = numbers[row]!;
  return isDescending && number < valueCount ? valueCount - 1 - number : number;
}

/** Reads the order of the first key from its beginning or end, until the page is full. */
function readSorted(
  words: Uint32Array,
  total: number,
  { keys, isDescending }: SortOrder,
  offset: number,
  limit: number,
): number[] {
  const [key, ...others] = keys;
  if (key === undefined) return readInRowOrder(words, total, isDescending, offset, limit);
  const { order, numbers, valueCount } = key.sorted;
  const page: number[] = [];
  let skip = offset;
  const take = (equal: readonly number[]) => {
    if (skip < equal.length) {
      const rest = { keys: others, isDescending };
      for (const row of sortEqual(equal, rest, skip, limit - page.length)) page.push(row);
    }
    skip = Math.max(0, skip - equal.length);
  };
  /** The rows with the value that was read last. */
  let equal: number[] = [];
  for (let i = 0; i < order.length && page.length < limit; i++) {
    // By now, finding where the rows begin costs as much as what was read without a result.
    // Other rows with the value of the first one can be before this place.
    if (i === total && equal.length === 0) i = Math.max(i, firstPlace(key, words, total));
    if (i === order.length) break;
    const row = order[key.isDescending ? order.length - 1 - i : i]!;
    if (!hasRow(words, row)) continue;
    if (equal.length > 0 && numbers[row] !== numbers[equal[0]!]) {
      take(equal);
      equal = [];
    }
    equal.push(row);
  }
  take(equal);
  if (page.length < limit) {
    take(readRows(words, total, 0, total).filter((row) => numbers[row] === valueCount));
  }
  return page;
}

/** The first place, in the direction of the key, that has the value of one of the rows. */
function firstPlace(key: OrderKey, words: Uint32Array, total: number): number {
  const { order } = key.sorted;
  const rows = readRows(words, total, 0, total);
  const first = rows.reduce((least, row) => Math.min(least, placeOf(key, row)), order.length);
  return lowest(order.length, (i) => {
    return placeOf(key, order[key.isDescending ? order.length - 1 - i : i]!) >= first;
  });
}

/** Sorts rows that have equal values of the keys before these. */
function sortEqual(
  rows: readonly number[],
  order: SortOrder,
  offset: number,
  limit: number,
): readonly number[] {
  if (rows.length === 1) return limit > 0 ? rows : [];
  const [key] = order.keys;
  if (key === undefined || isComparingWorthwhile(order, rows.length, offset + limit)) {
    return compareAll(rows, order).slice(offset, offset + limit);
  }
  const words = new Uint32Array(wordCount(key.sorted.numbers.length));
  addRows(words, Uint32Array.from(rows), 0, rows.length);
  return readSorted(words, rows.length, order, offset, limit);
}

function readInRowOrder(
  words: Uint32Array,
  total: number,
  isDescending: boolean,
  offset: number,
  limit: number,
): number[] {
  if (!isDescending) return readRows(words, total, offset, limit);
  const end = Math.max(0, total - offset);
  const start = Math.max(0, end - limit);
  return readRows(words, total, start, end - start).reverse();
}
