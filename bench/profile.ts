/**
 * Where the server's time goes: runs the load of a case over HTTP with V8's profiler on, and prints
 * the parts and the functions that took most of it themselves, once the server was warm. It starts
 * the sources, whose folders are the parts.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  functionOf,
  type Profile,
  partOf,
  profileTime,
  type Span,
  samplesIn,
  sharesOf,
} from './cpu-profile.ts';
import { dataFolder, openSample, ROOT } from './data.ts';
import { markdownOf, round } from './figures.ts';
import { HTTP_CASES } from './http/cases.ts';
import { CONNECTIONS, measureInTurn } from './http/measure.ts';
import type { Target } from './load.ts';
import { SERVER_CORE, withLoadPinned } from './machine.ts';
import { ALL_ORDER_CASES } from './orders/cases.ts';
import { withOrders } from './orders/run.ts';
import { type RunningProgram, startProgram } from './server.ts';
import { answerHelp } from './usage.ts';

answerHelp(`Usage: npm run bench:profile -- [CASE] [options]
  CASE               a case of the parts http and order-cases (page-json)
  --records N        organisations in the release (35000)
  --seconds N        of load that is profiled, after the server is warm (5)
`);
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
    tree: ROOT,
    core: SERVER_CORE,
    nodeOptions: ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-interval', '200'],
  };
  const span = await withLoadPinned(() => runCase(program));
  const samples = readdirSync(folder).flatMap((file) => {
    const profile: Profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return samplesIn(profile, span);
  });
  for (const [what, key] of [
    ['part', partOf],
    ['function', functionOf],
  ] as const) {
    const shares = sharesOf(samples, key).slice(0, SHOWN);
    const rows = shares.map(([place, share]) => [place, round(share * 100)]);
    const columns = [what, '% of the time that was not idle'];
    process.stdout.write(`${markdownOf({ name, title: name, columns, rows })}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** The time of the load. */
async function runCase(program: Parameters<typeof startProgram>[1]): Promise<Span> {
  const order = ALL_ORDER_CASES.find((one) => one.name === name);
  if (order !== undefined) {
    return await withOrders(program ?? {}, ['--threads', '1'], async (server, token) =>
      load(server, await order.targets(server, token), { status: order.status }),
    );
  }
  const found = HTTP_CASES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no case named ${name}`);
  const data = dataFolder(Number(values.records));
  const targets = found.targets(await openSample(data));
  const words = ['--data', data, '--threads', '1', '--orders-enabled', 'false'];
  const log = found.settings?.includes('--log-requests') ? [] : ['--log-requests', 'false'];
  const server = await startProgram([...words, ...log, ...(found.settings ?? [])], program);
  const span = await load(server, targets, found);
  await server.stop();
  return span;
}

async function load(
  server: RunningProgram,
  targets: readonly Target[],
  { isFresh, status }: { readonly isFresh?: boolean; readonly status?: number | undefined },
): Promise<Span> {
  const durationMs = Number(values.seconds) * 1000;
  const turns = { rounds: 1, durationMs, connections: CONNECTIONS };
  await measureInTurn([{ server, targets, isFresh, status }], turns);
  // The load comes last, after the server is warm.
  const end = profileTime();
  return { start: end - durationMs * 1000, end };
}
