/** A bounded number of values, of which those in use are never made again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepValues } from '../../src/directory/arrays/kept-values.ts';

test('values that are in use are made once, whatever else is asked for', () => {
  const made: number[] = [];
  const valueAt = keepValues(3, (number: number) => {
    made.push(number);
    return { number };
  });
  for (let other = 100; other < 200; other++) {
    assert.deepEqual(valueAt(1), { number: 1 });
    assert.deepEqual(valueAt(other), { number: other });
  }
  assert.deepEqual(
    made.filter((number) => number === 1),
    [1],
  );
});

test('values that are not in use are dropped, and made again', () => {
  let made = 0;
  const valueAt = keepValues(3, (number: number) => {
    made += 1;
    return { number };
  });
  for (const number of [1, 2, 3, 4, 5, 6, 7]) valueAt(number);
  const before = made;
  assert.deepEqual(valueAt(7), { number: 7 });
  assert.equal(made, before);
  assert.deepEqual(valueAt(1), { number: 1 });
  assert.equal(made, before + 1);
});
