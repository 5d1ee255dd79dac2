/**
 * The benchmark over HTTP: requests per second and CPU time per request of one server thread,
 * beside a bare `node:http` server that sends the same bytes with the same headers, in one run.
 *
 * `npm run bench -- [CASE …] [--records 35000] [--rounds 5] [--seconds 2]`
 */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BenchCase, cases } from './cases.ts';
import { runLoad, type Target } from './load.ts';
import type { Recorded } from './yardstick.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const results = join(root, 'bench', 'results');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    records: { type: 'string', default: '35000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const records = Number(values.records);
const rounds = Number(values.rounds);
const durationMs = Number(values.seconds) * 1000;

/** As many as keep one thread busy without queueing long. */
const CONNECTIONS = 32;
const cores = availableParallelism();
const SERVER_CORE = '0';
const LOAD_CORE = '1';

const data = prepareData();
pinLoad();
const ours = await startOurs();
const rows = [];
for (const one of await cases(ours.port, records)) {
  if (positionals.length > 0 && !positionals.includes(one.name)) continue;
  rows.push(await measure(one));
}
ours.process.kill('SIGTERM');
await once(ours.process, 'exit');

console.log(
  `\n${records} records, Node ${process.version}, ${cores} cores, ${rounds} rounds of ${durationMs / 1000} s, ${CONNECTIONS} connections; medians\n`,
);
console.table(rows);
mkdirSync(results, { recursive: true });
writeFileSync(join(results, `http-${records}.json`), `${JSON.stringify(rows, null, 2)}\n`);

interface Running {
  readonly process: ChildProcess;
  readonly port: number;
}

/** Rounds of ours and the yardstick in turn, after a warm-up of each. */
async function measure(one: BenchCase) {
  const yardstick = await startYardstick(await record(one.targets));
  const runs: { ours: Round[]; yardstick: Round[] } = { ours: [], yardstick: [] };
  for (let round = -1; round < rounds; round++) {
    const first = await runRound(ours, one.targets, one.isFresh ? freshSuffix : undefined);
    const second = await runRound(yardstick, one.targets);
    if (round < 0) continue;
    runs.ours.push(first);
    runs.yardstick.push(second);
  }
  yardstick.process.kill();
  const rate = median(runs.ours.map((round) => round.perSecond));
  const yardstickRate = median(runs.yardstick.map((round) => round.perSecond));
  const cpu = median(runs.ours.map((round) => round.cpuMicroseconds));
  const yardstickCpu = median(runs.yardstick.map((round) => round.cpuMicroseconds));
  return {
    case: one.name,
    'req/s': Math.round(rate),
    'yardstick req/s': Math.round(yardstickRate),
    ratio: round2(rate / yardstickRate),
    aim: one.aim ?? '',
    'CPU µs': round2(cpu),
    'yardstick CPU µs': round2(yardstickCpu),
    'CPU ratio': round2(yardstickCpu / cpu),
  };
}

interface Round {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

/** A parameter that a lenient search leaves out, another one each time. */
function freshSuffix(request: number): string {
  return `&fresh=${request}-${process.hrtime()[1]}`;
}

async function runRound(
  server: Running,
  targets: readonly Target[],
  suffix?: (request: number) => string,
): Promise<Round> {
  const before = cpuSeconds(server.process.pid);
  const { requests, seconds } = await runLoad({
    port: server.port,
    targets,
    connections: CONNECTIONS,
    durationMs,
    ...(suffix === undefined ? {} : { suffix }),
  });
  const cpu = cpuSeconds(server.process.pid) - before;
  return { perSecond: requests / seconds, cpuMicroseconds: (cpu / requests) * 1e6 };
}

/** What the server answers to each target, to be sent again by the yardstick. */
async function record(targets: readonly Target[]): Promise<Recorded[]> {
  const skipped = new Set(['connection', 'keep-alive', 'date']);
  const recorded: Recorded[] = [];
  for (const { path, headers } of targets) {
    // What fetch asks for of its own accord would be compressed.
    const answer = await fetch(`http://127.0.0.1:${ours.port}${path}`, {
      headers: { ...headers, 'accept-encoding': 'identity' },
    });
    const body = Buffer.from(await answer.arrayBuffer());
    recorded.push({
      target: path,
      status: answer.status,
      headers: [...answer.headers]
        .filter(([name]) => !skipped.has(name))
        .flatMap(([name, value]) => [name === 'content-length' ? 'Content-Length' : name, value]),
      body: body.toString('base64'),
    });
  }
  return recorded;
}

/** A release of the wanted size, imported once and kept for the next run. */
function prepareData(): string {
  const folder = join(results, `data-${records}`);
  if (existsSync(join(folder, 'directory.db'))) return folder;
  mkdirSync(results, { recursive: true });
  const file = join(results, `release-${records}.zip`);
  run(['scripts/generate-release.ts', '--records', String(records), '--seed', '1', '--out', file]);
  run(['src/main.ts', 'import', file, '--data', folder]);
  return folder;
}

function run(words: readonly string[]): void {
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${words.join(' ')} failed`);
}

async function startOurs(): Promise<Running> {
  const words = [
    'serve',
    '--data',
    data,
    '--port',
    '0',
    '--threads',
    '1',
    '--metrics-port',
    '0',
    '--log-requests=false',
  ];
  const [command, ...prefix] = pinned(SERVER_CORE);
  const child = spawn(command!, [...prefix, process.execPath, 'src/main.ts', ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, port } = JSON.parse(line);
    if (msg === 'listening') return { process: child, port };
  }
  throw new Error('the server ended before it listened');
}

async function startYardstick(recorded: readonly Recorded[]): Promise<Running> {
  const child = fork(join(root, 'bench', 'yardstick.ts'));
  if (canPin()) spawnSync('taskset', ['-cpa', SERVER_CORE, String(child.pid)]);
  child.send(recorded);
  const [port] = await once(child, 'message');
  return { process: child, port };
}

function canPin(): boolean {
  return process.platform === 'linux' && cores > 1;
}

/** `env` where cores cannot be chosen: it only runs what follows. */
function pinned(core: string): string[] {
  return canPin() ? ['taskset', '-c', core] : ['env'];
}

function pinLoad(): void {
  if (canPin()) spawnSync('taskset', ['-cpa', LOAD_CORE, String(process.pid)]);
}

/** User and system time of a process, all its threads; clock ticks are hundredths of a second. */
function cpuSeconds(pid: number | undefined): number {
  if (process.platform !== 'linux') return Number.NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
