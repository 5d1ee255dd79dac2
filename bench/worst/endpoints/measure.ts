/**
 * Asks each endpoint for the dearest answer that is known, and prints what it costs as JSON:
 * `node bench/worst/endpoints/measure.ts --data FOLDER [--only BEGINNING]`
 */
import { setTimeout as pass } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuMsOf, longestTurnMs } from '../cpu.ts';
import { type Asking, askedOf, problemOf, requireAnswers } from './asked.ts';
import type { AskedAnswer } from './case.ts';
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

const NO_ANSWER: AskedAnswer = { status: 0, bytes: 0 };

let searched = 0;

const server = await openServer(values.data);
try {
  const asked = askedOf(server.described, server.facts, server.ask).filter(({ name }) =>
    name.startsWith(values.only),
  );
  await requireAnswers(asked);
  const figures: EndpointFigures[] = [];
  await plainMs(server);
  for (const each of asked) figures.push(await measure(server, each));
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} finally {
  await server.close();
}

async function measure(server: BenchedServer, asking: Asking): Promise<EndpointFigures> {
  const { name, prepare, ask } = asking;
  const plain = await plainMs(server);
  const anew = async () => {
    await server.renew();
    await prepare();
  };
  await anew();
  let answer = NO_ANSWER;
  const firstMs = await cpuMsOf(async () => {
    answer = await ask();
  });
  const { status, bytes } = answer;
  const problem = problemOf(asking, answer);
  if (problem !== undefined) throw new Error(problem);
  await prepare();
  const againMs = await cpuMsOf(ask);
  const isShort = firstMs < SHORT_MS;
  let turnMs = firstMs;
  let afterMs = 0;
  if (!isShort) {
    await anew();
    turnMs = await longestTurnMs(ask);
    await anew();
    afterMs = await cpuAfterLeaving(server, ask, Math.min(LEAVES_MS_MAX, firstMs * LEAVES_AT));
  }
  process.stderr.write(
    `${name} ${status} ${bytes} ${[firstMs, againMs, turnMs, afterMs].map(Math.round)}\n`,
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
