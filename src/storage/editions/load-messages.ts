/** The messages of the thread that loads an edition. */
import type { NamedArrays } from '../../directory/record/arrays.ts';
import type { StorageErrorKind } from '../storage-error.ts';

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
