/**
 * Asks each endpoint for the dearest answer that is known, and prints what it costs as JSON:
 * `node bench/worst/endpoints/measure.ts --data FOLDER [--only BEGINNING]`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { namesOfRoutes } from '../../../scripts/server-routes.ts';
import { cpuMsOf, longestTurnMs } from '../cpu.ts';
import { casesOf } from './cases.ts';
import { type BenchedServer, openServer } from './server.ts';

export interface EndpointFigures {
  /** `GET /STU3/metadata`. */
  readonly name: string;
  readonly status: number;
  readonly bytes: number;
  /** CPU of the process for the first time in an edition, and for the second. */
  readonly firstMs: number;
  readonly againMs: number;
  /** The most CPU of the thread in one turn of the event loop. */
  readonly turnMs: number;
  /** CPU after the client has left in the middle; 0 for answers that are short. */
  readonly afterMs: number;
  /** CPU of a plain search, in the same minute. */
  readonly plainMs: number;
}

const { values } = parseArgs({
  options: { data: { type: 'string', default: 'data' }, only: { type: 'string', default: '' } },
});

/** Shorter answers are one turn, and are over before a client leaves. */
const SHORT_MS = 10;
/** The share of the first answer's CPU after which the client leaves, and the most. */
const LEAVES_AT = 0.3;
const LEAVES_MS_MAX = 250;
const PLAIN_SEARCHES = 200;
/** After a client has left: all is over when so many looks in a row find next to no CPU. */
const LOOK_EVERY_MS = 20;
const QUIET_LOOKS = 5;
const QUIET_MS = 1;

let searched = 0;

const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-'));
// A server has these files made once for each edition, by another thread.
const tableFile = join(folder, 'tables');
writeFileSync(tableFile, Buffer.alloc(32 * 1024 ** 2));
try {
  const server = await openServer(values.data, tableFile);
  const cases = casesOf(server.facts);
  const names = namesOfRoutes(server.described).filter((name) => name.startsWith(values.only));
  const figures: EndpointFigures[] = [];
  await plainMs(server);
  for (const name of names) {
    const asked = cases[name];
    if (asked === undefined) throw new Error(`${name} has no case in bench/worst/endpoints`);
    const [method = '', path = ''] = name.split(' ');
    figures.push(
      await measure(server, { name, ask: () => server.ask({ path, ...asked, method }) }),
    );
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  await server.close();
} finally {
  rmSync(folder, { recursive: true });
}

interface Asking {
  readonly name: string;
  ask(): ReturnType<BenchedServer['ask']>;
}

async function measure(server: BenchedServer, { name, ask }: Asking): Promise<EndpointFigures> {
  const plain = await plainMs(server);
  // Compiles the code.
  const { status, bytes } = await ask();
  await server.renew();
  const firstMs = await cpuMsOf(ask);
  const againMs = await cpuMsOf(ask);
  const isShort = firstMs < SHORT_MS;
  let turnMs = firstMs;
  let afterMs = 0;
  if (!isShort) {
    await server.renew();
    turnMs = await longestTurnMs(ask);
    await server.renew();
    afterMs = await cpuAfterLeaving(server, ask, Math.min(LEAVES_MS_MAX, firstMs * LEAVES_AT));
  }
  process.stderr.write(
    `${name} ${status} ${[firstMs, againMs, turnMs, afterMs].map(Math.round)}\n`,
  );
  return { name, status, bytes, firstMs, againMs, turnMs, afterMs, plainMs: plain };
}

/** Each search is another one, so that none is kept. */
async function plainMs({ searches, ask }: BenchedServer): Promise<number> {
  const start = searched % (searches.length - PLAIN_SEARCHES);
  searched += PLAIN_SEARCHES;
  const all = await cpuMsOf(() => ask(...searches.slice(start, start + PLAIN_SEARCHES)));
  return all / PLAIN_SEARCHES;
}

/** Until nothing is done any more. */
async function cpuAfterLeaving(
  server: BenchedServer,
  ask: Asking['ask'],
  leavesMs: number,
): Promise<number> {
  const asked = ask();
  await pass(leavesMs);
  server.leave();
  const before = process.cpuUsage();
  let usedMs = 0;
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    await pass(LOOK_EVERY_MS);
    const { user, system } = process.cpuUsage(before);
    const nowMs = (user + system) / 1000;
    quiet = nowMs - usedMs < QUIET_MS ? quiet + 1 : 0;
    if (quiet === 0) usedMs = nowMs;
  }
  await asked;
  return usedMs;
}
