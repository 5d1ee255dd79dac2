/** The progress of an import: its bar covers the reading and the building of the index. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { createProgress } from '../../src/cli/sources/progress.ts';

for (const [what, records, isFull] of [
  ['is not full when all bytes are read, because the index is still to build', 10, false],
  ['is full when all bytes are downloaded', undefined, true],
] as const) {
  it(`the bar ${what}`, () => {
    const stream = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 80,
      cursorTo: () => true,
      clearLine: () => true,
      moveCursor: () => true,
    });
    const progress = createProgress(stream);
    progress.show({ records, bytes: 100, bytesTotal: 100 });
    progress.end();
    let shown = '';
    for (let piece = stream.read(); piece !== null; piece = stream.read()) shown += piece;
    assert.match(shown, / MB/);
    assert.equal(/=-/.test(shown), !isFull, shown);
  });
}
