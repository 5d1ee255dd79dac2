/** The organisations of an edition by the days on which something may have happened to them. */
import type { Pause } from '../../../threads/pauses.ts';
import { type SharedWork, shareWork } from '../../../threads/shared-work.ts';
import type { Edition } from '../../edition/edition.ts';
import { recordAt } from '../../edition/edition-records.ts';
import type { EditionHistory } from '../../edition/edition-store.ts';
import { firstDay, lastDay } from '../../record/day.ts';
import type { PeriodRecord } from '../../record/record.ts';
import { decidingPeriods, EVENT_PART, EVENT_PARTS_END, type EventParts } from '../dated-events.ts';
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
  /** Of each place: from which parts of its row events of its day can come. */
  readonly parts: Uint8Array;
  /** The codes without a full record that editions added or removed, by their number. */
  readonly gone: readonly string[];
  /** What the last editions added and removed, by day and code. */
  readonly codeChanges: ReadonlyMap<string, readonly CodeChange[]>;
  /** The days of the last editions, and their numbers: names and addresses may differ on them. */
  readonly editionsOf: ReadonlyMap<string, readonly number[]>;
}

/**
 * Made for the first question about an edition, in slices between which other requests are answered.
 * It keeps 5 bytes for each day of an organisation: 6 MB for 340,000 organisations in each thread
 * that was asked. Making it needs another 20 MB, and takes about 3 seconds. While no request waits
 * for it, it waits too. Rejects with the reason of the signal when it aborts.
 */
export async function eventIndexOf(
  edition: Edition,
  history: EditionHistory,
  signal?: AbortSignal,
): Promise<EventIndex> {
  let known = INDEXES.get(edition);
  // A history that could not be read may be readable now.
  if (known === undefined || known.isStopped) {
    known = shareWork((pause) => buildEventIndex(edition, history, pause), { whenLeft: 'sleep' });
    INDEXES.set(edition, known);
  }
  return await known.wait(signal);
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

const INDEXES = new WeakMap<Edition, SharedWork<EventIndex>>();

async function buildEventIndex(
  edition: Edition,
  history: EditionHistory,
  pause: Pause,
): Promise<EventIndex> {
  const { rows, links } = edition;
  const { opening, closing, roles, joining, leaving, succession } = EVENT_PART;
  const found = new FoundDays();
  const relationshipAt = links.scan();
  for (let row = 0; row < links.rowCount; row++) {
    const turn = pause();
    if (turn !== undefined) await turn;
    if (row < rows.count) {
      const record = recordAt(edition, row);
      found.addAll(row, decidingPeriods(record.periods), opening, closing);
      for (const { periods } of record.roles) {
        found.addAll(row, decidingPeriods(periods), roles, roles);
      }
      const { first, end } = links.ofRow(row);
      for (let at = first; at < end; at++) {
        found.addAll(row, decidingPeriods(relationshipAt(at).periods), joining, leaving);
      }
    }
    for (const { target, periods } of links.successionsOf(row)) {
      // Either of the two records can state it, and either can have the event.
      for (const one of [row, target.row ?? rows.count]) {
        if (one < rows.count) found.addAll(one, periods, succession, succession);
      }
    }
  }
  const infos = await lastEditions(edition, history);
  for (const info of infos) {
    const day = dayOfEdition(info);
    for (const code of codesIn(await history.codes(info.number, 'changed'))) {
      const row = links.rowOf(code);
      if (row !== undefined && row < rows.count) found.add(row, day, EVENT_PART.difference);
      const turn = pause();
      if (turn !== undefined) await turn;
    }
  }
  const changes = await codeChangesOf(infos, history, pause);
  const codeChanges = await byDayAndCode(changes, pause);
  const gone = [...new Set(changes.map(({ code }) => code))]
    .filter((code) => (links.rowOf(code) ?? rows.count) >= rows.count)
    .sort();
  const places = new Map(gone.map((code, at) => [code, links.rowCount + at]));
  for (const { code, info } of changes) {
    const turn = pause();
    if (turn !== undefined) await turn;
    const row = places.get(code) ?? links.rowOf(code) ?? 0;
    found.add(row, dayOfEdition(info), EVENT_PART.listing);
  }
  const numbers = Map.groupBy(infos, dayOfEdition);
  return {
    ...(await found.joined(pause)),
    gone,
    codeChanges,
    editionsOf: new Map([...numbers].map(([day, of]) => [day, of.map(({ number }) => number)])),
  };
}

async function byDayAndCode(
  changes: readonly CodeChange[],
  pause: Pause,
): Promise<EventIndex['codeChanges']> {
  const grouped = new Map<string, CodeChange[]>();
  for (const change of changes) {
    const turn = pause();
    if (turn !== undefined) await turn;
    const key = `${dayOfEdition(change.info)} ${change.code}`;
    const known = grouped.get(key);
    if (known === undefined) grouped.set(key, [change]);
    else known.push(change);
  }
  return grouped;
}

/** The rows of days with their parts, while they are found. */
class FoundDays {
  /** A row with its parts in one number, so that the lists stay short. */
  readonly #lists = new Map<string, number[]>();

  add(row: number, day: string, parts: EventParts): void {
    const list = this.#lists.get(day);
    if (list === undefined) {
      this.#lists.set(day, [packed(row, parts)]);
      return;
    }
    const last = list.at(-1)!;
    if (rowOf(last) === row) list[list.length - 1] = packed(row, partsOf(last) | parts);
    else list.push(packed(row, parts));
  }

  addAll(
    row: number,
    periods: readonly PeriodRecord[],
    ofStart: EventParts,
    ofEnd: EventParts,
  ): void {
    for (const { start, end } of periods) {
      if (start !== undefined) this.add(row, firstDay(start), ofStart);
      if (end !== undefined) this.add(row, lastDay(end), ofEnd);
    }
  }

  async joined(pause: Pause): Promise<Pick<EventIndex, 'days' | 'firsts' | 'rows' | 'parts'>> {
    const days = [...this.#lists.keys()].sort();
    const firsts = new Uint32Array(days.length + 1);
    const most = this.#lists.values().reduce((sum, { length }) => sum + length, 0);
    const rows = new Uint32Array(most);
    const parts = new Uint8Array(most);
    let count = 0;
    for (const [place, day] of days.entries()) {
      const turn = pause();
      if (turn !== undefined) await turn;
      for (const one of Float64Array.from(this.#lists.get(day)!).sort()) {
        const row = rowOf(one);
        if (count === firsts[place] || rows[count - 1] !== row) rows[count++] = row;
        parts[count - 1]! |= partsOf(one);
      }
      firsts[place + 1] = count;
    }
    return { days, firsts, rows: rows.slice(0, count), parts: parts.slice(0, count) };
  }
}

function packed(row: number, parts: EventParts): number {
  return row * EVENT_PARTS_END + parts;
}

function rowOf(one: number): number {
  return Math.floor(one / EVENT_PARTS_END);
}

function partsOf(one: number): EventParts {
  return one % EVENT_PARTS_END;
}
