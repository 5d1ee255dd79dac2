/** Random records with few days and codes, and which events a filter wants, found plainly. */
import assert from 'node:assert/strict';
import type { EventKind } from '../../../src/directory/ask/answers.ts';
import type { EventFilter } from '../../../src/directory/ask/events/event-filter.ts';
import type { PeriodRecord, SourceRecord } from '../../../src/directory/record/record.ts';
import { fc } from '../../property.ts';
import { withoutAbsent } from '../../without-absent.ts';
import { Oracle } from '../belonging/oracle.ts';
import { organization } from '../records.ts';
import type { Happening } from './oracle.ts';

const CODES = ['A1', 'A2', 'B1', 'B2', 'C1', 'NONE1'];

/** Few days, so that periods overlap and follow each other. */
const day = fc.integer({ min: 20, max: 40 }).map((days) => {
  return new Date(Date.UTC(2024, 1, days)).toISOString().slice(0, 10);
});
const period = (kind: PeriodRecord['kind']) =>
  fc
    .record({
      kind: fc.constant(kind),
      start: fc.option(day, { nil: undefined, freq: 6 }),
      end: fc.option(day, { nil: undefined, freq: 3 }),
    })
    .filter(({ start, end }) => start !== undefined || end !== undefined)
    .map(withoutAbsent);
/** Operational periods come first. */
const periods = fc
  .tuple(
    fc.array(period('Operational'), { maxLength: 2 }),
    fc.array(period('Legal'), { maxLength: 2 }),
  )
  .map((both) => both.flat());
const part = { isActive: fc.boolean(), periods };
/** Targets of relationships can be a network, or a board. */
const ROLES: Readonly<Record<string, string>> = { B2: '272', C1: '318', NONE1: '319' };

function roleOf(code: string): string {
  return ROLES[code] ?? '';
}

const target = fc
  .constantFrom(...CODES)
  .map((code) => ({ code, ...(roleOf(code) !== '' && { primaryRole: roleOf(code) }) }));
export const anyRecords: fc.Arbitrary<SourceRecord[]> = fc
  .uniqueArray(
    fc.record({
      code: fc.constantFrom('A1', 'A2', 'B1', 'B2', 'C1'),
      ...part,
      isReferenceOnly: fc.boolean(),
      roles: fc.array(
        fc.record({
          code: fc.constantFrom('76', '177', '4711'),
          isPrimary: fc.constant(false),
          ...part,
        }),
        { maxLength: 3 },
      ),
      relationships: fc.array(fc.record({ type: fc.constantFrom('4', '8'), ...part, target }), {
        maxLength: 5,
      }),
      successions: fc.array(
        fc.record({
          kind: fc.constantFrom('Predecessor' as const, 'Successor' as const),
          periods: fc
            .tuple(
              fc.array(period('Operational'), { maxLength: 1 }),
              fc.array(period('Legal'), { maxLength: 1 }),
            )
            .map((kinds) => kinds.flat()),
          target,
        }),
        { maxLength: 3 },
      ),
    }),
    { selector: ({ code }) => code, minLength: 1 },
  )
  .map((found): SourceRecord[] =>
    found
      .map(({ code, isReferenceOnly, ...more }) => ({
        ...organization(code, { name: `NAME ${code}` }),
        ...more,
        ...(isReferenceOnly && { isReferenceOnly }),
      }))
      .sort((a, b) => (a.code < b.code ? -1 : 1)),
  );

/** Those of which the dates of records tell. */
const KINDS: EventKind[] = [
  'opened',
  'closed',
  'reopened',
  'role-gained',
  'role-lost',
  'joined',
  'left',
  'succeeded',
  'merged',
];

export const anyFilter: fc.Arbitrary<EventFilter> = fc
  .record({
    since: day,
    until: fc.option(day, { nil: undefined }),
    of: fc.option(fc.constantFrom(...CODES), { nil: undefined }),
    roles: fc.option(fc.constantFrom(['76'], ['177'], ['76', '177']), { nil: undefined }),
    kinds: fc.option(
      fc.oneof(
        fc.constantFrom(...KINDS).map((kind) => [kind]),
        fc.subarray(KINDS),
      ),
      {
        nil: undefined,
      },
    ),
  })
  .map(withoutAbsent);

export function isWanted(
  { day: on, kind, code, other, from }: Happening,
  all: readonly SourceRecord[],
  filter: EventFilter,
  current = all,
): boolean {
  if (on < (filter.since ?? '') || on > (filter.until ?? '9999')) return false;
  const kinds: readonly string[] | undefined = filter.kinds;
  const isLeft = kinds?.includes('left') === true && from !== undefined;
  if (kinds !== undefined && !kinds.includes(kind) && !isLeft) return false;
  const full = (each: SourceRecord) => each.isReferenceOnly !== true;
  // An event of a code without a full record is listed with the one that replaced it.
  const record =
    all.find((each) => each.code === code && full(each)) ??
    all.find((each) => each.code === other?.code && full(each));
  assert.ok(record);
  const { roles } = filter;
  if (roles !== undefined && !record.roles.some(({ code }) => roles.includes(code))) {
    return false;
  }
  const { of } = filter;
  if (of === undefined || [code, other?.code, from?.code].includes(of)) return true;
  // What is gone belonged to what there is.
  const oracle = new Oracle([...current, record], roleOf, on);
  return oracle.levels(record.code).some((level) => level.code === of);
}
