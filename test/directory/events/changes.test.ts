/** What became known since an edition agrees with a plain comparison of the records of the two states. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrganizationEvent } from '../../../src/directory/ask/answers.ts';
import { allChanges, changes } from '../../../src/directory/ask/events/changes.ts';
import type { EventFilter, EventPosition } from '../../../src/directory/ask/events/event-filter.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { relationship } from '../../web/related-records.ts';
import { CODE_SYSTEMS, organization } from '../records.ts';
import { anyFilter, anyRecords, isWanted } from './any-records.ts';
import { type Kept, kept } from './kept.ts';
import { fullOf, type KnownChange, knownChanges, type Versions } from './known-oracle.ts';
import type { Happening } from './oracle.ts';

const ROLES = new Map(CODE_SYSTEMS.roles.map(({ code, display = '' }) => [code, display]));

/** How an edition comes from those before it. `choice` decides which. */
interface Step {
  readonly kind: 'release' | 'topUp' | 'rollback';
  readonly records: readonly SourceRecord[];
  /** A release has other records of these codes, or none. */
  readonly replaced: readonly boolean[];
  readonly isAfterDamage: boolean;
  readonly choice: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('release', 'release', 'topUp', 'rollback'),
  records: anyRecords.map(named),
  replaced: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  isAfterDamage: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  choice: fc.nat(20),
});

/** Names differ. What only a reference-only record states is not compared, because no list has it. */
function named(records: readonly SourceRecord[]): readonly SourceRecord[] {
  return records.map((record, at) => ({
    ...record,
    name: ['NORTH', 'EAST', 'SOUTH'][(record.roles.length + at) % 3]!,
    ...(record.isReferenceOnly === true && { successions: [] }),
  }));
}

const CODES = ['A1', 'A2', 'B1', 'B2', 'C1'];

interface History extends Kept {
  readonly versions: Versions;
}

function historyOf(steps: readonly Step[]): History {
  const versions: (readonly SourceRecord[])[] = [];
  const sources: string[] = [];
  const comparedTo: number[] = [];
  for (const { kind, records, replaced, isAfterDamage, choice } of steps) {
    const last = versions.at(-1);
    // After damage, an edition is compared with an earlier one than the last, or with none.
    comparedTo.push(isAfterDamage ? choice % (versions.length + 1) : versions.length);
    if (kind === 'rollback' && last !== undefined) {
      const target = choice % versions.length;
      versions.push(versions[target]!);
      sources.push(`edition ${target + 1} again: release`);
      continue;
    }
    const isReplaced = ({ code }: SourceRecord) => replaced[CODES.indexOf(code)]!;
    const patches = kind === 'topUp' ? records.slice(0, 2) : records.filter(isReplaced);
    const isPatched = ({ code }: SourceRecord) => patches.some((one) => one.code === code);
    const same = (last ?? []).filter((record) =>
      kind === 'topUp' ? !isPatched(record) : !isReplaced(record),
    );
    versions.push([...same, ...patches].toSorted((a, b) => (a.code < b.code ? -1 : 1)));
    sources.push('release');
  }
  return { versions, ...kept(versions, [], { sources, comparedTo }) };
}

async function allPages(
  { edition, history }: Kept,
  filter: EventFilter,
  limit: number,
): Promise<OrganizationEvent[]> {
  const found: OrganizationEvent[] = [];
  let after: EventPosition | undefined;
  do {
    const page = await changes(edition, filter, history, { after, limit });
    assert.ok(page.events.length <= limit);
    found.push(...page.events);
    after = page.next;
  } while (after !== undefined);
  return found;
}

const dayOf = (edition: number) => `2026-0${edition}-01`;

/** Without the edition of a succession: either record can have stated it first. */
function lineOf(event: OrganizationEvent): string {
  const { kind, code, day, text, knownSince } = event;
  const isSuccession = kind === 'succeeded' || kind === 'merged';
  return [code, day, kind, text, isSuccession ? '' : knownSince?.edition].join('|');
}

function expectedLine(one: KnownChange): string {
  const { kind, code, text, edition } = one;
  const isSuccession = kind === 'succeeded' || kind === 'merged';
  return [code, happened(one).day, kind, text, isSuccession ? '' : edition].join('|');
}

function happened(one: KnownChange): Happening {
  return one.day === '' ? { ...one, day: dayOf(one.edition) } : one;
}

describe('what became known since an edition', () => {
  it('is what a plain comparison of the two states finds, each once, on one page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 2, maxLength: 6 }),
        fc.nat(10),
        anyFilter,
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        async (steps, choice, { since: _, ...others }, isFiltered, limit) => {
          const known = historyOf(steps);
          const { versions } = known;
          const base = 1 + (choice % versions.length);
          const filter = { sinceEdition: base, ...(isFiltered && others) };
          const found = await allPages(known, filter, limit);
          const before = fullOf(versions[base - 1]!);
          const now = fullOf(versions.at(-1)!);
          const all = [
            ...versions.at(-1)!,
            ...[...before.values()].filter(({ code }) => !now.has(code)),
          ];
          const expected = knownChanges(versions, base, ROLES).filter(
            (one) => !isFiltered || isWanted(happened(one), all, filter, versions.at(-1)!),
          );
          assert.deepEqual(found.map(lineOf).toSorted(), expected.map(expectedLine).toSorted());
        },
      ),
      { numRuns: repetitions(30, 300) },
    );
  });

  const LINK = relationship('8', 'U1', '272');
  const surgery = (more: Partial<SourceRecord> = {}): SourceRecord => ({
    ...organization('A1', { name: 'OLD SURGERY', roles: [] }),
    relationships: [LINK],
    ...more,
  });
  const left = { ...LINK, periods: [{ ...LINK.periods[0]!, end: '2021-03-31' }] };
  const other = organization('B1', { name: 'B', roles: [] });
  const third = organization('C1', { name: 'C', roles: [] });

  async function linesOf(known: Kept, filter: EventFilter): Promise<string[]> {
    const events = await Array.fromAsync(allChanges(known.edition, filter, known.history));
    return events.map(({ code, day, text, knownSince }) =>
      [code, day, text, knownSince?.edition ?? '-'].join(' | '),
    );
  }

  it('is a back-dated leaving, a new code and a code that is gone, each once', async () => {
    const backDated = surgery({ relationships: [left] });
    const known = kept([
      [surgery(), other],
      [surgery(), other],
      [backDated, third],
      [backDated, { ...third, isActive: false }],
    ]);
    const expected = [
      'A1 | 2021-03-31 | Left U1 | 3',
      'B1 | 2026-03-01 | Gone from the directory | 3',
      'C1 | 2001-04-01 | Opened | 3',
      'C1 | 2026-03-01 | New in the directory | 3',
    ];
    for (const filter of [{ knownSince: '2026-02-02' }, { sinceEdition: 2 }, { sinceEdition: 1 }]) {
      assert.deepEqual(await linesOf(known, filter), expected);
    }
    assert.deepEqual(await linesOf(known, { knownSince: '2026-03-01', kinds: ['removed'] }), [
      expected[1],
    ]);
    assert.deepEqual(await linesOf(known, { sinceEdition: 1, until: '2021-12-31' }), [
      expected[0],
      expected[2],
    ]);
    assert.deepEqual(await linesOf(known, { sinceEdition: 3 }), [
      'C1 | 2026-04-01 | Other details changed | 4',
    ]);
    assert.deepEqual(await linesOf(known, { sinceEdition: 4 }), []);
    assert.deepEqual(await linesOf(known, { knownSince: '2026-04-02' }), []);
  });

  it('is the leaving too when the organisation was known to have joined another one', async () => {
    const joined = {
      ...relationship('8', 'U2', '272'),
      periods: [{ kind: 'Operational' as const, start: '2021-04-01' }],
    };
    const known = kept([
      [surgery({ relationships: [LINK, joined] })],
      [surgery({ relationships: [left, joined] })],
    ]);
    const moved = ['A1 | 2021-04-01 | Left U1 and joined U2 | 2'];
    assert.deepEqual(await linesOf(known, { sinceEdition: 1, kinds: ['left'] }), moved);
    assert.deepEqual(await linesOf(known, { sinceEdition: 1 }), moved);
  });

  it('compares two states, so a code that was removed and added again is no change', async () => {
    const known = kept([[surgery(), other], [surgery()], [surgery(), other]]);
    assert.deepEqual(await linesOf(known, { sinceEdition: 1 }), []);
    assert.deepEqual(await linesOf(known, { sinceEdition: 2, kinds: ['added'] }), [
      'B1 | 2026-03-01 | New in the directory | 3',
    ]);
    // By their own days, both happened.
    assert.deepEqual(await linesOf(known, { since: '2026-01-01' }), [
      'B1 | 2026-02-01 | Gone from the directory | 2',
      'B1 | 2026-03-01 | New in the directory | 3',
    ]);
  });

  it('has what a rollback took away and gave back', async () => {
    const versions = [
      [surgery(), other],
      [surgery(), third],
      [surgery(), other],
    ];
    const known = kept(versions, [], { sources: ['a', 'b', 'edition 1 again: a'] });
    assert.deepEqual(await linesOf(known, { sinceEdition: 1 }), []);
    assert.deepEqual(await linesOf(known, { sinceEdition: 2, kinds: ['added', 'removed'] }), [
      'B1 | 2026-03-01 | New in the directory | 3',
      'C1 | 2026-03-01 | Gone from the directory | 3',
    ]);
    // What only the edition said that the rollback undid did not happen.
    assert.deepEqual(await linesOf(known, { since: '2026-01-01' }), []);
  });

  it('counts a rollback and an older release as known since the newest date before them', async () => {
    const known = kept([[surgery()], [surgery(), other], [surgery()]], [], {
      publicationDates: ['2026-01-01', '2026-03-01', '2026-01-01'],
    });
    assert.deepEqual(await linesOf(known, { knownSince: '2026-02-01' }), []);
    assert.deepEqual(await linesOf(known, { knownSince: '2026-03-02' }), []);
    const later = kept([[surgery()], [surgery(), other]], [], {
      publicationDates: ['2026-03-01', '2026-01-01'],
    });
    assert.deepEqual(await linesOf(later, { sinceEdition: 1, kinds: ['added'] }), [
      'B1 | 2026-03-01 | New in the directory | 2',
    ]);
    assert.deepEqual(await linesOf(later, { since: '2026-03-01' }), [
      'B1 | 2026-03-01 | New in the directory | 2',
    ]);
    await assert.rejects(linesOf(later, { knownSince: '2026-03-01' }), /must be after 2026-03-01/);
  });

  it('lists what is gone of an organisation and of a role by the last record', async () => {
    const role = { code: '177', isPrimary: true, isActive: true, periods: [] };
    const known = kept([[surgery({ roles: [role] }), other, third], [other]]);
    const gone = 'A1 | 2026-02-01 | Gone from the directory | 2';
    for (const filter of [{ since: '2026-02-01' }, { sinceEdition: 1 }]) {
      assert.deepEqual(await linesOf(known, { ...filter, of: 'U1' }), [gone]);
      assert.deepEqual(await linesOf(known, { ...filter, roles: ['177'] }), [gone]);
      assert.deepEqual(await linesOf(known, { ...filter, of: 'A1' }), [gone]);
      assert.equal((await linesOf(known, { ...filter, kinds: ['removed'] })).length, 2);
    }
  });

  it('says from which edition on it can be known', async () => {
    const versions = [[surgery()], [surgery(), other], [surgery()], [surgery(), third]];
    const refused: readonly (readonly [Kept, EventFilter, string])[] = [
      [
        kept(versions, [1, 2]),
        { sinceEdition: 2 },
        'The records of edition 2 are no longer kept, so the directory cannot say what became known after ' +
          'it. Use sinceEdition=3 or knownSince=2026-03-02, or later ones. To keep more editions, ' +
          'increase editions.keep.',
      ],
      [
        kept(versions, [1, 2, 3]),
        { knownSince: '2026-03-01' },
        'The records of edition 2 are no longer kept, so the directory cannot say what became known after ' +
          'it. To keep more editions, increase editions.keep.',
      ],
      [
        kept(versions),
        { knownSince: '2025-12-31' },
        'knownSince must be after 2026-01-01, the day of the first edition: what was known before ' +
          'it is not known here. For the events since an earlier day, use since.',
      ],
      [
        kept(versions),
        { sinceEdition: 9 },
        'sinceEdition must be the number of an edition. Got 9. The newest edition is 4.',
      ],
    ];
    for (const [known, filter, message] of refused) {
      await assert.rejects(linesOf(known, filter), { message });
    }
    assert.equal((await linesOf(kept(versions, [1, 2]), { sinceEdition: 3 })).length, 2);
  });
});
