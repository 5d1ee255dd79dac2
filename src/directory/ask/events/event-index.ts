/** The organisations of an edition by the days on which something may have happened to them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Edition } from '../../edition/edition.ts';
import { recordAt } from '../../edition/edition-records.ts';
import type { EditionHistory } from '../../edition/edition-store.ts';
import { firstDay, lastDay } from '../../record/day.ts';
import type { PeriodRecord } from '../../record/record.ts';
import { decidingPeriods } from '../dated-events.ts';
import { dayOfEdition, lastEditions } from './kept-editions.ts';

/** Only full records have rows in it. */
export interface EventIndex {
  /** Ascending. */
  readonly days: readonly string[];
  /** The place of a day → its first place in `rows`; one more than days. */
  readonly firsts: Uint32Array;
  /** Of each day ascending, and each once. */
  readonly rows: Uint32Array;
  /** The days of the last editions, and their numbers: names and addresses may differ on them. */
  readonly editionsOf: ReadonlyMap<string, readonly number[]>;
}

/**
 * Made for the first question about an edition, in slices between which other requests are answered.
 * It keeps 4 bytes for each day of an organisation: 5 MB for 340,000 organisations in each thread
 * that was asked. Making it needs another 20 MB, and takes about 3 seconds.
 */
export function eventIndexOf(edition: Edition, history: EditionHistory): Promise<EventIndex> {
  const known = INDEXES.get(edition) ?? buildEventIndex(edition, history);
  INDEXES.set(edition, known);
  // A history that cannot be read now may be readable for the next question.
  known.catch(() => INDEXES.delete(edition));
  return known;
}

const INDEXES = new WeakMap<Edition, Promise<EventIndex>>();

/** About 5 ms. */
const ROWS_AT_ONCE = 500;

async function buildEventIndex(edition: Edition, history: EditionHistory): Promise<EventIndex> {
  const { rows, links } = edition;
  const rowsOfDays = new Map<string, number[]>();
  const add = (row: number, day: string) => {
    const known = rowsOfDays.get(day);
    if (known === undefined) rowsOfDays.set(day, [row]);
    else if (known.at(-1) !== row) known.push(row);
  };
  const addAll = (row: number, periods: readonly PeriodRecord[]) => {
    for (const { start, end } of periods) {
      if (start !== undefined) add(row, firstDay(start));
      if (end !== undefined) add(row, lastDay(end));
    }
  };
  const relationshipAt = links.scan();
  for (let row = 0; row < links.rowCount; row++) {
    if (row % ROWS_AT_ONCE === 0) await nextTurn();
    if (row < rows.count) {
      const record = recordAt(edition, row);
      for (const { periods } of [record, ...record.roles]) addAll(row, decidingPeriods(periods));
      const { first, end } = links.ofRow(row);
      for (let at = first; at < end; at++) addAll(row, decidingPeriods(relationshipAt(at).periods));
    }
    for (const { target, periods } of links.successionsOf(row)) {
      // Either of the two records can state it, and either can have the event.
      for (const one of [row, target.row ?? rows.count]) {
        if (one < rows.count) addAll(one, periods);
      }
    }
  }
  const infos = await lastEditions(edition, history);
  for (const info of infos) {
    const codes = (await history.codes(info.number, 'changed')).split('\n');
    for (const code of codes) {
      const row = links.rowOf(code);
      if (row !== undefined && row < rows.count) add(row, dayOfEdition(info));
    }
    await nextTurn();
  }
  const numbers = Map.groupBy(infos, dayOfEdition);
  return {
    ...(await joined(rowsOfDays)),
    editionsOf: new Map([...numbers].map(([day, of]) => [day, of.map(({ number }) => number)])),
  };
}

async function joined(
  rowsOfDays: ReadonlyMap<string, number[]>,
): Promise<Omit<EventIndex, 'editionsOf'>> {
  const days = [...rowsOfDays.keys()].sort();
  const firsts = new Uint32Array(days.length + 1);
  const rows = new Uint32Array(rowsOfDays.values().reduce((sum, { length }) => sum + length, 0));
  let count = 0;
  for (const [place, day] of days.entries()) {
    if (place % DAYS_AT_ONCE === 0) await nextTurn();
    const distinct = Uint32Array.from(new Set(rowsOfDays.get(day))).sort();
    rows.set(distinct, count);
    count += distinct.length;
    firsts[place + 1] = count;
  }
  return { days, firsts, rows: rows.slice(0, count) };
}

/** Less than 5 ms, except for days on which very many organisations changed. */
const DAYS_AT_ONCE = 100;
