/** Rows in the order of a field: any range of ranks is a set of rows, all of them different. */

import type { NamedArrays } from '../arrays.ts';
import { wordsNamed } from './array-named.ts';
import { bitSetAt } from './bit-sets.ts';
import { addBits, addRows, wordCount } from './bits.ts';

export interface RankedRows {
  /** Rank → row; rows without the field have no rank. */
  readonly order: Uint32Array;
  /** Row → rank, or NO_RANK. */
  readonly rank: Uint32Array;
  /** Set `i` holds the rows of the first `(i + 1) * step` ranks. */
  readonly checkpoints: Uint32Array;
  readonly step: number;
}

/** Lies behind every range of ranks, so that no range test needs a second look. */
const NO_RANK = 0xffff_ffff;
/** A range is marked row by row only up to the next checkpoint: at most 1/32 at either end. */
const CHECKPOINTS = 32;

export function buildRankedRows(prefix: string, order: Uint32Array, rowCount: number): NamedArrays {
  const rank = new Uint32Array(rowCount).fill(NO_RANK);
  for (let i = 0; i < order.length; i++) rank[order[i]!] = i;
  const words = wordCount(rowCount);
  const step = stepOf(order);
  const checkpoints = new Uint32Array(words * Math.floor(order.length / step));
  const soFar = new Uint32Array(words);
  for (let at = 0; at < checkpoints.length; at += words) {
    const from = (at / words) * step;
    addRows(soFar, order, from, from + step);
    checkpoints.set(soFar, at);
  }
  return {
    [`${prefix}.order`]: order,
    [`${prefix}.rank`]: rank,
    [`${prefix}.checkpoints`]: checkpoints,
  };
}

export function openRankedRows(prefix: string, arrays: NamedArrays): RankedRows {
  const rank = wordsNamed(arrays, `${prefix}.rank`);
  const order = wordsNamed(arrays, `${prefix}.order`);
  return {
    order,
    rank,
    checkpoints: wordsNamed(arrays, `${prefix}.checkpoints`),
    step: stepOf(order),
  };
}

/** Adds the rows of the ranks `from..to` to a set. */
export function addRange(target: Uint32Array, ranked: RankedRows, from: number, to: number): void {
  const { order, step, checkpoints } = ranked;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  if (last <= first) {
    addRows(target, order, from, to);
    return;
  }
  const rowCount = ranked.rank.length;
  const upper = bitSetAt(checkpoints, last - 1, rowCount);
  const lower = first === 0 ? undefined : bitSetAt(checkpoints, first - 1, rowCount);
  addBits(target, upper, lower);
  addRows(target, order, from, first * step);
  addRows(target, order, last * step, to);
}

/** Rounded down, so that the last checkpoint is close to the end, where many ranges reach. */
function stepOf(order: Uint32Array): number {
  return Math.max(1, Math.floor(order.length / CHECKPOINTS));
}
