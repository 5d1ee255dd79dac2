/** What readers notice when an edition replaces another, and what memory does over many of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dataFolder, openSample, ROOT } from '../data.ts';
import { quantile, round, type Table } from '../figures.ts';
import { runLoad, type Target } from '../load.ts';
import { residentMb } from '../machine.ts';
import type { Options } from '../options.ts';
import { type RunningProgram, startProgram } from '../server.ts';
import { valueRow, valueTable } from '../value-table.ts';

/** Few enough that the machine is not busy: what is late is late because of the switch. */
const CONNECTIONS = 2;
/** A switch and what follows from it, collecting the replaced edition's memory, is over by then. */
const WINDOW_MS = 2000;

export async function runSwitches(options: Options): Promise<Table[]> {
  if (!options.isWanted('switch', 'switch')) return [];
  const data = dataFolder(options.records, 2);
  const targets = await readsOf(data);
  // An earlier run may have ended with either.
  let current = (await openSample(data)).number;
  const server = await startProgram([
    '--data',
    data,
    '--threads',
    '2',
    '--directory-grace-minutes',
    '0',
    '--log-requests',
    'false',
  ]);
  const before: number[] = [];
  const during: number[] = [];
  const memory = [residentMb(server.process.pid)];
  await load(server, targets);
  for (let time = 1; time <= options.switches; time++) {
    before.push(...(await load(server, targets)));
    // Another process checks the edition that becomes current, before this.
    current = current === 1 ? 2 : 1;
    await rollBack(data, current);
    const served = server.logged('serving edition', time + 1);
    during.push(...(await load(server, targets)));
    await served;
    memory.push(residentMb(server.process.pid));
  }
  await server.stop();
  const at = (latencies: number[], share: number) =>
    round(quantile(Float64Array.from(latencies).sort(), share));
  const [atStart = 0, ...later] = memory.map(Math.round);
  return [
    valueTable('switch', `${options.switches} switches of the edition, two readers`, [
      valueRow('switch-before', 'reads before a switch, p99', at(before, 0.99), 'ms'),
      valueRow('switch-during', 'reads around a switch, p99', at(during, 0.99), 'ms'),
      valueRow('switch-before-worst', 'reads before a switch, p99.9', at(before, 0.999), 'ms'),
      valueRow('switch-during-worst', 'reads around a switch, p99.9', at(during, 0.999), 'ms'),
      valueRow('switch-during-max', 'slowest read around a switch', at(during, 1), 'ms'),
      valueRow('switch-memory-start', 'resident memory at the start', atStart, 'MB'),
      valueRow(
        'switch-memory-last',
        'resident memory after the last switch',
        later.at(-1) ?? 0,
        'MB',
      ),
      valueRow(
        'switch-memory-most',
        'largest resident memory after a switch',
        Math.max(...later),
        'MB',
      ),
    ]),
  ];
}

async function load(server: RunningProgram, targets: readonly Target[]) {
  const { port } = server;
  const options = { port, targets, connections: CONNECTIONS, durationMs: WINDOW_MS };
  try {
    return (await runLoad(options)).latenciesMs;
  } catch (error) {
    // A connection that breaks off does not say why; the server's log does.
    const faults = server.log().filter(({ level }) => Number(level) >= ERROR_LEVEL);
    throw new Error(`reads failed; the server logged ${JSON.stringify(faults)}`, { cause: error });
  }
}

/** Of the lines of a log. */
const ERROR_LEVEL = 50;

const CODES = 1000;

/** Of codes that both editions have: every one is answered with 200. */
async function readsOf(data: string): Promise<Target[]> {
  const first = await openSample(data, 1);
  const second = await openSample(data, 2);
  const { count } = first.index;
  return Array.from({ length: CODES }, (_, i) =>
    first.index.codeOf(Math.floor((i * count) / CODES)),
  )
    .filter((code) => second.index.rowOf(code) !== undefined)
    .map((code) => ({ path: `/STU3/Organization/${code}`, headers: {} }));
}

async function rollBack(data: string, to: number): Promise<void> {
  const words = ['src/main.ts', 'rollback', '--data', data, '--to', String(to)];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the rollback failed');
}
