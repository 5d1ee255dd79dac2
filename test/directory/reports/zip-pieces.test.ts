/** A zip that is made while it is read ends with its reader, also between two pieces of it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { zipPieces } from '../../../src/interfaces/answer/zip-pieces.ts';

/** More would be seen, because the file has no end. */
const READ_AHEAD_MAX = 20;

it('a zip whose reader has left reads no more of its files', async () => {
  const opened: string[] = [];
  let made = 0;
  const endless = (name: string) => ({
    name,
    pieces: function* () {
      opened.push(name);
      // Packed, this is next to nothing, so that the zip gives no piece for a long time.
      for (;;) yield Buffer.alloc(1024, made++ % 2);
    },
  });
  const left = new AbortController();
  const files = ['first.csv', 'second.csv'].map(endless);
  const reading = Array.fromAsync(zipPieces(files, new Date(0), left.signal));
  while (made < 50) await nextTurn();
  left.abort();
  const before = made;
  await reading;
  assert.ok(made - before < READ_AHEAD_MAX, `${made - before} pieces`);
  assert.deepEqual(opened, ['first.csv']);
});
