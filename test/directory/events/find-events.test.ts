/** Lists of events agree with a slow and plain search, page by page. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrganizationEvent } from '../../../src/directory/ask/answers.ts';
import {
  type EventFilter,
  type EventPosition,
  findEvents,
} from '../../../src/directory/ask/events/find-events.ts';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import { NO_HISTORY } from '../../../src/directory/edition/edition-store.ts';
import type { PeriodRecord, SourceRecord } from '../../../src/directory/record/record.ts';
import { fc } from '../../property.ts';
import { RELATED_CODE_SYSTEMS } from '../../web/related-records.ts';
import { withoutAbsent } from '../../without-absent.ts';
import { editionOf } from '../directory-server.ts';
import { organization } from '../records.ts';
import { kept } from './kept.ts';
import { type Happening, happenings, order } from './oracle.ts';

const ROLES = new Map(RELATED_CODE_SYSTEMS.roles.map(({ code, display }) => [code, display ?? '']));
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
const target = fc.constantFrom(...CODES).map((code) => ({ code }));
const records = fc
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

const filters = fc.record({
  since: day,
  until: fc.option(day, { nil: undefined }),
  of: fc.option(fc.constantFrom(...CODES), { nil: undefined }),
  roles: fc.option(fc.constantFrom(['76'], ['177'], ['76', '177']), { nil: undefined }),
  kind: fc.option(fc.constantFrom('opened', 'closed', 'joined', 'left', 'merged'), {
    nil: undefined,
  }),
});

async function allPages(
  edition: Edition,
  filter: EventFilter,
  limit: number,
  history = NO_HISTORY,
): Promise<OrganizationEvent[]> {
  const found: OrganizationEvent[] = [];
  let after: EventPosition | undefined;
  do {
    const page = await findEvents(edition, filter, history, { after, limit });
    assert.ok(page.events.length <= limit);
    found.push(...page.events);
    after = page.next;
  } while (after !== undefined);
  return found;
}

function isWanted(
  { day: on, kind, code, other, from }: Happening,
  all: readonly SourceRecord[],
  filter: EventFilter,
): boolean {
  if (on < filter.since || on > (filter.until ?? '9999')) return false;
  const isLeft = filter.kind === 'left' && from !== undefined;
  if (filter.kind !== undefined && kind !== filter.kind && !isLeft) return false;
  const full = (each: SourceRecord) => each.isReferenceOnly !== true;
  // An event of a code without a full record is listed with the one that replaced it.
  const record =
    all.find((each) => each.code === code && full(each)) ??
    all.find((each) => each.code === other?.code && full(each));
  assert.ok(record);
  const { roles } = filter;
  if (roles !== undefined && !record.roles.some(({ code }) => roles.includes(code))) return false;
  if (filter.of === undefined) return true;
  return (
    [code, other?.code, from?.code].includes(filter.of) ||
    (record.relationships ?? []).some(
      (link) =>
        link.target.code === filter.of &&
        (link.periods.length === 0
          ? link.isActive
          : link.periods
              .filter(
                (one) =>
                  one.kind === 'Operational' ||
                  link.periods.every((each) => each.kind !== 'Operational'),
              )
              .some(({ start = '', end }) =>
                end === undefined ? start <= on && link.isActive : start <= on && on <= end,
              )),
    )
  );
}

describe('the events of an edition', () => {
  it('are those that a plain search finds, each on one page', async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        filters.map(withoutAbsent) as fc.Arbitrary<EventFilter>,
        fc.integer({ min: 1, max: 7 }),
        async (all, filter, limit) => {
          const edition = editionOf(all, 1, RELATED_CODE_SYSTEMS);
          const events = await allPages(edition, { since: '0001-01-01' }, limit);
          const expected = happenings(all, ROLES);
          assert.deepEqual(events.toSorted(byOrder), expected);
          assert.deepEqual(
            events.map(({ day: on }) => on),
            expected.map(({ day: on }) => on),
          );
          assert.deepEqual(
            (await allPages(edition, filter, limit)).toSorted(byOrder),
            expected.filter((one) => isWanted(one, all, filter)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('include other names and addresses of the editions that are kept, as a plain comparison finds them', async () => {
    const state = fc.record({
      name: fc.constantFrom('OLD', 'NEW'),
      address: fc
        .constantFrom('LS1 1AA', 'LS2 2BB')
        .map((postalCode) => ({ lines: [], postalCode })),
    });
    const states = fc.record({ A1: state, B1: fc.option(state), B2: state });
    await fc.assert(
      fc.asyncProperty(
        fc.array(states, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom('renamed' as const, 'moved' as const, undefined),
        async (versions, limit, kind) => {
          const all = versions.map((version) =>
            Object.entries(version)
              .filter(([, more]) => more !== null)
              .map(([code, more]) => ({ ...organization(code, { roles: [] }), ...more })),
          );
          const { edition, history } = kept(all);
          const filter = withoutAbsent({ since: '2026-01-01', kind }) as EventFilter;
          const found = await allPages(edition, filter, limit, history);
          const expected = all.slice(1).flatMap((next, at) => {
            const since = `2026-0${at + 2}-01`;
            return next.flatMap(({ code, name, address }) => {
              const before = all[at]!.find((one) => one.code === code);
              const isListed = all.at(-1)!.some((one) => one.code === code);
              if (before === undefined || !isListed) return [];
              const [from, to] = [before.address!.postalCode, address!.postalCode];
              return [
                ...(before.name === name ? [] : [['renamed', `${before.name} to ${name}`]]),
                ...(from === to ? [] : [['moved', `${from} to ${to}`]]),
              ]
                .filter(([one]) => kind === undefined || one === kind)
                .map(([one = '', text]) => {
                  const verb = `${one.charAt(0).toUpperCase()}${one.slice(1)}`;
                  return [since, code, `${verb} from ${text}`].join('|');
                });
            });
          });
          assert.deepEqual(
            found.map((event) => order(event)),
            expected,
          );
        },
      ),
    );
  });
});

function byOrder(one: OrganizationEvent, other: OrganizationEvent): number {
  return order(one) < order(other) ? -1 : 1;
}
