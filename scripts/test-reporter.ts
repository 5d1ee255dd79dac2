/** Reports the tests of a group of files to `scripts/test-group.ts`, each when it ends. */
import { readFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** What `scripts/test.ts` counts. */
export type TestOutcome = 'passed' | 'failed' | SkippedTest;

/** A test, or a suite whose tests do not run. */
export interface SkippedTest {
  readonly skipped: string;
}

/** `file` is the one that runs: a test can be defined in another one. */
export type ReportedEvent = EndedTest | EndedFile;

export interface EndedTest {
  readonly file: string;
  readonly outcome: TestOutcome;
  /** The name, the place and the error of a test that failed. */
  readonly failure?: string;
}

export interface EndedFile {
  readonly file: string;
  /** How many tests it has. */
  readonly tests: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Why the file itself failed. */
  readonly failure?: string;
}

const files = process.argv.slice(2);
/** The unit of CPU times in `/proc`, on every architecture. */
const TICKS_PER_SECOND = 100;
/** Tests replace the clock. */
const nowMs = performance.now.bind(performance);
/** Tests that never wait end before the reporter gets its first event. */
const start = timesNow();

// biome-ignore lint/style/noDefaultExport: Node takes a reporter from the default export of a file
export default async function* reportTests(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  let ended = 0;
  let tests = 0;
  let before = start;
  for await (const event of source) {
    const file = files[ended] ?? '';
    const outcome = outcomeOf(event);
    if (outcome !== undefined) {
      tests += 1;
      process.send?.({ file, outcome, ...failureOf(event) } satisfies EndedTest);
    }
    if (!isFile(event)) continue;
    const now = timesNow();
    process.send?.({
      file,
      tests,
      cpuSeconds: now.cpuSeconds - before.cpuSeconds,
      wallSeconds: now.wallSeconds - before.wallSeconds,
      ...failureOf(event),
    } satisfies EndedFile);
    ended += 1;
    tests = 0;
    before = now;
    yield '';
  }
}

function timesNow() {
  return { cpuSeconds: cpuSeconds(), wallSeconds: nowMs() / 1000 };
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

/** `scripts/test-files-in-turn.ts` makes a suite of each file. */
function isFile({ type, data }: TestEvent): boolean {
  return (type === 'test:pass' || type === 'test:fail') && data.nesting === 0;
}

function outcomeOf(event: TestEvent): TestOutcome | undefined {
  const { type, data } = event;
  if ((type !== 'test:pass' && type !== 'test:fail') || isFile(event)) return undefined;
  if (data.skip !== undefined) return { skipped: `${data.name}: ${reasonOf(data.skip)}` };
  if (data.details.type === 'suite' || data.todo !== undefined) return undefined;
  return type === 'test:pass' ? 'passed' : 'failed';
}

function reasonOf(skip: string | boolean): string {
  return typeof skip === 'string' && skip !== '' ? skip : 'no reason is given';
}

/** A test that failed only because of a subtest adds no information. */
function failureOf({ type, data }: TestEvent): { failure?: string } {
  if (type !== 'test:fail' || data.todo !== undefined) return {};
  const { error } = data.details;
  if ('failureType' in error && error.failureType === 'subtestsFailed') return {};
  const place = data.file === undefined ? '' : ` (${data.file}:${data.line})`;
  return { failure: `${data.name}${place}\n${inspect(error.cause ?? error)}` };
}
