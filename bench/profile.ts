/**
 * Where the server's time goes: runs the load of a case over HTTP with V8's profiler on, and prints
 * the functions that took most of it themselves. `node bench/profile.ts [--records N] CASE`
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
import { ORDER_CASES } from './orders/cases.ts';
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

const folder = mkdtempSync(join(tmpdir(), 'gazetteer-profile-'));
try {
  const program = {
    core: SERVER_CORE,
    nodeOptions: ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-interval', '200'],
  };
  await withLoadPinned(() => runCase(program));
  const title = `${name}: self time of all threads`;
  const rows = topOf(folder).map(([place, share]) => [place, round(share * 100)]);
  const table = { name, title, columns: ['function', '% of the time that was not idle'], rows };
  process.stdout.write(`${markdownOf(table)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

async function runCase(program: Parameters<typeof startProgram>[1]): Promise<void> {
  const order = ORDER_CASES.find((one) => one.name === name);
  if (order !== undefined) {
    await withOrders(program ?? {}, ['--threads', '1'], async (server, token) =>
      load(server, await order.targets(server, token), { status: order.status }),
    );
    return;
  }
  const found = HTTP_CASES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no case named ${name}`);
  const data = dataFolder(Number(values.records));
  const targets = found.targets(openSample(data));
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

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Functions and their shares of the time that was not idle, largest first. */
function topOf(folder: string): [place: string, share: number][] {
  const times = new Map<string, number>();
  let all = 0;
  for (const file of readdirSync(folder)) {
    const profile: Profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const places = new Map(
      profile.nodes.map(({ id, callFrame: { functionName, url } }) => [
        id,
        `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}`.trim(),
      ]),
    );
    for (const [i, id] of profile.samples.entries()) {
      const place = places.get(id) ?? '';
      if (place === '(idle)' || place === '(root)') continue;
      const time = profile.timeDeltas[i] ?? 0;
      times.set(place, (times.get(place) ?? 0) + time);
      all += time;
    }
  }
  return [...times]
    .map(([place, time]): [string, number] => [place, time / all])
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN);
}
