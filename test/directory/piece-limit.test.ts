/** Downloads of one thread: how many there are, for whom, and how slowly their clients may read. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { createPieceLimit } from '../../src/interfaces/answer/downloads.ts';

const PIECE = Buffer.alloc(64 * 1024);

function* endless() {
  for (;;) yield PIECE;
}

it('a client gets two downloads at a time, and other clients the rest', async () => {
  const limit = createPieceLimit('the whole edition');
  const take = (address: string) => limit(endless(), () => address);
  const first = take('2001:db8::1');
  take('2001:db8::2');
  assert.throws(() => take('2001:db8::3'), {
    name: 'FhirError',
    message: /Your network address is already downloading the whole edition 2 times/,
    headers: ['Retry-After', '5'],
  });
  take('192.0.2.1');
  await once(first.destroy(), 'close');
  take('2001:db8::3');
  take('192.0.2.2');
  assert.throws(() => take('192.0.2.3'), /Too many clients are downloading the whole edition/);
});

it('a client that reads less than 64 KiB each second loses its place after a minute', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const limit = createPieceLimit('the whole edition');
  const [slow, fast] = [limit(endless()), limit(endless())];
  const pieces = fast[Symbol.asyncIterator]();
  await once(slow, 'readable');
  slow.read(1);
  for (let read = 0; read < 60; read++) await pieces.next();
  const cut = once(slow, 'close');
  context.mock.timers.tick(60_000);
  await cut;
  assert.equal(fast.destroyed, false);
  for (let place = 0; place < 3; place++) limit(endless());
  assert.throws(() => limit(endless()));
});
