/** Reads the arrays of an edition in a separate thread. */

import { Worker } from 'node:worker_threads';
import type { NamedArrays } from '../../directory/arrays/arrays.ts';
import { expectedArrayNames } from '../../directory/edition/edition.ts';
import { FOR_BACKGROUND } from '../../threads/heap-limits.ts';
import { runThread } from '../../threads/supervisor.ts';
import { StorageError } from '../files/storage-error.ts';
import type { LoadedFolder, LoadRequest, LoadResult } from './load-edition-thread.ts';

/**
 * Rejects if a byte differs from what was written. The thread ends with the result: as long as
 * a thread holds shared memory, the system does not get it back.
 */
export async function loadEdition(folder: LoadedFolder): Promise<NamedArrays> {
  const workerData: LoadRequest = {
    ...folder,
    expectedArrays: expectedArrayNames(),
  };
  const result = await runThread<LoadResult>({
    name: 'the thread that loads an edition',
    start: () => new Worker(THREAD, { workerData, resourceLimits: FOR_BACKGROUND }),
    limitMs: LOAD_MS_MAX,
  });
  if (result.kind === 'loaded') return result.arrays;
  throw new StorageError(result.error, result.message);
}

const THREAD = new URL('./load-edition-thread.ts', import.meta.url);

/** Ten times as long as the largest directory takes from a slow disk, if no array is missing. */
const LOAD_MS_MAX = 600_000;
