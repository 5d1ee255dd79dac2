/** The Model Context Protocol over streams, apart from the program that starts it. */
import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limitedLines } from '../../src/cli/mcp/lines.ts';
import { serveLines } from '../../src/cli/mcp/serve-lines.ts';

it('a line that is too long is one mistake, and the lines after it are read', async () => {
  const parts = ['ab', 'cdef', 'gh\n12', '\n\n', 'x'].map((text) => Buffer.from(text));
  const lines = await Array.fromAsync(limitedLines(toAsync(parts), 4), String);
  assert.deepEqual(lines, ['too long', '12', '', 'x']);
});

async function* toAsync<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

it('the end of the program does not wait for a client that reads no answers', async () => {
  const input = new PassThrough();
  const stopping = new AbortController();
  const stuck = new Writable({ highWaterMark: 1, write: () => {} });
  const faults: unknown[] = [];
  const served = serveLines(
    () => ({ status: 200, run: async () => ({ answer: 'an answer' }) }),
    { input, output: stuck },
    { stopped: stopping.signal, onFault: (fault) => faults.push(fault) },
  );
  input.write('{"id": 1}\n');
  while (!stuck.writableNeedDrain) await nextTurn();
  stopping.abort();
  await served;
  assert.deepEqual(faults, []);
});
