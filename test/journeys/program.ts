/** The program as its users start it, for journeys: real processes, files and sockets. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { MARK } from '../../scripts/test-processes.ts';
import { endWith, type Owner } from '../owner.ts';
import { ROOT } from '../tidy/source-files.ts';

export const SAMPLE = join(ROOT, 'sample', 'organisations.zip');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** What a program needs of the environment of a test, and nothing that could change a setting. */
export function keptEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(KEPT.map((name) => [name, process.env[name]]));
}

const KEPT = ['PATH', 'NODE_COMPILE_CACHE', MARK];

export function start(words: readonly string[], options: StartOptions = {}): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program(), ...words], {
    cwd: options.cwd ?? ROOT,
    env: { ...keptEnvironment(), ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** The bundle that the runner made, which starts faster, or the source. */
export function program(): string {
  return process.env.TEST_PROGRAM ?? join(ROOT, 'src/main.ts');
}

/** Runs a command to its end; `input` is its standard input. */
export async function gazetteer(
  words: readonly string[],
  options: StartOptions & { readonly input?: Buffer } = {},
): Promise<Ended> {
  const child = start(words, options);
  child.stdin?.on('error', () => {
    // The program may end before it has read everything.
  });
  child.stdin?.end(options.input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

export interface Server {
  /** `http://127.0.0.1:{port}`. */
  readonly origin: string;
  readonly port: number;
  /** The address of health and metrics, likewise. */
  readonly operation: string;
  readonly process: ChildProcess;
  /** The log so far, a value for each line. */
  readonly log: readonly LogLine[];
  /** Resolves when the log has a line with this message. */
  logged(message: RegExp): Promise<LogLine>;
  /** Asks it to end, and answers how it did. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface LogLine {
  readonly msg: string;
  readonly [detail: string]: unknown;
}

/** Free ports, one thread on every machine, and no refusals on a busy one. */
const OF_A_TEST = [
  '--port',
  '0',
  '--metrics-port',
  '0',
  '--limits-delay-ms',
  '0',
  '--threads',
  '1',
];

/** A server on a free port that has begun to listen; it ends with its owner. */
export async function serve(
  owner: Owner,
  words: readonly string[],
  options: StartOptions = {},
): Promise<Server> {
  const child = start(['serve', ...OF_A_TEST, ...words], options);
  const log: LogLine[] = [];
  const waiting: { message: RegExp; resolve: (line: LogLine) => void }[] = [];
  const exited = once(child, 'exit');
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const parsed: LogLine = JSON.parse(line);
    log.push(parsed);
    for (const { message, resolve } of waiting) if (message.test(parsed.msg)) resolve(parsed);
  });
  const logged = (message: RegExp) =>
    new Promise<LogLine>((resolve, reject) => {
      const known = log.find(({ msg }) => message.test(msg));
      if (known !== undefined) resolve(known);
      else waiting.push({ message, resolve });
      exited.then(() =>
        reject(new Error(`the server ended before it logged ${message}: ${stderr}`)),
      );
    });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  endWith(owner, async () => {
    if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL');
  });
  const { port } = await logged(/^listening$/);
  const metrics = log.find(({ msg }) => msg === 'health and metrics');
  return {
    operation: `http://127.0.0.1:${metrics?.port}`,
    origin: `http://127.0.0.1:${port}`,
    port: Number(port),
    process: child,
    log,
    logged,
    stop,
  };
}
