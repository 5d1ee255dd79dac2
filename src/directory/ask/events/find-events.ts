/** Lists the events of an edition by day, page by page. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { lowest } from '../../arrays/binary-search.ts';
import type { Edition } from '../../edition/edition.ts';
import type { EditionHistory, EditionInfo } from '../../edition/edition-store.ts';
import { relationshipsOf } from '../../edition/source-record.ts';
import { inTime } from '../../record/in-force.ts';
import { perShape } from '../../record/rows.ts';
import type { EventKind, OrganizationEvent } from '../answers.ts';
import { eventsOf } from '../dated-events.ts';
import { predecessorsOf, successorsOf } from '../successors.ts';
import { type EventIndex, eventIndexOf } from './event-index.ts';
import { differencesOf, keptEditions, statesOf } from './kept-editions.ts';

export interface EventFilter {
  /** The days are included: `YYYY-MM-DD`. */
  readonly since: string;
  readonly until?: string;
  /** The code of an organisation: events of it, and of those that belong to it on the day. */
  readonly of?: string;
  /** Organisations that have, had or will have one of the roles. Without `RO`. */
  readonly roles?: readonly string[];
  readonly kind?: EventKind;
}

export interface EventPage {
  /** By day, then by code. */
  readonly events: readonly OrganizationEvent[];
  /** Where the next page begins, in the same edition. Absent on the last page. */
  readonly next?: EventPosition;
}

export interface EventPosition {
  /** The place in the index. */
  readonly place: number;
  /** How many events of this place are on earlier pages. */
  readonly skip: number;
}

/**
 * Other requests are answered meanwhile. A page can have fewer events than the limit although there
 * is a next one, because a request reads a limited number of records.
 */
export async function findEvents(
  edition: Edition,
  filter: EventFilter,
  history: EditionHistory,
  { after, limit }: { readonly after?: EventPosition | undefined; readonly limit: number },
): Promise<EventPage> {
  const index = await eventIndexOf(edition, history);
  const kept = await keptEditions(edition, history);
  const { from, to } = placesOf(index, filter);
  const isWanted = createRowFilter(edition, filter);
  const events: OrganizationEvent[] = [];
  let place = Math.max(from, after?.place ?? 0);
  let dayAt = lowest(index.days.length, (at) => index.firsts[at + 1]! > place);
  let sliceEnd = performance.now() + SLICE_MS;
  let read = 0;
  for (; place < to; place++) {
    while (index.firsts[dayAt + 1]! <= place) dayAt++;
    if (performance.now() > sliceEnd) {
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
    const row = index.rows[place]!;
    if (!isWanted(row)) continue;
    if (read >= READ_MAX) return { events, next: { place, skip: 0 } };
    read += 1;
    const day = index.days[dayAt]!;
    const changedIn = await editionsThatChanged(edition, row, index.editionsOf.get(day), history);
    if (changedIn.length > 0) read += COMPARED_READS;
    const found = ofOrganization(edition, row, day, filter, [
      ...eventsOf(edition, row, (change) => change.day === day && isOfKind(change, filter)),
      ...(await comparedEvents(edition, row, changedIn, kept, history)).filter((event) =>
        isOfKind(event, filter),
      ),
    ]);
    const skip = place === after?.place ? after.skip : 0;
    const room = limit - events.length;
    events.push(...found.slice(skip, skip + room));
    if (found.length > skip + room) return { events, next: { place, skip: skip + room } };
  }
  return { events };
}

const SLICE_MS = 5;

/** About half a second's work. */
const READ_MAX = 20_000;

/** What a comparison of editions on disk costs, in records read from memory. */
const COMPARED_READS = 10;

function placesOf({ days, firsts }: EventIndex, { since, until }: EventFilter) {
  const placeOf = (at: number) => firsts[at]!;
  return {
    from: placeOf(lowest(days.length, (at) => days[at]! >= since)),
    to: placeOf(until === undefined ? days.length : lowest(days.length, (at) => days[at]! > until)),
  };
}

/** A quick check, which can admit rows without a wanted event. */
function createRowFilter(
  { links, rows }: Edition,
  { of, roles: wanted }: EventFilter,
): (row: number) => boolean {
  const near = of === undefined ? undefined : rowsNear({ links }, of);
  const hasRole = perShape(rows, ({ roles }) => roles.some(({ code }) => wanted?.includes(code)));
  return (row) => (near === undefined || near.has(row)) && (wanted === undefined || hasRole(row));
}

/**
 * The organisation, those with any relationship to it, those that it took over from, and those that
 * took over from it: they have the events of a code without a full record.
 */
function rowsNear({ links }: Pick<Edition, 'links'>, code: string): ReadonlySet<number> {
  const codes = [
    code,
    ...predecessorsOf({ links }, code).map(({ from }) => from),
    ...successorsOf({ links }, code).map(({ to }) => to),
  ];
  const near = new Set(codes.map(links.rowOf).filter((row) => row !== undefined));
  const relationshipAt = links.scan();
  for (const ordinal of links.incoming(code)) near.add(relationshipAt(ordinal).sourceRow);
  return near;
}

/** Of the editions of a day, those that say something else of the organisation than the one before. */
async function editionsThatChanged(
  { links }: Edition,
  row: number,
  numbers: readonly number[] = [],
  history: EditionHistory,
): Promise<readonly number[]> {
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

/** All, or those that concern the organisation of the filter. */
function ofOrganization(
  edition: Edition,
  row: number,
  day: string,
  { of }: EventFilter,
  events: readonly OrganizationEvent[],
): readonly OrganizationEvent[] {
  if (of === undefined || events.length === 0) return events;
  const belongs = relationshipsOf(edition, row).some(
    (each) => each.target.code === of && inTime(each, day).phase === 'now',
  );
  return belongs
    ? events
    : events.filter(({ code, other, from }) => [code, other?.code, from?.code].includes(of));
}

/** Who left one organisation for another also left. */
function isOfKind(
  { kind, from }: { readonly kind: EventKind; readonly from?: unknown },
  { kind: wanted }: EventFilter,
): boolean {
  return wanted === undefined || kind === wanted || (wanted === 'left' && from !== undefined);
}
