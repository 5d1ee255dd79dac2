/**
 * The thread that reads an edition: it gets a folder at its start, and answers with its arrays and
 * with those that the folder lacks.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { NamedArrays } from '../../directory/record/arrays.ts';
import { StorageError, storageError } from '../storage-error.ts';
import { readEditionFolder } from './edition-folder.ts';
import type { LoadRequest, LoadResult } from './load-messages.ts';
import { shareArrays } from './shared-arrays.ts';

const { path, manifestChecksum, expectedArrays }: LoadRequest = workerData;

async function load(): Promise<LoadResult> {
  try {
    return { kind: 'loaded', arrays: await complete(readEditionFolder(path, manifestChecksum)) };
  } catch (fault) {
    const error = storageError(fault, path);
    if (error instanceof StorageError) {
      return { kind: 'failed', error: error.kind, message: error.message };
    }
    throw error;
  }
}

async function complete(arrays: NamedArrays): Promise<NamedArrays> {
  if (expectedArrays.every((name) => arrays[name] !== undefined)) return arrays;
  // Loading these modules takes longer than reading a small edition, and few editions need them.
  const { buildMissingArrays } = await import('../../directory/edition/edition.ts');
  return { ...arrays, ...shareArrays(buildMissingArrays(arrays)) };
}

parentPort?.postMessage(await load());
