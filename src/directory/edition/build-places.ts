/** Builds the places of the records of an edition in a thread, so that the calling one answers meanwhile. */

import { Worker } from 'node:worker_threads';
import { FOR_BACKGROUND } from '../../threads/heap-limits.ts';
import { runThread } from '../../threads/supervisor.ts';
import type { NamedArrays } from '../arrays/arrays.ts';
import type { StoredPostcodes } from '../places/stored-postcodes.ts';
import type { PlacesThreadData } from './places-thread.ts';

/** Rejects if the thread dies. */
export function buildPlacesInThread(
  arrays: NamedArrays,
  stored: StoredPostcodes,
): Promise<NamedArrays> {
  const workerData: PlacesThreadData = { arrays, stored };
  return runThread<NamedArrays>({
    name: 'the thread that finds the places of organisations',
    start: () => new Worker(THREAD, { workerData, resourceLimits: FOR_BACKGROUND }),
    limitMs: BUILD_MS_MAX,
  });
}

const THREAD = new URL('./places-thread.ts', import.meta.url);

/** A hundred times the duration for the largest directory. */
const BUILD_MS_MAX = 100_000;
