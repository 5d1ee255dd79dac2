/** Relationships, and organisations by their relationships, are found as a plain filter would. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CriterionOf } from '../../../src/directory/index/columns/columns.ts';
import { hasRelationship } from '../../../src/directory/index/columns/related-column.ts';
import {
  type DirectoryCriterion,
  openOrganizationIndex,
} from '../../../src/directory/index/organization-index.ts';
import {
  buildMissingRelationshipColumns,
  buildRelationshipIndex,
  type RelationshipColumns,
  relationshipColumns,
} from '../../../src/directory/index/relationship-index.ts';
import type { Page } from '../../../src/directory/index/search-index.ts';
import type { RelationshipRecord, SourceRecord } from '../../../src/directory/record/record.ts';
import { DATE_PREFIXES, type DatePrefix, dateEntries } from '../../../src/fhir/search/date.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { linksOf, type RelatedIndexes, relatedIndexes } from './listed-relations.ts';
import { naiveFilter, naiveSearch, pageOf } from './naive-search.ts';
import {
  arraysOf,
  criterion,
  fieldsOf,
  perhapsNot,
  recordParts,
  sortedRecords,
  spread,
} from './random-records.ts';
import { recordOf } from './record-of.ts';

const TYPES = ['2', '4', '6', '8'];
const DAYS = ['2019-10-01', '2019-10-02', '2020-03', '2020-03-31', '2020', '2021-01-01'];
const day = fc.constantFrom(...DAYS);
/** The codes of organisations, and of some that have no record. */
const targetOf = (codes: readonly string[]) => fc.constantFrom(...codes, 'NONE', 'A', 'a');

const relationshipOf = (codes: readonly string[]): fc.Arbitrary<RelationshipRecord> =>
  fc
    .record({
      type: fc.constantFrom(...TYPES),
      isActive: fc.boolean(),
      code: targetOf(codes),
      period: fc.option(fc.tuple(day, fc.option(day)), { freq: 6 }),
    })
    .map(({ type, isActive, code, period }) => ({
      type,
      isActive,
      periods:
        period === null
          ? []
          : [{ kind: 'Operational', start: period[0], ...(period[1] && { end: period[1] }) }],
      target: { code },
    }));

interface RandomDirectory {
  readonly full: readonly SourceRecord[];
  readonly references: readonly SourceRecord[];
}

/** Records with relationships between them. The unique ids are scattered, and some are absent. */
function directory(count: { readonly min: number; readonly max: number }) {
  return fc
    .tuple(
      fc.array(recordParts, { minLength: 1, maxLength: 20 }),
      fc.integer(count),
      fc.integer({ min: 0, max: 40 }),
    )
    .chain(([parts, fullCount, referenceCount]) => {
      const records = sortedRecords(spread(parts, fullCount + referenceCount));
      const codes = records.map(({ code }) => code);
      return fc
        .array(fc.array(relationshipOf(codes), { maxLength: 4 }), {
          minLength: 1,
          maxLength: records.length,
        })
        .map((relationships): RandomDirectory => {
          let id = 0;
          const related = records.map((record, row) => ({
            ...record,
            relationships: (relationships[row % relationships.length] ?? []).map((each) => ({
              ...each,
              ...(++id % 5 !== 0 && { uniqueId: ((id * 7919) % 10_007) + 1 }),
            })),
          }));
          const isReference = (_: unknown, row: number) => row % 7 === 3 && referenceCount > 0;
          return {
            full: related.filter((record, row) => !isReference(record, row)),
            references: related.filter(isReference),
          };
        });
    });
}

const some = <Value>(values: fc.Arbitrary<Value>) =>
  fc.oneof(
    values.map((value) => [value]),
    fc.array(values, { minLength: 1, maxLength: 3 }),
  );

const relatedCriterion = (codes: readonly string[]): fc.Arbitrary<DirectoryCriterion> =>
  perhapsNot(
    fc
      .record(
        {
          types: some(fc.constantFrom(...TYPES, '9')),
          targets: some(targetOf(codes)),
          isActive: fc.boolean(),
        },
        { requiredKeys: [] },
      )
      .map(hasRelationship),
  );

const columns = relationshipColumns(linksOf([], []), 0);
type RelationshipCriterion = CriterionOf<RelationshipColumns>;

const relationshipCriterion = (codes: readonly string[]): fc.Arbitrary<RelationshipCriterion> =>
  perhapsNot(
    fc.oneof(
      fc.record({
        type: fc.constant('token' as const),
        field: fc.constantFrom(...fieldsOf(columns.token)),
        values: some(
          fc.record({
            code: fc.oneof(
              fc.constantFrom(...TYPES, 'true', 'false', '01', '-1', ' 7920'),
              fc.integer({ min: 1, max: 300 }).map((id) => String(((id * 7919) % 10_007) + 1)),
            ),
          }),
        ),
      }),
      fc.record({
        type: fc.constant('reference' as const),
        field: fc.constantFrom(...fieldsOf(columns.reference)),
        values: some(
          fc.record({
            id: targetOf(codes),
            prefixes: fc.constantFrom(
              ['Organization/'],
              ['https://a.test/Organization/', 'Organization/'],
              ['Order/'],
            ),
          }),
        ),
      }),
      fc.record({
        type: fc.constant('date' as const),
        field: fc.constantFrom(...fieldsOf(columns.date)),
        values: some(
          fc
            .tuple(day, fc.constantFrom(...DATE_PREFIXES))
            .map(([text, prefix]) => ({ prefix, ...dateEntries(text)[0]! })),
        ),
      }),
    ),
  );

for (const [count, runs] of [
  [{ min: 1, max: 60 }, repetitions(12, 120)],
  [{ min: 200, max: 700 }, repetitions(2, 25)],
] as const) {
  test(`relationships of ${count.min} to ${count.max} records are found as by a plain filter`, () => {
    fc.assert(
      fc.property(
        directory(count).chain((records) => {
          const codes = [...records.full, ...records.references].map(({ code }) => code);
          const searches = fc.record({
            ofRecords: fc
              .tuple(
                relatedCriterion(codes),
                fc.array(fc.oneof(criterion, relatedCriterion(codes)), { maxLength: 2 }),
              )
              .map(([first, others]) => [first, ...others]),
            ofRelationships: fc.array(relationshipCriterion(codes), { maxLength: 3 }),
          });
          return fc.tuple(
            fc.constant(records),
            fc.array(searches, { minLength: 4, maxLength: 12 }),
          );
        }),
        ([records, searches]) => {
          const indexes = relatedIndexes(records.full, records.references);
          for (const search of searches) assertSameAsNaive(indexes, records, search);
        },
      ),
      { numRuns: runs },
    );
  });
}

interface Searches {
  readonly ofRecords: readonly DirectoryCriterion[];
  readonly ofRelationships: readonly RelationshipCriterion[];
}

const pages = [
  [0, 20],
  [15, 40],
  [3, 1000],
  [0, 0],
] as const;

function assertSameAsNaive(
  { links, full, references, relationships }: RelatedIndexes,
  records: RandomDirectory,
  { ofRecords, ofRelationships }: Searches,
): void {
  const items = Array.from({ length: links.count }, (_, ordinal) => links.at(ordinal));
  const table = relationshipColumns(links, records.full.length);
  const query = { criteria: ofRelationships };
  requirePages(relationships, query, naiveFilter(table, items, query, 0, items.length));
  for (const [index, section] of [
    [full, records.full],
    [references, records.references],
  ] as const) {
    const query = { criteria: ofRecords };
    requirePages(index, query, naiveSearch(section, query, 0, section.length));
  }
}

/** `all`: what a plain filter finds. */
function requirePages<Searched>(
  index: { search(query: Searched, offset: number, limit: number): Page },
  query: Searched,
  all: Page,
): void {
  for (const [offset, limit] of pages) {
    assert.deepEqual(
      index.search(query, offset, limit),
      pageOf(all, offset, limit),
      JSON.stringify(query),
    );
  }
}

const related = (
  type: string,
  code: string,
  isActive: boolean,
  start: string,
  end?: string,
): RelationshipRecord => ({
  type,
  isActive,
  periods: [{ kind: 'Operational', start, ...(end !== undefined && { end }) }],
  target: { code },
});
const records: readonly SourceRecord[] = [
  {
    ...recordOf({ code: 'A1' }),
    relationships: [
      related('4', 'X', true, '2020-01-01'),
      related('6', 'Y', false, '2019-01-01', '2020-03-31'),
    ],
  },
  {
    ...recordOf({ code: 'A2' }),
    relationships: [
      related('4', 'Y', true, '2020-03-31'),
      related('4', 'Y', false, '2010-01-01', '2019-12-31'),
    ],
  },
];
const indexes = relatedIndexes(records, []);

test('the type, target and status of a criterion must match the same relationship', () => {
  const codes = (criterion: DirectoryCriterion) =>
    indexes.full
      .search({ criteria: [criterion] }, 0, 20)
      .rows.map((row) => indexes.full.codeOf(row))
      .join(' ');
  assert.equal(codes(hasRelationship({ types: ['4', '6'] })), 'A1 A2');
  assert.equal(codes(hasRelationship({ types: ['4'], targets: ['Y'] })), 'A2');
  assert.equal(codes(hasRelationship({ targets: ['Y'], isActive: true })), 'A2');
  assert.equal(codes(hasRelationship({ types: ['6'], isActive: true })), '');
  assert.equal(
    codes(hasRelationship({ types: ['4', '6'], targets: ['Y'], isActive: false })),
    'A1 A2',
  );
});

test('the last day of a period belongs to it, and a period may have no end', () => {
  const ordinals = (prefix: DatePrefix, text: string) => {
    const values = dateEntries(text).map((period) => ({ prefix, ...period }));
    return indexes.relationships.search(
      { criteria: [{ type: 'date', field: 'period', values }] },
      0,
      20,
    ).rows;
  };
  assert.deepEqual(ordinals('ge', '2020-03-31'), [0, 1, 2]);
  assert.deepEqual(ordinals('ge', '2020-04-01'), [0, 2]);
  assert.deepEqual(ordinals('le', '2019-12-31'), [1, 3]);
  assert.deepEqual(ordinals('eb', '2020'), [3]);
  assert.deepEqual(ordinals('sa', '2019'), [0, 2]);
  assert.deepEqual(ordinals('eq', '2019'), []);
  assert.deepEqual(ordinals('eq', '2020-03-31'), []);
});

test('relationships in effect on a day are found wherever they come in the order of rows', () => {
  const full = Array.from({ length: 4500 }, (_, row): SourceRecord => {
    // The first rows have the latest periods, so that early days are those of the last rows.
    const year = 2020 - Math.floor(row / 300);
    const types = row % 100 === 0 ? ['4', '6', '8', '9'] : ['4', '6', '4', '6'];
    return {
      ...recordOf({ code: String(row).padStart(5, '0') }),
      relationships: types.map((type, at) =>
        related(
          type,
          'X',
          at % 2 === 0,
          `${year}-0${at + 1}-01`,
          ...(row % 5 === at ? [] : [`${year + (row % 3)}-${10 + (row % 2)}-15`]),
        ),
      ),
    };
  });
  const { links, relationships } = relatedIndexes(full, []);
  const table = relationshipColumns(links, full.length);
  const items = Array.from({ length: links.count }, (_, ordinal) => links.at(ordinal));
  const period = (prefix: DatePrefix, text: string): RelationshipCriterion => ({
    type: 'date',
    field: 'period',
    values: dateEntries(text).map((one) => ({ prefix, ...one })),
  });
  const on = (day: string) => [period('ge', day), period('le', day)];
  const token = (field: 'type' | 'active', ...codes: readonly string[]) =>
    ({ type: 'token', field, values: codes.map((code) => ({ code })) }) as const;
  for (const criteria of [
    on('2005'),
    on('2006-02-03'),
    on('2021-07'),
    [token('type', '4'), ...on('2006-02-03')],
    [token('type', '9'), ...on('2009-05-01')],
    [token('type', '8', '9'), token('active', 'true'), ...on('2015-12-01')],
    [token('type', '6'), token('type', '6', '4'), period('gt', '2007')],
    [token('active', 'false'), period('lt', '2007-03-01')],
    [token('type', '6'), period('ap', '2010-05-05')],
    // What is not counted: other conditions, and days of which the later one comes first.
    [token('type', '6'), period('ne', '2010-05-05')],
    [token('type', '6'), period('sa', '2006-02-28'), period('le', '2006-03-10')],
    [period('ge', '2012-02-01'), period('le', '2008-03-01')],
    [{ type: 'not', criterion: token('type', '6') } as const, ...on('2006-02-03')],
  ]) {
    const query = { criteria };
    requirePages(relationships, query, naiveFilter(table, items, query, 0, items.length));
  }
});

test('arrays that an edition lacks are built, and no others', () => {
  const links = linksOf(records, []);
  const whole = buildRelationshipIndex(links, records.length);
  assert.deepEqual(buildMissingRelationshipColumns({}, links, records.length), whole);
  assert.deepEqual(buildMissingRelationshipColumns(whole, links, records.length), {});
  const { 'relationship.period.end.times': _, ...rest } = whole;
  const missing = buildMissingRelationshipColumns(rest, links, records.length);
  assert.deepEqual({ ...rest, ...missing }, whole);
  assert.ok(Object.keys(missing).every((name) => name.startsWith('relationship.period.')));
});

test('a search by relationships is refused if the edition has no relationship data', () => {
  const index = openOrganizationIndex(arraysOf([recordOf({ code: 'A1' })]));
  assert.throws(
    () => index.search({ criteria: [hasRelationship({ targets: ['X'] })] }, 0, 20),
    /does not know the relationships/,
  );
});
