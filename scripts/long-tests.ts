/** Runs tests that take minutes, one file at a time, and adds up the figures that they report. */
import { globSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { whyNoLibrary } from '../test/faults/compile-library.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The start of a test diagnostic with figures: `figures: 1,200 states, 0 lost`. */
const FIGURES = 'figures: ';

/** `environment` has the options of the tests. `reason`: why they cannot run here. */
export function runLongTests(
  pattern: string,
  environment: Readonly<Record<string, string>>,
  reason: string | false = whyNoLibrary(),
): void {
  if (reason !== false) {
    console.log(`Skipped ${pattern}: ${reason}.\n0 passed, 0 failed, all skipped`);
    return;
  }
  Object.assign(process.env, environment);
  const figures = new Map<string, number>();
  const events = run({
    cwd: root,
    files: globSync(pattern, { cwd: root }).map((path) => root + path),
    concurrency: false,
    timeout: Number.POSITIVE_INFINITY,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  events.on('test:fail', () => {
    process.exitCode = 1;
  });
  events.on('test:diagnostic', ({ message }) => {
    if (!message.startsWith(FIGURES)) return;
    for (const [, count = '', what = ''] of message.matchAll(/(\d+) ([a-z][a-z ]*)/g)) {
      figures.set(what, (figures.get(what) ?? 0) + Number(count));
    }
  });
  events.on('test:summary', ({ file, counts }) => {
    if (file !== undefined) return;
    const { tests, passed, skipped, todo } = counts;
    process.on('exit', () => {
      console.log([...figures].map(([what, count]) => `${count} ${what}`).join(', '));
      console.log(
        `${passed} passed, ${tests - passed - skipped - todo} failed, ${skipped} skipped`,
      );
    });
    if (passed === 0) process.exitCode = 1;
  });
  events.compose(spec()).pipe(process.stdout);
}
