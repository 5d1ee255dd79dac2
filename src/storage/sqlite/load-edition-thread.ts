/** The thread that reads an edition: it gets a folder at its start, and answers with its arrays. */
import { parentPort, workerData } from 'node:worker_threads';
import { StorageError, storageError } from '../storage-error.ts';
import { readEditionFolder } from './edition-folder.ts';
import type { LoadRequest, LoadResult } from './load-messages.ts';

const { path, manifestChecksum }: LoadRequest = workerData;

function load(): LoadResult {
  try {
    return { kind: 'loaded', arrays: readEditionFolder(path, manifestChecksum) };
  } catch (fault) {
    const error = storageError(fault, path);
    if (error instanceof StorageError) {
      return { kind: 'failed', error: error.kind, message: error.message };
    }
    throw error;
  }
}

parentPort?.postMessage(load());
