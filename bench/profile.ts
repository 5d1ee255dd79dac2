/**
 * Where the server's time goes: runs the load of a case over HTTP with V8's profiler on, and prints
 * the parts and the functions that took most of it themselves, once the server was warm.
 * `npm run bench:profile -- [--records N] CASE`
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dataFolder, openSample } from './data.ts';
import { markdownOf, round } from './figures.ts';
import { HTTP_CASES } from './http/cases.ts';
import { CONNECTIONS, measureInTurn } from './http/measure.ts';
import type { Target } from './load.ts';
import { SERVER_CORE, withLoadPinned } from './machine.ts';
import { ALL_ORDER_CASES } from './orders/cases.ts';
import { withOrders } from './orders/run.ts';
import { type RunningProgram, startProgram } from './server.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    records: { type: 'string', default: '35000' },
    seconds: { type: 'string', default: '5' },
  },
});
const [name = 'page-json'] = positionals;
const SHOWN = 30;
const IDLE = new Set(['(idle)', '(root)']);

const folder = mkdtempSync(join(tmpdir(), 'gazetteer-profile-'));
try {
  const program = {
    core: SERVER_CORE,
    nodeOptions: ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-interval', '200'],
  };
  await withLoadPinned(() => runCase(program));
  const samples = samplesOf(folder);
  for (const [what, key] of [
    ['part', partOf],
    ['function', functionOf],
  ] as const) {
    const rows = topOf(samples, key).map(([place, share]) => [place, round(share * 100)]);
    const columns = [what, '% of the time that was not idle'];
    process.stdout.write(`${markdownOf({ name, title: name, columns, rows })}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function runCase(program: Parameters<typeof startProgram>[1]): Promise<void> {
  const order = ALL_ORDER_CASES.find((one) => one.name === name);
  if (order !== undefined) {
    await withOrders(program ?? {}, ['--threads', '1'], async (server, token) =>
      load(server, await order.targets(server, token), { status: order.status }),
    );
    return;
  }
  const found = HTTP_CASES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no case named ${name}`);
  const data = dataFolder(Number(values.records));
  const targets = found.targets(await openSample(data));
  const words = ['--data', data, '--threads', '1', '--orders-enabled', 'false'];
  const log = found.settings?.includes('--log-requests') ? [] : ['--log-requests', 'false'];
  const server = await startProgram([...words, ...log, ...(found.settings ?? [])], program);
  await load(server, targets, found);
  await server.stop();
}

async function load(
  server: RunningProgram,
  targets: readonly Target[],
  { isFresh, status }: { readonly isFresh?: boolean; readonly status?: number | undefined },
): Promise<void> {
  const durationMs = Number(values.seconds) * 1000;
  const turns = { rounds: 1, durationMs, connections: CONNECTIONS };
  await measureInTurn([{ server, targets, isFresh, status }], turns);
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
  readonly startTime: number;
  readonly endTime: number;
}

interface Sample {
  readonly frame: CallFrame;
  readonly microseconds: number;
}

/** Of all threads, without idle ones, and only from the time of the load, which is the last. */
function samplesOf(folder: string): Sample[] {
  const found: Sample[] = [];
  for (const file of readdirSync(folder)) {
    const profile: Profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
    const loadStart = profile.endTime - Number(values.seconds) * 1e6;
    let now = profile.startTime;
    for (const [i, id] of profile.samples.entries()) {
      const microseconds = profile.timeDeltas[i] ?? 0;
      now += microseconds;
      const frame = frames.get(id);
      if (frame === undefined || now < loadStart || IDLE.has(frame.functionName)) continue;
      found.push({ frame, microseconds });
    }
  }
  return found;
}

function functionOf({ functionName, url }: CallFrame): string {
  return `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}`.trim();
}

/** A folder of ours, Node's own JavaScript, or what is not JavaScript: system calls, V8. */
function partOf({ functionName, url }: CallFrame): string {
  if (functionName === '(garbage collector)') return 'garbage collection';
  const source = url.split('/src/')[1];
  if (source !== undefined) return `src/${source.split('/').slice(0, -1).join('/')}`;
  if (url.startsWith('node:')) return "Node's JavaScript";
  return url === '' && !functionName.startsWith('RegExp') ? `native: ${functionName}` : 'other';
}

/** Keys and their shares of the time, largest first. */
function topOf(samples: readonly Sample[], key: (frame: CallFrame) => string): [string, number][] {
  const times = new Map<string, number>();
  let all = 0;
  for (const { frame, microseconds } of samples) {
    const place = key(frame);
    times.set(place, (times.get(place) ?? 0) + microseconds);
    all += microseconds;
  }
  return [...times]
    .map(([place, time]): [string, number] => [place, time / all])
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN);
}
