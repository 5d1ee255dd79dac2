/**
 * Runs the tests of `npm run check`, the long tests (`--long`), those that import what changed
 * (`--changed`), or the given files and folders. Prints a dot for each test, each failure when it
 * happens, the skipped tests with their reasons, and the counts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changedPaths, groupsOf, type Selection, selectTests } from './test-files.ts';
import { type FileTime, runGroup } from './test-group.ts';
import { bundledProgram } from './test-program.ts';
import type { TestOutcome } from './test-reporter.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const OPTIONS = {
  /** Runs the tests that `npm run check` leaves out because they are slow. */
  long: { type: 'boolean', default: false },
  /** Runs the tests that import a file that differs from the commit of `--since`. */
  changed: { type: 'boolean', default: false },
  since: { type: 'string', default: 'HEAD' },
  /** A group is killed when none of its tests has ended for this time. The slowest needs far less. */
  'seconds-per-test': { type: 'string', default: '900' },
  /** More than a killed process needs to end on a busy machine. */
  'seconds-to-end': { type: 'string', default: '20' },
  /** Runs the repetitions of tests often enough to find rare faults. */
  campaign: { type: 'boolean', default: false },
  /** The seed of the property tests. */
  seed: { type: 'string', default: '1' },
  /** Lists the CPU and wall time of each file, the slowest first. */
  times: { type: 'boolean', default: false },
} as const;

const { values, positionals } = readArguments();
const files = selected();
const counts = { passed: 0, failed: 0 };
const skipped: string[] = [];
const times: FileTime[] = [];
/** For what several files of this run need: test/made-once.ts fills it. */
const sharedFolder = mkdtempSync(join(tmpdir(), 'gazetteer-tests-'));
process.on('exit', () => rmSync(sharedFolder, { recursive: true, force: true }));

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stop.abort();
    console.log(`\nStopped by ${signal}.`);
    printCounts();
    process.exit(1);
  });
}

console.log(`Node ${process.version}`);
const program = await bundledProgram(ROOT);
const waiting = groupsOf(ROOT, files).values();
// A group waits while the programs that it starts work, so there is one lane more than processors.
const lanes = Array.from({ length: availableParallelism() + 1 }, async () => {
  for (const group of waiting) {
    times.push(
      ...(await runGroup(group, {
        root: ROOT,
        environment: {
          ...(values.campaign && { TEST_CAMPAIGN: '1' }),
          TEST_SEED: values.seed,
          TEST_SHARED_FOLDER: sharedFolder,
          TEST_PROGRAM: program,
        },
        secondsPerTest: Number(values['seconds-per-test']),
        secondsToEnd: Number(values['seconds-to-end']),
        signal: stop.signal,
        onOutcome: count,
        onFailure: (text) => console.log(`\n${text.trimEnd()}`),
      })),
    );
  }
});
await Promise.all(lanes);
if (values.times) printTimes();
printCounts();
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS });
  } catch (error) {
    return endWithSentence(error instanceof Error ? error.message : String(error));
  }
}

function selected(): readonly string[] {
  const { long, changed, since } = values;
  return filesOf(
    selectTests(ROOT, {
      paths: positionals,
      isLong: long,
      changed: changed ? filesOf(changedPaths(ROOT, since)) : undefined,
    }),
  );
}

function filesOf(selection: Selection): readonly string[] {
  return 'problem' in selection ? endWithSentence(selection.problem) : selection.files;
}

function endWithSentence(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

function count(file: string, outcome: TestOutcome): void {
  if (typeof outcome === 'string') counts[outcome] += 1;
  else skipped.push(`Skipped ${file}: ${outcome.skipped}\n`);
  process.stdout.write(outcome === 'failed' ? 'X' : '.');
}

function printCounts(): void {
  const { passed, failed } = counts;
  console.log(
    `\n${skipped.sort().join('')}${passed} passed, ${failed} failed, ${skipped.length} skipped`,
  );
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
