/** Suffixes come in the order of their bytes, however long and alike they are. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXT_END } from '../../../src/directory/arrays/text-list.ts';
import { sortSuffixes } from '../../../src/directory/index/texts/suffix-sort.ts';
import { fc } from '../../property.ts';

const texts = fc.array(
  fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', '\u0000', 'é'), maxLength: 12 }),
    fc.constantFrom('abababababab', 'aaaaaaaa', 'the surgery', 'the pharmacy'),
  ),
  { maxLength: 80 },
);

test('suffixes are sorted, equal ones by position', () => {
  fc.assert(
    fc.property(texts, (values) => {
      const bytes = endedBytes(values);
      assertSorted(bytes, sortSuffixes(bytes, new Uint8Array(bytes.length).fill(1)));
    }),
  );
});

test('only the wanted suffixes are sorted', () => {
  const bytes = endedBytes(['banana', 'bandana']);
  const wanted = new Uint8Array(bytes.length);
  for (const position of [0, 3, 7]) wanted[position] = 1;
  assert.deepEqual([...sortSuffixes(bytes, wanted)], [3, 0, 7]);
});

test('many long and equal texts are sorted', () => {
  const long = 'the same text again and again '.repeat(40);
  const values = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? `${long}!` : long));
  const bytes = endedBytes(values);
  assertSorted(bytes, sortSuffixes(bytes, new Uint8Array(bytes.length).fill(1)));
});

function endedBytes(values: readonly string[]): Uint8Array {
  return Buffer.concat(values.flatMap((value) => [Buffer.from(value), Buffer.of(TEXT_END)]));
}

function assertSorted(bytes: Uint8Array, positions: Uint32Array): void {
  assert.equal(new Set(positions).size, bytes.length);
  const suffix = (position: number) =>
    bytes.subarray(position, bytes.indexOf(TEXT_END, position) + 1);
  for (let i = 1; i < positions.length; i++) {
    const order = Buffer.compare(suffix(positions[i - 1]!), suffix(positions[i]!));
    if (order > 0 || (order === 0 && positions[i - 1]! > positions[i]!))
      assert.fail(`${positions[i - 1]} before ${positions[i]}`);
  }
}
