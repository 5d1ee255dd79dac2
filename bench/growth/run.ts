/** Measures how a server scales with threads, types of connections, long pages and records. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder, openSample } from '../data.ts';
import { aimCell, type Cell, quantile, round, spreadOf, type Table } from '../figures.ts';
import { ratioOf } from '../http/measure.ts';
import type { Target } from '../load.ts';
import {
  type LoadProcesses,
  type SharedLoadResult,
  startLoadProcesses,
} from '../load-processes.ts';
import { CORES, cpuSeconds, LOAD_CORES } from '../machine.ts';
import type { Options } from '../options.ts';
import { type RunningProgram, startProgram } from '../server.ts';
import { CONNECTION_CASES, type GrowthCase, hotReads, THREAD_CASES } from './cases.ts';
import { openIdle } from './idle.ts';
import { runMemory } from './memory.ts';

/** The same for all numbers of threads, so that the latencies can be compared. */
const CONNECTIONS = 64;
const WARM_UP_MS = 3000;

export async function runGrowth(options: Options): Promise<Table[]> {
  const isWanted = ({ name }: GrowthCase) => options.isWanted('growth', name);
  const threads = THREAD_CASES.filter(isWanted);
  const connections = CONNECTION_CASES.filter(isWanted);
  const memory = await runMemory(options);
  if (threads.length + connections.length === 0) return memory;
  const loaders = startLoadProcesses(LOAD_CORES);
  try {
    const rows = await measureTogether(threads, loaders, options);
    for (const one of connections) rows.push(...(await measureTogether([one], loaders, options)));
    const title =
      `${CONNECTIONS} connections; ${options.rounds} rounds of ${options.seconds} s; ` +
      `the load comes from ${LOAD_CORES.length} of ${CORES} cores`;
    return [{ name: 'growth', title, columns: COLUMNS, rows }, ...memory];
  } finally {
    await loaders.stop();
  }
}

const COLUMNS = [
  'case',
  'what',
  'req/s',
  'times one thread',
  'aim',
  'CPU µs',
  'cores of the server',
  'busiest load generator',
  'p50 ms',
  'p99 ms',
];

interface Round extends SharedLoadResult {
  readonly cpu: number;
}

/** Alternates the cases, so that each runs in the same state of the machine. */
async function measureTogether(
  cases: readonly GrowthCase[],
  loaders: LoadProcesses,
  options: Options,
): Promise<Cell[][]> {
  const data = dataFolder(options.records);
  const edition = await openSample(data);
  const running: { one: GrowthCase; server: RunningProgram; targets: readonly Target[] }[] = [];
  const place = mkdtempSync(join(tmpdir(), 'gazetteer-bench-growth-'));
  for (const one of cases) {
    // Only one server can use a data folder.
    const copy = join(place, one.name);
    cpSync(data, copy, { recursive: true });
    const server = await startProgram(wordsOf(one, copy), { core: serverCores(one.threads) });
    running.push({ one, server, targets: (one.targets ?? hotReads)(edition) });
  }
  const idle = await Promise.all(
    running.map(({ one, server }) => openIdle(server.port, one.idle ?? 0)),
  );
  const ask = async (at: number, durationMs: number): Promise<Round> => {
    const { one, server, targets } = running[at]!;
    const { pid } = server.process;
    const isTls = one.settings?.includes('--tls-key') === true;
    const before = cpuSeconds(pid);
    const { port } = server;
    const connections = CONNECTIONS;
    const load = { port, targets, connections, durationMs, isTls, ...one.load };
    return { ...(await loaders.run(load)), cpu: cpuSeconds(pid) - before };
  };
  for (const at of running.keys()) await ask(at, WARM_UP_MS);
  const results: Round[][] = cases.map(() => []);
  for (let round = 0; round < options.rounds; round++) {
    for (const at of running.keys()) results[at]?.push(await ask(at, options.seconds * 1000));
  }
  for (const close of idle) close();
  for (const { server } of running) await server.stop();
  rmSync(place, { recursive: true });
  return cases.map((one, at) => rowOf(one, results[at] ?? [], results[0] ?? []));
}

function wordsOf({ threads, settings = [] }: GrowthCase, data: string): string[] {
  const words = ['--data', data, '--threads', String(threads), '--orders-enabled', 'false'];
  return [...words, '--log-requests', 'false', ...settings];
}

/** One core for each thread, or all cores if there are more threads than cores. */
function serverCores(threads: number): string {
  return `0-${Math.min(threads, CORES) - 1}`;
}

function rowOf(one: GrowthCase, rounds: readonly Round[], first: readonly Round[]): Cell[] {
  const median = (of: (round: Round) => number) => spreadOf(rounds.map(of)).median;
  const rates = rounds.map(rateOf);
  const ratio = THREAD_CASES.includes(one) ? ratioOf(rates, first.map(rateOf)) : Number.NaN;
  const row = [
    one.name,
    one.title + (one.threads + LOAD_CORES.length > CORES ? SHARED : ''),
    Math.round(spreadOf(rates).median),
    round(ratio),
    aimCell(one.name, 'times one thread', ratio),
    round(median(({ cpu, requests }) => (cpu / requests) * 1e6)),
    round(median(({ cpu, seconds }) => cpu / seconds)),
    `${Math.round(100 * median(({ busiest }) => busiest))} %`,
    round(median(({ latenciesMs }) => quantile(latenciesMs, 0.5))),
    round(median(({ latenciesMs }) => quantile(latenciesMs, 0.99))),
  ];
  process.stderr.write(`${row.join('  ')}\n`);
  return row;
}

const SHARED = ', which share cores with the load';

function rateOf({ requests, seconds }: Round): number {
  return requests / seconds;
}
