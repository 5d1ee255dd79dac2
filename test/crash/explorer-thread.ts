/** A thread that explores power losses: it writes a possible state of the disk, and opens it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type Random, randomFor } from '../../scripts/release/random.ts';
import { brokenPromises, promisesAt } from './broken-promises.ts';
import { withoutSyncs } from './controls.ts';
import { Disk, LOSSES, type Loss } from './disk.ts';
import type { ExplorerThreadData, StateFailure } from './exploration.ts';
import { type Change, readRecording } from './recording.ts';

/** Most changes are these. */
const COMMON: ReadonlySet<Change['kind']> = new Set(['write', 'sync']);

const { folder, states, seed, control, part, parts }: ExplorerThreadData = workerData;

/** The number of changes after a removed sync in which the search looks for a loss. */
const NEAR = 60;

/** The number of the last change before the power loss. */
interface State {
  readonly change: number;
  readonly loss: Loss;
  readonly random: Random;
}

const recording = readRecording(folder);
const { changes, places } =
  control === undefined
    ? { changes: recording.changes, places: [] }
    : withoutSyncs(recording.changes, control);
const place = mkdtempSync(join(folder, 'states-'));
const failures: StateFailure[] = [];
let explored = 0;
exploreAll();
rmSync(place, { recursive: true });
parentPort?.postMessage({ states: explored, failures });

function exploreAll(): void {
  const disk = new Disk();
  const waiting = drawStates();
  for (const [number, change] of changes.entries()) {
    disk.apply(change, randomFor(~seed, number));
    while (waiting[0]?.change === number) {
      const state = waiting.shift()!;
      const broken = explore(disk, state);
      explored += 1;
      if (broken.length === 0) continue;
      const { loss } = state;
      failures.push({ change: number, after: `${change.kind} ${change.path}`, loss, broken });
      if (control !== undefined) return;
    }
  }
}

function explore(disk: Disk, { change, loss, random }: State): string[] {
  const root = join(place, 'root');
  disk.write(root, loss, random);
  // What had been answered before the next change is promised.
  const moment = changes[change + 1]?.beganAt ?? changes[change]!.endedAt;
  const broken = brokenPromises(root, promisesAt(recording.promises, moment));
  rmSync(root, { recursive: true });
  return broken;
}

/** In the order of changes. */
function drawStates(): State[] {
  const rare = [...changes.keys()].filter((number) => !COMMON.has(changes[number]!.kind));
  const drawn: State[] = [];
  for (let number = part; number < states; number += parts) {
    const random = randomFor(seed, number);
    const change = drawChange(random, rare);
    drawn.push({ change, loss: random.isChance(2500) ? 'all-lost' : random.pick(LOSSES), random });
  }
  return drawn.sort((one, other) => one.change - other.change);
}

/** Half of them where it is rare: at names, lengths and syncs of folders; or soon after a place. */
function drawChange(random: Random, rare: readonly number[]): number {
  if (places.length > 0) {
    return Math.min(random.pick(places) + random.below(NEAR), changes.length - 1);
  }
  return random.isChance(5000) ? random.pick(rare) : random.below(changes.length);
}
