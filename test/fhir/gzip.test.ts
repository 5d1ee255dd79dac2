/** Large bodies in gzip are made a little at a time. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { gzipPieces } from '../../src/fhir/http/gzip.ts';

it('no two pieces are made in one turn of the event loop', async () => {
  const turns: number[] = [];
  let turn = 0;
  function* pieces() {
    for (let i = 0; i < 50; i++) {
      turns.push(turn);
      yield Buffer.alloc(64 * 1024, i);
    }
  }
  let isDone = false;
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const zipped = await Array.fromAsync(gzipPieces(pieces()));
  isDone = true;
  assert.equal(gunzipSync(Buffer.concat(zipped)).length, 50 * 64 * 1024);
  assert.deepEqual([...new Set(turns)], turns);
});
