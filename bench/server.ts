/** Servers as separate processes, each on its own core. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from './data.ts';
import { pinned } from './machine.ts';
import { installedProgram, sourceProgram } from './program.ts';

export interface Running {
  readonly process: ChildProcess;
  readonly port: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface LogLine {
  readonly msg: string;
  readonly [detail: string]: unknown;
}

export interface RunningProgram extends Running {
  readonly origin: string;
  /** The address of health and metrics. */
  readonly operation: string;
  /** All lines so far. */
  log(): LogLine[];
  /** Resolves when so many lines of the log have this message. */
  logged(message: string, times?: number): Promise<LogLine>;
}

export interface ProgramOptions {
  /** Start the sources of this tree. By default, the bundle that users install is started. */
  readonly tree?: string;
  /** Any core otherwise. */
  readonly core?: string;
  readonly nodeOptions?: readonly string[];
}

/** A machine that stands still for a second makes every server look overloaded. */
const NO_OVERLOAD = ['--limits-delay-ms', '0'];

/**
 * `gazetteer serve` on a free port, once it listens. Its log goes to a file, so that a user who
 * measures spends no time on reading it.
 */
export async function startProgram(
  words: readonly string[],
  { tree, core, nodeOptions = [] }: ProgramOptions = {},
): Promise<RunningProgram> {
  const main = tree === undefined ? await installedProgram() : sourceProgram(tree);
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-log-'));
  const path = join(folder, 'log');
  const file = openSync(path, 'w');
  const [command = process.execPath, ...rest] = [
    ...pinned(core),
    process.execPath,
    ...nodeOptions,
    main,
    'serve',
    '--port',
    '0',
    '--metrics-port',
    '0',
    ...NO_OVERLOAD,
    ...words,
  ];
  const child = spawn(command, rest, { cwd: tree ?? ROOT, stdio: ['ignore', file, 'inherit'] });
  closeSync(file);
  endTogether(child);
  const exited = once(child, 'exit');
  const log = (): LogLine[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const logged = async (message: string, times = 1): Promise<LogLine> => {
    for (;;) {
      const line = log().filter(({ msg }) => msg === message)[times - 1];
      if (line !== undefined) return line;
      if (child.exitCode !== null) throw new Error(`the server ended before "${message}"`);
      await delay(LOOK_EVERY_MS);
    }
  };
  const { port } = await logged('listening');
  const operation = log().find(({ msg }) => msg === 'health and metrics');
  return {
    process: child,
    port: Number(port),
    origin: `http://127.0.0.1:${port}`,
    operation: `http://127.0.0.1:${operation?.port}`,
    log,
    logged,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

const LOOK_EVERY_MS = 5;

const children = new Set<ChildProcess>();
let isWatching = false;

/** However this process ends, no server is left behind that holds a folder or a core. */
export function endTogether(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
  if (isWatching) return;
  isWatching = true;
  process.on('exit', () => {
    for (const one of children) one.kill('SIGKILL');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
}

const SCOPES = ['--scope', 'system/OrderResponse.*', '--scope', 'system/Subscription.*'];

/** A token that may do everything with order responses, made in a data folder. */
export function makeToken(folder: string, tree = ROOT): string {
  const words = ['src/main.ts', 'token', '--data', folder, '--expires', '1d', ...SCOPES];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: tree,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}
