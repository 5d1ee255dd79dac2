/** When the records were last changed: their rows in the order of that time. */

import type { NamedArrays } from '../arrays.ts';
import { doublesNamed, wordsNamed } from './array-named.ts';
import { buildRankedRows, openRankedRows, type RankedRows } from './ranked-rows.ts';
import type { RowSet } from './row-set.ts';
import { findRange } from './suffixes.ts';

export interface ChangedColumn {
  /** The distinct times, ascending, in milliseconds since 1970 UTC. */
  readonly times: Float64Array;
  /** The rows of time `i` begin at rank `starts[i]`. */
  readonly starts: Uint32Array;
  readonly ranked: RankedRows;
}

/** `times` by row; NaN where a time could not be read: such a row is never found. */
export function buildChangedColumn(times: Float64Array): NamedArrays {
  const distinct = Float64Array.from(new Set(times.filter((time) => !Number.isNaN(time)))).sort();
  const numbers = new Map(Array.from(distinct, (time, number) => [time, number]));
  const starts = new Uint32Array(distinct.length + 1);
  for (const time of times) {
    const number = numbers.get(time);
    if (number !== undefined) starts[number + 1]!++;
  }
  for (let number = 0; number < distinct.length; number++) starts[number + 1]! += starts[number]!;
  const order = new Uint32Array(starts[distinct.length]!);
  const ends = starts.slice();
  for (const [row, time] of times.entries()) {
    const number = numbers.get(time);
    if (number !== undefined) order[ends[number]!++] = row;
  }
  return {
    'changed.times': distinct,
    'changed.starts': starts,
    ...buildRankedRows('changed', order, times.length),
  };
}

export function openChangedColumn(arrays: NamedArrays): ChangedColumn {
  return {
    times: doublesNamed(arrays, 'changed.times'),
    starts: wordsNamed(arrays, 'changed.starts'),
    ranked: openRankedRows('changed', arrays),
  };
}

/** The rows last changed at `time` or later. */
export function rowsChangedSince(column: ChangedColumn, time: number): RowSet {
  const { times, starts, ranked } = column;
  const later = findRange(times.length, (i) => (times[i]! < time ? -1 : 0));
  const from = starts[later.from]!;
  return { kind: 'range', ranked, from, to: ranked.order.length, ascending: false };
}
