/** The time of day is fine, and follows a clock that is set. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { wallClockMs } from '../../src/threads/wall-clock.ts';

it('it goes on between two whole milliseconds, and agrees with Date.now', () => {
  const times = Array.from({ length: 1000 }, () => wallClockMs());
  assert.deepEqual(times.toSorted(), times);
  assert.ok(times.some((time) => !Number.isInteger(time)));
  const before = Date.now();
  const between = wallClockMs();
  const after = Date.now();
  assert.ok(between >= before - 2 && between <= after + 3, `${before} ${between} ${after}`);
});

it('it follows a clock that is set, also back', (context) => {
  const now = Date.now.bind(Date);
  for (const setBy of [3_600_000, -3_600_000, 0]) {
    context.mock.method(Date, 'now', () => now() + setBy);
    const before = Date.now();
    const between = wallClockMs();
    const after = Date.now();
    assert.ok(between >= before - 2 && between <= after + 3, `${setBy}: ${between - before}`);
  }
});
