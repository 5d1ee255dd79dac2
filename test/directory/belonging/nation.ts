/**
 * Random releases of a small nation: practices on borders, sites of sites, closed levels, periods that
 * are announced, that have only an end, or none, circles, and targets without a record.
 */
import type {
  CodeSystems,
  PeriodRecord,
  RelationshipRecord,
  SourceRecord,
} from '../../../src/directory/record/record.ts';
import { fc } from '../../property.ts';
import { relationship } from '../../web/related-records.ts';
import { organization, role } from '../records.ts';

export interface Nation {
  /** In the order of their codes. */
  readonly records: readonly SourceRecord[];
  readonly day: string;
}

/** The primary role of the codes that begin with these letters. */
const ROLES: Readonly<Record<string, string>> = {
  A: '177',
  B: '96',
  C: '98',
  D: '319',
  F: '182',
  H: '157',
  P: '261',
  Q: '318',
  R: '197',
  T: '198',
  U: '272',
  Y: '209',
};

export const NATION_CODE_SYSTEMS: CodeSystems = {
  roles: Object.values(ROLES).map((code) => ({ code, display: `ROLE ${code}` })),
  relationships: ['2', '3', '4', '5', '6', '8'].map((code) => ({ code, display: `IS ${code} OF` })),
  recordClasses: [{ code: '1', display: 'HSCOrg' }],
};

export function roleOf(code: string): string {
  return ROLES[code.charAt(0)] ?? '';
}

const codes = (letters: string, count: number) =>
  [...letters].flatMap((letter) => Array.from({ length: count }, (_, i) => `${letter}${i}`));

/** Codes that records have, and `9`, which none has. */
const ALL = [...codes('ABFT', 5), ...codes('CDHPQRUY', 2)];
const TARGETS = [...ALL, 'Q9', 'H9', 'U9'];

const DATES = ['2013-04-01', '2019-07-01', '2020-04-01', '2022-07-01', '2027-01-01'] as const;
const ENDS = ['2018', '2019-06', '2020-03-31', '2022-06-30', '2026-12-31'] as const;
const DAYS = ['2014-01-01', '2019-12-31', '2020-03-31', '2021-01-01', '2026-11-28', '2027-06-01'];

const kind = fc.constantFrom('Operational' as const, 'Operational' as const, 'Legal' as const);
const period: fc.Arbitrary<PeriodRecord> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind, start: fc.constantFrom(...DATES) }) },
  {
    weight: 3,
    arbitrary: fc
      .record({ kind, start: fc.constantFrom(...DATES), end: fc.constantFrom(...ENDS) })
      .filter(({ start, end }) => start < end),
  },
  { weight: 1, arbitrary: fc.record({ kind, end: fc.constantFrom(...ENDS) }) },
);
const periods = fc.array(period, { maxLength: 2 });
const mostly = fc.oneof(
  { weight: 4, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);

/** The relationships that organisations of a kind usually have: types, and letters of targets. */
const USUAL: Readonly<Record<string, readonly (readonly [type: string, letters: string])[]>> = {
  A: [
    ['4', 'CD'],
    ['8', 'U'],
    ['8', 'U'],
    ['4', 'CDR'],
  ],
  B: [
    ['6', 'A'],
    ['6', 'A'],
  ],
  C: [
    ['5', 'PQ'],
    ['5', 'Y'],
  ],
  D: [
    ['5', 'PQ'],
    ['5', 'Q'],
  ],
  F: [
    ['4', 'CDQ'],
    ['6', 'H'],
  ],
  H: [['2', 'H']],
  P: [
    ['5', 'Y'],
    ['5', 'Y'],
  ],
  Q: [['5', 'Y']],
  R: [
    ['5', 'PQ'],
    ['5', 'Y'],
  ],
  T: [
    ['6', 'R'],
    ['2', 'T'],
    ['5', 'Q'],
  ],
  U: [['4', 'CD']],
  Y: [],
};

const link = (
  type: fc.Arbitrary<string>,
  target: fc.Arbitrary<string>,
): fc.Arbitrary<RelationshipRecord> =>
  fc.record({ type, target, isActive: mostly, periods }).map((each) =>
    relationship(each.type, each.target, roleOf(each.target), {
      isActive: each.isActive,
      periods: each.periods,
    }),
  );

const unusual = link(
  fc.constantFrom('2', '3', '4', '5', '6', '8', '9', '11'),
  fc.constantFrom(...TARGETS),
);

function recordOf(code: string): fc.Arbitrary<SourceRecord> {
  const usual = (USUAL[code.charAt(0)] ?? []).map(([type, letters]) =>
    fc.option(
      link(
        fc.constant(type),
        fc.constantFrom(...TARGETS.filter((target) => letters.includes(target.charAt(0)))),
      ),
      { freq: 5 },
    ),
  );
  return fc
    .record({
      usual: fc.tuple(...usual),
      unusual: fc.array(unusual, { maxLength: 1 }),
      isActive: mostly,
      periods: fc.oneof(
        {
          weight: 3,
          arbitrary: fc.constant([{ kind: 'Operational' as const, start: '2001-04-01' }]),
        },
        { weight: 1, arbitrary: periods },
      ),
      isReferenceOnly: fc.oneof(
        { weight: 9, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    })
    .map(({ usual: known, unusual: others, isReferenceOnly, ...parts }) => ({
      // No name has a code, so that a search for a code finds nothing else.
      ...organization(code, {
        ...parts,
        name: 'THE ORGANISATION',
        roles: [role(roleOf(code), { isPrimary: true })],
      }),
      ...(isReferenceOnly && { isReferenceOnly }),
      relationships: [...known.flatMap((each) => each ?? []), ...others],
    }));
}

export const nation: fc.Arbitrary<Nation> = fc.record({
  records: fc
    .tuple(...ALL.toSorted().map((code) => fc.option(recordOf(code), { freq: 12 })))
    .map((all) => all.flatMap((record) => record ?? []))
    .filter(({ length }) => length > 0),
  day: fc.constantFrom(...DAYS),
});

/** The codes that are targets, and `records` of those that have a record. */
export function targetsOf({ records }: Nation): readonly string[] {
  const all = records.flatMap(({ relationships = [] }) =>
    relationships.map((each) => each.target.code),
  );
  return [...new Set(all)].sort();
}
