/**
 * Runs every test, or the given files. Prints a dot for each test, the failures,
 * the skipped tests with their reasons, and the counts.
 * If a file leaves processes running, it fails, and the script ends these processes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MARK, processesWithMark } from './test-processes.ts';
import type { CpuTime, TestOutcome } from './test-reporter.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A file is killed when none of its tests has ended for this time. The slowest needs far less. */
    'seconds-per-test': { type: 'string', default: '900' },
    /** More than a killed process needs to end on a busy machine. */
    'seconds-to-end': { type: 'string', default: '20' },
    /** Runs the repetitions of tests often enough to find rare faults. */
    campaign: { type: 'boolean', default: false },
    /** The seed of the property tests. */
    seed: { type: 'string', default: '1' },
    /** Lists the CPU and wall time of each file, the slowest first. */
    times: { type: 'boolean', default: false },
  },
});
const secondsPerTest = Number(values['seconds-per-test']);

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
  'test/image',
  'test/package',
  'test/systemd',
];

const SLOW_FOLDERS = ['test/documents/', 'test/older-data/', 'test/journeys/', 'test/web/'];

const files =
  positionals.length > 0
    ? globSync(positionals, { cwd: root })
    : globSync('test/**/*.test.ts', { cwd: root, exclude: LEFT_OUT });

const counts = { passed: 0, failed: 0 };
const skipped: string[] = [];
const failures: string[] = [];
const times: FileTime[] = [];
const running = new Set<TestFile>();

interface TestFile {
  readonly process: ChildProcess;
  /** The environment of each process that the file starts contains it. */
  readonly mark: string;
}

interface FileTime extends CpuTime {
  readonly file: string;
  readonly wallSeconds: number;
}

/** For what several files of this run need: test/made-once.ts fills it. */
const sharedFolder = mkdtempSync(join(tmpdir(), 'gazetteer-tests-'));
process.on('exit', () => rmSync(sharedFolder, { recursive: true, force: true }));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    running.forEach(endProcesses);
    process.exit(1);
  });
}

console.log(`Node ${process.version}`);
const waiting = slowestFirst(files).values();
// A file waits while the programs that it starts work, so there is one lane more than processors.
const lanes = Array.from({ length: availableParallelism() + 1 }, async () => {
  for (const file of waiting) await runFile(file);
});
await Promise.all(lanes);
if (values.times) printTimes();
const { passed, failed } = counts;
console.log(
  `\n${failures.join('')}\n${skipped.sort().join('')}` +
    `${passed} passed, ${failed} failed, ${skipped.length} skipped`,
);
if (failed > 0 || passed === 0) process.exitCode = 1;

async function runFile(file: string): Promise<void> {
  const start = performance.now();
  const testFile = startFile(file);
  const { process: child } = testFile;
  running.add(testFile);
  const outcomes: TestOutcome[] = [];
  const count = (outcome: TestOutcome): void => {
    outcomes.push(outcome);
    if (typeof outcome === 'string') counts[outcome] += 1;
    else skipped.push(`Skipped ${file}: ${outcome.skipped}\n`);
    process.stdout.write(outcome === 'failed' ? 'X' : '.');
  };
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    endProcesses(testFile);
  }, secondsPerTest * 1000);
  let cpuSeconds = 0;
  child.on('message', (message: TestOutcome | CpuTime) => {
    deadline.refresh();
    if (typeof message === 'object' && 'cpuSeconds' in message) cpuSeconds = message.cpuSeconds;
    else count(message);
  });
  const written = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const closed = once(child, 'close');
  const [code, signal] = await once(child, 'exit');
  clearTimeout(deadline);
  const survivors = isLate ? [] : await survivorsOf(testFile);
  endProcesses(testFile);
  await closed;
  running.delete(testFile);
  times.push({ file, cpuSeconds, wallSeconds: (performance.now() - start) / 1000 });
  if (code === 0 && outcomes.length > 0 && survivors.length === 0) return;
  const hasFailures = outcomes.includes('failed');
  if (!hasFailures) count('failed');
  const problem = isLate
    ? ` was killed, because none of its tests ended for ${secondsPerTest} seconds`
    : survivors.length > 0
      ? ` left processes running: ${survivors.join(', ')}`
      : code === 0
        ? ' has no test'
        : hasFailures
          ? ''
          : ` ended with ${signal ?? `exit code ${code}`}`;
  failures.push(`\n${file}${problem}\n${(await written).join('')}`);
}

/** Files that take minutes start first, so that none of them runs alone at the end. */
function slowestFirst(paths: readonly string[]): string[] {
  const isSlow = (path: string) => SLOW_FOLDERS.some((folder) => path.startsWith(folder));
  return [...paths.filter(isSlow), ...paths.filter((path) => !isSlow(path))];
}

/** The commands of processes that outlive the file. A killed process needs a moment to end. */
async function survivorsOf({ mark }: TestFile): Promise<string[]> {
  const deadline = performance.now() + Number(values['seconds-to-end']) * 1000;
  for (;;) {
    const found = processesWithMark(mark);
    if (found.length === 0 || performance.now() > deadline) return found.map((one) => one.command);
    await delay(50);
  }
}

function printTimes(): void {
  const sum = (key: 'cpuSeconds' | 'wallSeconds') =>
    times.reduce((sofar, time) => sofar + time[key], 0);
  const total = {
    file: `${times.length} files`,
    cpuSeconds: sum('cpuSeconds'),
    wallSeconds: sum('wallSeconds'),
  };
  times.sort((one, other) => other.cpuSeconds - one.cpuSeconds);
  const rows = [total, ...times].map(
    ({ file, cpuSeconds, wallSeconds }) =>
      `${cpuSeconds.toFixed(1).padStart(8)} ${wallSeconds.toFixed(1).padStart(8)}  ${file}`,
  );
  console.log(['', '   CPU s   wall s', ...rows].join('\n'));
}

/** Node keeps what it has compiled: most files load the same sources, and so do their servers. */
function startFile(file: string): TestFile {
  const mark = randomUUID();
  const words = [
    '--disable-warning=ExperimentalWarning',
    `--import=${new URL('../test/without-sync.ts', import.meta.url)}`,
    `--test-reporter=${new URL('./test-reporter.ts', import.meta.url)}`,
    '--test-reporter-destination=stdout',
    file,
  ];
  const child = spawn(process.execPath, words, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      NODE_COMPILE_CACHE: `${root}node_modules/.cache/compiled`,
      ...process.env,
      ...(values.campaign && { TEST_CAMPAIGN: '1' }),
      TEST_SEED: values.seed,
      TEST_SHARED_FOLDER: sharedFolder,
      [MARK]: mark,
    },
  });
  return { process: child, mark };
}

/** The process group of the file, and the processes that left it. */
function endProcesses({ process: child, mark }: TestFile): void {
  const others = processesWithMark(mark).map(({ pid }) => pid);
  for (const id of child.pid === undefined ? others : [-child.pid, ...others]) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
