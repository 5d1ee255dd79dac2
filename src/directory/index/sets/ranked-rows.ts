/** Rows in the order of a field. A range of ranks is a set of rows. */

import type { NamedArrays } from '../../record/arrays.ts';
import { wordsNamed } from '../array-named.ts';
import { bitSetAt } from './bit-sets.ts';
import {
  addRows,
  DROP,
  dropRows,
  KEEP,
  keepBetween,
  keepBits,
  setRows,
  wordCount,
} from './bits.ts';
import { keepAndCountBits } from './count-bits.ts';
import { keepMarked } from './keep-rows.ts';

export interface RankedRows extends OrderedRows {
  /** Row → rank, or NO_RANK. */
  readonly rank: Uint32Array;
}

export interface OrderedRows {
  /** Rank → row. Rows without the field have no rank. */
  readonly order: Uint32Array;
  /** Set `i` holds the rows of the first `(i + 1) * step` ranks. */
  readonly checkpoints: Uint32Array;
  readonly step: number;
}

/** Larger than every rank, so that one comparison with a range is enough. */
const NO_RANK = 0xffff_ffff;
/** At each end of a range, rows are marked one by one up to the nearest checkpoint: 1/64 at most. */
const CHECKPOINTS = 32;

export function buildRankedRows(prefix: string, order: Uint32Array, rowCount: number): NamedArrays {
  const rank = new Uint32Array(rowCount).fill(NO_RANK);
  for (let i = 0; i < order.length; i++) rank[order[i]!] = i;
  return { ...buildOrderedRows(prefix, order, rowCount), [`${prefix}.rank`]: rank };
}

export function buildOrderedRows(
  prefix: string,
  order: Uint32Array,
  rowCount: number,
): NamedArrays {
  const words = wordCount(rowCount);
  const step = stepOf(order.length);
  const checkpoints = new Uint32Array(words * Math.floor(order.length / step));
  const soFar = new Uint32Array(words);
  for (let at = 0; at < checkpoints.length; at += words) {
    const from = (at / words) * step;
    addRows(soFar, order, from, from + step);
    checkpoints.set(soFar, at);
  }
  return { [`${prefix}.order`]: order, [`${prefix}.checkpoints`]: checkpoints };
}

export function openRankedRows(prefix: string, arrays: NamedArrays): RankedRows {
  return { ...openOrderedRows(prefix, arrays), rank: wordsNamed(arrays, `${prefix}.rank`) };
}

export function openOrderedRows(prefix: string, arrays: NamedArrays): OrderedRows {
  const order = wordsNamed(arrays, `${prefix}.order`);
  return {
    order,
    checkpoints: wordsNamed(arrays, `${prefix}.checkpoints`),
    step: stepOf(order.length),
  };
}

/** Makes `target` the set of the rows of the ranks `from..to`. */
export function markRange(target: Uint32Array, ranked: RankedRows, from: number, to: number): void {
  const { order } = ranked;
  if (to - from <= costOfPasses(ranked, from, to)) {
    target.fill(0);
    setRows(target, order, from, to);
    return;
  }
  const { lower, startAt, upper, endAt } = checkpointsAround(ranked, from, to);
  if (lower === 0) target.set(checkpointAt(ranked, upper));
  else keepBits(target, checkpointAt(ranked, upper), checkpointAt(ranked, lower), DROP);
  // At either end, one of the two parts is empty.
  dropRows(target, order, startAt, from);
  dropRows(target, order, to, endAt);
  setRows(target, order, from, startAt);
  setRows(target, order, endAt, to);
}

/** The most rows between the ends of a range and their checkpoints: a step and a half. */
export function rangeListLength(rowCount: number): number {
  return Math.ceil(1.5 * stepOf(rowCount));
}

/**
 * Makes `target` the rows of `one` that have a rank within `from..to`, in a single pass over the
 * words. `one` may be the target. Returns the number of rows, or undefined if counting them would
 * need another pass. `list` is working memory of `rangeListLength`.
 */
export function keepRange(
  target: Uint32Array,
  one: Uint32Array,
  ranked: RankedRows,
  from: number,
  to: number,
  list: Uint32Array,
): number | undefined {
  const { order, rank } = ranked;
  const { lower, startAt, upper, endAt } = checkpointsAround(ranked, from, to);
  if (upper <= lower) {
    const few = keepMarked(list, 0, order, from, to, one, KEEP);
    target.fill(0);
    setRows(target, list, 0, few);
    return few;
  }
  // The pass drops the rows outside the checkpoints, so they are noted before it.
  let noted = keepMarked(list, 0, order, from, startAt, one, KEEP);
  let count: number | undefined;
  if (lower > 0 && to === rank.length) {
    // If every row has a rank, a range up to the last rank needs no upper checkpoint.
    count = keepAndCountBits(target, one, checkpointAt(ranked, lower), DROP);
  } else {
    noted = keepMarked(list, noted, order, endAt, to, one, KEEP);
    if (lower === 0) count = keepAndCountBits(target, one, checkpointAt(ranked, upper), KEEP);
    else keepBetween(target, one, checkpointAt(ranked, upper), checkpointAt(ranked, lower));
    const dropped = dropRows(target, order, to, endAt);
    if (count !== undefined) count -= dropped;
  }
  const dropped = dropRows(target, order, startAt, from);
  setRows(target, list, 0, noted);
  return count === undefined ? undefined : count - dropped + noted;
}

/** The cost of `markRange`, in rows that are marked one by one. */
export function costOfMarkingRange(ranked: RankedRows, from: number, to: number): number {
  return Math.min(to - from, costOfPasses(ranked, from, to));
}

/** The cost of a word in a pass, in rows that are marked one by one. */
export const ROWS_A_WORD = 1 / 2;

function costOfPasses(ranked: RankedRows, from: number, to: number): number {
  const { lower, startAt, upper, endAt } = checkpointsAround(ranked, from, to);
  if (upper <= lower) return Number.POSITIVE_INFINITY;
  const words = wordCount(ranked.rank.length);
  return words * ROWS_A_WORD + Math.abs(startAt - from) + Math.abs(endAt - to);
}

/** The checkpoints nearest to both ends of a range, and their ranks. */
function checkpointsAround({ order, step }: RankedRows, from: number, to: number) {
  const lower = Math.round(from / step);
  const upper = Math.min(Math.round(to / step), Math.floor(order.length / step));
  return { lower, startAt: lower * step, upper, endAt: upper * step };
}

/** The rows of the first `number * step` ranks; from 1. */
function checkpointAt({ checkpoints, rank }: RankedRows, number: number): Uint32Array {
  return bitSetAt(checkpoints, number - 1, rank.length);
}

/** Rounded down, so that the last checkpoint is close to the end, where many ranges reach. */
function stepOf(ranks: number): number {
  return Math.max(1, Math.floor(ranks / CHECKPOINTS));
}
