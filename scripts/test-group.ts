/**
 * Runs test files in a process, one after the other, and those after a file that hangs in the next.
 * If a group leaves processes running, it fails, and the script ends these processes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { importedFirst } from './test-files.ts';
import { MARK, processesWithMark } from './test-processes.ts';
import type { ReportedEvent, TestOutcome } from './test-reporter.ts';

export interface GroupOptions {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly secondsPerTest: number;
  readonly secondsToEnd: number;
  /** Ends all processes of the group. */
  readonly signal: AbortSignal;
  onOutcome(file: string, outcome: TestOutcome): void;
  /** What failed and why, as text. */
  onFailure(text: string): void;
}

export interface FileTime {
  readonly file: string;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

interface Group {
  readonly process: ChildProcess;
  /** The environment of each process that the files start contains it. */
  readonly mark: string;
}

/** Answers the times of the files that ended. */
export async function runGroup(
  files: readonly string[],
  options: GroupOptions,
): Promise<readonly FileTime[]> {
  const times = await runProcess(files, options);
  const left = files.slice(times.length + 1);
  const isStopped = left.length === 0 || options.signal.aborted;
  return isStopped ? times : [...times, ...(await runGroup(left, options))];
}

async function runProcess(
  files: readonly string[],
  options: GroupOptions,
): Promise<readonly FileTime[]> {
  const group = startGroup(files, options);
  const { process: child } = group;
  const end = () => endProcesses(group);
  options.signal.addEventListener('abort', end);
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    end();
  }, options.secondsPerTest * 1000);
  const times: FileTime[] = [];
  const failed = new Set<string>();
  const fail = (file: string, problem: string): void => {
    options.onFailure(`${file} ${problem}`);
    if (failed.size === 0) options.onOutcome(file, 'failed');
    failed.add(file);
  };
  child.on('message', (event: ReportedEvent) => {
    deadline.refresh();
    const { file } = event;
    if ('outcome' in event) {
      if (event.outcome === 'failed') failed.add(file);
      if (event.failure !== undefined) options.onFailure(`✖ ${event.failure}`);
      options.onOutcome(file, event.outcome);
      return;
    }
    times.push(event);
    if (event.failure !== undefined) fail(file, `could not be run: ${event.failure}`);
    else if (event.tests === 0) fail(file, 'has no test');
  });
  const written = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const closed = once(child, 'close');
  const [code, signal] = await once(child, 'exit');
  clearTimeout(deadline);
  const survivors = isLate ? [] : await survivorsOf(group, options.secondsToEnd);
  end();
  await closed;
  options.signal.removeEventListener('abort', end);
  const file = files[times.length] ?? files.join(' or ');
  const seconds = options.secondsPerTest;
  const ended = signal ?? `exit code ${code}`;
  if (isLate) fail(file, `was killed, because none of its tests ended for ${seconds} seconds`);
  else if (survivors.length > 0) fail(file, `left processes running: ${survivors.join(', ')}`);
  else if (code !== 0 && !(code === 1 && failed.size > 0)) fail(file, `ended with ${ended}`);
  else if (times.length < files.length) fail(file, 'ended the process before its tests had ended');
  if (failed.size > 0) options.onFailure((await written).join(''));
  return times;
}

/** Node keeps what it has compiled: most files load the same sources, and so do their servers. */
function startGroup(files: readonly string[], { root, environment }: GroupOptions): Group {
  const [first] = files.length > 1 ? files.map((file) => importedFirst(root, file)) : [];
  const mark = randomUUID();
  const words = [
    '--disable-warning=ExperimentalWarning',
    `--import=${new URL('../test/without-sync.ts', import.meta.url)}`,
    `--test-reporter=${new URL('./test-reporter.ts', import.meta.url)}`,
    '--test-reporter-destination=stdout',
    'scripts/test-files-in-turn.ts',
    ...files,
  ];
  const child = spawn(process.execPath, words, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      NODE_COMPILE_CACHE: `${root}node_modules/.cache/compiled`,
      ...process.env,
      ...environment,
      TEST_IMPORTS_FIRST: first,
      [MARK]: mark,
    },
  });
  return { process: child, mark };
}

/** The commands of processes that outlive the group. A killed process needs a moment to end. */
async function survivorsOf({ mark }: Group, secondsToEnd: number): Promise<string[]> {
  const deadline = performance.now() + secondsToEnd * 1000;
  for (;;) {
    const found = processesWithMark(mark);
    if (found.length === 0 || performance.now() > deadline) return found.map((one) => one.command);
    await delay(50);
  }
}

/** The process group of the files, and the processes that left it. */
function endProcesses({ process: child, mark }: Group): void {
  const others = processesWithMark(mark).map(({ pid }) => pid);
  for (const id of child.pid === undefined ? others : [-child.pid, ...others]) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
