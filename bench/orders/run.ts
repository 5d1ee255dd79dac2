/** Order responses over HTTP: each interaction, and how many creates many clients get through. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aimCell, type Cell, quantile, round, type Table } from '../figures.ts';
import { measureInTurn, ratioOf, startYardsticks } from '../http/measure.ts';
import { spreadCell } from '../http/run.ts';
import { runLoad } from '../load.ts';
import { cpuSeconds, SERVER_CORE, withLoadPinned } from '../machine.ts';
import type { Options } from '../options.ts';
import { makeToken, type ProgramOptions, type RunningProgram, startProgram } from '../server.ts';
import { valueRow, valueTable } from '../value-table.ts';
import { bodiesOf, createTarget, ORDER_CASES, type OrderCase } from './cases.ts';
import { measureSyncs } from './disk.ts';

/** As many as the design reckons with. */
export const CLIENTS = 64;

export async function runOrderCases(options: Options): Promise<Table[]> {
  const cases = ORDER_CASES.filter(({ name }) => options.isWanted('order-cases', name));
  const rows: Cell[][] = [];
  for (const one of cases) {
    const row = await withOrders({ core: SERVER_CORE }, ['--threads', '1'], (server, token) =>
      withLoadPinned(() => measureCase(one, server, token, options)),
    );
    process.stderr.write(`${row.join('  ')}\n`);
    rows.push(row);
  }
  if (rows.length === 0) return [];
  const columns = [
    'case',
    'what',
    'req/s',
    'spread',
    'p99 ms',
    'CPU µs',
    'node:http CPU µs',
    'CPU of a create',
    'aim',
  ];
  const title = `One server thread and the storage thread on one core, ${CLIENTS} clients`;
  return [{ name: 'order-cases', title, columns, rows }];
}

async function measureCase(
  one: OrderCase,
  server: RunningProgram,
  token: string,
  { rounds, seconds }: Options,
): Promise<Cell[]> {
  const ours = { server, targets: await one.targets(server, token), status: one.status };
  const yardsticks = one.isRead ? await startYardsticks(ours, false) : [];
  const create = createTarget(await bodiesOf(server, token), 'json', token);
  const creates = one.isBesideCreate ? [{ server, targets: [create], status: 201 }] : [];
  const turns = { rounds, durationMs: seconds * 1000, connections: CLIENTS };
  const [own, other] = await measureInTurn([ours, ...yardsticks, ...creates], turns);
  for (const yardstick of yardsticks) await yardstick.server.stop();
  if (own === undefined) throw new Error('nothing was measured');
  const ofCreate = one.isBesideCreate && other ? ratioOf(own.cpus, other.cpus) : undefined;
  return [
    one.name,
    one.title,
    Math.round(own.perSecond.median),
    spreadCell(own.perSecond),
    round(own.p99Ms),
    round(own.cpu.median),
    one.isRead && other !== undefined ? round(other.cpu.median) : '',
    ofCreate === undefined ? '' : round(ofCreate),
    ofCreate === undefined ? '' : aimCell(one.name, 'CPU of a create', ofCreate),
  ];
}

/** Many clients that create, beside how often the disk syncs in the same minute. */
export async function runOrders(options: Options): Promise<Table[]> {
  if (!options.isWanted('orders', 'orders')) return [];
  const syncs = measureSyncs();
  const rows = await withOrders({}, [], (server, token) => measureCreates(server, token, options));
  const title = `${CLIENTS} clients create JSON for ${options.orderSeconds} s, two server threads`;
  return [
    valueTable('orders', title, [
      ...rows,
      valueRow(
        'orders-disk',
        'syncs of a growing file on this disk',
        Math.round(syncs),
        'a second',
      ),
    ]),
  ];
}

const WARM_UP_MS = 2000;

async function measureCreates(
  server: RunningProgram,
  token: string,
  { orderSeconds }: Options,
): Promise<Cell[][]> {
  const targets = [createTarget(await bodiesOf(server, token), 'json', token)];
  const load = { port: server.port, targets, connections: CLIENTS, status: 201 };
  await runLoad({ ...load, durationMs: WARM_UP_MS });
  const before = await ordersMetrics(server);
  const cpuBefore = cpuSeconds(server.process.pid);
  const made = await runLoad({ ...load, durationMs: orderSeconds * 1000 });
  const cpu = cpuSeconds(server.process.pid) - cpuBefore;
  const after = await ordersMetrics(server);
  const perSync = (after.versions - before.versions) / (after.commits - before.commits);
  const { requests, seconds, latenciesMs } = made;
  return [
    valueRow('orders-rate', 'creates', Math.round(requests / seconds), 'a second'),
    valueRow('orders-batch', 'writes', round(perSync), 'a sync'),
    valueRow(
      'orders-cpu',
      'CPU time of the server for each create',
      round((cpu * 1000) / requests),
      'ms',
    ),
    valueRow('orders-p50', 'time to answer, median', round(quantile(latenciesMs, 0.5)), 'ms'),
    valueRow('orders-p99', 'time to answer, p99', round(quantile(latenciesMs, 0.99)), 'ms'),
  ];
}

export async function ordersMetrics({ operation }: RunningProgram) {
  const text = await (await fetch(`${operation}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    versions: read('gazetteer_order_versions_total'),
    commits: read('gazetteer_order_commits_total'),
  };
}

/** A server of order responses on an empty folder, for as long as it is used. */
export async function withOrders<Result>(
  program: ProgramOptions,
  more: readonly string[],
  use: (server: RunningProgram, token: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-orders-'));
  try {
    const token = makeToken(folder, program.tree);
    const words = ['--data', folder, '--directory-enabled', 'false', '--log-requests', 'false'];
    const server = await startProgram([...words, ...more], program);
    try {
      return await use(server, token);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
