/** Lists the events of an edition by day, page by page. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Edition } from '../edition/edition.ts';
import { lowest } from '../index/binary-search.ts';
import { relationshipsOf } from '../record/source-record.ts';
import {
  type DatedChange,
  type EventKind,
  eventsOf,
  type OrganizationEvent,
} from '../time/events.ts';
import { inTime } from '../time/in-force.ts';
import { predecessorsOf } from '../time/successors.ts';
import { type EventIndex, eventIndexOf } from './event-index.ts';

export interface EventFilter {
  /** The days are included: `YYYY-MM-DD`. */
  readonly since: string;
  readonly until?: string;
  /** The code of an organisation: events of it, and of those that belong to it on the day. */
  readonly of?: string;
  /** Organisations that have, had or will have the role. Without `RO`. */
  readonly role?: string;
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
  { after, limit }: { readonly after?: EventPosition | undefined; readonly limit: number },
): Promise<EventPage> {
  const index = await eventIndexOf(edition);
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
    if (read++ === READ_MAX) return { events, next: { place, skip: 0 } };
    const found = eventsOn(edition, row, index.days[dayAt]!, filter);
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

function placesOf({ days, firsts }: EventIndex, { since, until }: EventFilter) {
  const placeOf = (at: number) => firsts[at]!;
  return {
    from: placeOf(lowest(days.length, (at) => days[at]! >= since)),
    to: placeOf(until === undefined ? days.length : lowest(days.length, (at) => days[at]! > until)),
  };
}

/** A quick check, which can admit rows without a wanted event. */
function createRowFilter(
  { relations, rows }: Edition,
  { of, role }: EventFilter,
): (row: number) => boolean {
  const near = of === undefined ? undefined : rowsNear({ relations }, of);
  // By shape: most rows share their shapes.
  const known = new Map<number, boolean>();
  const hasRole = (row: number): boolean => {
    const shape = rows.shapeOf(row);
    const has = known.get(shape) ?? rows.shapeAt(shape).roles.some((each) => each.code === role);
    known.set(shape, has);
    return has;
  };
  return (row) => (near === undefined || near.has(row)) && (role === undefined || hasRole(row));
}

/** The organisation, those with any relationship to it, and those that it took over from. */
function rowsNear({ relations }: Pick<Edition, 'relations'>, code: string): ReadonlySet<number> {
  const replaced = predecessorsOf({ relations }, code).map(({ from }) => relations.rowOf(from));
  const own = relations.rowOf(code);
  const near = new Set([own, ...replaced].filter((row) => row !== undefined));
  const relationshipAt = relations.scan();
  for (const ordinal of relations.incoming(code)) near.add(relationshipAt(ordinal).sourceRow);
  return near;
}

function eventsOn(
  edition: Edition,
  row: number,
  day: string,
  { of, kind }: EventFilter,
): readonly OrganizationEvent[] {
  const found = eventsOf(
    edition,
    row,
    (change) => change.day === day && (kind === undefined || isOfKind(change, kind)),
  );
  if (of === undefined || found.length === 0) return found;
  const belongs = relationshipsOf(edition, row).some(
    (each) => each.target.code === of && inTime(each, day).phase === 'now',
  );
  return belongs
    ? found
    : found.filter(({ code, other, from }) => [code, other?.code, from?.code].includes(of));
}

/** Who left one organisation for another also left. */
function isOfKind({ kind, from }: DatedChange, wanted: EventKind): boolean {
  return kind === wanted || (wanted === 'left' && from !== undefined);
}
