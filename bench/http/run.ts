/** The directory over HTTP, beside a bare `node:http` server and nginx that send the same bytes. */
import { dataFolder, openSample } from '../data.ts';
import { aimCell, type Cell, round, type Spread, type Table } from '../figures.ts';
import type { Target } from '../load.ts';
import { SERVER_CORE, withLoadPinned } from '../machine.ts';
import type { Options } from '../options.ts';
import { startProgram } from '../server.ts';
import { HTTP_CASES, type HttpCase } from './cases.ts';
import { CONNECTIONS, type Measured, measureInTurn, ratioOf, startYardsticks } from './measure.ts';

export async function runHttp(options: Options): Promise<Table[]> {
  const cases = HTTP_CASES.filter(({ name }) => options.isWanted('http', name));
  if (cases.length === 0) return [];
  const data = dataFolder(options.records);
  const edition = await openSample(data);
  const rows: Cell[][] = [];
  for (const one of cases) {
    const targets = one.targets(edition);
    // Some kinds of search have no query with so many matches in a small directory.
    if (targets.length === 0) continue;
    const row = await withLoadPinned(() => measureCase(one, targets, data, options));
    process.stderr.write(`${row.join('  ')}\n`);
    rows.push(row);
  }
  const title = `One thread, ${CONNECTIONS} connections; ${options.rounds} rounds of ${options.seconds} s`;
  return [{ name: 'http', title, columns: COLUMNS, rows }];
}

export const COLUMNS = [
  'case',
  'what',
  'req/s',
  'spread',
  'p99 ms',
  'node:http req/s',
  'ratio',
  'aim',
  'CPU µs',
  'node:http CPU µs',
  'CPU ratio',
  'nginx req/s',
  'nginx CPU µs',
];

/** In separate processes, so that other cases do not influence them. */
async function measureCase(
  one: HttpCase,
  targets: readonly Target[],
  data: string,
  { rounds, seconds }: Options,
): Promise<Cell[]> {
  const words = ['--data', data, '--threads', '1', '--orders-enabled', 'false'];
  const settings = one.settings ?? [];
  const log = settings.includes('--log-requests') ? [] : ['--log-requests', 'false'];
  const server = await startProgram([...words, ...log, ...settings], { core: SERVER_CORE });
  const ours = { server, targets, isFresh: one.isFresh, status: one.status };
  const yardsticks = await startYardsticks(ours, one.isFile ?? false);
  const durationMs = seconds * 1000;
  const [own, bare, nginx] = await measureInTurn([ours, ...yardsticks], {
    rounds,
    durationMs,
    connections: CONNECTIONS,
  });
  for (const each of [ours, ...yardsticks]) await each.server.stop();
  if (own === undefined || bare === undefined) throw new Error('a contestant is missing');
  return rowOf(one, own, bare, nginx);
}

function rowOf(one: HttpCase, own: Measured, bare: Measured, nginx: Measured | undefined): Cell[] {
  const ratio = ratioOf(own.rates, bare.rates);
  return [
    one.name,
    one.title,
    Math.round(own.perSecond.median),
    spreadCell(own.perSecond),
    round(own.p99Ms),
    Math.round(bare.perSecond.median),
    round(ratio),
    aimCell(one.name, 'ratio', ratio),
    round(own.cpu.median),
    round(bare.cpu.median),
    round(ratioOf(bare.cpus, own.cpus)),
    nginx === undefined ? '' : Math.round(nginx.perSecond.median),
    nginx === undefined ? '' : round(nginx.cpu.median),
  ];
}

/** How far the rounds were from their middle. */
export function spreadCell({ median, low, high }: Spread): string {
  const share = Math.max(high - median, median - low) / median;
  return `± ${Math.round(100 * share)} %`;
}
