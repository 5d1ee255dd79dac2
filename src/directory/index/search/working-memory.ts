/** The memory in which a search marks and lists rows. Each thread has its own, three bits a row. */
import { wordCount } from '../sets/bits.ts';
import { rangeListLength } from '../sets/ranked-rows.ts';
import { markUncounted, type RowSet } from '../sets/row-set.ts';

export interface WorkingMemory {
  readonly rowCount: number;
  /** Sets of rows as bits: the result so far, and what it is intersected with. */
  readonly kept: Uint32Array;
  readonly other: Uint32Array;
  /** Rows that are few enough to be filtered one by one. */
  readonly listed: Uint32Array;
}

/** Up to this number of rows are sorted one by one. Marking more rows in a set is a faster way to sort. */
export const SORTED_MAX = 128;
/** Filtering this share of all rows one by one is as fast as intersecting whole sets. */
const LISTED_SHARE = 1 / 32;

export function createWorkingMemory(rowCount: number): WorkingMemory {
  const words = wordCount(rowCount);
  const listedMax = Math.floor(rowCount * LISTED_SHARE);
  return {
    rowCount,
    kept: new Uint32Array(words),
    other: new Uint32Array(words),
    listed: new Uint32Array(Math.max(SORTED_MAX, rangeListLength(rowCount), listedMax)),
  };
}

/** The rows of the sets as bits: stored ones as they are, others marked in the second set. */
export function bitsOf({ other }: WorkingMemory, sets: readonly RowSet[]): Uint32Array {
  const [first] = sets;
  if (sets.length === 1 && first?.kind === 'bits') return first.words;
  markUncounted(other, sets);
  return other;
}
