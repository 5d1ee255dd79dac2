/** Makes a file for analysis in a separate thread. */
import { Worker } from 'node:worker_threads';
import { runThread } from '../../../threads/supervisor.ts';
import type { TablesThreadData } from './tables-thread.ts';

/** Rejects if the thread fails, or is stopped. The file can then be incomplete. */
export async function makeTables(data: TablesThreadData, stopped: AbortSignal): Promise<void> {
  await runThread({
    name: 'the thread that makes a file for analysis',
    start: () => {
      const worker = new Worker(THREAD, { workerData: data, resourceLimits: RESOURCE_LIMITS });
      const stop = () => void worker.terminate();
      stopped.addEventListener('abort', stop);
      worker.once('exit', () => stopped.removeEventListener('abort', stop));
      return worker;
    },
    limitMs: MAKE_MS_MAX,
  });
}

const THREAD = new URL('./tables-thread.ts', import.meta.url);

/** Otherwise V8 would use four times the memory rather than collect its garbage. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** A hundred times the duration for the largest directory. */
const MAKE_MS_MAX = 3_600_000;
