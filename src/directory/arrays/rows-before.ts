/** The rows of the edition before, from which the columns of an edition take what has not changed. */
import type { NamedArrays } from './arrays.ts';

/** The rows of both editions are in the same order. */
export interface RowsBefore {
  /** The arrays of the same section of the edition before. */
  readonly arrays: NamedArrays;
  /** Row → the row of the same record before, or NO_ROW if the record is new or another one. */
  readonly was: Uint32Array;
  /** Row before → the row of the same record now, or NO_ROW. */
  readonly now: Uint32Array;
  /** The rows that have no row before, ascending. */
  readonly changed: Uint32Array;
  /** For each of these, how many rows before come before it. */
  readonly bounds: Uint32Array;
}

export const NO_ROW = 0xffff_ffff;

/** `countBefore`: the number of rows before. */
export function rowsBefore(arrays: NamedArrays, was: Uint32Array, countBefore: number): RowsBefore {
  const now = new Uint32Array(countBefore).fill(NO_ROW);
  const changed: number[] = [];
  const bounds: number[] = [];
  let bound = 0;
  was.forEach((before, row) => {
    if (before === NO_ROW) {
      changed.push(row);
      bounds.push(bound);
    } else {
      now[before] = row;
      bound = before + 1;
    }
  });
  return { arrays, was, now, changed: Uint32Array.from(changed), bounds: Uint32Array.from(bounds) };
}

/** Whether each row has its number of the edition before, and that edition has no other rows. */
export function haveSameRows({ was, now }: RowsBefore): boolean {
  return (
    was.length === now.length && was.every((before, row) => before === row || before === NO_ROW)
  );
}

/**
 * Merges two sorted lists. `places` has the number of entries of the first list, of which there are
 * `count`, that come before each entry of the second one. It ascends.
 */
export function weave(
  count: number,
  places: Uint32Array,
  takeFirst: (at: number) => void,
  takeSecond: (at: number) => void,
): void {
  let at = 0;
  places.forEach((place, second) => {
    for (; at < place; at++) takeFirst(at);
    takeSecond(second);
  });
  for (; at < count; at++) takeFirst(at);
}
