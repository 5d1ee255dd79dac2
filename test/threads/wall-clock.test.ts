/** The time of day is fine, and follows a clock that is set. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { wallClockMs } from '../../src/threads/wall-clock.ts';

/** The clocks of the test: the time since the start, what the clock was set by, and a pause to come. */
const clocks = { monotonicMs: 0, setByMs: 0, pauseMs: 0 };

/** Each reading of a clock takes a microsecond, and the pause falls after the next one of the two. */
function replaceClocks(context: TestContext, pausesAfter: 'now' | 'Date.now' = 'now') {
  const read = (name: 'now' | 'Date.now') => {
    clocks.monotonicMs += 0.001;
    const readMs = clocks.monotonicMs;
    if (name === pausesAfter) {
      clocks.monotonicMs += clocks.pauseMs;
      clocks.pauseMs = 0;
    }
    return readMs;
  };
  context.mock.method(performance, 'now', () => read('now'));
  context.mock.method(Date, 'now', () =>
    Math.floor(performance.timeOrigin + read('Date.now') + clocks.setByMs),
  );
  Object.assign(clocks, { setByMs: 0, pauseMs: 0 });
  wallClockMs();
}

const machineMs = () => performance.timeOrigin + clocks.monotonicMs + clocks.setByMs;

it('it goes on between two whole milliseconds', (context) => {
  replaceClocks(context);
  const times = Array.from({ length: 3000 }, () => wallClockMs());
  assert.deepEqual(
    times.toSorted((one, other) => one - other),
    times,
  );
  assert.ok(times.some((time) => !Number.isInteger(time)));
  assert.ok(Math.abs(wallClockMs() - machineMs()) < 1);
});

for (const pausesAfter of ['now', 'Date.now'] as const) {
  it(`it does not go back after a pause that follows the reading of ${pausesAfter}`, (context) => {
    replaceClocks(context, pausesAfter);
    let last = wallClockMs();
    for (const pauseMs of [...Array.from({ length: 40 }, (_, tenths) => tenths / 10), 30, 5000]) {
      clocks.pauseMs = pauseMs;
      // The first readings after a pause, and on until the next whole millisecond has passed.
      for (let reading = 0; reading < 1000; reading++) {
        const time = wallClockMs();
        assert.ok(time >= last, `${pauseMs} ms, reading ${reading}: back by ${last - time} ms`);
        assert.ok(Math.abs(time - machineMs()) < 1, `${pauseMs} ms: ${time - machineMs()}`);
        last = time;
      }
    }
  });
}

it('it follows a clock that is set, also back', (context) => {
  replaceClocks(context);
  for (const setByMs of [3_600_000, -3_600_000, 0]) {
    clocks.setByMs = setByMs;
    const difference = wallClockMs() - machineMs();
    assert.ok(Math.abs(difference) < 3, `${setByMs}: ${difference}`);
  }
});
