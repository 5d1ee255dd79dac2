/** Places sorted by their keys, compared with JavaScript's own stable sort. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sortedByKey } from '../../src/directory/arrays/first-numbers.ts';
import { fc } from '../property.ts';

const KEYS = 4;
/** Also keys that are left out. */
const key = fc.oneof(fc.nat({ max: KEYS + 1 }), fc.constant(0xffff_ffff));
const keys = fc.array(key, { maxLength: 30 }).map((list) => Uint32Array.from(list));

describe('places sorted by key', () => {
  it('have the order of a stable sort, and the starts of their keys', () => {
    fc.assert(
      fc.property(keys, (all) => {
        const { sorted, first } = sortedByKey(all, KEYS);
        assert.deepEqual([...sorted], expected(all, [...all.keys()]));
        const lower = (limit: number) => all.filter((one) => one < limit).length;
        assert.deepEqual([...first], [0, 1, 2, 3, 4].map(lower));
      }),
    );
  });

  it('keep the order of the places that they are given, also of some of them', () => {
    const given = keys.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()])),
    );
    fc.assert(
      fc.property(given, ([all, places]) => {
        const { sorted } = sortedByKey(all, KEYS, Uint32Array.from(places));
        assert.deepEqual([...sorted], expected(all, places));
      }),
    );
  });

  it('are none if there are no keys', () => {
    assert.deepEqual([...sortedByKey(new Uint32Array(), 0).first], [0]);
    assert.deepEqual([...sortedByKey(Uint32Array.of(0, 1), 0).sorted], []);
  });
});

function expected(keys: Uint32Array, places: readonly number[]): number[] {
  const keyOf = (place: number) => keys[place] ?? 0;
  return places.filter((at) => keyOf(at) < KEYS).toSorted((a, b) => keyOf(a) - keyOf(b));
}
