/** The relationships by which organisations belong to others on a day. */
import { type Edition, perEdition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import type { EditionLinks } from '../links/edition-links.ts';
import { inTime, lastDayOf, type Phase, type Timed } from '../record/in-force.ts';
import type { SourceRecord } from '../record/record.ts';
import { primaryRoleOf } from '../record/record-facts.ts';
import { perShape } from '../record/rows.ts';
import type { Shape } from '../record/shape.ts';

/** The primary role of a primary care network, without `RO`. */
export const NETWORK = '272';

/** "Is partner to", without `RE`: how a practice belongs to its network. */
export const PARTNER_TO = '8';

/**
 * The types of relationships that lead up, without `RE`, in the order in which they count: is
 * commissioned by, operated by, located in the geography of, a sub-division of, directed by.
 */
export const UPWARD: readonly string[] = ['4', '6', '5', '2', '3'];

const TYPES = [PARTNER_TO, ...UPWARD];

export interface Way {
  /** The type of the relationship without `RE`. */
  readonly type: string;
  /** The number of the target: its row as in `links`, or more if the edition has no record of it. */
  readonly to: number;
  /** The primary role of the target without `RO`. */
  readonly role: string | undefined;
}

/** The ways of a row: by type in the order of `TYPES`, and of a type the one that began last first. */
export type WaysUp = (row: number) => readonly Way[];

/**
 * The ways that are in force on the day. A closed organisation has those of its last day, and of a
 * type that had none then, the last one. What others belong to is kept, because they are many.
 */
export function waysUpOn(edition: Edition, day: string): WaysUp {
  const days = keptDays(edition);
  const known = days.get(day);
  if (known !== undefined) return known;
  const ways = openWaysUp(edition, day);
  // The one that was opened first.
  for (const [first] of days) if (days.size >= DAYS_MAX) days.delete(first);
  days.set(day, ways);
  return ways;
}

const keptDays = perEdition(() => new Map<string, WaysUp>());

/** Today, yesterday, and some days that clients ask about. */
const DAYS_MAX = 4;

/** About 10 MB. */
const ROWS_MAX = 50_000;

/** The same for a short time: the day is not kept. */
export function openWaysUp(edition: Edition, day: string): WaysUp {
  const read = openReader(edition, day);
  const kept = new Map<number, readonly Way[]>();
  let lastRow = -1;
  let lastWays = NO_WAYS;
  return (row) => {
    if (row === lastRow) return lastWays;
    const known = kept.get(row);
    if (known !== undefined) return known;
    lastWays = read(row);
    lastRow = row;
    if (edition.links.hasIncoming(row)) {
      if (kept.size >= ROWS_MAX) kept.clear();
      kept.set(row, lastWays);
    }
    return lastWays;
  };
}

/** A way that is in force, or was, or will be. */
interface Placed extends Way {
  readonly phase: Phase;
  readonly start: string;
}

function openReader(edition: Edition, day: string): WaysUp {
  const { links } = edition;
  const relationshipAt = links.scan();
  const roleOf = openRoles(edition);
  const askedOn = openAskedOn(edition, day);
  return (row) => {
    const { first, end } = links.ofRow(row);
    const placed: Placed[] = [];
    let asked: Asked | undefined;
    for (let ordinal = first; ordinal < end; ordinal++) {
      const relationship = relationshipAt(ordinal);
      const { type, targetNumber: to } = relationship;
      if (!TYPES.includes(type)) continue;
      const role = relationship.targetRole ?? roleOf(to);
      if (type === PARTNER_TO && role !== NETWORK) continue;
      asked ??= askedOn(row);
      const way = placedOn(asked, relationship, { type, to, role });
      if (way !== undefined) placed.push(way);
    }
    return standingOf(placed);
  };
}

/** Undefined if it does not count on the day. */
function placedOn({ day, isClosed }: Asked, relationship: Timed, way: Way): Placed | undefined {
  const { phase, period } = inTime(relationship, day);
  if (phase !== 'now' && !(isClosed && phase === 'past')) return undefined;
  const { type, to, role } = way;
  return { type, to, role, phase, start: period?.start ?? '' };
}

function standingOf(placed: Placed[]): readonly Way[] {
  if (placed.length < 2) return placed;
  placed.sort((a, b) => Number(b.start > a.start) - Number(b.start < a.start));
  return TYPES.flatMap((type) => standing(placed.filter((each) => each.type === type)));
}

/**
 * The ways of a record that the edition does not have: of an earlier one. Codes that the edition does
 * not know have negative numbers here.
 */
export function waysOfRecord(
  edition: Edition,
  record: SourceRecord,
  day: string,
): { readonly ways: readonly Way[]; readonly toOf: (code: string) => number } {
  const unknown = new Map<string, number>();
  const toOf = (code: string): number => {
    const known = targetNumberOf(edition.links, code) ?? unknown.get(code);
    if (known !== undefined) return known;
    const next = -1 - unknown.size;
    unknown.set(code, next);
    return next;
  };
  const roleOf = openRoles(edition);
  const asked = askedOf(record, day);
  const placed = (record.relationships ?? []).flatMap((relationship) => {
    const { type, target } = relationship;
    const to = toOf(target.code);
    const role = target.primaryRole ?? (to < 0 ? undefined : roleOf(to));
    if (!TYPES.includes(type) || (type === PARTNER_TO && role !== NETWORK)) return [];
    return placedOn(asked, relationship, { type, to, role }) ?? [];
  });
  return { ways: standingOf(placed), toOf };
}

/** The number of a code as a target. Undefined if the edition has neither a record of it nor a link to it. */
export function targetNumberOf(links: EditionLinks, code: string): number | undefined {
  const row = links.rowOf(code);
  if (row !== undefined) return row;
  const [ordinal] = links.incoming(code);
  return ordinal === undefined ? undefined : links.scan()(ordinal).targetNumber;
}

const NO_WAYS: readonly Way[] = [];

/** Those in force, or the last one. `ofType` are of one type, the one that began last first. */
function standing(ofType: readonly Placed[]): readonly Placed[] {
  const now = ofType.filter(({ phase }) => phase === 'now');
  return now.length > 0 ? now : ofType.slice(0, 1);
}

/** The primary roles of records, for relationships that do not state the role of their target. */
function openRoles({ rows, references }: Edition): (target: number) => string | undefined {
  const roleOf = (shape: Shape) => primaryRoleOf(shape)?.code ?? '';
  const ofFull = perShape(rows, roleOf);
  const ofReference = perShape(references.rows, roleOf);
  return (target) => {
    const reference = target - rows.count;
    if (reference >= references.rows.count) return undefined;
    return (reference < 0 ? ofFull(target) : ofReference(reference)) || undefined;
  };
}

/** The day on which an organisation is asked, and whether it was closed on the day asked about. */
interface Asked {
  readonly day: string;
  readonly isClosed: boolean;
}

function openAskedOn(edition: Edition, day: string): (row: number) => Asked {
  const { rows, references } = edition;
  const open = { day, isClosed: false };
  // Most records need not be read: they are active, and have no end.
  const ofFull = perShape(rows, mayBeClosed);
  const ofReference = perShape(references.rows, mayBeClosed);
  return (row) => {
    const isRead = row < rows.count ? ofFull(row) : ofReference(row - rows.count);
    return isRead ? askedOf(recordAt(edition, row), day) : open;
  };
}

function askedOf(record: Timed, day: string): Asked {
  if (inTime(record, day).phase !== 'past') return { day, isClosed: false };
  return { day: lastDayOf(record) ?? day, isClosed: true };
}

function mayBeClosed({ isActive, periods }: Shape): boolean {
  return !isActive || periods.some(({ end }) => end !== undefined);
}
