/** A search near a place finds what a look at every record finds, in the same order. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type OrganizationIndex,
  openOrganizationIndex,
} from '../../../src/directory/index/organization-index.ts';
import { lineOf, metresOf, pointOf } from '../../../src/directory/index/positions/earth.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { checkSearches, type PlacedSearch, placed, placedIndex, searches } from './near-oracle.ts';

test('distances agree with those of GeographicLib within a hundredth of a percent', () => {
  const [, ...lines] = readFileSync(new URL('./distances.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  assert.ok(lines.length > 150);
  for (const line of lines) {
    const [latitude, longitude, toLatitude, toLongitude, metres] = line.split(',').map(Number);
    const from = pointOf({ latitude: latitude!, longitude: longitude! });
    const to = pointOf({ latitude: toLatitude!, longitude: toLongitude! });
    const found = metresOf(Math.hypot(from.x - to.x, from.y - to.y, from.z - to.z));
    assert.ok(Math.abs(found - metres!) <= 0.0001 * metres!, `${line}: ${found}`);
    assert.ok(Math.abs(metresOf(lineOf(metres!)) - metres!) < 0.000_01);
  }
});

test('random searches find what a look at every record finds', () => {
  fc.assert(
    fc.property(
      placed,
      fc.integer({ min: 1, max: 700 }),
      fc.array(searches, { minLength: 4, maxLength: 12 }),
      (parts, count, asked) => checkSearches(placedIndex(parts, count), asked),
    ),
    { numRuns: repetitions(60, 400) },
  );
});

test('a search that has another order finds the same', () => {
  const { index, positions } = placedIndex(fc.sample(placed, { numRuns: 1, seed: 3 })[0]!, 500);
  const [one] = positions.values();
  const near = { type: 'near' as const, ...one!, metres: 30_000 };
  const found = index.search({ criteria: [near] }, 0, 500);
  const byCode = index.search({ criteria: [near] }, 0, 500, [{ field: 'row', isDescending: true }]);
  assert.ok(found.total > 5 && found.total < 500);
  assert.deepEqual(
    byCode.rows,
    found.rows.toSorted((a, b) => b - a),
  );
  assert.equal(byCode.total, found.total);
});

test('pages of a search near a place add up to all of it', () => {
  const made = placedIndex(fc.sample(placed, { numRuns: 1, seed: 5 })[0]!, 3000);
  for (const search of fc.sample(searches, { numRuns: 8, seed: 6 })) {
    const all = made.index.search(search.query, 0, 3000);
    const rows: number[] = [];
    for (let offset = 0; offset < all.total; offset += 7) {
      const page = made.index.search(search.query, offset, 7);
      assert.equal(page.total, all.total);
      rows.push(...page.rows);
    }
    assert.deepEqual(rows, all.rows);
  }
});

test('an index without positions refuses a search near a place', () => {
  const { records } = placedIndex(fc.sample(placed, { numRuns: 1, seed: 5 })[0]!, 5);
  const bare: OrganizationIndex = openOrganizationIndex(records);
  const search: PlacedSearch['query'] = {
    criteria: [{ type: 'near', latitude: 53, longitude: -1, metres: 10 }],
  };
  assert.throws(() => bare.search(search, 0, 1), /no positions/);
});
