/** How long a server takes from its start to its first answer, and the memory it has resident. */
import { dataFolder } from '../data.ts';
import { round, spreadOf, type Table } from '../figures.ts';
import { runLoad } from '../load.ts';
import { residentMb } from '../machine.ts';
import type { Options } from '../options.ts';
import { installedProgram } from '../program.ts';
import { type RunningProgram, startProgram } from '../server.ts';
import { valueRow, valueTable } from '../value-table.ts';

/** As many as the machine of the design has cores. */
const THREADS = '2';
const CONNECTIONS = 8;
/** Under load memory grows to what it then stays at. */
const LOAD_MS = 3000;
const PAGES = 500;

export async function runStart(options: Options): Promise<Table[]> {
  if (!options.isWanted('start', 'start')) return [];
  const data = dataFolder(options.records);
  const readySeconds: number[] = [];
  const idle: number[] = [];
  const loaded: number[] = [];
  let records = 0;
  await installedProgram();
  for (let round = 0; round < options.rounds; round++) {
    const startMs = performance.now();
    const words = ['--data', data, '--threads', THREADS, '--log-requests', 'false'];
    const server = await startProgram(words);
    const answer = await fetch(`${server.origin}/STU3/Organization?_count=1`);
    const { total } = (await answer.json()) as { readonly total: number };
    records = total;
    readySeconds.push((performance.now() - startMs) / 1000);
    idle.push(residentMb(server.process.pid));
    await loadAllPages(server, records);
    loaded.push(residentMb(server.process.pid));
    await server.stop();
  }
  const ready = spreadOf(readySeconds);
  return [
    valueTable(
      'start',
      `${records} records, ${THREADS} threads; medians of ${options.rounds} starts`,
      [
        valueRow('start-ready', 'time from start to first answer', round(ready.median), 's'),
        valueRow('start-ready-slowest', 'the same, slowest start', round(ready.high), 's'),
        valueRow(
          'start-memory',
          'resident memory after the start',
          Math.round(spreadOf(idle).median),
          'MB',
        ),
        valueRow(
          'start-memory-loaded',
          'resident memory after three seconds of load',
          Math.round(spreadOf(loaded).median),
          'MB',
        ),
      ],
    ),
  ];
}

/** Requests pages in all parts of the directory, until the memory no longer grows. */
export async function loadAllPages(
  { port }: Pick<RunningProgram, 'port'>,
  records: number,
): Promise<void> {
  const targets = Array.from({ length: PAGES }, (_, page) => ({
    path: `/STU3/Organization?_page=${1 + Math.floor((page * records) / PAGES / 20)}`,
    headers: {},
  }));
  await runLoad({ port, targets, connections: CONNECTIONS, durationMs: LOAD_MS });
}
