/** Small buffers share little memory. */
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { it } from 'node:test';
import { keepBufferPoolSmall } from '../../src/threads/buffer-pool.ts';

it('small buffers share at most 8 KiB, once the present memory is used up', (t) => {
  const { poolSize } = Buffer;
  t.after(() => {
    Buffer.poolSize = poolSize;
  });
  keepBufferPoolSmall();
  for (let at = 0; at < 2 * poolSize; at += 1000) Buffer.from('b'.repeat(1000));
  // Node aligns them.
  assert.ok(Buffer.from('a').buffer.byteLength <= 8 * 1024 + 64);
});
