/** The results of the look-up page, compared with a simple scan of the same records. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrganizationRecord } from '../../../src/directory/record/record.ts';
import { find, PAGE_SIZE, type Shown } from '../../../src/web/look-up/find.ts';
import { facetsOf } from '../../../src/web/matches/facets.ts';
import { type LookUpState, readState } from '../../../src/web/matches/state.ts';
import { repetitions } from '../../campaign.ts';
import { editionOf } from '../../directory/directory-server.ts';
import { organization, role } from '../../directory/records.ts';
import { fc } from '../../property.ts';

const NAMES = ['OAK', 'Oak', 'OAK HOUSE', 'HOUSE OAK', 'ELM', 'THE OAK', 'SOAK'];
const CITIES = ['LEEDS', 'LEEK', 'YORK', undefined];
const ROLES = ['76', '177', '197'];

const records = fc
  .array(
    fc.record({
      name: fc.constantFrom(...NAMES),
      city: fc.constantFrom(...CITIES),
      isActive: fc.boolean(),
      recordClass: fc.constantFrom('1', '2', undefined),
      roles: fc.uniqueArray(fc.constantFrom(...ROLES), { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 70 },
  )
  .map((parts) =>
    parts.map(({ name, city, isActive, recordClass, roles }, i) =>
      organization(`C${String(i).padStart(4, '0')}`, {
        name,
        isActive,
        ...(recordClass !== undefined && { recordClass }),
        roles: roles.map((code, at) => role(code, { isPrimary: at === 0 })),
        ...(city !== undefined && { address: { lines: [], city } }),
      }),
    ),
  );

const filters = fc.record({
  status: fc.constantFrom(undefined, 'all' as const, 'inactive' as const),
  roles: fc.uniqueArray(fc.constantFrom(...ROLES), { maxLength: 2 }),
  town: fc.constantFrom('', 'lee', 'York'),
});

describe('the look-up', () => {
  it('finds, counts and pages as a look at each record does', () => {
    fc.assert(
      fc.property(
        records,
        filters,
        fc.constantFrom('', 'oak', 'oak house', 'elm'),
        fc.integer({ min: 1, max: 4 }),
        (all, wanted, text, page) => {
          const edition = editionOf(all);
          const state: LookUpState = {
            ...readState(new URLSearchParams()),
            ...wanted,
            text,
            as: text === '' ? undefined : 'name',
            page,
          };
          const found = find(edition, state, undefined);
          const named = all.filter(
            (record) => hasWords(record, text) && isInTown(record, wanted.town),
          );
          const held = named.filter((record) => hasRole(record, wanted.roles));
          // By default the inactive ones only where there are no others.
          const hasActive = held.some(({ isActive }) => isActive);
          const shown = wanted.status ?? (hasActive || held.length === 0 ? 'active' : 'inactive');
          const matching = held.filter((record) => hasStatus(record, shown));
          const place = ({ name, isActive, recordClass, roles }: OrganizationRecord) => {
            const folded = name?.toLowerCase() ?? '';
            const begins = text !== '' && folded.startsWith(text);
            const rank = begins ? Number(folded !== text) : 2;
            const isTrust = roles[0]?.code === '197';
            const kind = isTrust ? 0 : recordClass === '2' ? 2 : 1;
            return [rank, kind, isActive ? 0 : 1, folded] as const;
          };
          // Those with equal names stay in the order of their codes.
          const ordered = matching.toSorted((a, b) => compareParts(place(a), place(b)));
          assert.equal(found.shown, shown);
          assert.equal(found.total, matching.length);
          assert.deepEqual(
            found.rows.map(edition.index.codeOf),
            ordered.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(({ code }) => code),
          );
          for (const code of ROLES) {
            const expected = named.filter(
              (record) => hasStatus(record, shown) && hasRole(record, [code]),
            ).length;
            const counted = found.roles.find((one) => one.code === code)?.count ?? 0;
            assert.equal(counted, expected, `of role ${code}`);
          }
          const active = named.filter(
            (record) => record.isActive && hasRole(record, wanted.roles),
          ).length;
          assert.equal(found.statuses.active, active);
        },
      ),
      { numRuns: repetitions(50, 150) },
    );
  });

  it('counts every organisation in exactly one main role', () => {
    fc.assert(
      fc.property(records, (all) => {
        const facets = facetsOf(editionOf(all));
        const counted = facets.primaryRoles(facets.count(undefined));
        for (const { code, active, inactive } of counted) {
          const held = all.filter(({ roles }) => roles[0]?.code === code);
          assert.equal(active, held.filter(({ isActive }) => isActive).length);
          assert.equal(active + inactive, held.length);
        }
        const sum = counted.reduce((total, one) => total + one.active + one.inactive, 0);
        assert.equal(sum, all.length);
      }),
      { numRuns: 50 },
    );
  });
});

function compareParts(one: readonly unknown[], other: readonly unknown[]): number {
  const at = one.findIndex((part, i) => part !== other[i]);
  if (at < 0) return 0;
  return one[at]! < other[at]! ? -1 : 1;
}

function hasWords({ name = '' }: OrganizationRecord, text: string): boolean {
  return text.split(' ').every((word) => name.toLowerCase().includes(word));
}

function isInTown({ address }: OrganizationRecord, town: string): boolean {
  return town === '' || address?.city?.toLowerCase().startsWith(town.toLowerCase()) === true;
}

function hasStatus({ isActive }: OrganizationRecord, shown: Shown): boolean {
  return shown === 'all' || isActive === (shown === 'active');
}

function hasRole({ roles }: OrganizationRecord, wanted: readonly string[]): boolean {
  return wanted.length === 0 || roles.some(({ code }) => wanted.includes(code));
}
