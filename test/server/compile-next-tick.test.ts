/** The calls that compile `nextTick` do not make V8 keep the arguments of later calls. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

/** With these flags V8 compiles and collects at the same calls in each run. */
const FLAGS = [
  '--expose-gc',
  '--single-threaded',
  '--no-incremental-marking',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
];

it('V8 frees the arguments of nextTick, although it collected while a thread started', () => {
  const file = fileURLToPath(import.meta.resolve('./next-tick-garbage.ts'));
  const keptMegabytes = Number(execFileSync(process.execPath, [...FLAGS, file]));
  assert.ok(keptMegabytes < 2, `V8 kept ${keptMegabytes} of 20 MB`);
});
