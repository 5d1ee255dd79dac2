/** Lists of events agree with a slow and plain search, page by page. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventKind, OrganizationEvent } from '../../../src/directory/ask/answers.ts';
import { changes } from '../../../src/directory/ask/events/changes.ts';
import type { EventFilter, EventPosition } from '../../../src/directory/ask/events/event-filter.ts';
import { findEvents } from '../../../src/directory/ask/events/find-events.ts';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import { NO_HISTORY } from '../../../src/directory/edition/edition-store.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { RELATED_CODE_SYSTEMS } from '../../web/related-records.ts';
import { editionOf } from '../directory-server.ts';
import { organization } from '../records.ts';
import { anyFilter, anyRecords, isWanted } from './any-records.ts';
import { kept } from './kept.ts';
import { happenings, order } from './oracle.ts';

const ROLES = new Map(RELATED_CODE_SYSTEMS.roles.map(({ code, display }) => [code, display ?? '']));
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

describe('the events of an edition', () => {
  it('are found after the history could not be read, also while no request waited', async () => {
    const edition = editionOf([organization('A1')]);
    const asked = Promise.withResolvers<void>();
    const list = Promise.withResolvers<never>();
    const frail = {
      ...NO_HISTORY,
      list: () => {
        asked.resolve();
        return list.promise;
      },
    };
    const client = new AbortController();
    const options = { after: undefined, limit: 10 };
    const left = findEvents(edition, {}, frail, { ...options, signal: client.signal });
    await asked.promise;
    client.abort(new Error('left'));
    await assert.rejects(left, /left/);
    list.reject(new Error('the database is away'));
    await nextTurn();
    await assert.doesNotReject(findEvents(edition, {}, NO_HISTORY, options));
  });

  it('are those that a plain search finds, each on one page', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRecords,
        anyFilter,
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
      { numRuns: repetitions(40, 300) },
    );
  });

  it('of some kinds are found without reading records that have no such events', async () => {
    const opened = (code: string, start: string, more: Partial<SourceRecord> = {}) =>
      organization(code, { roles: [], periods: [{ kind: 'Operational', start }], ...more });
    const legal = { kind: 'Legal', start: '2024-05-01' } as const;
    const all = [
      opened('A1', '2024-01-01', {
        successions: [{ kind: 'Successor', periods: [legal], target: { code: 'B1' } }],
      }),
      opened('B1', '2024-02-01'),
      opened('C1', '2024-02-01', { isActive: false }),
    ];
    const made = editionOf(all, 1, RELATED_CODE_SYSTEMS);
    const read = new Set<number>();
    const recordAt = (row: number) => {
      read.add(row);
      return made.rows.recordAt(row);
    };
    const edition: Edition = { ...made, rows: { ...made.rows, recordAt } };
    const readFor = async (kinds: readonly EventKind[]) => {
      read.clear();
      const events = await allPages(edition, { since: '2024-01-01', kinds }, 1000);
      return { events: events.length, read: [...read].sort() };
    };
    // The first question reads all records once.
    assert.deepEqual(await readFor([]), { events: 0, read: [0, 1, 2] });
    assert.deepEqual(await readFor(['closed', 'merged', 'joined']), { events: 0, read: [] });
    // For the names of both.
    assert.deepEqual(await readFor(['succeeded']), { events: 1, read: [0, 1] });
  });

  it('end a page after some time, and are each on one page', async () => {
    const codes = Array.from({ length: 200 }, (_, at) => `A${100 + at}`);
    const start = '2024-02-01';
    const all = codes.map((code) =>
      organization(code, { roles: [], periods: [{ kind: 'Operational', start }] }),
    );
    const { edition, history } = kept([[organization('Z1', { roles: [], periods: [] })], all]);
    for (const filter of [
      { since: start, kinds: ['opened'] },
      { sinceEdition: 1, kinds: ['added'] },
    ] as const) {
      const pages: (readonly OrganizationEvent[])[] = [];
      let after: EventPosition | undefined;
      do {
        // As if each organisation took a whole slice.
        const options = { after, limit: 1000, pause: () => Promise.resolve() };
        const page = await changes(edition, filter, history, options);
        pages.push(page.events);
        after = page.next;
      } while (after !== undefined);
      assert.ok(pages.length > 2);
      assert.deepEqual(
        pages.flat().map(({ code }) => code),
        codes,
      );
    }
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
          const kinds: readonly EventKind[] = kind === undefined ? ['renamed', 'moved'] : [kind];
          const filter: EventFilter = { since: '2026-01-01', kinds };
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
      { numRuns: repetitions(30, 100) },
    );
  });
});

function byOrder(one: OrganizationEvent, other: OrganizationEvent): number {
  return order(one) < order(other) ? -1 : 1;
}
