/**
 * Searches near a place, over invented positions: one in seven outward codes is in a large city, the
 * others are towns over the whole country. The densest 20 km have about a seventh of all records.
 */

import { type Random, randomFor } from '../../scripts/release/random.ts';
import type { Edition } from '../../src/directory/edition/edition.ts';
import type { DirectoryCriterion } from '../../src/directory/index/organization-index.ts';
import type { Coordinates, PostcodeFile } from '../../src/directory/places/postcodes.ts';
import { outwardCodeOf } from '../../src/directory/record/postal-code.ts';
import type { SearchKind } from './kinds.ts';

const SEED = 29;
const PAGE_ROWS = 20;
const CITY: Coordinates = { latitude: 51.5, longitude: -0.12 };

export const INVENTED_POSTCODES: PostcodeFile = {
  version: 'invented',
  about: {
    version: 'invented',
    source: 'invented',
    form: 'onspd',
    importedAt: '2026-01-01T00:00:00.000Z',
    postcodes: 0,
    withoutPosition: 0,
    terminated: 0,
  },
  positionOf: inventedPositionOf,
  find: (postcode) => ({ postcode, position: inventedPositionOf(postcode), areas: {} }),
  at: () => ({ postcode: '', areas: {} }),
  terminatedAt: () => undefined,
  areas: { count: 0, at: () => ({ code: '' }), find: () => undefined },
};

export function inventedPositionOf(postcode: string): Coordinates {
  const compact = postcode.toUpperCase().replaceAll(' ', '');
  const [a, b, c] = sharesOf(outwardCodeOf(compact) ?? compact);
  const [d, e] = sharesOf(compact);
  const isCity = a < 1 / 7;
  const town = isCity ? CITY : { latitude: 50.3 + 6 * b, longitude: -4.5 + 5.5 * c };
  const spread = isCity ? 0.36 : 0.06;
  return {
    latitude: town.latitude + spread * (d - 0.5),
    longitude: town.longitude + spread * 1.6 * (e - 0.5),
  };
}

/** Numbers from 0 to 1 that differ from one text to the next, and are always the same for a text. */
function sharesOf(text: string): readonly [number, number, number] {
  let hash = 0x811c9dc5;
  const next = () => {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
  };
  return [next(), next(), next()];
}

export const NEAR_KINDS: readonly SearchKind[] = [
  near('near', (random) => 1000 + random.below(19_000)),
  near('near-role', (random) => 1000 + random.below(19_000), [
    { type: 'token', field: 'role', values: [{ code: '182' }] },
  ]),
  near('near-active', (random) => 1000 + random.below(19_000), [
    { type: 'token', field: 'active', values: [{ code: 'true' }] },
  ]),
];

/** The largest circle that a search may have. */
export const FAR_KINDS: readonly SearchKind[] = [
  near('near-1000-km', () => 1_000_000),
  near('near-1000-km-active', () => 1_000_000, [
    { type: 'token', field: 'active', values: [{ code: 'true' }] },
  ]),
];

/** From the position of a random record. */
function near(
  name: string,
  metresOf: (random: Random) => number,
  others: readonly DirectoryCriterion[] = [],
): SearchKind {
  return {
    name,
    prepare: ({ rows, index }: Edition) => {
      const random = randomFor(SEED, 0);
      return () => {
        let postcode: string | undefined;
        while (postcode === undefined) {
          postcode = rows.recordAt(random.below(rows.count)).address?.postalCode;
        }
        const place = {
          type: 'near',
          ...inventedPositionOf(postcode),
          metres: metresOf(random),
        } as const;
        const criteria = [place, ...others];
        return () => index.search({ criteria }, 0, PAGE_ROWS);
      };
    },
  };
}
