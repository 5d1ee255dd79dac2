/**
 * Prints how many megabytes of arguments for `nextTick` V8 keeps after their calls, of 20 MB.
 * `compile-next-tick.test.ts` runs it.
 */
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { compileNextTick } from '../../src/server/compile-next-tick.ts';

const TURNS = 400;
const CALLS_PER_TURN = 50;
const ARGUMENT_BYTES = 1000;

function collectYoung(): void {
  assert.ok(globalThis.gc);
  globalThis.gc({ type: 'minor' });
}

function oldMegabytes(): number {
  const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space');
  assert.ok(old);
  return old.space_used_size / 1e6;
}

compileNextTick();
collectYoung();
await nextTurn();
const before = oldMegabytes();
for (let turn = 0; turn < TURNS; turn++) {
  for (let i = 0; i < CALLS_PER_TURN; i++) {
    process.nextTick((_: string) => {}, 'x'.repeat(ARGUMENT_BYTES).toUpperCase());
  }
  await nextTurn();
}
// V8 moves an object to the old space when it survives two collections.
collectYoung();
collectYoung();
process.stdout.write(String(oldMegabytes() - before));
