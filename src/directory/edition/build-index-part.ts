/** Builds a part of the index of an edition in a separate thread. */
import { Worker } from 'node:worker_threads';
import { runThread } from '../../threads/supervisor.ts';
import type { NamedArrays } from '../record/arrays.ts';
import { INDEX_PARTS, type IndexPartName, type IndexThreadData } from './edition-records.ts';

/** If the thread dies, for example because memory is short, the calling thread builds the part. */
export async function buildIndexPart(
  part: IndexPartName,
  arrays: NamedArrays,
): Promise<NamedArrays> {
  const needed = Object.entries(arrays).filter(([name]) => INDEX_PARTS[part].needs(name));
  const workerData: IndexThreadData = { part, arrays: Object.fromEntries(needed) };
  try {
    return await runThread<NamedArrays>({
      name: 'a thread that builds an index',
      start: () => new Worker(THREAD, { workerData, resourceLimits: RESOURCE_LIMITS }),
      limitMs: BUILD_MS_MAX,
    });
  } catch {
    return INDEX_PARTS[part].build(arrays);
  }
}

const THREAD = new URL('./index-thread.ts', import.meta.url);

/** Objects live only briefly, so more memory for new objects would not make the thread faster. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

/** A hundred times the duration for the largest directory. */
const BUILD_MS_MAX = 3_600_000;
