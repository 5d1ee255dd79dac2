/**
 * Reads the page of a sorted result. Few rows are compared with each other. For many rows, the order
 * of the first key is read from its beginning or end, until the page is full.
 */
import { readRows, setRows, wordCount } from './bits.ts';
import type { SortedRows } from './sorted-rows.ts';
import { findRange } from './suffixes.ts';

/** Rows with equal values of one key are in the order of the next one. */
export interface SortOrder {
  readonly keys: readonly OpenKey[];
  /** Whether rows with equal values of all keys descend. */
  readonly isDescending: boolean;
}

export interface OpenKey {
  readonly sorted: SortedRows;
  readonly isDescending: boolean;
}

/** Up to so many first rows are kept sorted, while the others are compared with the last of them. */
const SELECTED_MAX = 128;
/** The cost of comparing a row, in ranks that are read. */
const COMPARE_COST = 3;

/** Whether comparing so many rows is faster than reading the order of the first key. */
export function isComparingWorthwhile(total: number, rowCount: number, pageEnd: number): boolean {
  const reading = Math.min(rowCount, (rowCount / total) * pageEnd);
  const comparing = total * (pageEnd <= SELECTED_MAX ? 1 : Math.log2(total));
  return comparing * COMPARE_COST < reading;
}

/** The rows of a list, which are in no order, from `offset` on in the sort order. */
export function sortList(
  list: ArrayLike<number>,
  order: SortOrder,
  offset: number,
  limit: number,
): number[] {
  const compare = (one: number, other: number) => compareRows(order, one, other);
  const end = offset + limit;
  if (end > SELECTED_MAX) return Array.from(list).sort(compare).slice(offset, end);
  const first: number[] = [];
  for (let i = 0; i < list.length; i++) {
    const row = list[i]!;
    let at = first.length;
    if (at === end) {
      if (compare(row, first[end - 1]!) > 0) continue;
      at--;
    }
    for (; at > 0 && compare(row, first[at - 1]!) < 0; at--) first[at] = first[at - 1]!;
    first[at] = row;
  }
  return first.slice(offset);
}

function compareRows({ keys, isDescending }: SortOrder, one: number, other: number): number {
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const { numbers, valueCount } = key.sorted;
    const first = numbers[one]!;
    const second = numbers[other]!;
    if (first === second) continue;
    // Rows without the field come last in both directions.
    if (first === valueCount) return 1;
    if (second === valueCount) return -1;
    return key.isDescending ? second - first : first - second;
  }
  return isDescending ? other - one : one - other;
}

/** The rows of a set of `total` rows, from `offset` on in the sort order. */
export function sortBits(
  words: Uint32Array,
  total: number,
  order: SortOrder,
  offset: number,
  limit: number,
): number[] {
  const [first, ...others] = order.keys;
  if (first === undefined) return readInRowOrder(words, total, order.isDescending, offset, limit);
  const { sorted } = first;
  const rest = { keys: others, isDescending: order.isDescending };
  const page: SortedPage = { rows: [], skip: offset, limit };
  if (others.length === 0 && first.isDescending === order.isDescending) {
    takeRun(page, words, sorted.order, { from: 0, to: sorted.order.length }, first.isDescending);
  } else {
    for (const group of groupsOf(first, words)) {
      if (page.rows.length === limit) break;
      if (others.length === 0) takeRun(page, words, sorted.order, group, order.isDescending);
      else takeList(page, membersOf(words, sorted.order, group), rest, sorted.numbers.length);
    }
  }
  if (page.rows.length < limit) {
    const all = Uint32Array.from(readRows(words, total, 0, total));
    const without = all.filter((row) => sorted.numbers[row] === sorted.valueCount);
    takeList(page, without, rest, sorted.numbers.length);
  }
  return page.rows;
}

/** A page that is being filled. */
interface SortedPage {
  readonly rows: number[];
  /** The number of rows before the page that are still to come. */
  skip: number;
  readonly limit: number;
}

/** Ranks from `from` until before `to`. */
interface Run {
  readonly from: number;
  readonly to: number;
}

function takeRun(
  page: SortedPage,
  words: Uint32Array,
  order: Uint32Array,
  { from, to }: Run,
  isDescending: boolean,
): void {
  const { rows, limit } = page;
  const step = isDescending ? -1 : 1;
  const end = isDescending ? from - 1 : to;
  for (let i = isDescending ? to - 1 : from; i !== end && rows.length < limit; i += step) {
    const row = order[i]!;
    if (!isMember(words, row)) continue;
    if (page.skip > 0) page.skip--;
    else rows.push(row);
  }
}

function takeList(page: SortedPage, list: Uint32Array, order: SortOrder, rowCount: number): void {
  if (list.length <= page.skip) {
    page.skip -= list.length;
    return;
  }
  const { rows, skip } = page;
  const limit = page.limit - rows.length;
  page.skip = 0;
  rows.push(...sortSome(list, order, rowCount, skip, limit));
}

function sortSome(
  list: Uint32Array,
  order: SortOrder,
  rowCount: number,
  offset: number,
  limit: number,
): number[] {
  const { length } = list;
  const isCompared =
    order.keys.length === 0 || isComparingWorthwhile(length, rowCount, offset + limit);
  if (isCompared) return sortList(list, order, offset, limit);
  const words = new Uint32Array(wordCount(rowCount));
  setRows(words, list, 0, length);
  return sortBits(words, length, order, offset, limit);
}

/** The groups of equal values that have a row of the set, in the direction of the key. */
function* groupsOf({ sorted, isDescending }: OpenKey, words: Uint32Array): Generator<Run> {
  const { order } = sorted;
  if (isDescending) {
    for (let to = order.length; to > 0; ) {
      if (!isMember(words, order[to - 1]!)) {
        to--;
        continue;
      }
      const from = startOfGroup(sorted, to - 1);
      yield { from, to };
      to = from;
    }
  } else {
    for (let from = 0; from < order.length; ) {
      if (!isMember(words, order[from]!)) {
        from++;
        continue;
      }
      const to = endOfGroup(sorted, from);
      yield { from, to };
      from = to;
    }
  }
}

/** The first rank whose row has the value of the row of this rank. */
function startOfGroup({ order, numbers }: SortedRows, rank: number): number {
  const number = numbers[order[rank]!]!;
  return findRange(rank, (i) => numbers[order[i]!]! - number).from;
}

/** The rank after the last one whose row has the value of the row of this rank. */
function endOfGroup({ order, numbers }: SortedRows, rank: number): number {
  const number = numbers[order[rank]!]!;
  const more = order.length - rank;
  return rank + findRange(more, (i) => numbers[order[rank + i]!]! - number).to;
}

function membersOf(words: Uint32Array, order: Uint32Array, { from, to }: Run): Uint32Array {
  return order.subarray(from, to).filter((row) => isMember(words, row));
}

function isMember(words: Uint32Array, row: number): boolean {
  return ((words[row >>> 5]! >>> (row & 31)) & 1) === 1;
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
