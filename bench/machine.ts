/** What the machine lets be measured: cores to pin to, CPU time and memory of a process. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';

/** Asked before anything is pinned: afterwards this process would seem to have one core. */
export const CORES = availableParallelism();

/** The server on one core and the load on another, so that they do not take each other's time. */
export const SERVER_CORE = '0';
const LOAD_CORE = '1';

/** For servers with several threads, half of the cores are for the load. */
export const LOAD_CORES: readonly string[] = Array.from(
  { length: Math.max(1, Math.floor(CORES / 2)) },
  (_, i) => String(CORES - 1 - i),
);
export const SERVER_CORES = `0-${Math.max(0, CORES - LOAD_CORES.length - 1)}`;

function canPin(): boolean {
  return process.platform === 'linux' && CORES > 1 && hasTaskset();
}

/** The beginning of a command that runs on one core; empty where cores cannot be chosen. */
export function pinned(core: string | undefined): string[] {
  return core !== undefined && canPin() ? ['taskset', '-c', core] : [];
}

/** Keeps the load on its core while something is measured; what is started without a core too. */
export async function withLoadPinned<Result>(measure: () => Promise<Result>): Promise<Result> {
  pin(process.pid, LOAD_CORE);
  try {
    return await measure();
  } finally {
    pin(process.pid, `0-${CORES - 1}`);
  }
}

/** Moves a process, all its threads, to a core or several. */
export function pin(pid: number | undefined, cores: string): void {
  if (canPin()) spawnSync('taskset', ['-cpa', cores, String(pid)], { stdio: 'ignore' });
}

/** User and system time of a process, all its threads. Linux only: clock ticks, hundredths. */
export function cpuSeconds(pid: number | undefined): number {
  if (process.platform !== 'linux') return Number.NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/**
 * Milliseconds that each thread of a process has run, by its id: other programs make no difference.
 * A thread that runs now can have run up to a tick longer. Linux only.
 */
export function threadTimesMs(pid: number | undefined): ReadonlyMap<string, number> {
  if (process.platform !== 'linux') return new Map();
  const threads = readdirSync(`/proc/${pid}/task`);
  return new Map(threads.map((thread) => [thread, threadTimeMs(pid, thread)]));
}

/** The same for one thread. */
export function threadTimeMs(pid: number | undefined, thread: string): number {
  if (process.platform !== 'linux') return Number.NaN;
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Megabytes a process has resident now. Linux only. */
export function residentMb(pid: number | undefined): number {
  if (process.platform !== 'linux') return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const [{ model } = { model: 'unknown' }] = cpus();
  return `${CORES} cores (${model}), ${gigabytes} GB, Node ${process.version.slice(1)}, ${process.platform}`;
}

let isThere: boolean | undefined;

function hasTaskset(): boolean {
  isThere ??= spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;
  return isThere;
}
