/** What happened to an organisation, from the dates of its record. */

import type { Edition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import { namedCode, relationshipsOf } from '../edition/source-record.ts';
import { daysAfter, firstDay, lastDay } from '../record/day.ts';
import { prefixedId } from '../record/ids.ts';
import type { Timed } from '../record/in-force.ts';
import type { NamedCode } from '../record/named-code.ts';
import type { PeriodRecord, SourceRecord } from '../record/record.ts';
import type { EventKind, OrganizationEvent, Replacement } from './answers.ts';
import { predecessorsOf, successorsOf } from './successors.ts';

/** An event without names: `other` and `from` are codes. */
export interface DatedChange extends Pick<OrganizationEvent, 'kind' | 'day' | 'role' | 'by'> {
  readonly other?: string;
  readonly from?: string;
  /** The other codes that merged on that day. */
  readonly mergedWith?: readonly string[];
}

/** What events come from: parts of records and comparisons of editions, a bit each. */
export type EventParts = number;

export const EVENT_PART = {
  opening: 1,
  closing: 2,
  roles: 4,
  joining: 8,
  leaving: 16,
  succession: 32,
  /** Another name, address or other detail than in the edition before. */
  difference: 64,
  /** The code is in an edition, and not in the one before or after it. */
  listing: 128,
} as const satisfies Readonly<Record<string, EventParts>>;

/** One more than all of them together. */
export const EVENT_PARTS_END = 256;

const PARTS_OF_KIND: Readonly<Record<EventKind, EventParts>> = {
  opened: EVENT_PART.opening,
  reopened: EVENT_PART.opening,
  closed: EVENT_PART.closing,
  'role-gained': EVENT_PART.roles,
  'role-lost': EVENT_PART.roles,
  joined: EVENT_PART.joining,
  // Who left one organisation for another has one event, on the day of joining.
  left: EVENT_PART.leaving | EVENT_PART.joining,
  succeeded: EVENT_PART.succession,
  merged: EVENT_PART.succession,
  renamed: EVENT_PART.difference,
  moved: EVENT_PART.difference,
  changed: EVENT_PART.difference,
  added: EVENT_PART.listing,
  removed: EVENT_PART.listing,
};

/** The parts from which events of these kinds come. Without kinds: all parts. */
export function partsOfKinds(kinds: readonly EventKind[] | undefined): EventParts {
  if (kinds === undefined) return EVENT_PARTS_END - 1;
  return kinds.reduce((parts, kind) => parts | PARTS_OF_KIND[kind], 0);
}

interface WantedChanges {
  /** From which parts of the record: only these are read. Default: all. */
  readonly parts?: EventParts;
  /** Decides before names are read, which takes most of the time. */
  isWanted?(change: DatedChange & Pick<NamedCode, 'code'>): boolean;
}

/**
 * What happened to the organisation of a row, the earliest first. `row` is numbered as in
 * `links`. It includes what the organisation took over from codes without a full record, because
 * no other row has these events. What needs a comparison of editions is in `events/timeline.ts`.
 */
export function eventsOf(
  edition: Edition,
  row: number,
  { parts = ALL_PARTS, isWanted = () => true }: WantedChanges = {},
): readonly OrganizationEvent[] {
  const code = edition.links.codeOf(row);
  const changes: (DatedChange & Pick<NamedCode, 'code'>)[] = [];
  for (const change of statedChanges(edition, row, parts)) changes.push({ code, ...change });
  if ((parts & EVENT_PART.succession) !== 0) {
    const replacements = [
      ...successorsOf(edition, code),
      ...predecessorsOf(edition, code).filter(({ from }) => !isFull(edition, from)),
    ];
    changes.push(...replacements.flatMap((each) => replacementChange(edition, each)));
  }
  return changes
    .filter(isWanted)
    .map((change) => describe(edition, change))
    .toSorted(byDay);
}

/** What the record of a row states about itself in these parts. */
function statedChanges(edition: Edition, row: number, parts: EventParts): DatedChange[] {
  const isOfRecord = (parts & PARTS_OF_RECORD) !== 0;
  const isOfRelationships = (parts & PARTS_OF_RELATIONSHIPS) !== 0;
  return [
    ...(isOfRecord ? ownChanges(recordAt(edition, row), parts) : []),
    ...(isOfRelationships ? relationshipChanges(relationshipsOf(edition, row)) : []),
  ];
}

const ALL_PARTS = partsOfKinds(undefined);
const PARTS_OF_ITSELF = EVENT_PART.opening | EVENT_PART.closing;
const PARTS_OF_RECORD = PARTS_OF_ITSELF | EVENT_PART.roles;
const PARTS_OF_RELATIONSHIPS = EVENT_PART.joining | EVENT_PART.leaving;

export function byDay(one: Pick<OrganizationEvent, 'day'>, other: typeof one): number {
  return one.day < other.day ? -1 : Number(one.day > other.day);
}

/** The changes that a record states about itself, in no order. */
export function changesOf({
  relationships = [],
  ...record
}: Pick<SourceRecord, 'periods' | 'isActive' | 'roles' | 'relationships'>): DatedChange[] {
  return [...ownChanges(record, ALL_PARTS), ...relationshipChanges(relationships)];
}

/** When it opened and closed, and gained and lost roles. */
function ownChanges(
  { periods, isActive, roles }: Pick<SourceRecord, 'periods' | 'isActive' | 'roles'>,
  parts: EventParts,
): DatedChange[] {
  const found: DatedChange[] = [];
  if ((parts & PARTS_OF_ITSELF) !== 0) {
    const own = turnsOf([{ periods, isActive }], ['opened', 'closed'], {});
    for (const [at, change] of own.entries()) {
      const isAgain = at > 0 && change.kind === 'opened';
      found.push(isAgain ? { ...change, kind: 'reopened' } : change);
    }
  }
  if ((parts & EVENT_PART.roles) !== 0) {
    for (const [code, held] of Map.groupBy(roles, (role) => role.code)) {
      const role = prefixedId('RO', code);
      found.push(...turnsOf(held, ['role-gained', 'role-lost'], { role }));
    }
  }
  return found;
}

function relationshipChanges(
  relationships: NonNullable<SourceRecord['relationships']>,
): DatedChange[] {
  return [...Map.groupBy(relationships, ({ type }) => type)].flatMap(([type, links]) => {
    const byTarget = Map.groupBy(links, ({ target }) => target.code);
    const turns = [...byTarget].flatMap(([other, parts]) =>
      turnsOf(parts, ['joined', 'left'], { by: prefixedId('RE', type), other }),
    );
    return withMoves(turns);
  });
}

/** Who leaves one organisation and joins another on the next day moves: one change instead of two. */
function withMoves(changes: readonly DatedChange[]): DatedChange[] {
  const left = Map.groupBy(
    changes.filter(({ kind }) => kind === 'left'),
    ({ day }) => daysAfter(day, 1),
  );
  const joined = changes
    .filter(({ kind }) => kind === 'joined')
    .map((change) => {
      const from = left.get(change.day)?.shift()?.other;
      return from === undefined ? change : { ...change, from };
    });
  return [...joined, ...[...left.values()].flat()];
}

/** When the parts came into force, and when they were in force for the last time. */
function turnsOf(
  parts: readonly Timed[],
  [begins, ends]: readonly [EventKind, EventKind],
  more: Pick<DatedChange, 'role' | 'by' | 'other'>,
): DatedChange[] {
  return spansOf(parts).flatMap(({ first, last }) => {
    const begin = first === NO_START ? [] : [{ kind: begins, day: first, ...more }];
    return last === NO_END ? begin : [...begin, { kind: ends, day: last, ...more }];
  });
}

interface Span {
  readonly first: string;
  last: string;
}

/** Before every day. */
const NO_START = '';

/** For a period without an end, and for one whose end is not known. Later ends mean the same. */
const NO_END = '9999-12-30';

/**
 * The days on which one of the parts is in force by its dates, as few spans: those that overlap or
 * follow each other are one. A period that ends before it starts was never in force.
 */
function spansOf(parts: readonly Timed[]): readonly Span[] {
  const found = parts
    .flatMap(({ periods }) => decidingPeriods(periods))
    .map(({ start, end = NO_END }) => ({
      first: firstDay(start) ?? NO_START,
      last: end < NO_END ? lastDay(end) : NO_END,
    }))
    .filter(({ first, last }) => first <= last)
    .toSorted((a, b) => (a.first < b.first ? -1 : 1));
  const spans: Span[] = [];
  for (const span of found) {
    const before = spans.at(-1);
    if (before === undefined || span.first > daysAfter(before.last, 1)) spans.push(span);
    else if (span.last > before.last) before.last = span.last;
  }
  return spans;
}

/** The Operational periods, or the Legal ones of a part that has no others. */
export function decidingPeriods(periods: readonly PeriodRecord[]): readonly PeriodRecord[] {
  const [first] = periods;
  // Operational periods come first.
  if (first?.kind !== 'Operational' || periods.at(-1)?.kind === 'Operational') return periods;
  return periods.filter(({ kind }) => kind === 'Operational');
}

function isFull({ links, rows }: Edition, code: string): boolean {
  const row = links.rowOf(code);
  return row !== undefined && row < rows.count;
}

/** None if no record says when it happened. */
function replacementChange(
  edition: Edition,
  { from: code, to: other, day }: Replacement,
): readonly (DatedChange & NamedCode)[] {
  if (day === undefined) return [];
  const mergedWith = predecessorsOf(edition, other)
    .filter((each) => each.day === day && each.from !== code)
    .map(({ from }) => from);
  const change = { code, day: firstDay(day), other };
  if (mergedWith.length === 0) return [{ kind: 'succeeded', ...change }];
  return [{ kind: 'merged', ...change, mergedWith }];
}

function describe(
  edition: Edition,
  { kind, code, day, other, from, mergedWith = [], ...rest }: DatedChange & NamedCode,
): OrganizationEvent {
  const named = {
    ...(other !== undefined && { other: namedCode(edition, other) }),
    ...(from !== undefined && { from: namedCode(edition, from) }),
    ...rest,
  };
  const text = sentenceOf(edition, { kind, ...named }, mergedWith);
  return { kind, ...namedCode(edition, code), day, ...named, text };
}

function sentenceOf(
  edition: Edition,
  { kind, role, other, from }: Pick<OrganizationEvent, 'kind' | 'role' | 'other' | 'from'>,
  mergedWith: readonly string[],
): string {
  const to = other === undefined ? '' : namedText(other);
  switch (kind) {
    case 'role-gained':
    case 'role-lost': {
      const known = edition.codeSystems.roles.find(({ code }) => prefixedId('RO', code) === role);
      const name = known?.display === undefined ? role : `${known.display} (${role})`;
      return `${kind === 'role-gained' ? 'Gained' : 'Lost'} the role ${name}`;
    }
    case 'joined':
      return from === undefined ? `Joined ${to}` : `Left ${namedText(from)} and joined ${to}`;
    case 'left':
      return `Left ${to}`;
    case 'succeeded':
      return `Succeeded by ${to}`;
    case 'merged': {
      const [first = '', ...more] = mergedWith;
      const others =
        more.length > 0 ? `${mergedWith.length} others` : namedText(namedCode(edition, first));
      return `Merged with ${others} into ${to}`;
    }
    default:
      return kind.charAt(0).toUpperCase() + kind.slice(1);
  }
}

export function namedText({ code, name }: NamedCode): string {
  return name === undefined ? code : `${code} ${name}`;
}
