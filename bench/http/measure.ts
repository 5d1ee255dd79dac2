/** Measures a case over HTTP: alternating rounds of the program and of the yardsticks. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../data.ts';
import { quantile, type Spread, spreadOf } from '../figures.ts';
import { MARKER, runLoad, type Target } from '../load.ts';
import { cpuSeconds, pin, SERVER_CORE } from '../machine.ts';
import { endTogether, type Running } from '../server.ts';
import { startNginx } from './nginx.ts';
import { type Recorded, recordAnswers } from './record.ts';

/** A server under load, and what it is asked. */
export interface Contestant {
  readonly server: Running;
  readonly targets: readonly Target[];
  readonly isFresh?: boolean | undefined;
  readonly status?: number | undefined;
}

export interface Rounds {
  readonly rounds: number;
  readonly durationMs: number;
  readonly connections: number;
  /** Of each contestant, before the rounds. */
  readonly warmUpRequests?: number;
}

export interface Measured {
  readonly perSecond: Spread;
  /** Microseconds of the server for each request. */
  readonly cpu: Spread;
  readonly p99Ms: number;
  /** The same of each round. */
  readonly rates: readonly number[];
  readonly cpus: readonly number[];
}

/** As many as keep one thread busy without queueing long. */
export const CONNECTIONS = 32;

/** What a search goes through is compiled bit by bit, and all of it after some ten thousands. */
const WARM_UP_REQUESTS = 40_000;
const WARM_UP_STEP_MS = 300;
const WARM_UP_STEPS_MAX = 30;

/** The most answers that the yardsticks keep. */
const RECORDED_MAX = 1000;

/** The bare server, and nginx where it is installed and can give such answers. */
export async function startYardsticks(ours: Contestant, isFile: boolean): Promise<Contestant[]> {
  const targets = ours.targets.slice(0, RECORDED_MAX);
  const recorded = await recordAnswers(ours.server.port, targets);
  const { status } = ours;
  const bare = { server: await startBareServer(recorded), targets, status };
  const nginx = isFile ? await startNginx(recorded) : undefined;
  return nginx === undefined ? [bare] : [bare, { server: nginx, targets: nginx.targets }];
}

/** All contestants take turns in each round, so that they meet the same state of the machine. */
export async function measureInTurn(
  contestants: readonly Contestant[],
  { rounds, durationMs, connections, warmUpRequests = WARM_UP_REQUESTS }: Rounds,
): Promise<Measured[]> {
  const results = contestants.map(() => ({
    rates: [] as number[],
    cpus: [] as number[],
    p99s: [] as number[],
  }));
  for (const contestant of contestants) await warmUp(contestant, connections, warmUpRequests);
  for (let round = 0; round < rounds; round++) {
    const order = [...contestants.entries()];
    // Whoever comes second may profit from the first, or suffer; so they change places.
    for (const [i, contestant] of round % 2 === 0 ? order : order.reverse()) {
      const { pid } = contestant.server.process;
      const before = cpuSeconds(pid);
      const { requests, seconds, latenciesMs } = await ask(contestant, connections, durationMs);
      const cpu = cpuSeconds(pid) - before;
      results[i]?.rates.push(requests / seconds);
      results[i]?.cpus.push((cpu / requests) * 1e6);
      results[i]?.p99s.push(quantile(latenciesMs, 0.99));
    }
  }
  return results.map(({ rates, cpus, p99s }) => ({
    perSecond: spreadOf(rates),
    cpu: spreadOf(cpus),
    p99Ms: spreadOf(p99s).median,
    rates,
    cpus,
  }));
}

/** The middle of the ratios of rounds that were next to each other: they met the same machine. */
export function ratioOf(numbers: readonly number[], others: readonly number[]): number {
  return spreadOf(numbers.map((number, i) => number / (others[i] ?? Number.NaN))).median;
}

/** On a busy machine time alone would not do: code is compiled after so many calls. */
async function warmUp(
  contestant: Contestant,
  connections: number,
  requestsMin: number,
): Promise<void> {
  let requests = 0;
  for (let step = 0; step < WARM_UP_STEPS_MAX && requests < requestsMin; step++) {
    requests += (await ask(contestant, connections, WARM_UP_STEP_MS)).requests;
  }
}

async function ask(contestant: Contestant, connections: number, durationMs: number) {
  const { server, targets, isFresh, status } = contestant;
  const asked = isFresh ? targets.map(freshTarget) : targets;
  return runLoad({ port: server.port, targets: asked, connections, durationMs, isFresh, status });
}

/** Adds a parameter with a new value to each request. A lenient search ignores it. */
export function freshTarget(target: Target): Target {
  return {
    ...target,
    path: `${target.path}${target.path.includes('?') ? '&' : '?'}fresh=${MARKER}`,
  };
}

async function startBareServer(recorded: readonly Recorded[]): Promise<Running> {
  const child = fork(join(ROOT, 'bench/http/yardstick.ts'));
  endTogether(child);
  pin(child.pid, SERVER_CORE);
  child.send(recorded);
  const [port] = await once(child, 'message');
  return {
    process: child,
    port,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
