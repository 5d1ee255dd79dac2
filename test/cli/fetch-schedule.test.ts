/** When a server fetches: each day at a time, with a spread, and earlier after failures. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FetchTrouble, nextFetchMs } from '../../src/cli/serve/serve-fetches.ts';

const MINUTE = 60_000;
const at = (time: string) => new Date(`2026-11-22T${time}:00`).getTime();
const next = (
  time: string,
  fetchAt: string,
  random: number,
  trouble: FetchTrouble = { failures: 0 },
) => nextFetchMs({ fetchAt, nowMs: at(time), random: () => random }, trouble);

describe('the next fetch', () => {
  it('is at the time of the day, today or tomorrow', () => {
    assert.equal(next('01:00', '03:00', 0), at('03:00'));
    assert.equal(new Date(next('03:00', '03:00', 0)).getDate(), 23);
    assert.equal(new Date(next('23:59', '03:00', 0)).getHours(), 3);
  });

  it('is spread over half an hour', () => {
    assert.equal(next('01:00', '03:00', 0.5), at('03:15'));
    assert.ok(next('01:00', '03:00', 0.999) < at('03:30'));
  });

  it('is soon after a failure, and later after each further one', () => {
    for (const [failures, minutes] of [
      [1, 15],
      [2, 30],
      [3, 60],
      [4, 120],
      [5, 240],
      [50, 240],
    ] as const) {
      assert.equal(next('04:00', '03:00', 0, { failures }), at('04:00') + minutes * MINUTE);
    }
    assert.equal(next('04:00', '03:00', 0.8, { failures: 1 }), at('04:18'));
  });

  it('after a failure is not later than the daily one', () => {
    assert.equal(next('01:00', '03:00', 0, { failures: 9 }), at('03:00'));
  });

  it('is never before the time that a source requests', () => {
    const trouble = { failures: 1, notBeforeMs: at('09:30') };
    assert.equal(next('04:00', '03:00', 0, trouble), at('09:30'));
    assert.equal(next('04:00', '05:00', 0, trouble), at('09:30'));
    assert.equal(next('04:00', '03:00', 0, { ...trouble, notBeforeMs: at('03:30') }), at('04:15'));
  });
});
