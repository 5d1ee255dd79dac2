/** Clients ask for the dearest answers and leave: what others wait, and what is left in memory. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dataFolder, openSample, ROOT } from '../data.ts';
import { quantile, round, type Table } from '../figures.ts';
import {
  cpuSeconds,
  residentMb,
  SERVER_CORE,
  threadTimeMs,
  threadTimesMs,
  withLoadPinned,
} from '../machine.ts';
import type { Options } from '../options.ts';
import { endTogether, type RunningProgram, startProgram } from '../server.ts';
import { valueRow, valueTable } from '../value-table.ts';
import type { AskedRequest } from '../worst/endpoints/case.ts';
import { PLAIN_PATH, plainSearches } from '../worst/endpoints/edition-facts.ts';
import { type DearRequest, dearRequests } from './dear-requests.ts';
import type { LeavingCounts, ToLeavingClients } from './leaving-clients.ts';
import { createPlainClient, type PlainClient, type SearchTimes } from './plain-client.ts';

const CLIENTS = 50;
/** Different requests for each endpoint. */
const NUMBERS = 40;
const SEED = 1;

/** Until their code is compiled. */
const WARM_UP_SEARCHES = 3_000;
/** To measure their CPU time. */
const QUIET_SEARCHES = 1_000;
/** The time between two searches otherwise. */
const PAUSE_MS = 10;

export async function runLeaving(options: Options): Promise<Table[]> {
  if (!options.isWanted('leaving', 'leaving')) return [];
  const data = dataFolder(options.records, 2);
  const edition = await openSample(data);
  const server = await startProgram(wordsFor(data), { core: SERVER_CORE });
  try {
    const dear = dearRequests(edition);
    const figures = await withLoadPinned(async () => {
      const thread = await serverThread(server, dear);
      const plain = createPlainClient({
        port: server.port,
        searches: plainSearches(edition),
        threadMs: () => threadTimeMs(server.process.pid, thread),
      });
      return await measure(server, plain, dear, options.leavingSeconds * 1000);
    });
    return [tableOf(figures, options.leavingSeconds)];
  } finally {
    await server.stop();
  }
}

function wordsFor(data: string): string[] {
  const words = ['--data', data, '--threads', '1', '--orders-enabled', 'false'];
  return [...words, '--mcp-enabled', 'true'];
}

/** Asks for each answer once, and finds the thread that makes them. */
async function serverThread(server: RunningProgram, dear: readonly DearRequest[]): Promise<string> {
  const before = threadTimesMs(server.process.pid);
  for (const request of dear) await readWhole(server, request(0));
  const worked = [...threadTimesMs(server.process.pid)].map(
    ([thread, ms]) => [thread, ms - (before.get(thread) ?? 0)] as const,
  );
  const [busiest = ''] = worked.toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return busiest;
}

interface LeavingFigures {
  /** CPU of the server for a plain search, all its threads. */
  readonly quietCpuMs: number;
  readonly quiet: readonly SearchTimes[];
  readonly beside: readonly SearchTimes[];
  /** From the beginning of each search in the thread to its end. */
  readonly quietOwnMs: readonly number[];
  readonly besideOwnMs: readonly number[];
  readonly counts: LeavingCounts;
  readonly cpuAfterMs: number;
  readonly memoryBeforeMb: number;
  readonly memoryAfterMb: number;
}

async function measure(
  server: RunningProgram,
  plain: PlainClient,
  dear: readonly DearRequest[],
  durationMs: number,
): Promise<LeavingFigures> {
  const { pid } = server.process;
  const requests = dear.flatMap((request) =>
    Array.from({ length: NUMBERS }, (_, number) => request(number)),
  );
  await askAndLeave(server, { requests, durationMs, seed: SEED + 1 });
  await plain.search(upTo(WARM_UP_SEARCHES), 0);
  const memoryBeforeMb = await settledMb(server, plain);

  const cpuBefore = cpuSeconds(pid);
  await plain.search(upTo(QUIET_SEARCHES), 0);
  const quietCpuMs = ((cpuSeconds(pid) - cpuBefore) * 1000) / QUIET_SEARCHES;
  const quiet = await plain.search(upTo(QUIET_SEARCHES), PAUSE_MS);
  const quietOwnMs = await ownTimes(server, quiet.length);

  let isOver = false;
  const [counts, beside] = await Promise.all([
    askAndLeave(server, { requests, durationMs, seed: SEED }).finally(() => {
      isOver = true;
    }),
    plain.search(() => !isOver, PAUSE_MS),
  ]);
  const cpuAfterMs = await cpuUntilQuiet(server);
  const besideOwnMs = await ownTimes(server, beside.length);
  const memoryAfterMb = await settledMb(server, plain);
  const figures = { quietCpuMs, quiet, quietOwnMs, beside, besideOwnMs, counts, cpuAfterMs };
  return { ...figures, memoryBeforeMb, memoryAfterMb };
}

function upTo(searches: number): (count: number) => boolean {
  return (count) => count < searches;
}

async function readWhole({ origin }: RunningProgram, asked: AskedRequest): Promise<void> {
  const { method, path, query = '', headers = {}, body } = asked;
  const url = `${origin}${path}?${query}`;
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  for await (const _piece of answer.body ?? []);
}

/** The load comes from a process of its own, which does not delay the searches of this one. */
async function askAndLeave(
  { port }: RunningProgram,
  load: Omit<ToLeavingClients, 'port' | 'clients'>,
): Promise<LeavingCounts> {
  const child = fork(join(ROOT, 'bench/leaving/leaving-clients.ts'));
  endTogether(child);
  const message: ToLeavingClients = { ...load, port, clients: CLIENTS };
  child.send(message);
  const [counts] = await once(child, 'message');
  child.disconnect();
  return counts;
}

/** The milliseconds from the beginning of each of the last plain searches in the thread to its end. */
async function ownTimes(server: RunningProgram, count: number): Promise<readonly number[]> {
  // The server writes its log in the background.
  await delay(LOG_MS);
  const lines = server.log().filter(({ path }) => path === PLAIN_PATH);
  return lines.slice(-count).map(({ ms }) => Number(ms));
}

const LOG_MS = 1_000;

const LOOK_EVERY_MS = 50;
const QUIET_LOOKS = 5;
/** Two ticks of the clock of CPU time. */
const QUIET_CPU_MS = 20;

/** The CPU time until so many looks in a row find next to nothing. */
async function cpuUntilQuiet({ process: { pid } }: RunningProgram): Promise<number> {
  const before = cpuSeconds(pid);
  let usedMs = 0;
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    await delay(LOOK_EVERY_MS);
    const nowMs = (cpuSeconds(pid) - before) * 1000;
    quiet = nowMs - usedMs < QUIET_CPU_MS ? quiet + 1 : 0;
    if (quiet === 0) usedMs = nowMs;
  }
  return usedMs;
}

const MEMORY_LOOKS = 20;
const SEARCHES_BETWEEN = 50;

/**
 * The lowest of several readings, while plain searches make the server collect its garbage: what is
 * in use, and not what was not yet given back.
 */
async function settledMb(
  { process: { pid } }: RunningProgram,
  plain: PlainClient,
): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < MEMORY_LOOKS; look++) {
    await plain.search(upTo(SEARCHES_BETWEEN), PAUSE_MS);
    lowest = Math.min(lowest, residentMb(pid));
  }
  return lowest;
}

function tableOf(figures: LeavingFigures, seconds: number): Table {
  const { quiet, beside, counts, memoryBeforeMb, memoryAfterMb } = figures;
  const [quietOwnMs, ownMs] = [figures.quietOwnMs, figures.besideOwnMs].map(medianOf);
  const refusals = Object.values(counts.refused).reduce((sum, one) => sum + one, 0);
  process.stderr.write(`${JSON.stringify(counts)}\n`);
  const ms = (name: string, what: string, value: number) =>
    valueRow(`leaving-${name}`, what, round(value), 'ms');
  const count = (name: string, what: string, value: number, unit = '') =>
    valueRow(`leaving-${name}`, what, value, unit);
  const mb = (name: string, what: string, value: number) =>
    count(name, what, Math.round(value), 'MB');
  return valueTable(
    'leaving',
    `${CLIENTS} clients, each at its own address, ask for the most expensive answers for ${seconds} s, and leave after 10 to 300 ms`,
    [
      ms('quiet-cpu', 'CPU of a plain search without them', figures.quietCpuMs),
      ms('quiet-own', 'the search itself in the thread, without them', quietOwnMs!),
      ms('own', 'the search itself in the thread, among them', ownMs!),
      count('times', 'how many times as long', round(ownMs! / quietOwnMs!), 'times'),
      ...KINDS.flatMap(([name, what, isOfKind, timeOf]) => {
        const [alone, among] = [quiet, beside].map((all) =>
          sorted(all.filter(isOfKind).map(timeOf)),
        );
        return [
          ms(`quiet-${name}`, `${what}, without them`, quantile(alone!, 0.5)),
          ms(`${name}`, `${what}, among them`, quantile(among!, 0.5)),
          ms(`${name}-p99`, 'its 99th percentile', quantile(among!, 0.99)),
          ms(`${name}-longest`, 'its longest', quantile(among!, 1)),
        ];
      }),
      count('searches', 'plain searches among them', beside.length),
      count('asked', 'requests of the clients', counts.asked),
      count('begun', 'of which the answer had begun', counts.begun),
      count('whole', 'of which the answer was whole', counts.whole),
      count('refused', 'of which the answer refused', refusals),
      ms('cpu-after', 'CPU after the last has left', figures.cpuAfterMs),
      mb('memory-before', 'memory before', memoryBeforeMb),
      mb('memory-after', 'memory after', memoryAfterMb),
      mb('memory', 'more memory', memoryAfterMb - memoryBeforeMb),
    ],
  );
}

const clockOf = ({ clockMs }: SearchTimes) => clockMs;
const workOf = ({ threadMs }: SearchTimes) => threadMs;
const isKept = ({ isConnecting }: SearchTimes) => !isConnecting;
const isNew = ({ isConnecting }: SearchTimes) => isConnecting;

/** Times of searches of which the middle and the end are shown. */
const KINDS = [
  ['answer', 'time to the answer', isKept, clockOf],
  ['connect', 'time to the answer on a new connection', isNew, clockOf],
  ['wait', 'work of the thread until the answer', isKept, workOf],
  ['connect-wait', 'the same on a new connection', isNew, workOf],
] as const;

function sorted(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => a - b);
}

function medianOf(numbers: readonly number[]): number {
  return quantile(sorted(numbers), 0.5);
}
