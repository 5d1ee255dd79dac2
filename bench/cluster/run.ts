/** Several nodes over one PostgreSQL: creates, beside pgbench; and how fast they serve an edition. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../../test/storage/postgres/server.ts';
import { ROOT, releaseFile } from '../data.ts';
import { type Cell, quantile, round, type Table } from '../figures.ts';
import { runLoad } from '../load.ts';
import { cpuSeconds, withLoadPinned } from '../machine.ts';
import type { Options } from '../options.ts';
import { bodiesOf, createTarget } from '../orders/cases.ts';
import { CLIENTS, ordersMetrics } from '../orders/run.ts';
import { makeToken, type RunningProgram, startProgram } from '../server.ts';
import { valueRow, valueTable } from '../value-table.ts';
import { addReplica, postgresBin, serverCpuSeconds, startPrimary } from './database.ts';
import { runYardstick } from './yardstick.ts';

const NODE_COUNTS = [1, 2, 3];

/** The nodes share two cores, so that several of them have no more than one has. */
const CAN_SHARE_OUT = availableParallelism() >= 4;
const NODE_CORES = CAN_SHARE_OUT ? '2,3' : undefined;
const DATABASE_CORE = CAN_SHARE_OUT ? '0' : undefined;

/** Connections of a node for writing: the default of `database.poolSize`. */
const POOL_SIZE = 4;

const WARM_UP_MS = 2000;

export async function runCluster(options: Options): Promise<Table[]> {
  const wantsCreates = options.isWanted('cluster', 'cluster-creates');
  const wantsEdition = options.isWanted('cluster', 'cluster-edition');
  if (!wantsCreates && !wantsEdition) return [];
  const bin = postgresBin();
  if (bin === undefined) {
    process.stderr.write('cluster: there is no pgbench; install postgresql\n');
    return [];
  }
  const server = await startPrimary(bin, DATABASE_CORE);
  try {
    const creates = wantsCreates ? [await compareCreates(options, bin, server)] : [];
    return wantsEdition ? [...creates, await measureEdition(options, server)] : creates;
  } finally {
    await server.stop();
  }
}

async function compareCreates(
  options: Options,
  bin: string,
  server: PostgresServer,
): Promise<Table> {
  const alone = await measureAll(options, bin, server, '');
  const replica = await addReplica(server, bin);
  const confirmed = await measureAll(options, bin, server, ', a synchronous replica');
  await replica.stop();
  return {
    name: 'cluster',
    title: `${CLIENTS} clients create JSON for ${options.orderSeconds} s over one PostgreSQL`,
    columns: COLUMNS,
    rows: [...alone, ...confirmed],
  };
}

const COLUMNS = [
  'case',
  'a second',
  'CPU ms of nodes',
  'CPU ms of PostgreSQL',
  'creates a transaction',
  'p50 ms',
  'p99 ms',
];

/** One case after the other, and pgbench with as many connections as one node has. */
async function measureAll(
  { orderSeconds }: Options,
  bin: string,
  server: PostgresServer,
  suffix: string,
): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  let database = '';
  for (const count of NODE_COUNTS) {
    database = await server.createDatabase();
    const row = await withNodes(server.url(database), count, (nodes) =>
      withLoadPinned(() => measureCreates(nodes, server, orderSeconds)),
    );
    rows.push([`${count} ${count === 1 ? 'node' : 'nodes'}${suffix}`, ...row]);
  }
  const yardstick = { bin, server, database, connections: POOL_SIZE, core: NODE_CORES };
  const { perSecond, serverCpuMs } = await runYardstick({ ...yardstick, seconds: orderSeconds });
  rows.push([`pgbench${suffix}`, Math.round(perSecond), '', round(serverCpuMs), 1, '', '']);
  for (const row of rows) process.stderr.write(`${row.join('  ')}\n`);
  return rows;
}

interface Node {
  readonly program: RunningProgram;
  readonly token: string;
}

/** Nodes over a database, each with a folder of its own, for as long as they are used. */
async function withNodes<Result>(
  url: string,
  count: number,
  use: (nodes: readonly Node[]) => Promise<Result>,
  more: readonly string[] = ['--directory-enabled', 'false'],
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-cluster-'));
  const nodes: Node[] = [];
  try {
    const keyFile = join(folder, 'audit.key');
    writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
    for (let number = 1; number <= count; number++) {
      const data = join(folder, String(number));
      const words = ['--data', data, '--database-url', url, '--orders-audit-key-file', keyFile];
      const quiet = ['--threads', '1', '--log-requests', 'false'];
      const program = await startProgram(
        [...words, ...quiet, ...more],
        NODE_CORES === undefined ? {} : { core: NODE_CORES },
      );
      nodes.push({ program, token: makeToken(data) });
    }
    return await use(nodes);
  } finally {
    for (const { program } of nodes) await program.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The clients are shared out over the nodes. */
async function measureCreates(
  nodes: readonly Node[],
  server: PostgresServer,
  seconds: number,
): Promise<Cell[]> {
  const loads = await Promise.all(
    nodes.map(async ({ program, token }) => ({
      port: program.port,
      targets: [createTarget(await bodiesOf(program, token), 'json', token)],
      connections: Math.round(CLIENTS / nodes.length),
      status: 201,
    })),
  );
  const load = (durationMs: number) =>
    Promise.all(loads.map((one) => runLoad({ ...one, durationMs })));
  const totals = async () => {
    const metrics = await Promise.all(nodes.map(({ program }) => ordersMetrics(program)));
    return {
      versions: sumOf(metrics.map(({ versions }) => versions)),
      commits: sumOf(metrics.map(({ commits }) => commits)),
      nodeCpu: sumOf(nodes.map(({ program }) => cpuSeconds(program.process.pid))),
      serverCpu: serverCpuSeconds(server),
    };
  };
  await load(WARM_UP_MS);
  const before = await totals();
  const results = await load(seconds * 1000);
  const after = await totals();
  const creates = sumOf(results.map(({ requests }) => requests));
  const latencies = results.flatMap(({ latenciesMs }) => [...latenciesMs]).sort((a, b) => a - b);
  return [
    Math.round(sumOf(results.map(({ requests, seconds }) => requests / seconds))),
    round(((after.nodeCpu - before.nodeCpu) * 1000) / creates),
    round(((after.serverCpu - before.serverCpu) * 1000) / creates),
    round((after.versions - before.versions) / (after.commits - before.commits)),
    round(quantile(latencies, 0.5)),
    round(quantile(latencies, 0.99)),
  ];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** From the commit that publishes an edition until three nodes serve it. */
async function measureEdition(options: Options, server: PostgresServer): Promise<Table> {
  const release = releaseFile(options.records);
  const database = await server.createDatabase();
  const url = server.url(database);
  const lateMs = await withNodes(
    url,
    3,
    async (nodes) => {
      const data = mkdtempSync(join(tmpdir(), 'gazetteer-bench-import-'));
      const words = ['src/main.ts', 'import', release, '--data', data, '--database-url', url];
      const imported = spawnSync(process.execPath, [...words, '--quiet'], {
        cwd: ROOT,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      rmSync(data, { recursive: true });
      if (imported.status !== 0) throw new Error('the import failed');
      const [row = {}] = await server.run(
        'SELECT max(published_at) AS at FROM publication',
        database,
      );
      const lines = await Promise.all(
        nodes.map(({ program }) => program.logged('serving edition')),
      );
      return lines.map(({ time }) => Date.parse(String(time)) - Date.parse(String(row.at)));
    },
    ['--orders-enabled', 'false'],
  );
  const title = `An edition of ${options.records} organisations on three nodes of one machine`;
  return valueTable('cluster-edition', title, [
    valueRow(
      'cluster-edition-first',
      'first node serves it',
      round(Math.min(...lateMs) / 1000),
      's',
    ),
    valueRow('cluster-edition-last', 'last node serves it', round(Math.max(...lateMs) / 1000), 's'),
  ]);
}
