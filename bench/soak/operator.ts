/** What operators do to a server while it runs: imports, top-ups, rollbacks, restarts of its database. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Place } from './place.ts';

export interface OperatorOptions {
  /** The runs of a command, as they are reported. */
  readonly say: (text: string) => void;
  readonly folder: string;
  /** Releases of later months. */
  readonly releases: readonly string[];
  /** The text of a file of changes, another one each time. */
  readonly changesAt: (time: number) => string;
  readonly durationMs: number;
  readonly signal: AbortSignal;
}

/** A server has three editions in memory all the time: each stays for fifteen minutes. */
const OPERATE_EVERY_MS = 100_000;
const RESTART_EVERY_MS = 600_000;
/** Short runs too do everything. */
const OPERATIONS_MIN = 6;
const RESTARTS_MIN = 3;
/** Requests wait for ten seconds, so that a short outage refuses none. */
const OUTAGES_MS = [3000, 20_000];

/** Resolves when the signal has come and what had begun is done. Throws if a command fails. */
export async function operate(place: Place, options: OperatorOptions): Promise<void> {
  const outages = { begun: 0, ended: 0 };
  await Promise.all([
    publishEditions(place, options, outages),
    restartDatabase(place, options, outages),
  ]);
}

/** How often the database went away and came back. */
interface Outages {
  begun: number;
  ended: number;
}

async function publishEditions(
  place: Place,
  options: OperatorOptions,
  outages: Outages,
): Promise<void> {
  const { durationMs, signal, releases, changesAt, say } = options;
  const changes = join(options.folder, `changes-${place.name}.xml`);
  const everyMs = Math.min(OPERATE_EVERY_MS, durationMs / OPERATIONS_MIN);
  /** Operators repeat a command if the database was away meanwhile. */
  const run = async (...words: readonly string[]): Promise<void> => {
    const { ended } = outages;
    try {
      await place.run(...words);
    } catch (error) {
      if (outages.begun === ended) throw error;
      await delay(PAUSE_MS);
      await run(...words);
    }
  };
  const topUp = async (time: number) => {
    writeFileSync(changes, changesAt(time), 'latin1');
    await run('import', changes, '--quiet');
  };
  for (let time = 0; await passes(everyMs, signal); time++) {
    const turn = time % 4;
    const release = releases[Math.floor(time / 4) % releases.length] ?? '';
    if (turn === 1) await run('import', release, '--quiet');
    else if (turn === 3) await run('rollback');
    else await topUp(time);
    say(`${place.name}: ${['a top-up', 'a release', 'a top-up', 'a rollback'][turn]}`);
  }
}

const PAUSE_MS = 1000;

async function restartDatabase(
  { postgres, name }: Place,
  options: OperatorOptions,
  outages: Outages,
): Promise<void> {
  if (postgres === undefined) return;
  const { durationMs, signal, say } = options;
  const everyMs = Math.min(RESTART_EVERY_MS, durationMs / RESTARTS_MIN);
  for (let time = 0; await passes(everyMs, signal); time++) {
    const outageMs = OUTAGES_MS[time % OUTAGES_MS.length];
    outages.begun += 1;
    await postgres.kill();
    await delay(outageMs);
    await postgres.start();
    outages.ended += 1;
    say(`${name}: PostgreSQL was away for ${outageMs} ms`);
  }
}

/** False if the signal came first. */
async function passes(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(Math.max(0, ms), undefined, { signal }).catch(() => {});
  return !signal.aborted;
}
