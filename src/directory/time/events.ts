/** What happened to an organisation, from the dates of its record. */
import type { Edition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import type { PeriodRecord, RelationshipRecord, SourceRecord } from '../record/record.ts';
import { relationshipsOf } from '../record/source-record.ts';
import { prefixedId } from '../release/ids.ts';
import { daysAfter, firstDay, lastDay } from './day.ts';
import type { Timed } from './in-force.ts';
import { predecessorsOf, type Replacement, successorsOf } from './successors.ts';

export const EVENT_KINDS = [
  'opened',
  'closed',
  'reopened',
  'renamed',
  'moved',
  'role-gained',
  'role-lost',
  'joined',
  'left',
  'succeeded',
  'merged',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export interface NamedCode {
  readonly code: string;
  /** Absent if the edition has no record of it. */
  readonly name?: string;
}

export interface OrganizationEvent extends NamedCode {
  readonly kind: EventKind;
  /** `YYYY-MM-DD`. The last day of what ended; the first day of anything else. */
  readonly day: string;
  /** The edition that knew it first. Absent if the editions that are kept do not tell. */
  readonly knownSince?: { readonly edition: number; readonly date: string };
  /** The organisation that it joined, left or was replaced by. */
  readonly other?: NamedCode;
  /** The organisation that it left when it joined the other one. */
  readonly from?: NamedCode;
  /** The role that it gained or lost: `RO177`. */
  readonly role?: string;
  /** The type of the relationship: `RE8`. */
  readonly by?: string;
  /** One sentence, without a full stop. */
  readonly text: string;
}

/** An event without names: `other` and `from` are codes. */
export interface DatedChange extends Pick<OrganizationEvent, 'kind' | 'day' | 'role' | 'by'> {
  readonly other?: string;
  readonly from?: string;
  /** The other codes that merged on that day. */
  readonly mergedWith?: readonly string[];
}

/**
 * What happened to the organisation of a row, the earliest first. `row` is numbered as in
 * `relations`. It includes what the organisation took over from codes without a full record, because
 * no other row has these events. What needs a comparison of editions is in `events/timeline.ts`.
 * `isWanted` decides before names are read, which takes most of the time.
 */
export function eventsOf(
  edition: Edition,
  row: number,
  isWanted: (change: DatedChange) => boolean = () => true,
): readonly OrganizationEvent[] {
  const record = recordAt(edition, row);
  const { code } = record;
  const relationships = relationshipsOf(edition, row);
  const replacements = [
    ...successorsOf(edition, code),
    ...predecessorsOf(edition, code).filter(({ from }) => !isFull(edition, from)),
  ];
  return [
    ...changesOf({ ...record, relationships }).map((change) => ({ code, ...change })),
    ...replacements.flatMap((replacement) => replacementChange(edition, replacement) ?? []),
  ]
    .filter(isWanted)
    .map((change) => describe(edition, change))
    .toSorted(byDay);
}

export function byDay(one: Pick<OrganizationEvent, 'day'>, other: typeof one): number {
  return one.day < other.day ? -1 : Number(one.day > other.day);
}

/** The changes that a record states about itself, in no order. */
export function changesOf({
  periods,
  isActive,
  roles,
  relationships = [],
}: Pick<SourceRecord, 'periods' | 'isActive' | 'roles' | 'relationships'>): DatedChange[] {
  const open = spansOf([{ periods, isActive }]);
  return [
    ...open.map(({ first }, at) => ({
      kind: at === 0 ? ('opened' as const) : ('reopened' as const),
      day: first,
    })),
    ...endsOf(open).map((day) => ({ kind: 'closed' as const, day })),
    ...Array.from(
      Map.groupBy(roles, ({ code }) => code),
      ([code, held]) => {
        const spans = spansOf(held);
        const role = prefixedId('RO', code);
        return [
          ...spans.map(({ first }) => ({ kind: 'role-gained' as const, day: first, role })),
          ...endsOf(spans).map((day) => ({ kind: 'role-lost' as const, day, role })),
        ];
      },
    ).flat(),
    ...Array.from(
      Map.groupBy(relationships, ({ type }) => type),
      ([type, links]) => membershipChanges(prefixedId('RE', type), links),
    ).flat(),
  ];
}

/** The changes of one type of relationship. */
function membershipChanges(by: string, links: readonly RelationshipRecord[]): DatedChange[] {
  const joined: { day: string; other: string }[] = [];
  const left: { day: string; other: string }[] = [];
  for (const [other, parts] of Map.groupBy(links, ({ target }) => target.code)) {
    const spans = spansOf(parts);
    joined.push(...spans.map(({ first }) => ({ day: first, other })));
    left.push(...endsOf(spans).map((day) => ({ day, other })));
  }
  const waiting = Map.groupBy(left, ({ day }) => daysAfter(day, 1));
  const changes = joined.map(({ day, other }): DatedChange => {
    const from = waiting.get(day)?.shift()?.other;
    return { kind: 'joined', day, by, other, ...(from !== undefined && { from }) };
  });
  for (const { day, other } of [...waiting.values()].flat()) {
    changes.push({ kind: 'left', day, by, other });
  }
  return changes;
}

interface Span {
  readonly first: string;
  /** Absent if it has no end, or if its end is not known. */
  readonly last?: string;
}

/**
 * The days on which one of the parts is in force by its dates, as few spans: those that overlap or
 * follow each other are one. A period that ends before it starts was never in force.
 */
function spansOf(parts: readonly Timed[]): readonly Span[] {
  const found = parts
    .flatMap(({ periods }) => decidingPeriods(periods))
    .map(({ start, end }): Span => {
      const first = firstDay(start);
      return end === undefined ? { first } : { first, last: lastDay(end) };
    })
    .filter(({ first, last }) => last === undefined || first <= last);
  if (found.length < 2) return found;
  const spans: Span[] = [];
  for (const span of found.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = spans.at(-1);
    if (before === undefined || (before.last && span.first > daysAfter(before.last, 1))) {
      spans.push(span);
    } else if (before.last !== undefined && (span.last === undefined || span.last > before.last)) {
      spans[spans.length - 1] = { ...span, first: before.first };
    }
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

function endsOf(spans: readonly Span[]): readonly string[] {
  return spans.flatMap(({ last }) => last ?? []);
}

function isFull({ relations, rows }: Edition, code: string): boolean {
  const row = relations.rowOf(code);
  return row !== undefined && row < rows.count;
}

/** Undefined if no record says when it happened. */
function replacementChange(
  edition: Edition,
  { from: code, to: other, day }: Replacement,
): (DatedChange & NamedCode) | undefined {
  if (day === undefined) return undefined;
  const mergedWith = predecessorsOf(edition, other)
    .filter((each) => each.day === day && each.from !== code)
    .map(({ from }) => from);
  const change = { code, day: firstDay(day), other };
  return mergedWith.length === 0
    ? { kind: 'succeeded', ...change }
    : { kind: 'merged', ...change, mergedWith };
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
  const to = other === undefined ? '' : textOf(other);
  switch (kind) {
    case 'role-gained':
    case 'role-lost': {
      const known = edition.codeSystems.roles.find(({ code }) => prefixedId('RO', code) === role);
      const name = known?.display === undefined ? role : `${known.display} (${role})`;
      return `${kind === 'role-gained' ? 'Gained' : 'Lost'} the role ${name}`;
    }
    case 'joined':
      return from === undefined ? `Joined ${to}` : `Left ${textOf(from)} and joined ${to}`;
    case 'left':
      return `Left ${to}`;
    case 'succeeded':
      return `Succeeded by ${to}`;
    case 'merged': {
      const [first = '', ...more] = mergedWith;
      const whom =
        more.length > 0 ? `${mergedWith.length} others` : textOf(namedCode(edition, first));
      return `Merged with ${whom} into ${to}`;
    }
    default:
      return kind.charAt(0).toUpperCase() + kind.slice(1);
  }
}

function namedCode(edition: Edition, code: string): NamedCode {
  const row = edition.relations.rowOf(code);
  const name = row === undefined ? undefined : recordAt(edition, row).name;
  return { code, ...(name !== undefined && { name }) };
}

/** `U02795 NORTH PCN`. */
export function textOf({ code, name }: NamedCode): string {
  return name === undefined ? code : `${code} ${name}`;
}
