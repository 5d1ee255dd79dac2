/** Runs the given test files in this process, one after the other: each is a suite with its hooks. */
import { resolve } from 'node:path';
import { before, describe } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const files = process.argv.slice(2);

/** What waits at its top level: files that waited for it together would add their tests to one suite. */
const first = process.env.TEST_IMPORTS_FIRST;
if (first !== undefined) await import(pathToFileURL(resolve(first)).href);

for (const file of files) {
  describe(file, async () => {
    // Tests that never wait keep their events back. The reporter now reads the time of the file before.
    before(() => nextTurn());
    await import(pathToFileURL(resolve(file)).href);
  });
}
