/**
 * Runs every test, or the given files. Prints a dot for each test, the failures and the counts.
 * Each file runs in its own process group, so that no process that it starts outlives it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { TestOutcome } from './test-reporter.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Many times the duration of the slowest file, so that only a hanging file fails. */
    'seconds-per-file': { type: 'string', default: '240' },
  },
});
const secondsPerFile = Number(values['seconds-per-file']);

/**
 * Files that need other packages or minutes. `npm run test:clients` and similar scripts run
 * them.
 */
const LEFT_OUT = [
  'test/clients',
  'test/cluster',
  'test/crash',
  'test/faults',
  'test/hapi-client',
  'test/package',
];

const files =
  positionals.length > 0
    ? globSync(positionals, { cwd: root })
    : globSync('test/**/*.test.ts', { cwd: root, exclude: LEFT_OUT });

const counts: Record<TestOutcome, number> = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
const running = new Set<ChildProcess>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    running.forEach(endGroup);
    process.exit(1);
  });
}

console.log(`Node ${process.version}`);
const waiting = files.values();
const lanes = Array.from({ length: Math.max(1, availableParallelism() - 1) }, async () => {
  for (const file of waiting) await runFile(file);
});
await Promise.all(lanes);
const { passed, failed, skipped } = counts;
console.log(`\n${failures.join('')}\n${passed} passed, ${failed} failed, ${skipped} skipped`);
if (failed > 0 || passed === 0) process.exitCode = 1;

async function runFile(file: string): Promise<void> {
  const child = startFile(file);
  running.add(child);
  const outcomes: TestOutcome[] = [];
  const count = (outcome: TestOutcome): void => {
    outcomes.push(outcome);
    counts[outcome] += 1;
    process.stdout.write(outcome === 'failed' ? 'X' : '.');
  };
  child.on('message', count);
  const written = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const closed = once(child, 'close');
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    endGroup(child);
  }, secondsPerFile * 1000);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(deadline);
  endGroup(child);
  await closed;
  running.delete(child);
  if (code === 0 && outcomes.length > 0) return;
  const hasFailures = outcomes.includes('failed');
  if (!hasFailures) count('failed');
  const problem = isLate
    ? ` did not end within ${secondsPerFile} seconds and was killed`
    : code === 0
      ? ' has no test'
      : hasFailures
        ? ''
        : ` ended with ${signal ?? `exit code ${code}`}`;
  failures.push(`\n${file}${problem}\n${(await written).join('')}`);
}

/** Node keeps what it has compiled: most files load the same sources, and so do their servers. */
function startFile(file: string): ChildProcess {
  const words = [
    '--disable-warning=ExperimentalWarning',
    `--test-reporter=${new URL('./test-reporter.ts', import.meta.url)}`,
    '--test-reporter-destination=stdout',
    file,
  ];
  return spawn(process.execPath, words, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { NODE_COMPILE_CACHE: `${root}node_modules/.cache/compiled`, ...process.env },
  });
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Every process of the group has exited.
  }
}
