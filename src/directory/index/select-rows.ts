/** Sorts rows by comparing all of them. */
import {
  compareRows,
  haveExactPlaces,
  ownPlaceOf,
  placeOf,
  rowAt,
  type SortOrder,
} from './sort-order.ts';

/** At most this number of first rows are kept sorted. Others are compared with the last of them. */
const SELECTED_MAX = 128;
/** Measured: the cost of comparing a row, in ranks that are read. */
const COMPARE_COST = 3;

/** Whether comparing this number of rows is faster than reading the order of the first key. */
export function isComparingWorthwhile(total: number, rowCount: number, pageEnd: number): boolean {
  const reading = Math.min(rowCount, (rowCount / total) * pageEnd);
  const comparing = total * (pageEnd <= SELECTED_MAX ? 1 : Math.log2(total));
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
  /** Takes the rows `rows[from..to)`. No row may be taken twice. */
  take(rows: ArrayLike<number>, from: number, to: number): void;
  /** The rows from `offset` on, in the sort order. */
  rows(offset: number): number[];
}

/** Undefined if it cannot select `most` rows. `most` is 1 or more. */
export function createSelection(
  order: SortOrder,
  rowCount: number,
  most: number,
): Selection | undefined {
  const [key, ...others] = order.keys;
  if (key === undefined || most > SELECTED_MAX || !haveExactPlaces(order, rowCount)) {
    return undefined;
  }
  /** The places that rows with the same value of the first key can have. */
  const places = others.reduce((count, { sorted }) => count * (sorted.valueCount + 1), rowCount);
  const first = new Float64Array(most);
  let count = 0;
  let ownMax = Number.POSITIVE_INFINITY;
  return {
    take: (rows, from, to) => {
      for (let i = from; i < to; i++) {
        const row = rows[i]!;
        // Most rows are tested by the first key only.
        if (ownPlaceOf(key, row) > ownMax) continue;
        const place = placeOf(order, rowCount, row);
        if (count === most) {
          if (place > first[most - 1]!) continue;
          count--;
        }
        let at = count++;
        for (; at > 0 && first[at - 1]! > place; at--) first[at] = first[at - 1]!;
        first[at] = place;
        if (count === most) ownMax = Math.floor(first[most - 1]! / places);
      }
    },
    rows: (offset) =>
      Array.from(first.subarray(offset, count), (place) => rowAt(order, rowCount, place)),
  };
}
