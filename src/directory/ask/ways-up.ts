/** The relationships by which organisations belong to others on a day. */
import { type Edition, perEdition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import { relationshipsOf } from '../edition/source-record.ts';
import type { RelatedTarget } from '../links/edition-links.ts';
import { inTime, lastDayOf, latestOn, type Timed } from '../record/in-force.ts';
import { primaryRoleOf } from '../record/record-facts.ts';

/** The primary role of a primary care network, without `RO`. */
export const NETWORK = '272';

/** "Is partner to", without `RE`: how a practice belongs to its network. */
export const PARTNER_TO = '8';

/**
 * The types of relationships that lead up, without `RE`, in the order in which they count: is
 * commissioned by, operated by, located in the geography of, a sub-division of, directed by.
 */
const UPWARD = ['4', '6', '5', '2', '3'];

const TYPES = [PARTNER_TO, ...UPWARD];

/** An organisation that others belong to. */
export interface Above {
  readonly code: string;
  readonly name: string | undefined;
  /** Its primary role without `RO`. */
  readonly role: string | undefined;
  /** Undefined if the edition has no record of it. Numbered as in `links`. */
  readonly row: number | undefined;
}

export interface Way {
  /** The type of the relationship without `RE`. */
  readonly type: string;
  readonly to: Above;
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
  const ways = openWays(edition, day);
  // The one that was used first.
  for (const [first] of days) if (days.size >= DAYS_MAX) days.delete(first);
  days.set(day, ways);
  return ways;
}

const keptDays = perEdition(() => new Map<string, WaysUp>());

/** Today, yesterday, and some days that clients ask about. */
const DAYS_MAX = 4;

/** About 10 MB. An edition of 350,000 records has fewer organisations that others belong to. */
const ROWS_MAX = 50_000;

function openWays(edition: Edition, day: string): WaysUp {
  const aboveOf = openAbove(edition);
  const kept = new Map<number, readonly Way[]>();
  let lastRow = -1;
  let lastWays: readonly Way[] = [];
  return (row) => {
    if (row === lastRow) return lastWays;
    const known = kept.get(row);
    if (known !== undefined) return known;
    lastWays = readWays(edition, row, day, aboveOf);
    lastRow = row;
    if (edition.links.hasIncoming(row)) {
      if (kept.size >= ROWS_MAX) kept.clear();
      kept.set(row, lastWays);
    }
    return lastWays;
  };
}

type AboveOf = (target: RelatedTarget) => Above;

/** The role is the one that the relationship states; without it, the one of the record. */
function openAbove(edition: Edition): AboveOf {
  const kept = new Map<string, Above>();
  return ({ code, primaryRole, row }) => {
    const key = `${code} ${primaryRole}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const record = row === undefined ? undefined : recordAt(edition, row);
    const role = primaryRole ?? (record && primaryRoleOf(record)?.code);
    const above = { code, name: record?.name, role, row };
    if (kept.size >= ROWS_MAX) kept.clear();
    kept.set(key, above);
    return above;
  };
}

function readWays(edition: Edition, row: number, day: string, aboveOf: AboveOf): readonly Way[] {
  const relationships = relationshipsOf(edition, row).filter(({ type }) => TYPES.includes(type));
  if (relationships.length === 0) return [];
  const record = recordAt(edition, row);
  const isClosed = inTime(record, day).phase === 'past';
  const asked = (isClosed ? lastDayOf(record) : undefined) ?? day;
  const ways: Way[] = [];
  for (const type of TYPES) {
    const ofType = relationships.filter((each) => each.type === type);
    for (const { target } of standing(ofType, asked, isClosed))
      ways.push({ type, to: aboveOf(target) });
  }
  return ways.filter(({ type, to }) => type !== PARTNER_TO || to.role === NETWORK);
}

/** Those in force on the day, or the last one of a closed organisation. */
function standing<Part extends Timed>(
  parts: readonly Part[],
  day: string,
  isClosed: boolean,
): readonly Part[] {
  const latest = latestOn(parts, day);
  const [first] = latest;
  if (first !== undefined && inTime(first, day).phase === 'now') return latest;
  return isClosed ? latest.slice(0, 1) : [];
}
