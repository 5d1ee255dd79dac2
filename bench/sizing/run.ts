/** What a server takes of memory and disk, as formulas, with releases of several sizes. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gazetteer, type Server, serve } from '../../test/journeys/program.ts';
import { releaseFile } from '../data.ts';
import { changesOf } from '../editions/changed-releases.ts';
import { loadAllPages } from '../editions/start.ts';
import { markdownOf, round } from '../figures.ts';
import { describeMachine, residentMb } from '../machine.ts';
import { installedProgram, PROGRAM_USAGE } from '../program.ts';
import { keepFigures } from '../results.ts';
import { endTogether } from '../server.ts';
import { answerHelp } from '../usage.ts';
import { measureOrders } from './orders.ts';
import { solve } from './solve.ts';

const THREADS = [1, 2, 4];
const SIZES = [10_000, 60_000, 240_000];
/** Beside the first one. The default of `directory.editionsInMemory` is three. */
const MORE_EDITIONS = 2;
const CHANGED = 5;
const LOOK_EVERY_MS = 20;

interface Measured {
  readonly organisations: number;
  readonly threads: number;
  readonly editions: number;
  readonly memoryMb: number;
}

answerHelp(`Usage: npm run bench:sizing -- [RECORDS …] [options]
  RECORDS            the sizes of the releases (${SIZES.join(' ')})
${PROGRAM_USAGE}`);
const sizes = process.argv.slice(2).map(Number).filter(Boolean);
const program = await installedProgram();
process.env.TEST_PROGRAM = program;
const folder = mkdtempSync(join(tmpdir(), 'gazetteer-sizing-'));
const ends: (() => void | Promise<void>)[] = [];
const owner = { after: (end: () => void | Promise<void>) => void ends.push(end) };
try {
  const servers: Measured[] = [];
  const imports: { organisations: number; memoryMb: number; diskMb: number }[] = [];
  for (const size of sizes.length > 0 ? sizes : SIZES) {
    const data = join(folder, String(size));
    const release = releaseFile(size);
    const memoryMb = await importPeakMb(release, data);
    const diskMb = folderMb(join(data, 'editions'));
    for (const threads of THREADS) servers.push(...(await measureServer(data, release, threads)));
    imports.push({ organisations: servers.at(-1)?.organisations ?? 0, memoryMb, diskMb });
    rmSync(data, { recursive: true });
  }
  keep(servers, imports, await measureOrders(owner, join(folder, 'orders')));
} finally {
  for (const end of ends.toReversed()) await end();
  rmSync(folder, { recursive: true, force: true });
}

function keep(
  servers: readonly Measured[],
  imports: readonly { organisations: number; memoryMb: number; diskMb: number }[],
  orders: { readonly writeKb: number; readonly readKb: number },
): void {
  const [fixed = 0, thread = 0, edition = 0, record = 0] = solve(
    servers.map(({ threads, organisations, editions }) => [
      1,
      threads,
      editions,
      organisations * editions,
    ]),
    servers.map(({ memoryMb }) => memoryMb),
  );
  const overRecords = (name: 'memoryMb' | 'diskMb') =>
    solve(
      imports.map(({ organisations }) => [1, organisations]),
      imports.map((one) => one[name]),
    );
  const [importFixed = 0, importRecord = 0] = overRecords('memoryMb');
  const [, diskRecord = 0] = overRecords('diskMb');
  const rows: [what: string, figure: number, unit: string][] = [
    ['memory of a server, fixed part', Math.round(fixed), 'MB'],
    ['memory for each thread', Math.round(thread), 'MB'],
    ['memory for each edition in memory', Math.round(edition), 'MB'],
    ['memory for each record of each edition in memory', round(record * 1024), 'KB'],
    ['memory of an import, fixed part', Math.round(importFixed), 'MB'],
    ['memory of an import for each record', round(importRecord * 1024), 'KB'],
    ['disk for each record of each edition', round(diskRecord * 1024), 'KB'],
    ['disk for each version of an order response, with its audit entry', orders.writeKb, 'KB'],
    ['disk for each read of an order response: its audit entry', orders.readKb, 'KB'],
  ];
  for (const one of servers) process.stdout.write(`${JSON.stringify(one)}\n`);
  for (const one of imports) process.stdout.write(`${JSON.stringify(one)}\n`);
  const counts = imports.map(({ organisations }) => organisations.toLocaleString('en-GB'));
  const title = `Fitted to servers of ${counts.join(', ')} organisations with 1, 2 and 4 threads`;
  const table = { name: 'sizing', title, columns: ['what', 'figure', 'unit'], rows };
  process.stdout.write(`${markdownOf(table)}\n`);
  const commands = [`npm run bench:sizing -- ${sizes.join(' ')}`];
  keepFigures({ ...table, machine: describeMachine(), commands, records: SIZES[0] ?? 0 });
}

/** The memory of a server under load with one edition, and with each one more. */
async function measureServer(data: string, release: string, threads: number): Promise<Measured[]> {
  const environment = { GAZETTEER_DATA: data };
  const words = ['--threads', String(threads), '--log-requests', 'false'];
  const server = await serve(owner, words, { environment });
  endTogether(server.process);
  const organisations = await totalOf(server);
  const measured = [];
  const changes = join(folder, 'changes.xml');
  const changesAt = changesOf(release, CHANGED);
  for (let editions = 1; editions <= 1 + MORE_EDITIONS; editions++) {
    if (editions > 1) {
      writeFileSync(changes, changesAt(threads * MORE_EDITIONS + editions), 'latin1');
      await requireEnd(['import', changes, '--quiet'], environment);
      await untilServed(server, editions);
    }
    await loadAllPages(server, organisations);
    const memoryMb = residentMb(server.process.pid);
    measured.push({ organisations, threads, editions, memoryMb });
  }
  await server.stop();
  return measured;
}

async function totalOf({ origin }: Server): Promise<number> {
  const answer = await fetch(`${origin}/STU3/Organization?_summary=count`);
  return Object(await answer.json()).total;
}

/** An edition is in memory once all threads serve it. */
async function untilServed(server: Server, editions: number): Promise<void> {
  const served = () => server.log.filter(({ msg }) => msg === 'serving edition').length;
  while (served() < editions) await delay(LOOK_EVERY_MS);
}

async function requireEnd(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const { code, stderr } = await gazetteer(words, { environment });
  if (code !== 0) throw new Error(stderr);
}

/** The largest memory that the import of a release has. */
async function importPeakMb(release: string, data: string): Promise<number> {
  const words = [program, 'import', release, '--data', data, '--quiet'];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  const file = `/proc/${child.pid}/status`;
  let peak = 0;
  while (child.exitCode === null) {
    const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
    await delay(LOOK_EVERY_MS);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`The import of ${release} ended with ${code}.`);
  return peak;
}

function folderMb(path: string): number {
  const { stdout } = spawnSync('du', ['-sk', path], { encoding: 'utf8' });
  return Number(/^\d+/.exec(stdout)?.[0]) / 1024;
}
