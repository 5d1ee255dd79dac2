/**
 * The thread that reads an edition: it gets a folder at its start, and answers with its arrays and
 * with those that the folder lacks.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { NamedArrays } from '../../directory/arrays/arrays.ts';
import { StorageError, type StorageErrorKind, storageError } from '../files/storage-error.ts';
import { readEditionFolder } from './edition-folder.ts';
import { shareArrays } from './shared-arrays.ts';

/** The folder of an edition. */
export interface LoadedFolder {
  readonly path: string;
  /** CRC-32 of the manifest. */
  readonly manifestChecksum: number;
}

/** The data that the thread gets at its start. */
export interface LoadRequest extends LoadedFolder {
  /** The names of arrays that the folder may lack. The thread then builds them from the others. */
  readonly expectedArrays: readonly string[];
}

/** The answer of the thread. */
export type LoadResult =
  | { readonly kind: 'loaded'; readonly arrays: NamedArrays }
  | { readonly kind: 'failed'; readonly error: StorageErrorKind; readonly message: string };

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
