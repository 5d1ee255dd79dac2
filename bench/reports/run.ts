/**
 * What reports and large searches cost: their time and CPU, the memory that they need, and how long
 * another client waits meanwhile, beside the longest wait of that client alone. Those named `again` were
 * asked for before. The CPU includes that of the other client's requests.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { REPORTS } from '../../src/interfaces/reports/csv/report-table.ts';
import { dataFolder } from '../data.ts';
import { type Cell, round, type Table } from '../figures.ts';
import { cpuSeconds } from '../machine.ts';
import type { Options } from '../options.ts';
import { type RunningProgram, startProgram } from '../server.ts';

interface Case {
  readonly name: string;
  readonly path: string;
  /** Sent by POST. */
  readonly body?: string;
}

const NAMES = REPORTS.filter(({ content }) => content !== undefined).map(({ name }) => name);

const CASES: readonly Case[] = [
  ...NAMES.map((name) => ({ name, path: `/api/getReport?report=${name}` })),
  { name: 'epraccur-again', path: '/api/getReport?report=epraccur' },
  { name: 'succ-again', path: '/api/getReport?report=succ' },
  { name: 'results-csv', path: '/results.csv' },
  { name: 'results-csv-again', path: '/results.csv' },
  { name: 'ord-sync', path: '/ORD/2-0-0/sync?LastChangeDate=2000-01-01' },
  { name: 'ord-sync-again', path: '/ORD/2-0-0/sync?LastChangeDate=2000-01-01' },
  { name: 'zip-of-20', path: `/api/getReport?report=${NAMES.slice(-20).join(',')}` },
  { name: 'zip-again', path: `/api/getReport?report=${NAMES.slice(-20).join(',')}` },
  {
    name: 'search-100000',
    path: '/api/search/organisationReportSearch',
    body: JSON.stringify({ batchSize: 100_000 }),
  },
  {
    name: 'hierarchy-1000',
    path: '/hierarchy',
    body: JSON.stringify({ codes: Array.from({ length: 1000 }, (_, i) => `A${80_000 + i}`) }),
  },
];

/** How long the other client asks alone. */
const ALONE_MS = 3_000;

export async function runReports(options: Options): Promise<Table[]> {
  const cases = CASES.filter(({ name }) => options.isWanted('reports', `report-${name}`));
  if (cases.length === 0) return [];
  const server = await startProgram([
    '--data',
    dataFolder(options.records),
    '--threads',
    '1',
    '--orders-enabled',
    'false',
    '--log-requests',
    'false',
  ]);
  const rows: Cell[][] = [];
  const alone = await besideOther(server, () => delay(ALONE_MS));
  rows.push(['nothing', 0, ALONE_MS / 1000, 0, round(alone.moreMb), round(alone.waitMs)]);
  for (const each of cases) {
    let bytes = 0;
    const startMs = performance.now();
    const before = cpuSeconds(server.process.pid!);
    const { waitMs, moreMb } = await besideOther(server, async () => {
      bytes = await read(server, each);
    });
    const seconds = (performance.now() - startMs) / 1000;
    const cpu = cpuSeconds(server.process.pid!) - before;
    rows.push([each.name, ...[bytes / 1e6, seconds, cpu, moreMb, waitMs].map(round)]);
  }
  await server.stop();
  const columns = [
    'report',
    'MB',
    'seconds',
    'CPU, s',
    'more memory, MB',
    'longest wait of another, ms',
  ];
  return [{ name: 'reports', title: 'Reports and large searches', columns, rows }];
}

async function read({ origin }: RunningProgram, { path, body }: Case): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(
    origin + path,
    body === undefined ? {} : { method: 'POST', headers, body },
  );
  if (!answer.ok || answer.body === null) throw new Error(`${path}: ${answer.status}`);
  let bytes = 0;
  for await (const piece of answer.body) bytes += piece.length;
  return bytes;
}

/** Runs the action while another client counts organisations again and again. */
async function besideOther(server: RunningProgram, action: () => Promise<void>) {
  let isOver = false;
  let waitMs = 0;
  const before = residentMb(server);
  let peak = before;
  const other = async () => {
    while (!isOver) {
      const startMs = performance.now();
      await (await fetch(`${server.origin}/STU3/Organization?_summary=count`)).arrayBuffer();
      waitMs = Math.max(waitMs, performance.now() - startMs);
      peak = Math.max(peak, residentMb(server));
      await delay(2);
    }
  };
  const asked = other();
  await action();
  isOver = true;
  await asked;
  return { waitMs, moreMb: peak - before };
}

/** Linux tells it. */
function residentMb({ process: { pid } }: RunningProgram): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
