/**
 * Measures the memory of a server: a fixed part and a part for each record, which a line through the
 * figures of two sizes has, with one thread and with several.
 */
import { dataFolder } from '../data.ts';
import { loadAllPages } from '../editions/start.ts';
import { type Cell, round, type Table } from '../figures.ts';
import { residentMb } from '../machine.ts';
import type { Options } from '../options.ts';
import { startProgram } from '../server.ts';
import { valueRow, valueTable } from '../value-table.ts';

const THREADS_MAX = 4;

/** The smaller of the two sizes, as a part of the larger one. */
const SMALLER_PART = 10;

export async function runMemory(options: Options): Promise<Table[]> {
  if (!options.isWanted('growth', 'memory')) return [];
  const { records } = options;
  const sizes = [Math.round(records / SMALLER_PART), records];
  const rows: Cell[][] = [];
  for (const threads of [1, THREADS_MAX]) {
    const points: MemoryPoint[] = [];
    for (const size of sizes) points.push(await measure(size, threads));
    rows.push(...rowsOf(points, threads));
  }
  const title = `Resident memory of a server under load, of ${sizes.join(' and ')} records`;
  return [valueTable('memory', title, rows)];
}

export interface MemoryPoint {
  readonly records: number;
  readonly megabytes: number;
}

/** The line through two points. */
export function memoryLine(
  one: MemoryPoint,
  other: MemoryPoint,
): { readonly fixedMb: number; readonly recordKb: number } {
  const ofRecord = (other.megabytes - one.megabytes) / (other.records - one.records);
  return { fixedMb: one.megabytes - ofRecord * one.records, recordKb: ofRecord * 1024 };
}

function rowsOf(points: readonly MemoryPoint[], threads: number): Cell[][] {
  const [one, other] = points as [MemoryPoint, MemoryPoint];
  const { fixedMb, recordKb } = memoryLine(one, other);
  const [name, what] = threads === 1 ? ['', 'one thread'] : [`-${threads}`, `${threads} threads`];
  return [
    valueRow(`memory-fixed${name}`, `${what}: the fixed part`, Math.round(fixedMb), 'MB'),
    valueRow(`memory-record${name}`, `${what}: for each record`, round(recordKb), 'KB'),
    ...points.map(({ records, megabytes }) =>
      valueRow(
        `memory-${records}${name}`,
        `${what}: ${records} records`,
        Math.round(megabytes),
        'MB',
      ),
    ),
  ];
}

/** Measures the memory under load after it has stopped growing. */
async function measure(size: number, threads: number): Promise<MemoryPoint> {
  const words = ['--data', dataFolder(size), '--threads', String(threads)];
  const server = await startProgram([...words, '--log-requests', 'false']);
  const answer = await fetch(`${server.origin}/STU3/Organization?_count=1`);
  const { total } = (await answer.json()) as { readonly total: number };
  await loadAllPages(server, total);
  const megabytes = residentMb(server.process.pid);
  await server.stop();
  return { records: total, megabytes };
}
