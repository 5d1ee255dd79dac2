/** Sorts rows by comparing all of them. */
import type { Offsets } from '../array-named.ts';
import { compareRows, haveExactPlaces, placeOf, rowAt, type SortOrder } from './sort-order.ts';

/** At most this number of first rows are kept sorted. Others are compared with the last of them. */
const SELECTED_MAX = 128;
/** Measured: the cost of comparing a row, in ranks that are read. */
const COMPARE_COST = 3;

export function isSelectable(pageEnd: number): boolean {
  return pageEnd <= SELECTED_MAX;
}

/** Whether comparing this number of rows is faster than reading the order of the first key. */
export function isComparingWorthwhile(total: number, rowCount: number, pageEnd: number): boolean {
  const reading = Math.min(rowCount, (rowCount / total) * pageEnd);
  const comparing = total * (isSelectable(pageEnd) ? 1 : Math.log2(total));
  return comparing * COMPARE_COST < reading;
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
  const selection = createSelection(order, rowCount, end);
  if (selection !== undefined) {
    selection.take(list, 0, list.length);
    return selection.rows(offset);
  }
  const places = Float64Array.from(list, (row) => placeOf(order, rowCount, row)).sort();
  return Array.from(places.subarray(offset, end), (place) => rowAt(order, rowCount, place));
}

/** The first rows of those that it has taken. */
export interface Selection {
  /** Takes the rows `rows[from..to)`. A row may be repeated. */
  take(rows: ArrayLike<number>, from: number, to: number): void;
  /** The rows from `offset` on, in the sort order. */
  rows(offset: number): number[];
}

/** Of many rows, every 16th is taken first, so that few of the others are inserted. */
const SAMPLE_STEP = 16;

/** Undefined if it cannot select `most` rows. `most` is 1 or more. */
export function createSelection(
  order: SortOrder,
  rowCount: number,
  most: number,
): Selection | undefined {
  const [key, ...others] = order.keys;
  if (key === undefined || !isSelectable(most) || !haveExactPlaces(order, rowCount)) {
    return undefined;
  }
  const { numbers, valueCount } = key.sorted;
  /** The places that rows with the same value of the first key can have. */
  const places = others.reduce((count, { sorted }) => count * (sorted.valueCount + 1), rowCount);
  const first = new Float64Array(most);
  let count = 0;
  /** The place that a row must be before. */
  let end = Number.POSITIVE_INFINITY;
  /** The numbers of the first key that a row before it can have. */
  let lowest = 0;
  let span = valueCount;
  const insert = (row: number) => {
    const place = placeOf(order, rowCount, row);
    if (place >= end) return;
    let at = count;
    while (at > 0 && first[at - 1]! > place) at--;
    if (at > 0 && first[at - 1] === place) return;
    if (count < most) count++;
    for (let i = count - 1; i > at; i--) first[i] = first[i - 1]!;
    first[at] = place;
    if (count < most) return;
    end = first[most - 1]!;
    const ownMax = Math.floor(end / places);
    if (ownMax === valueCount) return;
    lowest = key.isDescending ? valueCount - 1 - ownMax : 0;
    span = ownMax;
  };
  const takeEach = (rows: ArrayLike<number>, from: number, to: number, step: number) => {
    for (let i = from; ; i += step) {
      // Most rows are tested by the first key only.
      i = nextWithin(numbers, lowest, span, rows, i, to, step);
      if (i >= to) break;
      insert(rows[i]!);
    }
  };
  return {
    take: (rows, from, to) => {
      if (to - from > most * SAMPLE_STEP) takeEach(rows, from, to, SAMPLE_STEP);
      takeEach(rows, from, to, 1);
    },
    rows: (offset) =>
      Array.from(first.subarray(offset, count), (place) => rowAt(order, rowCount, place)),
  };
}

/** The first place from `from` on, by steps, whose row has a number within `lowest..lowest + span`. */
function nextWithin(
  numbers: Offsets,
  lowest: number,
  span: number,
  rows: ArrayLike<number>,
  from: number,
  to: number,
  step: number,
): number {
  let i = from;
  while (i < to && (numbers[rows[i]!]! - lowest) >>> 0 > span) i += step;
  return i;
}
