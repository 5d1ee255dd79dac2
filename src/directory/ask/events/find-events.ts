/** Lists the events of an edition by their own days, page by page. */

import { createPauses } from '../../../threads/pauses.ts';
import { lowest } from '../../arrays/binary-search.ts';
import type { Edition } from '../../edition/edition.ts';
import type { EditionHistory, EditionInfo } from '../../edition/edition-store.ts';
import { sourceRecordAt } from '../../edition/source-record.ts';
import type { OrganizationEvent } from '../answers.ts';
import {
  type DatedChange,
  EVENT_PART,
  type EventParts,
  eventsOf,
  partsOfKinds,
} from '../dated-events.ts';
import { type BelongingOnDay, openBelonging } from './belonging-on-day.ts';
import { type CodeChange, comparedEvent } from './code-changes.ts';
import {
  type EventFilter,
  type EventPage,
  type EventPageOptions,
  hasRole,
  isOf,
  isOfKind,
  PageTime,
} from './event-filter.ts';
import { codeChangesAt, type EventIndex, eventIndexOf, indexedCode } from './event-index.ts';
import { differencesOf, keptEditions, statesOf } from './kept-editions.ts';
import { createRowFilter } from './row-filter.ts';

/**
 * By day, then by code; codes without a full record come last. Other requests are answered meanwhile.
 * A page can have fewer events than the limit although there is a next one, because a page takes a
 * limited time.
 */
export async function findEvents(
  edition: Edition,
  filter: EventFilter,
  history: EditionHistory,
  { after, limit, pause = createPauses(), signal }: EventPageOptions,
): Promise<EventPage> {
  const index = await eventIndexOf(edition, history, signal);
  const kept = await keptEditions(edition, history);
  const { from, to } = placesOf(index, filter);
  const isWanted = await createRowFilter(edition, filter);
  const wantedParts = partsOfKinds(filter.kinds);
  const belonging = openBelonging(edition, filter.of ?? '');
  const events: OrganizationEvent[] = [];
  let place = Math.max(from, after?.place ?? 0);
  let dayAt = lowest(index.days.length, (at) => index.firsts[at + 1]! > place);
  const time = new PageTime(pause);
  for (; place < to; place++) {
    while (index.firsts[dayAt + 1]! <= place) dayAt++;
    const parts = index.parts[place]! & wantedParts;
    if (parts === 0 && place % PLACES_AT_ONCE > 0) continue;
    const turn = time.pause();
    if (turn !== undefined) await turn;
    if (time.isOver) return { events, next: { place, skip: 0 } };
    const row = index.rows[place]!;
    if (parts === 0 || !isWanted(row)) continue;
    const day = index.days[dayAt]!;
    const has = (part: EventParts) => (parts & part) !== 0;
    const changedIn = has(EVENT_PART.difference)
      ? await editionsThatChanged(edition, row, index.editionsOf.get(day), history)
      : [];
    const changes = has(EVENT_PART.listing)
      ? codeChangesAt(index, day, indexedCode(edition, index, row))
      : [];
    const found = [
      ...ofRow(row, belonging, filter, [
        ...datedEvents(edition, row, { day, parts, filter }),
        ...(await comparedEvents(edition, row, changedIn, kept, history)),
      ]),
      ...(await codeEvents(edition, changes, { filter, belonging, history })),
    ].filter((event) => isOfKind(event, filter));
    const skip = place === after?.place ? after.skip : 0;
    const room = limit - events.length;
    events.push(...found.slice(skip, skip + room));
    if (found.length > skip + room) return { events, next: { place, skip: skip + room } };
  }
  return { events };
}

/** Those without a wanted event take a few nanoseconds each. */
const PLACES_AT_ONCE = 1024;

/** What the record of a row says of a day. */
function datedEvents(
  edition: Edition,
  row: number,
  {
    day,
    parts,
    filter,
  }: { readonly day: string; readonly parts: EventParts; readonly filter: EventFilter },
): readonly OrganizationEvent[] {
  if (row >= edition.rows.count) return [];
  const isWanted = (change: DatedChange) => change.day === day && isOfKind(change, filter);
  return eventsOf(edition, row, { parts, isWanted });
}

interface CodeQuestion {
  readonly filter: EventFilter;
  readonly belonging: BelongingOnDay;
  readonly history: EditionHistory;
}

/** The organisations that editions added and removed, as events that the filter wants. */
async function codeEvents(
  edition: Edition,
  changes: readonly CodeChange[],
  { filter, belonging, history }: CodeQuestion,
): Promise<readonly OrganizationEvent[]> {
  const found: OrganizationEvent[] = [];
  for (const { kind, code, info, comparedTo } of changes) {
    const row = edition.links.rowOf(code);
    const isFull = row !== undefined && row < edition.rows.count;
    const number = kind === 'removed' ? comparedTo : info.number;
    const before = isFull ? sourceRecordAt(edition, row) : await history.record(number, code);
    const record = before === 'none' ? undefined : before;
    const event = comparedEvent(kind, record ?? { code }, info);
    // Of what is no longer kept, only the code is known.
    const belongs = (day: string) =>
      isFull ? belonging.ofRow(row, day) : record !== undefined && belonging.ofRecord(record, day);
    if (hasRole(record ?? { roles: [] }, filter) && isOf(event, belongs, filter)) found.push(event);
  }
  return found;
}

function placesOf({ days, firsts }: EventIndex, { since = '', until }: EventFilter) {
  const placeOf = (at: number) => firsts[at]!;
  return {
    from: placeOf(lowest(days.length, (at) => days[at]! >= since)),
    to: placeOf(until === undefined ? days.length : lowest(days.length, (at) => days[at]! > until)),
  };
}

/** Of the editions of a day, those that say something else of the organisation than the one before. */
async function editionsThatChanged(
  { links, rows }: Edition,
  row: number,
  numbers: readonly number[] = [],
  history: EditionHistory,
): Promise<readonly number[]> {
  if (row >= rows.count) return [];
  const code = links.codeOf(row);
  const kinds = await Promise.all(numbers.map((number) => history.changeOf(number, code)));
  return numbers.filter((_, at) => kinds[at] === 'changed');
}

/** Other names and addresses in these editions, as far as they and the ones before are kept. */
async function comparedEvents(
  edition: Edition,
  row: number,
  numbers: readonly number[],
  kept: readonly EditionInfo[],
  history: EditionHistory,
): Promise<readonly OrganizationEvent[]> {
  if (numbers.length === 0) return [];
  const needed = kept.filter(
    ({ number }, at) =>
      at === 0 || numbers.includes(number) || numbers.includes(kept[at - 1]!.number),
  );
  const states = await statesOf(edition, edition.links.codeOf(row), needed, history);
  return differencesOf(states).filter(({ knownSince }) => numbers.includes(knownSince!.edition));
}

/** Those that concern the organisation of the filter. */
function ofRow(
  row: number,
  belonging: BelongingOnDay,
  filter: EventFilter,
  events: readonly OrganizationEvent[],
): readonly OrganizationEvent[] {
  if (filter.of === undefined) return events;
  return events.filter((event) => isOf(event, (day) => belonging.ofRow(row, day), filter));
}
