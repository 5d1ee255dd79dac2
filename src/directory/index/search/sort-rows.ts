/** Reads the order of the first sort key from its beginning or end, until the page is full. */
import { lowest } from '../../links/open-links.ts';
import { bitSetAt } from '../sets/bit-sets.ts';
import { DROP, haveCommonRow, KEEP, readRows, setRows, wordCount } from '../sets/bits.ts';
import type { SortedRows } from '../sets/sorted-rows.ts';
import { findRange } from '../texts/suffixes.ts';
import { isComparingWorthwhile, sortList } from './select-rows.ts';
import type { OpenKey, SortOrder } from './sort-order.ts';

/**
 * The rows of a set of `total` rows, from `offset` on in the sort order. Undefined if the first
 * `readsMax` ranks do not have them. `skipsEmpty`: begins at the first ranks that have rows of the
 * set; to find them takes as long as reading a few thousand ranks.
 */
export function readSorted(
  words: Uint32Array,
  total: number,
  order: SortOrder,
  offset: number,
  limit: number,
  readsMax: number,
  skipsEmpty: boolean,
): number[] | undefined {
  const [first, ...others] = order.keys;
  if (first === undefined) return readInRowOrder(words, total, order.isDescending, offset, limit);
  const { sorted } = first;
  const rest = { keys: others, isDescending: order.isDescending };
  const page: SortedPage = { rows: [], skip: offset, limit };
  const whole = { from: 0, to: sorted.order.length };
  const run = firstRanks(first, skipsEmpty ? withoutEmptyEnd(first, words) : whole, readsMax);
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
    const isRead = first.isDescending ? run.from === 0 : run.to === sorted.order.length;
    if (!isRead) return undefined;
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
  return readSorted(words, length, order, offset, limit, rowCount, false) ?? [];
}

/** The first ranks of a run in the direction of the key. */
function firstRanks({ isDescending }: OpenKey, { from, to }: Run, most: number): Run {
  return isDescending
    ? { from: Math.max(from, to - most), to }
    : { from, to: Math.min(to, from + most) };
}

/** The ranks without those that come first in the direction of the key and have no row of the set. */
function withoutEmptyEnd({ sorted, isDescending }: OpenKey, words: Uint32Array): Run {
  const { order, checkpoints, step, numbers } = sorted;
  const checkpointAt = (number: number) => bitSetAt(checkpoints, number, numbers.length);
  const count = checkpoints.length / wordCount(numbers.length);
  const sample = sampleOf(words);
  const isInSample = (isIn: boolean, number: number) =>
    sample.some((row) => isMember(checkpointAt(number), row) === isIn);
  if (!isDescending) {
    const guess = lowest(count, (number) => isInSample(true, number));
    const hasRow = (number: number) => haveCommonRow(words, checkpointAt(number), KEEP);
    return { from: lowestNear(count, guess, hasRow) * step, to: order.length };
  }
  const guess = lowest(count, (number) => !isInSample(false, number));
  const hasAll = (number: number) => !haveCommonRow(words, checkpointAt(number), DROP);
  const last = lowestNear(count, guess, hasAll);
  return { from: 0, to: last === count ? order.length : (last + 1) * step };
}

/** As `lowest`. The number is probably `guess`. */
function lowestNear(end: number, guess: number, isTrue: (number: number) => boolean): number {
  if (guess < end && !isTrue(guess)) {
    const next = guess + 1;
    return next + lowest(end - next, (more) => isTrue(next + more));
  }
  return guess > 0 && isTrue(guess - 1) ? lowest(guess - 1, isTrue) : guess;
}

/** Some rows of the set, from all parts of it. */
function sampleOf(words: Uint32Array): number[] {
  const rows: number[] = [];
  const step = Math.ceil(words.length / SAMPLED_WORDS);
  for (let i = 0; i < words.length; i += step) {
    const word = words[i]!;
    if (word !== 0) rows.push((i << 5) + 31 - Math.clz32(word & -word));
  }
  return rows;
}

const SAMPLED_WORDS = 128;

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
