/** Explores the power losses of a recording, on several threads. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface ExploreRequest {
  /** Of the recording. */
  readonly folder: string;
  readonly states: number;
  readonly seed: number;
  /** The name of the control that removes syncs. */
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

/** The work of one thread: every `parts`-th state, starting with the `part`-th. */
export interface ExplorerThreadData extends ExploreRequest {
  readonly part: number;
  readonly parts: number;
}

/** Explores this many states. With a control, each thread stops at its first failure. */
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
