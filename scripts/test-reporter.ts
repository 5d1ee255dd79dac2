/** Reports the tests of one file: the result of each to `scripts/test.ts`, and failures as text. */
import { readFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** What `scripts/test.ts` counts. */
export type TestOutcome = 'passed' | 'failed' | SkippedTest;

/** A test, or a suite whose tests do not run. */
export interface SkippedTest {
  readonly skipped: string;
}

/** Sent when the last test of the file has ended. */
export interface CpuTime {
  readonly cpuSeconds: number;
}

/** Writes each failure at once, because the file may hang later. */
// biome-ignore lint/style/noDefaultExport: Node takes a reporter from the default export of a file
export default async function* reportTests(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const event of source) {
    const outcome = outcomeOf(event);
    if (outcome !== undefined) process.send?.(outcome);
    yield failureText(event);
  }
  process.send?.({ cpuSeconds: cpuSeconds() } satisfies CpuTime);
}

/** The CPU time of this process. On Linux, it includes the child processes that have ended. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (process.platform !== 'linux') return own;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [cutime = 0, cstime = 0] = fields.slice(13, 15).map(Number);
  return own + (cutime + cstime) / TICKS_PER_SECOND;
}

/** The unit of CPU times in `/proc`, on every architecture. */
const TICKS_PER_SECOND = 100;

function outcomeOf({ type, data }: TestEvent): TestOutcome | undefined {
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  if (data.skip !== undefined) return { skipped: `${data.name}: ${reasonOf(data.skip)}` };
  if (data.details.type === 'suite' || data.todo !== undefined) return undefined;
  return type === 'test:pass' ? 'passed' : 'failed';
}

function reasonOf(skip: string | boolean): string {
  return typeof skip === 'string' && skip !== '' ? skip : 'no reason is given';
}

/** A test that failed only because of a subtest adds no information. */
function failureText({ type, data }: TestEvent): string {
  if (type !== 'test:fail' || data.todo !== undefined) return '';
  const { error } = data.details;
  if ('failureType' in error && error.failureType === 'subtestsFailed') return '';
  const place = data.file === undefined ? '' : ` (${data.file}:${data.line})`;
  return `✖ ${data.name}${place}\n${inspect(error.cause ?? error)}\n`;
}
