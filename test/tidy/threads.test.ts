/** Each thread says how large its heap may get for new objects: `src/threads/heap-limits.ts`. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sourceFiles } from './source-files.ts';

/** The text from each `new Worker(` to the end of the statement, with its file. */
function startsOfThreads(): string[] {
  return sourceFiles()
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/new Worker\([^;]*/g)].map(([start]) => `${path}: ${start}`),
    );
}

it('every thread of the program has a limit for new objects', () => {
  const starts = startsOfThreads();
  assert.ok(starts.length >= 9, `${starts.length}`);
  assert.deepEqual(
    starts.filter((start) => !/resourceLimits: /.test(start)),
    [],
  );
});
