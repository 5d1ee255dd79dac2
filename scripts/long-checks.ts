/** The checks that are not part of `npm run check`: those of the gate (`.ci/run`), and of a release. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { testsThatImport } from './test-files.ts';

export interface Check {
  readonly title: string;
  /** The arguments of npm. */
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Why it cannot run on this machine. */
  readonly skipped?: string;
  /** It measures, so no other check runs beside it. */
  readonly isAlone?: boolean;
}

export interface CheckResult {
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed, or what was skipped and why. */
  readonly reasons: readonly string[];
  /** The tests that failed, each with the first lines of its error. */
  readonly failures?: readonly string[];
}

/** Short fuzzing runs. The number of inputs is fixed, so every machine tries the same inputs. */
const FUZZED: readonly (readonly [kind: string, inputs: number])[] = [
  ['http', 15_000],
  ['xml', 80_000],
  ['json', 120_000],
  ['search', 80_000],
  ['release', 700],
];

/** Long tests that run more repetitions here than in `npm test -- --long`. */
const LONG_CAMPAIGNS: readonly string[] = [
  'test/journeys/orders-killed.long.test.ts',
  'test/older-data/migration.long.test.ts',
  'test/storage/sqlite/crash.long.test.ts',
];

/** Tests that run more repetitions here than in `npm run check`. */
function campaigns(): readonly string[] {
  return testsThatImport(fileURLToPath(new URL('..', import.meta.url)), 'test/campaign.ts');
}

/** The checks of `npm run check:long`, the longest first. CONTRIBUTING.md has their long forms. */
export function gateChecks(): Check[] {
  return [
    { title: 'npm test -- --long', words: ['test', '--', '--long'] },
    npmCheck('test:cluster', '--rounds', '3'),
    ...postgresChecks(),
    npmCheck('test:faults', '--short'),
    {
      title: 'npm test -- --campaign, with each test of npm run check that has a campaign',
      words: ['test', '--', '--campaign', ...campaigns(), ...LONG_CAMPAIGNS],
    },
    npmCheck('test:crash'),
    npmCheck('test:hapi-client'),
    npmCheck('soak', '--minutes', '10'),
    npmCheck('test:image'),
    npmCheck('test:systemd'),
    npmCheck('test:package'),
    npmCheck('test:artifacts'),
    ...FUZZED.map(([kind, inputs]) => {
      const limits = ['--inputs', String(inputs), '--minutes', '10', '--seed', '1'];
      return npmCheck('fuzz', kind, ...limits);
    }),
    { ...npmCheck('test:demo'), isAlone: true },
    { ...npmCheck('bench', 'worst'), isAlone: true },
  ];
}

/** The checks before a release. */
export function releaseChecks(): Check[] {
  return [
    { title: 'npm run check', words: ['run', 'check'] },
    ...gateChecks(),
    npmCheck('test:clients'),
    npmCheck('test:node24'),
  ];
}

/** The tests of the database on each PostgreSQL of this machine, which is older than that from npm. */
function postgresChecks(): Check[] {
  const found = globSync('/usr/lib/postgresql/*/bin/postgres');
  if (found.length === 0) {
    const title = 'npm test -- test/storage/postgres, with a PostgreSQL of the machine';
    return [{ title, words: [], skipped: 'there is none in /usr/lib/postgresql' }];
  }
  return found.map((postgres) => ({
    title: `npm test -- test/storage/postgres, with ${postgres}`,
    words: ['test', '--', 'test/storage/postgres/*.test.ts'],
    environment: { TEST_POSTGRES_BIN: dirname(postgres) },
  }));
}

function npmCheck(script: string, ...options: readonly string[]): Check {
  const words = ['run', '--silent', script, ...(options.length > 0 ? ['--', ...options] : [])];
  return { title: `npm run ${[script, ...options].join(' ')}`, words };
}

/** Runs two checks at a time, and after them those that run alone. */
export async function runChecks(
  checks: readonly Check[],
  run: (check: Check) => Promise<CheckResult>,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const waiting = checks.filter(({ isAlone }) => isAlone !== true).values();
  const lane = async () => {
    for (const check of waiting) results.push(await run(check));
  };
  await Promise.all([lane(), lane()]);
  for (const check of checks) if (check.isAlone === true) results.push(await run(check));
  return results;
}

/**
 * Runs a check, and prints its output when it ends. A check that still runs at `endMs`, a time of
 * `performance.now()`, is ended and has failed.
 */
export async function runCheck(
  { title, words, environment, skipped }: Check,
  endMs = Number.POSITIVE_INFINITY,
): Promise<CheckResult> {
  if (skipped !== undefined) return { title, outcome: 'skipped', reasons: [skipped] };
  const startMs = performance.now();
  const child = spawn('npm', words, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece) => {
      output += piece;
    });
  }
  const ended = once(child, 'close').then(([code, signal]) =>
    resultOf(title, code ?? signal, output),
  );
  const onSignal = (signal: NodeJS.Signals) => {
    process.kill(-child.pid!, signal);
    console.log(`\n${title}, stopped by ${signal}\n${output}`);
    process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return (await beforeEnd(ended, endMs)) ?? (await endLate(title, child));
  } finally {
    const minutes = ((performance.now() - startMs) / 60_000).toFixed(1);
    console.log(`\n${title} (${minutes} minutes)\n${output}`);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

/** A check has a process group of its own, so that it can be ended with all that it started. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Undefined if the check has not ended in time. */
async function beforeEnd(
  ended: Promise<CheckResult>,
  endMs: number,
): Promise<CheckResult | undefined> {
  if (endMs === Number.POSITIVE_INFINITY) return await ended;
  const left = new AbortController();
  const late = delay(Math.max(0, endMs - performance.now()), undefined, { signal: left.signal });
  try {
    return await Promise.race([ended, late]);
  } finally {
    late.catch(() => {});
    left.abort();
  }
}

async function endLate(
  title: string,
  child: ChildProcessByStdio<null, Readable, Readable>,
): Promise<CheckResult> {
  await endGroup(child);
  return { title, outcome: 'failed', reasons: ['it took too long, and was ended'] };
}

/** Processes outside the group can keep the output open, so it is closed here. */
async function endGroup(child: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  const exited = once(child, 'exit');
  process.kill(-child.pid!, 'SIGTERM');
  await Promise.race([exited, delay(SECONDS_TO_END * 1000, undefined, { ref: false })]);
  try {
    // Those that ignore the first signal, also after npm has ended.
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // All have ended.
  }
  child.stdout.destroy();
  child.stderr.destroy();
}

const SECONDS_TO_END = 10;

/** `end`: the exit code, or the signal. The lines about skipped tests have the reasons. */
export function resultOf(title: string, end: number | string, output: string): CheckResult {
  if (end !== 0) {
    const failures = failuresIn(output);
    return { title, outcome: 'failed', reasons: [`it ended with ${end}`], failures };
  }
  const reasons = output.split('\n').flatMap((line) => SKIPPED.exec(line)?.[1]?.trim() ?? []);
  const skipped = Number(/(\d+) skipped\s*$/.exec(output)?.[1] ?? 0);
  if (reasons.length === 0 && skipped > 0) reasons.push(`${skipped} tests`);
  const isWhole = /^Skipped .*$/m.test(output) && !/^[1-9]\d* passed/m.test(output);
  return { title, outcome: isWhole ? 'skipped' : 'passed', reasons };
}

/** At most ten, or the end of the output if no line says which test failed. */
function failuresIn(output: string): readonly string[] {
  const lines = output.split('\n');
  const starts = lines.flatMap((line, at) => (line.startsWith('✖ ') ? [at] : []));
  const failures = starts.slice(0, 10).flatMap((at) => lines.slice(at, at + FAILURE_LINES));
  return failures.length > 0 ? failures : lines.slice(-FAILURE_LINES);
}

const FAILURE_LINES = 15;

/** `Skipped test/x: there is no y.`, and the line of Node for a skipped test: `﹣ name (0.1ms) # why`. */
const SKIPPED = /^(?:Skipped |\s*﹣ )(.+)$/;
