/** Explores power losses of a recording, on several threads. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface ExploreRequest {
  /** Of the recording. */
  readonly folder: string;
  readonly states: number;
  readonly seed: number;
  /** The syncs that are left out, by the name of the control. */
  readonly control?: string;
}

export interface Exploration {
  readonly states: number;
  readonly failures: readonly StateFailure[];
}

export interface StateFailure {
  /** Of the change after which the power went, and what it was. */
  readonly change: number;
  readonly after: string;
  readonly loss: string;
  readonly broken: readonly string[];
}

/** What a thread is told: it takes every `parts`-th state, from the `part`-th. */
export interface ExplorerThreadData extends ExploreRequest {
  readonly part: number;
  readonly parts: number;
}

/** Explores so many states; with a control, until one has failed on each thread. */
export async function explore(request: ExploreRequest): Promise<Exploration> {
  const parts = Math.min(availableParallelism(), THREADS_MAX);
  const explorations = await Promise.all(
    Array.from({ length: parts }, (_, part) => exploreOnThread({ ...request, part, parts })),
  );
  return {
    states: explorations.reduce((sum, { states }) => sum + states, 0),
    failures: explorations.flatMap(({ failures }) => failures),
  };
}

const THREADS_MAX = 8;

async function exploreOnThread(workerData: ExplorerThreadData): Promise<Exploration> {
  const worker = new Worker(new URL('./explorer-thread.ts', import.meta.url), { workerData });
  const [exploration]: [Exploration] = (await once(worker, 'message')) as [Exploration];
  return exploration;
}
