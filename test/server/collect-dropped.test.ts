/** Released memory returns to the system, also while other threads work. */
import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { setImmediate as task } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { collectDropped, PATIENCE_MS, TURN_MS } from '../../src/server/collect-dropped.ts';
import { collectGarbage } from '../../src/threads/collect-garbage.ts';

it('a thread that collects does not hide the collector from one that is about to look for it', () => {
  collectGarbage();
  assert.equal(runInNewContext('typeof gc'), 'function');
});

it('what was dropped is gone when its turn and some patience are over', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  // Made in this task, it outlasts what begins in it: what is collected at once is to find it.
  const dropped = new WeakRef(new SharedArrayBuffer(1));
  collectDropped(dropped, 2);
  mock.timers.tick(2 * TURN_MS + PATIENCE_MS);
  mock.timers.reset();
  await task();
  await task();
  assert.equal(dropped.deref(), undefined);
});
