/** The delay of an event loop is noticed. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MEASURE_EVERY_MS, watchLoopDelay } from '../../src/server/limits/gate.ts';

it('a loop that is held up is late by so much, and soon in time again', async (context) => {
  let looked = (_: number) => {};
  const delay = watchLoopDelay((delayMs) => looked(delayMs));
  context.after(delay.stop);
  const nextLook = () => new Promise<number>((resolve) => (looked = resolve));
  // The timer lets a process end; this one keeps it until the looks have come.
  const keepAlive = setInterval(() => {}, 1000);
  context.after(() => clearInterval(keepAlive));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * MEASURE_EVERY_MS);
  assert.ok((await nextLook()) > MEASURE_EVERY_MS);
  while (delay.lastingMs > MEASURE_EVERY_MS) await nextLook();
});

it('a delay lasts if the loop was late twice in a row', async (context) => {
  const block = () =>
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * MEASURE_EVERY_MS);
  const seen: number[] = [];
  const looked = Promise.withResolvers<void>();
  const delay = watchLoopDelay(() => {
    seen.push(delay.lastingMs);
    // The second look comes late too.
    if (seen.length === 1) block();
    else looked.resolve();
  });
  context.after(delay.stop);
  const keepAlive = setInterval(() => {}, 1000);
  context.after(() => clearInterval(keepAlive));
  block();
  await looked.promise;
  assert.equal(seen[0], 0, 'one long task is no overload');
  assert.ok(seen[1]! > MEASURE_EVERY_MS);
});

it('the delay before a restart is not counted', async (context) => {
  let looked = (_: number) => {};
  const delay = watchLoopDelay((delayMs) => looked(delayMs));
  context.after(delay.stop);
  const keepAlive = setInterval(() => {}, 1000);
  context.after(() => clearInterval(keepAlive));
  const look = new Promise<number>((resolve) => (looked = resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * MEASURE_EVERY_MS);
  delay.restart();
  assert.equal(await look, 0);
});
