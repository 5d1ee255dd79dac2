/** EditionLinks of an edition are those of its records, and are found from both ends and by number. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEdition } from '../../src/directory/edition/edition.ts';
import type {
  PeriodRecord,
  RelationshipRecord,
  SourceRecord,
  SuccessionRecord,
  TargetRecord,
} from '../../src/directory/record/record.ts';
import { fc } from '../property.ts';
import { withoutAbsent } from '../without-absent.ts';
import { editionArrays } from './edition-arrays.ts';
import { organization } from './records.ts';

const CODES = ['A1', 'A2', 'B1', 'B2', 'C1'];
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const date = fc.constantFrom(
  '0001-01-01',
  '1974-04-01',
  '2020-02-29',
  '9999-12-31',
  '2019',
  '2019-10',
);
const period: fc.Arbitrary<PeriodRecord> = fc
  .record({
    kind: fc.constantFrom('Operational' as const, 'Legal' as const),
    start: date,
    end: optional(date),
  })
  .map(withoutAbsent);
const periods = fc.array(period, { maxLength: 3 });
const uniqueId = optional(fc.constantFrom(1, 2, 3, 70_000, 2 ** 31 - 1));
const target: fc.Arbitrary<TargetRecord> = fc
  .record({
    code: fc.constantFrom(...CODES, 'X1', 'AA', 'a1'),
    primaryRole: optional(fc.constantFrom('177', '197')),
    primaryRoleId: uniqueId,
  })
  .map(withoutAbsent);
const relationship: fc.Arbitrary<RelationshipRecord> = fc
  .record({ type: fc.constantFrom('4', '6'), uniqueId, isActive: fc.boolean(), periods, target })
  .map(withoutAbsent);
const succession: fc.Arbitrary<SuccessionRecord> = fc
  .record({
    kind: fc.constantFrom('Predecessor' as const, 'Successor' as const),
    uniqueId,
    periods,
    isForward: optional(fc.boolean()),
    target,
  })
  .map(withoutAbsent);
/** The records of some of the codes, first the full ones and then the reference-only ones. */
const records: fc.Arbitrary<readonly SourceRecord[]> = fc
  .record({
    codes: fc.subarray(CODES),
    references: fc.integer({ min: 0, max: CODES.length }),
    relationships: fc.array(fc.array(relationship, { maxLength: 4 }), { minLength: 5 }),
    successions: fc.array(fc.array(succession, { maxLength: 3 }), { minLength: 5 }),
  })
  .map(({ codes, references, relationships, successions }) =>
    codes
      .map((code, index) => ({
        ...organization(code),
        relationships: relationships[index]!,
        successions: successions[index]!,
        isReferenceOnly: index < references,
      }))
      .sort((one, other) => Number(one.isReferenceOnly) - Number(other.isReferenceOnly)),
  );

const identity = { number: 1, publishedAt: '2026-09-01T10:00:00.000Z' };

describe('the links of an edition', () => {
  it('are those of its records, found from both ends and by number', () => {
    fc.assert(
      fc.property(records, (given) => {
        const { links } = openEdition(identity, editionArrays(given));
        const rowOf = (code: string) => {
          const row = given.findIndex((record) => record.code === code);
          return row < 0 ? undefined : row;
        };
        const located = (of: TargetRecord) => withoutAbsent({ ...of, row: rowOf(of.code) });
        let ordinal = 0;
        const expected = given.flatMap(({ relationships = [] }, sourceRow) =>
          relationships.map((one) => ({
            ...one,
            ordinal: ordinal++,
            sourceRow,
            target: located(one.target),
          })),
        );
        const successions = given.flatMap((record, sourceRow) =>
          (record.successions ?? []).map((one) => ({
            ...one,
            sourceRow,
            target: located(one.target),
          })),
        );
        assert.equal(links.count, expected.length);
        assert.deepEqual(
          expected.map((_, at) => links.at(at)),
          expected,
        );
        given.forEach(({ code }, row) => {
          const { first, end } = links.ofRow(row);
          const own = expected.filter(({ sourceRow }) => sourceRow === row);
          assert.deepEqual(expected.slice(first, end), own);
          const ownSuccessions = successions.filter(({ sourceRow }) => sourceRow === row);
          assert.deepEqual(links.successionsOf(row), ownSuccessions);
          assert.deepEqual([links.rowOf(code), links.codeOf(row)], [row, code]);
        });
        for (const code of [...CODES, 'X1', 'AA', 'a1', 'ZZ', '']) {
          const incoming = expected.filter((one) => one.target.code === code);
          const ordinals = incoming.map((one) => one.ordinal);
          assert.deepEqual([...links.incoming(code)], ordinals);
          const towards = successions.filter((one) => one.target.code === code);
          assert.deepEqual(links.successionsTo(code), towards);
        }
        for (const id of [0, 1, 2, 3, 4, 70_000, 2 ** 31 - 1]) {
          const found = expected.find((one) => one.uniqueId === id)?.ordinal;
          assert.equal(links.byUniqueId(id), found);
        }
      }),
    );
  });

  it('are unknown in an edition of a source without them', () => {
    const given = [{ ...organization('A1'), relationships: [] }];
    const { hasLinks, links } = openEdition(identity, editionArrays(given, { hasLinks: false }));
    assert.equal(hasLinks, false);
    assert.deepEqual([links.count, links.rowOf('A1'), links.successionsOf(0)], [0, 0, []]);
  });

  it('of reference-only records are kept, with the records apart from the full ones', () => {
    const edition = openEdition(
      identity,
      editionArrays([
        organization('B1'),
        { ...organization('A1', { roles: [] }), isReferenceOnly: true },
      ]),
    );
    assert.equal(edition.index.rowOf('A1'), undefined);
    assert.equal(edition.references.index.rowOf('A1'), 0);
    assert.equal(edition.links.rowOf('A1'), 1);
    assert.deepEqual(edition.references.rows.recordAt(0).roles, []);
  });
});
