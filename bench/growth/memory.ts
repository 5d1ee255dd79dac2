/** Measures the memory of a server for each record, by the size of the directory and by threads. */
import { dataFolder } from '../data.ts';
import { loadAllPages } from '../editions/start.ts';
import { aimCell, type Cell, round, type Table } from '../figures.ts';
import { residentMb } from '../machine.ts';
import type { Options } from '../options.ts';
import { startProgram } from '../server.ts';

const THREADS_MAX = 4;

export async function runMemory(options: Options): Promise<Table[]> {
  const cases = [
    ...options.sizes.map((size) => ({ name: `memory-${size}`, size, threads: 1 })),
    { name: `memory-threads-${THREADS_MAX}`, size: options.records, threads: THREADS_MAX },
  ].filter(({ name }) => options.isWanted('growth', name));
  if (cases.length === 0) return [];
  const rows: Cell[][] = [];
  for (const { name, size, threads } of cases) rows.push([name, ...(await measure(size, threads))]);
  const columns = [
    'case',
    'organisations',
    'threads',
    'MB after start',
    'MB under load',
    'KB a record',
    'aim',
  ];
  const title = 'Resident memory of a server, with relationships';
  const aimed = rows.map((row) => [...row, aimCell(String(row[0]), 'KB a record', Number(row[5]))]);
  return [{ name: 'growth-memory', title, columns, rows: aimed }];
}

/** Measures the memory under load after it has stopped growing. */
async function measure(size: number, threads: number): Promise<Cell[]> {
  const words = ['--data', dataFolder(size), '--threads', String(threads)];
  const server = await startProgram([...words, '--log-requests', 'false']);
  const answer = await fetch(`${server.origin}/STU3/Organization?_count=1`);
  const { total } = (await answer.json()) as { readonly total: number };
  const idle = residentMb(server.process.pid);
  await loadAllPages(server, total);
  const loaded = residentMb(server.process.pid);
  await server.stop();
  return [total, threads, Math.round(idle), Math.round(loaded), round((loaded * 1024) / total)];
}
