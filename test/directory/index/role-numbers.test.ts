/** The index of roles by their numbers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildMissingArrays } from '../../../src/directory/edition/edition.ts';
import { openRoleNumbers, ROLE_NUMBER_ARRAYS } from '../../../src/directory/index/role-numbers.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { editionArrays } from '../edition-arrays.ts';
import { organization, role } from '../records.ts';

const ids = fc.array(
  fc.record({
    id: fc.option(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(2 ** 31 - 1)), {
      nil: undefined,
    }),
    isActive: fc.boolean(),
  }),
  { maxLength: 4 },
);

/** Half of them are reference-only. Names differ in length, so that the numbers are in other places. */
function recordsOf(all: readonly (typeof ids extends fc.Arbitrary<infer T> ? T : never)[]) {
  return all.map(
    (roles, at): SourceRecord => ({
      ...organization(`A${100 + at}`, {
        name: 'N'.repeat(1 + (at % 3) * 100),
        roles: roles.map(({ id, isActive }) =>
          role('76', { isActive, ...(id !== undefined && { uniqueId: id }) }),
        ),
      }),
      ...(at % 2 === 1 && { isReferenceOnly: true as const }),
    }),
  );
}

describe('the numbers of roles', () => {
  it('lead to the organisation, in their order, and nothing else is found', () => {
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 12 }), (all) => {
        const records = recordsOf(all);
        const numbers = openRoleNumbers(editionArrays(records));
        const full = records.filter(({ isReferenceOnly }) => isReferenceOnly !== true);
        const rows = [...full, ...records.filter((each) => !full.includes(each))];
        const expected = rows.flatMap(({ roles }, row) =>
          roles.flatMap(({ uniqueId, isActive }) =>
            uniqueId === undefined ? [] : [{ id: uniqueId, row, isActive }],
          ),
        );
        const found = Array.from({ length: numbers.count }, (_, place) => ({
          id: numbers.idAt(place),
          row: numbers.rowAt(place),
          isActive: numbers.isActiveAt(place),
        }));
        assert.deepEqual(
          found,
          expected.toSorted((a, b) => a.id - b.id || a.row - b.row),
        );
        for (const id of [0, 1, 25, 51, 2 ** 31 - 1, 2 ** 32]) {
          const first = found.findIndex((each) => each.id === id);
          assert.equal(numbers.placeOf(id), first < 0 ? undefined : first);
        }
      }),
      { numRuns: repetitions(60, 500) },
    );
  });

  it('are built for an edition that an earlier version of the program made', () => {
    const arrays = editionArrays(recordsOf([[{ id: 7, isActive: true }], []]));
    const older = Object.fromEntries(
      Object.entries(arrays).filter(([name]) => !ROLE_NUMBER_ARRAYS.includes(name)),
    );
    assert.equal(openRoleNumbers(buildMissingArrays(older)).placeOf(7), 0);
  });
});
