/** Fields of instants: the rows in the order of the instants, or by each time. */

import {
  type DateCriterion,
  type DateEntry,
  type DateValue,
  matchesDate,
} from '../../../fhir/search/date.ts';
import { doublesNamed, wordsNamed } from '../../arrays/array-named.ts';
import type { NamedArrays } from '../../arrays/arrays.ts';
import { lowest } from '../../arrays/binary-search.ts';
import { sortedByKey } from '../../arrays/first-numbers.ts';
import { NO_ROW, type RowsBefore } from '../../arrays/rows-before.ts';
import { bitsWorthwhileAbove, wordCount } from '../sets/bits.ts';
import { buildRankedRows, openRankedRows, type RankedRows } from '../sets/ranked-rows.ts';
import type { RowSet } from '../sets/row-set.ts';
import { type Column, foundRows, type OpenColumn } from './columns.ts';

/**
 * `prefix` begins the names of the column's arrays. `startOf`: in whole milliseconds since 1970 UTC;
 * NaN: the record has no date. The instant lasts 1 ms.
 */
export function dateColumn<Item>(
  prefix: string,
  startOf: (item: Item) => number,
): Column<Item, DateCriterion, DateEntry> {
  return {
    entriesOf: (item) => {
      const start = startOf(item);
      return Number.isNaN(start) ? [] : [{ start, end: start + 1 }];
    },
    build: (rowCount, before) => {
      const times = timesBefore(prefix, rowCount, before);
      return {
        add: (row, item) => {
          times[row] = startOf(item);
        },
        finish: () => buildDates(prefix, times),
      };
    },
    open: (arrays) => {
      const dates = openDates(prefix, arrays);
      return ({ values }) => foundRows(rowsOfDates(dates, values), true);
    },
  };
}

export interface SortedDates {
  /** The distinct starts of the dates, ascending. */
  readonly times: Float64Array;
  /** The rows of time `i` begin at rank `starts[i]`. */
  readonly starts: Uint32Array;
  readonly ranked: RankedRows;
}

/** The times of the rows that have not changed, by row now. Each other row has none. */
export function timesBefore(
  prefix: string,
  rowCount: number,
  before: RowsBefore | undefined,
): Float64Array {
  const times = new Float64Array(rowCount).fill(Number.NaN);
  if (before === undefined) return times;
  const dates = openDates(prefix, before.arrays);
  const { order } = dates.ranked;
  for (const [number, time] of dates.times.entries()) {
    for (let rank = dates.starts[number]!; rank < dates.starts[number + 1]!; rank++) {
      const row = before.now[order[rank]!]!;
      if (row !== NO_ROW) times[row] = time;
    }
  }
  return times;
}

/** `times` by row. NaN: the row has no date. */
export function buildDates(prefix: string, times: Float64Array): NamedArrays {
  const { distinct, numbers } = numberTimes(times);
  const { sorted: order, first: starts } = sortedByKey(numbers, distinct.length);
  return {
    [`${prefix}.times`]: distinct,
    [`${prefix}.starts`]: starts,
    ...buildRankedRows(prefix, order, times.length),
  };
}

export const NO_TIME = 0xffff_ffff;

export interface NumberedTimes {
  /** Ascending. */
  readonly distinct: Float64Array;
  /** Row → the place of its time among the distinct times, or NO_TIME. */
  readonly numbers: Uint32Array;
}

export function numberTimes(times: Float64Array): NumberedTimes {
  // Few times are different, so only these are sorted.
  const found = new Map<number, number>();
  const numbers = new Uint32Array(times.length);
  for (let row = 0; row < times.length; row++) {
    const time = times[row]!;
    const number = Number.isNaN(time) ? NO_TIME : (found.get(time) ?? found.size);
    if (number === found.size) found.set(time, number);
    numbers[row] = number;
  }
  const distinct = Float64Array.from(found.keys()).sort();
  const places = new Uint32Array(distinct.length);
  for (const [place, time] of distinct.entries()) places[found.get(time)!] = place;
  for (let row = 0; row < numbers.length; row++) {
    if (numbers[row] !== NO_TIME) numbers[row] = places[numbers[row]!]!;
  }
  return { distinct, numbers };
}

export function openDates(prefix: string, arrays: NamedArrays): SortedDates {
  return {
    times: doublesNamed(arrays, `${prefix}.times`),
    starts: wordsNamed(arrays, `${prefix}.starts`),
    ranked: openRankedRows(prefix, arrays),
  };
}

/** The rows that match one of the values. No row is in two of the sets. */
function rowsOfDates(dates: SortedDates, values: readonly DateValue[]): RowSet[] {
  const [only] = values;
  const spans =
    values.length === 1 && only !== undefined ? spansOf(only) : joinSpans(values.flatMap(spansOf));
  return spans.map((span) => rowsOfSpan(dates, span));
}

/** The rows whose date starts within a span. */
export function rowsOfSpan(dates: SortedDates, span: Span): RowSet & { kind: 'range' } {
  const { ranked } = dates;
  const from = rankOf(dates, span.from);
  const to = span.to === LAST ? ranked.order.length : rankOf(dates, span.to);
  return { kind: 'range', ranked, from, to: Math.max(from, to) };
}

/** The number of rows whose date starts before `time`. */
function rankOf({ times, starts }: SortedDates, time: number): number {
  if (time === FIRST) return 0;
  return starts[lowest(times.length, (place) => times[place]! >= time)]!;
}

export const FIRST = Number.NEGATIVE_INFINITY;
export const LAST = Number.POSITIVE_INFINITY;

/** The dates that start at `from` or later, and before `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The starts of the dates that a value matches. https://hl7.org/fhir/STU3/search.html#prefix */
function spansOf({ prefix, start, end }: DateValue): Span[] {
  switch (prefix) {
    case 'eq':
    case 'ap':
      return [{ from: start, to: end }];
    case 'ne':
      return [
        { from: FIRST, to: start },
        { from: end, to: LAST },
      ];
    case 'gt':
    case 'sa':
      return [{ from: end, to: LAST }];
    case 'lt':
    case 'eb':
      return [{ from: FIRST, to: start }];
    case 'ge':
      return [{ from: start, to: LAST }];
    case 'le':
      return [{ from: FIRST, to: end }];
    default:
      throw new Error(`Unknown prefix: ${prefix satisfies never}`);
  }
}

/** Joins spans that overlap or touch. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || last.to < span.from) joined.push(span);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return joined;
}

/**
 * A field with few different times, which an index does not store. The first search lists the rows
 * of each time. `instantOf`: as an ISO text.
 */
export function listedDates(instantOf: (row: number) => string): OpenColumn<DateCriterion> {
  return {
    open: (_arrays, rowCount) => {
      let listed: ListedTimes | undefined;
      return ({ values }) => {
        listed ??= listTimes(instantOf, rowCount);
        const { times, rowsOf } = listed;
        const sets = times.flatMap((start, number) => {
          const instant = { start, end: start + 1 };
          return values.some((value) => matchesDate(instant, value)) ? [rowsOf(number)] : [];
        });
        return foundRows(sets, true);
      };
    },
  };
}

interface ListedTimes {
  readonly times: readonly number[];
  /** By the place of a time. */
  rowsOf(number: number): RowSet;
}

function listTimes(instantOf: (row: number) => string, rowCount: number): ListedTimes {
  const rowsAt = new Map<string, TimeRows>();
  let instant: string | undefined;
  let current: TimeRows | undefined;
  for (let row = 0; row < rowCount; row++) {
    // Most rows have the time of the row before.
    const next = instantOf(row);
    if (current === undefined || next !== instant) {
      instant = next;
      current = rowsAt.get(next) ?? new TimeRows(rowCount);
      rowsAt.set(next, current);
    }
    current.add(row);
  }
  const sets = Array.from(rowsAt.values(), (rows) => rows.set());
  return { times: Array.from(rowsAt.keys(), Date.parse), rowsOf: (number) => sets[number]! };
}

/** The rows of one time, in ascending order. Above a number of them, they are bits. */
class TimeRows {
  readonly #rowCount: number;
  readonly #listMax: number;
  #rows: number[] = [];
  #words: Uint32Array | undefined;
  #count = 0;

  constructor(rowCount: number) {
    this.#rowCount = rowCount;
    this.#listMax = bitsWorthwhileAbove(rowCount);
  }

  add(row: number): void {
    this.#count += 1;
    if (this.#words !== undefined) this.#words[row >>> 5]! |= 1 << (row & 31);
    else if (this.#rows.push(row) > this.#listMax) this.#toBits();
  }

  set(): RowSet {
    if (this.#words !== undefined) return { kind: 'bits', words: this.#words, count: this.#count };
    return { kind: 'list', rows: Uint32Array.from(this.#rows), from: 0, to: this.#count };
  }

  #toBits(): void {
    this.#words = new Uint32Array(wordCount(this.#rowCount));
    for (const row of this.#rows) this.#words[row >>> 5]! |= 1 << (row & 31);
    this.#rows = [];
  }
}
