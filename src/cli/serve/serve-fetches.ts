/** Runs the fetches of a server at their times, each in a separate process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { variableOf } from '../../config/settings.ts';
import type { EditionReader } from '../../directory/edition/edition-store.ts';
import type { Log } from '../../server/monitoring/log.ts';
import {
  readFetchStatus,
  readPlannedFetch,
  writePlannedFetch,
} from '../../sources/fetch/fetch-state.ts';
import { StorageError } from '../../storage/files/storage-error.ts';
import type { FetchLock, SharedFetches } from '../../storage/store/shared-fetches.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import type { CommandContext } from '../parts/command.ts';
import { traceEnvironment } from '../parts/telemetry.ts';
import { pullFetches, pushFetches } from '../sources/fetch-copies.ts';
import { prepareSources } from '../sources/fetch-sources.ts';

export interface ServedFetches {
  /** Ends a fetch that runs. */
  stop(): Promise<void>;
}

interface FetchTask extends Pick<CommandContext, 'config' | 'environment' | 'program'> {
  /** The names of the sources. */
  readonly sources: readonly string[];
  /** The folder of the state. */
  readonly folder: string;
  readonly store: Pick<EditionReader, 'current'>;
  /** Undefined if no other server fetches into the same store. */
  readonly shared: SharedFetches | undefined;
  readonly log: Log;
  readonly tracing: Tracing;
}

/** Throws if a setting of a source is missing or not valid. */
export function serveFetches(options: Omit<FetchTask, 'sources'>): ServedFetches | undefined {
  const { config } = options;
  const words = config['directory.source'];
  if (words === undefined || !config['directory.enabled']) return undefined;
  const task: FetchTask = {
    ...options,
    sources: prepareSources(words, config).map(({ name }) => name),
  };
  const stop = new AbortController();
  const ended = repeatFetches(task, stop.signal).catch((error: unknown) => {
    task.log.report('GZ503', { problem: String(error) });
  });
  return {
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

/** The longest delay of a fetch after the machine slept. */
const LOOK_MS = 60_000;

async function repeatFetches(task: FetchTask, stopped: AbortSignal): Promise<void> {
  await pull(task);
  let nextMs = await firstFetchMs(task);
  while (!stopped.aborted) {
    const nowMs = Date.now();
    if (nowMs < nextMs) {
      const options = { signal: stopped };
      // The wait ends early if the server stops.
      await sleep(Math.min(nextMs - nowMs, LOOK_MS), undefined, options).catch(() => {});
      if (task.shared !== undefined) nextMs = (await plannedByServers(task)) ?? nextMs;
      continue;
    }
    nextMs = await fetchAlone(task, stopped);
  }
}

/** Fetches, unless another server of the same store does. Returns when to fetch next. */
async function fetchAlone(task: FetchTask, stopped: AbortSignal): Promise<number> {
  let lock: FetchLock | undefined;
  try {
    lock = await task.shared?.lock('schedule');
    const otherMs = lock === undefined ? undefined : await plannedByServers(task);
    if (otherMs !== undefined && Date.now() < otherMs) return otherMs;
    const isDone = await task.tracing.run({ name: 'scheduled fetch', kind: 'internal' }, () =>
      runFetch(task, stopped),
    );
    if (stopped.aborted) return Number.POSITIVE_INFINITY;
    return await planAndShare(task, isDone);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return Date.now() + LOOK_MS; // Another server fetches, or the database is unavailable.
  } finally {
    await lock?.release();
  }
}

/** The time of the next fetch of all servers. Undefined if they have not planned it. */
async function plannedByServers(task: FetchTask): Promise<number | undefined> {
  await pull(task);
  const planned = readPlannedFetch(task.folder);
  if (planned === undefined) return undefined;
  // The server that fetched last has the files to continue from.
  const standbyMs = planned.host === hostname() ? 0 : STANDBY_MS;
  return Date.parse(planned.nextAt) + standbyMs;
}

/** The time that a server waits for the one that fetched last. */
const STANDBY_MS = 2 * LOOK_MS;

async function pull({ shared, folder, log }: FetchTask): Promise<void> {
  try {
    if (shared !== undefined) await pullFetches(shared, folder);
  } catch (error) {
    log.report('GZ504', { problem: String(error) });
  }
}

/** A server that was not running at the time of a fetch fetches when it starts. */
async function firstFetchMs(task: FetchTask): Promise<number> {
  const planned = readPlannedFetch(task.folder);
  if (planned?.settings === settingsOf(task)) return Date.parse(planned.nextAt);
  const current = await task.store.current().catch(() => undefined);
  return current === undefined ? Date.now() : await planAndShare(task, true);
}

async function planAndShare(task: FetchTask, isDone: boolean): Promise<number> {
  const nextMs = plan(task, isDone);
  try {
    if (task.shared !== undefined) await pushFetches(task.shared, task.folder, 'planned');
  } catch (error) {
    task.log.report('GZ505', { problem: String(error) });
  }
  return nextMs;
}

/** Writes the time of the next fetch to the state. */
function plan(task: FetchTask, isDone: boolean): number {
  const { config, folder, sources, log } = task;
  const status = readFetchStatus(folder);
  const known = sources.flatMap((name) => status.sources[name] ?? []);
  const failures = Math.max(isDone ? 0 : 1, ...known.map((source) => source.failures));
  const notBeforeMs = Math.max(
    0,
    ...known.flatMap(({ notBefore }) => (notBefore === undefined ? [] : Date.parse(notBefore))),
  );
  const fetchAt = config['directory.fetchAt'];
  const nextMs = nextFetchMs(
    { fetchAt, nowMs: Date.now(), random: Math.random },
    { failures, notBeforeMs },
  );
  const nextAt = new Date(nextMs).toISOString();
  try {
    writePlannedFetch(folder, { nextAt, settings: settingsOf(task), host: hostname() });
  } catch (error) {
    log.report('GZ506', { problem: String(error) });
  }
  log.info({ sources, nextAt }, 'the next fetch is planned');
  return nextMs;
}

export interface FetchPlan {
  /** The local time of the daily fetch: `HH:MM`. */
  readonly fetchAt: string;
  readonly nowMs: number;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
}

/** The failures before the next fetch, and the end of the pause that a source requests. */
export interface FetchTrouble {
  /** The failures in a row; 0 after a success. */
  readonly failures: number;
  readonly notBeforeMs?: number | undefined;
}

/** The time of the next fetch, in milliseconds. */
export function nextFetchMs(
  { fetchAt, nowMs, random }: FetchPlan,
  { failures, notBeforeMs = 0 }: FetchTrouble,
): number {
  const dailyMs = nextTimeOfDayMs(fetchAt, nowMs) + random() * SPREAD_MS;
  if (failures === 0) return dailyMs;
  const pauseMs = Math.min(RETRY_MS * 2 ** (failures - 1), RETRY_MS_MAX) * (1 + random() / 4);
  return Math.max(Math.min(dailyMs, nowMs + pauseMs), notBeforeMs);
}

/** The fetches of many servers are spread over this time. */
const SPREAD_MS = 30 * 60_000;

/** The pause after the first failure. It doubles with each further one. */
const RETRY_MS = 15 * 60_000;
const RETRY_MS_MAX = 4 * 60 * 60_000;

function nextTimeOfDayMs(time: string, nowMs: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const next = new Date(nowMs);
  next.setHours(hours, minutes, 0, 0);
  if (next.getTime() <= nowMs) next.setDate(next.getDate() + 1);
  return next.getTime();
}

function settingsOf({ config, sources }: FetchTask): string {
  return [config['directory.fetchAt'], ...sources].join(' ');
}

/** Longer than the slowest download and import. */
const FETCH_MS_MAX = 6 * 60 * 60_000;

/** Returns whether the fetch succeeded. A separate process keeps the memory of the server small. */
async function runFetch(task: FetchTask, stopped: AbortSignal): Promise<boolean> {
  const { log, sources } = task;
  log.info({ sources }, 'fetching');
  const startMs = performance.now();
  const child = fork(task.program, ['fetch', '--quiet'], {
    env: environmentOf(task),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let kill: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    kill ??= setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  };
  const limit = setTimeout(end, FETCH_MS_MAX);
  stopped.addEventListener('abort', end, { once: true });
  try {
    const [written, [code]] = await Promise.all([
      child.stderr === null ? '' : text(child.stderr),
      once(child, 'exit'),
    ]);
    if (stopped.aborted) return false;
    const ms = Math.round(performance.now() - startMs);
    const said = { sources, ms, problem: written.trim().slice(-PROBLEM_MAX) };
    if (code !== 0) log.report('GZ501', said);
    else {
      log.info({ sources, ms }, 'fetched');
      if (said.problem !== '') log.report('GZ507', said);
    }
    return code === 0;
  } catch (error) {
    log.report('GZ502', { problem: String(error) });
    return false;
  } finally {
    clearTimeout(limit);
    clearTimeout(kill);
    stopped.removeEventListener('abort', end);
  }
}

/** How long a fetch may take to end after the server asks it to. */
const STOP_MS = 8000;

/** A fault of the program has a long stack. */
const PROBLEM_MAX = 4000;

/** All settings of the server as variables. `String` separates the items of a list with commas. */
function environmentOf({ config, environment, tracing }: FetchTask): NodeJS.ProcessEnv {
  const settings = Object.entries(config).flatMap(([path, value]) =>
    value === undefined ? [] : [[variableOf(path), String(value)] as const],
  );
  return { ...environment, ...Object.fromEntries(settings), ...traceEnvironment(tracing) };
}
