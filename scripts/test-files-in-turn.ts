/** Runs the given test files in this process, one after the other: each is a suite with its hooks. */
import { resolve } from 'node:path';
import { before, describe } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) {
  describe(file, async () => {
    // Tests that never wait keep their events back. The reporter now reads the time of the file before.
    before(() => nextTurn());
    await import(pathToFileURL(resolve(file)).href);
  });
}
