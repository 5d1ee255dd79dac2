/** The organisations of an edition by the days on which something may have happened to them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPauses } from '../../../threads/pauses.ts';
import type { Edition } from '../../edition/edition.ts';
import { recordAt } from '../../edition/edition-records.ts';
import type { EditionHistory } from '../../edition/edition-store.ts';
import { firstDay, lastDay } from '../../record/day.ts';
import type { PeriodRecord } from '../../record/record.ts';
import { decidingPeriods } from '../dated-events.ts';
import { type CodeChange, codeChangesOf } from './code-changes.ts';
import { codesIn } from './code-lines.ts';
import { dayOfEdition, lastEditions } from './kept-editions.ts';

/** Full records have their rows in it, and what has no full record a number after all rows. */
export interface EventIndex {
  /** Ascending. */
  readonly days: readonly string[];
  /** The place of a day → its first place in `rows`; one more than days. */
  readonly firsts: Uint32Array;
  /** Of each day ascending, and each once. */
  readonly rows: Uint32Array;
  /** The codes without a full record that editions added or removed, by their number. */
  readonly gone: readonly string[];
  /** What the last editions added and removed, by day and code. */
  readonly codeChanges: ReadonlyMap<string, readonly CodeChange[]>;
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

/** The code of a number of the index. */
export function indexedCode({ links }: Edition, { gone }: EventIndex, row: number): string {
  return row < links.rowCount ? links.codeOf(row) : gone[row - links.rowCount]!;
}

/** What the editions of a day say about a code. */
export function codeChangesAt(
  { codeChanges }: EventIndex,
  day: string,
  code: string,
): readonly CodeChange[] {
  return codeChanges.get(`${day} ${code}`) ?? [];
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
  const pause = createPauses();
  for (const info of infos) {
    const day = dayOfEdition(info);
    for (const code of codesIn(await history.codes(info.number, 'changed'))) {
      const row = links.rowOf(code);
      if (row !== undefined && row < rows.count) add(row, day);
      const turn = pause();
      if (turn !== undefined) await turn;
    }
  }
  const changes = await codeChangesOf(infos, history);
  const gone = goneCodes(edition, changes);
  const places = new Map(gone.map((code, at) => [code, links.rowCount + at]));
  for (const { code, info } of changes) {
    add(places.get(code) ?? links.rowOf(code) ?? 0, dayOfEdition(info));
  }
  const numbers = Map.groupBy(infos, dayOfEdition);
  return {
    ...(await joined(rowsOfDays)),
    gone,
    codeChanges: Map.groupBy(changes, ({ code, info }) => `${dayOfEdition(info)} ${code}`),
    editionsOf: new Map([...numbers].map(([day, of]) => [day, of.map(({ number }) => number)])),
  };
}

function goneCodes({ links, rows }: Edition, changes: readonly CodeChange[]): readonly string[] {
  const isGone = (code: string) => (links.rowOf(code) ?? rows.count) >= rows.count;
  return [...new Set(changes.map(({ code }) => code).filter(isGone))].sort();
}

async function joined(
  rowsOfDays: ReadonlyMap<string, number[]>,
): Promise<Pick<EventIndex, 'days' | 'firsts' | 'rows'>> {
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
