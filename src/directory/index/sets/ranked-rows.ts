/** Rows in the order of a field. A range of ranks is a set of rows. */

import { wordsNamed } from '../../arrays/array-named.ts';
import type { NamedArrays } from '../../arrays/arrays.ts';
import { addRows, bitSetAt, uniteBetween, uniteBits, wordCount } from './bits.ts';

export interface RankedRows {
  /** Row → rank, or NO_RANK. */
  readonly rank: Uint32Array;
  /** Rank → row. Rows without the field have no rank. */
  readonly order: Uint32Array;
  /** Set `i` holds the rows of the first `(i + 1) * step` ranks. */
  readonly checkpoints: Uint32Array;
  readonly step: number;
}

/** Larger than every rank, so that one comparison with a range is enough. */
const NO_RANK = 0xffff_ffff;
/** At each end of a range, rows are marked one by one up to the nearest checkpoint: 1/32 at most. */
const CHECKPOINTS = 32;

export function buildRankedRows(prefix: string, order: Uint32Array, rowCount: number): NamedArrays {
  const rank = new Uint32Array(rowCount).fill(NO_RANK);
  for (let i = 0; i < order.length; i++) rank[order[i]!] = i;
  const words = wordCount(rowCount);
  const step = stepOf(order.length);
  const checkpoints = new Uint32Array(words * Math.floor(order.length / step));
  const soFar = new Uint32Array(words);
  for (let at = 0; at < checkpoints.length; at += words) {
    const from = (at / words) * step;
    addRows(soFar, order, from, from + step);
    checkpoints.set(soFar, at);
  }
  return {
    [`${prefix}.rank`]: rank,
    [`${prefix}.order`]: order,
    [`${prefix}.checkpoints`]: checkpoints,
  };
}

export function openRankedRows(prefix: string, arrays: NamedArrays): RankedRows {
  const order = wordsNamed(arrays, `${prefix}.order`);
  return {
    rank: wordsNamed(arrays, `${prefix}.rank`),
    order,
    checkpoints: wordsNamed(arrays, `${prefix}.checkpoints`),
    step: stepOf(order.length),
  };
}

/**
 * Adds the rows of the ranks `from..to` to a set. Returns the number of rows that were not in the set
 * before, or undefined if counting them would need another pass.
 */
export function addRange(
  target: Uint32Array,
  ranked: RankedRows,
  from: number,
  to: number,
): number | undefined {
  const { order, checkpoints, rank, step } = ranked;
  if (to - from <= costOfRange(ranked, from, to)) return addRows(target, order, from, to);
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)];
  /** The rows of the first `number * step` ranks; from 1. */
  const checkpoint = (number: number) => bitSetAt(checkpoints, number - 1, rank.length);
  if (first === 0) uniteBits(target, checkpoint(last));
  else uniteBetween(target, checkpoint(last), checkpoint(first));
  addRows(target, order, from, first * step);
  addRows(target, order, last * step, to);
  return undefined;
}

/** The cost of `addRange`, in rows that are added one by one. */
export function costOfRange({ rank, step }: RankedRows, from: number, to: number): number {
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)];
  const passes = wordCount(rank.length) * ROWS_A_WORD + first * step - from + to - last * step;
  return last > first ? Math.min(to - from, passes) : to - from;
}

/** The cost of a word in a pass, in rows that are added one by one. */
export const ROWS_A_WORD = 1 / 2;

/** Rounded down, so that the last checkpoint is close to the end, where many ranges reach. */
function stepOf(ranks: number): number {
  return Math.max(1, Math.floor(ranks / CHECKPOINTS));
}
