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
/** Measured: the cost of comparing a row, in ranks that are read. */
const COMPARE_COST = 3;

/** Whether comparing so many rows is faster than reading the order of the first key. */
export function isComparingWorthwhile(total: number, rowCount: number, pageEnd: number): boolean {
  const reading = Math.min(rowCount, (rowCount / total) * pageEnd);
  return costOfComparing(total, pageEnd) < reading;
}

/** In ranks that are read. */
export function costOfComparing(total: number, pageEnd: number): number {
  return total * (pageEnd <= SELECTED_MAX ? 1 : Math.log2(total)) * COMPARE_COST;
}

/** The rows of a list, which are in no order, from `offset` on in the sort order. */
export function sortList(
  list: ArrayLike<number>,
  order: SortOrder,
  rowCount: number,
  offset: number,
  limit: number,
): number[] {
  const end = offset + limit;
  if (!haveExactPlaces(order, rowCount)) {
    const compare = (one: number, other: number) => compareRows(order, one, other);
    return Array.from(list).sort(compare).slice(offset, end);
  }
  const places = placesOf(list, order, rowCount);
  const lowest = end > SELECTED_MAX ? places.sort() : lowestPlaces(places, end);
  return Array.from(lowest.subarray(offset, end), (place) => {
    const row = place % rowCount;
    return order.isDescending ? rowCount - 1 - row : row;
  });
}

/** Whether the places of all rows are whole numbers without loss. */
function haveExactPlaces({ keys }: SortOrder, rowCount: number): boolean {
  const places = keys.reduce((count, { sorted }) => count * (sorted.valueCount + 1), rowCount);
  return places <= Number.MAX_SAFE_INTEGER;
}

/** Numbers that sort as the rows do. The remainder by the number of rows is the row. */
function placesOf(
  list: ArrayLike<number>,
  { keys, isDescending }: SortOrder,
  rowCount: number,
): Float64Array {
  const places = new Float64Array(list.length);
  for (const key of keys) {
    const { numbers, valueCount } = key.sorted;
    for (let i = 0; i < places.length; i++) {
      const number = numbers[list[i]!]!;
      // Rows without the field come last in both directions.
      const place = key.isDescending && number < valueCount ? valueCount - 1 - number : number;
      places[i] = places[i]! * (valueCount + 1) + place;
    }
  }
  for (let i = 0; i < places.length; i++) {
    const row = list[i]!;
    places[i] = places[i]! * rowCount + (isDescending ? rowCount - 1 - row : row);
  }
  return places;
}

/** The lowest of different numbers, ascending, and at most `most` of them (1 or more). */
function lowestPlaces(places: Float64Array, most: number): Float64Array {
  const lowest = new Float64Array(Math.min(most, places.length));
  let count = 0;
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    if (count === lowest.length) {
      if (place > lowest[count - 1]!) continue;
      count--;
    }
    let at = count++;
    for (; at > 0 && lowest[at - 1]! > place; at--) lowest[at] = lowest[at - 1]!;
    lowest[at] = place;
  }
  return lowest;
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

/**
 * The rows of a set of `total` rows, from `offset` on in the sort order. Undefined if reading so many
 * ranks of the first key does not find them.
 */
export function sortBits(
  words: Uint32Array,
  total: number,
  order: SortOrder,
  offset: number,
  limit: number,
  readsMax: number,
): number[] | undefined {
  const [first, ...others] = order.keys;
  if (first === undefined) return readInRowOrder(words, total, order.isDescending, offset, limit);
  const { sorted } = first;
  const rest = { keys: others, isDescending: order.isDescending };
  const page: SortedPage = { rows: [], skip: offset, limit };
  const run = firstRanks(first, readsMax);
  if (others.length === 0 && first.isDescending === order.isDescending) {
    takeRun(page, words, sorted.order, run, first.isDescending);
  } else {
    for (const group of groupsOf(first, words, run)) {
      if (page.rows.length === limit) break;
      if (others.length === 0) takeRun(page, words, sorted.order, group, order.isDescending);
      else takeList(page, membersOf(words, sorted.order, group), rest, sorted.numbers.length);
    }
  }
  if (page.rows.length < limit) {
    if (run.to - run.from < sorted.order.length) return undefined;
    const without = readRows(words, total, 0, total).filter(
      (row) => sorted.numbers[row] === sorted.valueCount,
    );
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

/** The ranks from `from` until before `to`. */
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
  const last = to - 1 + from;
  for (let i = from; i < to; i++) {
    const row = order[isDescending ? last - i : i]!;
    // Most rows are not in the set, so this test is all that is done for them.
    if (((words[row >>> 5]! >>> (row & 31)) & 1) === 0) continue;
    if (page.skip > 0) page.skip--;
    else if (rows.push(row) === limit) return;
  }
}

function takeList(
  page: SortedPage,
  list: readonly number[],
  order: SortOrder,
  rowCount: number,
): void {
  if (list.length <= page.skip) {
    page.skip -= list.length;
    return;
  }
  const { rows, skip } = page;
  const limit = page.limit - rows.length;
  page.skip = 0;
  const sorted = list.length === 1 ? list : sortSome(list, order, rowCount, skip, limit);
  for (const row of sorted) rows.push(row);
}

function sortSome(
  list: readonly number[],
  order: SortOrder,
  rowCount: number,
  offset: number,
  limit: number,
): number[] {
  const { length } = list;
  const isCompared =
    order.keys.length === 0 || isComparingWorthwhile(length, rowCount, offset + limit);
  if (isCompared) return sortList(list, order, rowCount, offset, limit);
  const words = new Uint32Array(wordCount(rowCount));
  setRows(words, Uint32Array.from(list), 0, length);
  return sortBits(words, length, order, offset, limit, rowCount) ?? [];
}

/** So many ranks from the beginning of the order on, or from its end. */
function firstRanks({ sorted, isDescending }: OpenKey, most: number): Run {
  const { length } = sorted.order;
  if (isDescending) return { from: Math.max(0, length - most), to: length };
  return { from: 0, to: Math.min(length, most) };
}

/**
 * The groups of equal values that have a row of the set within the run, in the direction of the key.
 * The last one may go beyond the run.
 */
function* groupsOf(
  { sorted, isDescending }: OpenKey,
  words: Uint32Array,
  run: Run,
): Generator<Run> {
  const { order } = sorted;
  if (isDescending) {
    for (let { to } = run; to > run.from; ) {
      if (!isMember(words, order[to - 1]!)) {
        to--;
        continue;
      }
      const from = startOfGroup(sorted, to - 1);
      yield { from, to };
      to = from;
    }
  } else {
    for (let { from } = run; from < run.to; ) {
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

function membersOf(words: Uint32Array, order: Uint32Array, { from, to }: Run): number[] {
  const rows: number[] = [];
  for (let i = from; i < to; i++) if (isMember(words, order[i]!)) rows.push(order[i]!);
  return rows;
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
