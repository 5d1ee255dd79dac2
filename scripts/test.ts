/** Runs every test, or those whose paths are given: a dot for each, what failed, and the counts. */
import { globSync } from 'node:fs';
import { run } from 'node:test';
import { dot } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Those in test/clients/ need packages of their own: `npm run test:clients` runs them. */
const EVERY_TEST = globSync('test/**/*.test.ts', { cwd: root, exclude: ['test/clients'] });

const files = process.argv.slice(2);
console.log(`Node ${process.version}`);

/** Many times what the slowest file takes: what hangs is to fail, not to hang the check. */
const FILE_TIMEOUT_MS = 240_000;

const events = run({
  cwd: root,
  globPatterns: files.length > 0 ? files : EVERY_TEST,
  concurrency: true,
  timeout: FILE_TIMEOUT_MS,
  execArgv: ['--disable-warning=ExperimentalWarning'],
});
events.on('test:fail', () => {
  process.exitCode = 1;
});
events.on('test:summary', ({ file, counts }) => {
  if (file !== undefined) return;
  const { tests, passed, skipped, todo } = counts;
  const failed = tests - passed - skipped - todo;
  process.on('exit', () => {
    console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  });
  if (passed === 0) process.exitCode = 1;
});
events.compose(dot).pipe(process.stdout);
