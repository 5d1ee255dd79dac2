/** Records at random positions, and searches near a place without any index. */
import assert from 'node:assert/strict';
import type { NamedArrays } from '../../../src/directory/arrays/arrays.ts';
import { nearOf } from '../../../src/directory/ask/near.ts';
import {
  type DirectoryQuery,
  type OrganizationIndex,
  openOrganizationIndex,
} from '../../../src/directory/index/organization-index.ts';
import { lineOf, type Point, pointOf } from '../../../src/directory/index/positions/earth.ts';
import type { Coordinates, Postcodes } from '../../../src/directory/places/postcodes.ts';
import type { OrganizationRecord } from '../../../src/directory/record/record.ts';
import { fc } from '../../property.ts';
import { naiveSearch } from '../index/naive-search.ts';
import { arraysOf, criterion, sortedRecords, spread } from '../index/random-records.ts';

export interface PlacedSearch {
  readonly query: DirectoryQuery;
  readonly offset: number;
  readonly limit: number;
}

/** Some of the positions: on the lines where halves of the earth meet, and in places far apart. */
const EDGES: readonly Coordinates[] = [
  { latitude: 0, longitude: 0 },
  { latitude: 51.4779, longitude: 0 },
  { latitude: 60.1545, longitude: -1.1494 },
  { latitude: 49.1858, longitude: -2.1063 },
  { latitude: 45, longitude: -180 },
  { latitude: 45, longitude: 180 },
  { latitude: 90, longitude: 17 },
];

const position: fc.Arbitrary<Coordinates> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...EDGES) },
  {
    weight: 6,
    arbitrary: fc.record({
      latitude: fc.double({ min: 51.3, max: 51.7, noNaN: true }),
      longitude: fc.double({ min: -0.4, max: 0.3, noNaN: true }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      latitude: fc.double({ min: 49.1, max: 60.9, noNaN: true }),
      longitude: fc.double({ min: -8.7, max: 1.8, noNaN: true }),
    }),
  },
);

/** Each position belongs to one postcode; undefined for a postcode without one. */
export const placed = fc.array(fc.option(position, { nil: undefined, freq: 8 }), {
  minLength: 1,
  maxLength: 60,
});

const near = fc
  .tuple(position, fc.constantFrom(0.5, 900, 5000, 20_000, 130_000, 1_000_000))
  .map(([from, metres]) => ({ type: 'near' as const, ...from, metres }));

export const searches: fc.Arbitrary<PlacedSearch> = fc.record({
  query: fc
    .tuple(near, fc.array(criterion, { maxLength: 2 }))
    .map(([one, others]) => ({ criteria: [...others, one] })),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 80 }), fc.constant(100_000)),
  limit: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.constant(1000)),
});

export interface PlacedIndex {
  readonly index: OrganizationIndex;
  /** Those of the index, without positions. */
  readonly records: NamedArrays;
  readonly sorted: readonly OrganizationRecord[];
  /** By postcode. */
  readonly positions: ReadonlyMap<string, Coordinates>;
}

export function placedIndex(
  places: readonly (Coordinates | undefined)[],
  count: number,
): PlacedIndex {
  const postcodeAt = (place: number) =>
    `LS${place % 10} ${Math.floor(place / 10) % 10}A${String.fromCharCode(65 + Math.floor(place / 100))}`;
  const positions = new Map(
    places.flatMap((at, place) => (at === undefined ? [] : [[postcodeAt(place), at] as const])),
  );
  const parts = Array.from({ length: places.length }, (_, place) => ({
    code: '',
    name: place % 3 === 0 ? 'LEEDS' : `ab ${place}`,
    postalCode: place % 17 === 16 ? undefined : postcodeAt(place),
    isActive: place % 4 !== 0,
    roles: [place % 2 === 0 ? '177' : '197'],
  }));
  const sorted = sortedRecords(spread(parts, count));
  const records = arraysOf(sorted);
  const index = openOrganizationIndex(records, undefined, postcodesOf(positions));
  return { index, records, sorted, positions };
}

/** Postcodes in memory, by their usual spelling. */
export function postcodesOf(
  positions: ReadonlyMap<string, Coordinates>,
  version = 'test-1',
): Postcodes {
  const compact = (text: string) => text.replaceAll(' ', '').toUpperCase();
  const known = new Map([...positions].map(([postcode, at]) => [compact(postcode), at]));
  return { version, positionOf: (postcode) => known.get(compact(postcode)) };
}

/** Compares each search with a look at every record. */
export function checkSearches(
  { index, sorted, positions }: PlacedIndex,
  asked: readonly PlacedSearch[],
): void {
  const points = sorted.map(({ address }) => {
    const at = positions.get(address?.postalCode ?? '');
    return at && pointOf(at);
  });
  for (const { query, offset, limit } of asked) {
    const place = nearOf(query.criteria);
    assert.ok(place !== undefined);
    const others = { criteria: query.criteria.filter((one) => one !== place) };
    const from = pointOf(place);
    const lines = points.map((point) => point && lineBetween(point, from));
    const rows = naiveSearch(sorted, others, 0, sorted.length)
      .rows.filter((row) => (lines[row] ?? Number.POSITIVE_INFINITY) <= lineOf(place.metres))
      .toSorted((a, b) => Math.round(lines[a]! * 1000) - Math.round(lines[b]! * 1000) || a - b);
    assert.deepEqual(
      index.search(query, offset, limit),
      { total: rows.length, rows: rows.slice(offset, offset + limit) },
      JSON.stringify({ query, offset, limit }),
    );
  }
}

function lineBetween(one: Point, other: Point): number {
  const [dx, dy, dz] = [one.x - other.x, one.y - other.y, one.z - other.z];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
