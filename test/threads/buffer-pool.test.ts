/** Small buffers come from small pools. */
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { it } from 'node:test';
import { keepBufferPoolSmall } from '../../src/threads/buffer-pool.ts';

it('small buffers share at most 8 KiB, once the current pool is used up', (t) => {
  const { poolSize } = Buffer;
  t.after(() => {
    Buffer.poolSize = poolSize;
  });
  // The size in newer versions of Node.
  Buffer.poolSize = 64 * 1024;
  keepBufferPoolSmall();
  for (let at = 0; at < 256 * 1024; at += 1000) Buffer.from('b'.repeat(1000));
  // Node aligns them.
  assert.ok(Buffer.from('a').buffer.byteLength <= 8 * 1024 + 64);
});
