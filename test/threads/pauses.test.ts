/** Long work in slices: other work runs in between. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPauses } from '../../src/threads/pauses.ts';

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('other work runs while many pieces are answered', async () => {
  let others = 0;
  const other = setInterval(() => others++, 1);
  const pause = createPauses();
  for (let piece = 0; piece < 100; piece++) {
    work(1);
    await pause();
  }
  clearInterval(other);
  assert.ok(others >= 5, `${others} turns of other work in 100 ms`);
});

it('short work does not wait', () => {
  assert.equal(createPauses()(), undefined);
});
