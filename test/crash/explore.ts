/** Explores the power losses of a recording, on several threads. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Exploration, ExploreRequest, ExplorerThreadData } from './exploration.ts';

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
