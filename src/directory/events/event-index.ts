/** The organisations of an edition by the days on which something may have happened to them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Edition, perEdition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import { GrowingArray } from '../record/growing-array.ts';
import type { PeriodRecord } from '../record/record.ts';
import { firstDay, lastDay } from '../time/day.ts';
import { decidingPeriods } from '../time/events.ts';

/** Only full records have rows in it. */
export interface EventIndex {
  /** Ascending. */
  readonly days: readonly string[];
  /** The place of a day → its first place in `rows`; one more than days. */
  readonly firsts: Uint32Array;
  /** Of each day ascending, and each once. */
  readonly rows: Uint32Array;
}

/**
 * Made for the first question about an edition, in slices between which other requests are answered.
 * It keeps 4 bytes for each day of an organisation: 5 MB for 340,000 organisations in each thread
 * that was asked. Making it needs another 25 MB, and takes about 3 seconds.
 */
export const eventIndexOf = perEdition(buildEventIndex);

/** About 5 ms. */
const ROWS_AT_ONCE = 500;

async function buildEventIndex(edition: Edition): Promise<EventIndex> {
  const { rows, relations } = edition;
  const pairs = new Pairs();
  const relationshipAt = relations.scan();
  for (let row = 0; row < relations.rowCount; row++) {
    if (row % ROWS_AT_ONCE === 0) await nextTurn();
    if (row < rows.count) {
      const record = recordAt(edition, row);
      pairs.addAll(row, record.periods);
      for (const { periods } of record.roles) pairs.addAll(row, periods);
      const { first, end } = relations.ofRow(row);
      for (let at = first; at < end; at++) pairs.addAll(row, relationshipAt(at).periods);
    }
    for (const { target, periods } of relations.successionsOf(row)) {
      // Either of the two records can state it, and either can have the event.
      for (const one of [row, target.row ?? rows.count]) {
        if (one < rows.count) pairs.addAll(one, periods.slice(0, 1));
      }
    }
  }
  return pairs.finish();
}

/** Days and rows in any order. */
class Pairs {
  /** Day → its number, in the order in which they were found. */
  readonly #numbers = new Map<string, number>();
  readonly #counts: number[] = [];
  readonly #days = new GrowingArray(Uint32Array, 1 << 16);
  readonly #rows = new GrowingArray(Uint32Array, 1 << 16);
  /** The days that `#row` has already. */
  readonly #known = new Set<number>();
  #row = -1;

  addAll(row: number, periods: readonly PeriodRecord[]): void {
    for (const { start, end } of decidingPeriods(periods)) {
      this.#add(row, firstDay(start));
      if (end !== undefined) this.#add(row, lastDay(end));
    }
  }

  #add(row: number, day: string): void {
    let number = this.#numbers.get(day);
    if (number === undefined) {
      number = this.#counts.push(0) - 1;
      this.#numbers.set(day, number);
    }
    if (row !== this.#row) this.#known.clear();
    this.#row = row;
    if (this.#known.has(number)) return;
    this.#known.add(number);
    this.#counts[number]!++;
    this.#days.push(number);
    this.#rows.push(row);
  }

  async finish(): Promise<EventIndex> {
    const days = [...this.#numbers.keys()].sort();
    const next = new Uint32Array(days.length);
    let total = 0;
    for (const day of days) {
      const number = this.#numbers.get(day)!;
      next[number] = total;
      total += this.#counts[number]!;
    }
    const all = new Uint32Array(total);
    for (let at = 0; at < total; at++) {
      if (at % PAIRS_AT_ONCE === 0) await nextTurn();
      all[next[this.#days.array[at]!]!++] = this.#rows.array[at]!;
    }
    return this.#withoutRepeats(days, all, next);
  }

  /** `ends`: the number of a day → the place after its last row. */
  async #withoutRepeats(
    days: readonly string[],
    all: Uint32Array,
    ends: Uint32Array,
  ): Promise<EventIndex> {
    const firsts = new Uint32Array(days.length + 1);
    let kept = 0;
    let start = 0;
    for (const [place, day] of days.entries()) {
      if (place % DAYS_AT_ONCE === 0) await nextTurn();
      firsts[place] = kept;
      const end = ends[this.#numbers.get(day)!]!;
      let before = -1;
      for (const row of all.subarray(start, end).sort()) {
        if (row !== before) all[kept++] = row;
        before = row;
      }
      start = end;
    }
    firsts[days.length] = kept;
    return { days, firsts, rows: all.slice(0, kept) };
  }
}

/** Less than a millisecond's work, except for a day on which very many organisations changed. */
const PAIRS_AT_ONCE = 100_000;
const DAYS_AT_ONCE = 100;
