/** The messages of the thread that loads an edition. */
import type { NamedArrays } from '../../directory/arrays.ts';
import type { StorageErrorKind } from '../storage-error.ts';

/** The data that the thread gets at its start. */
export interface LoadRequest {
  readonly path: string;
  /** CRC-32 of the manifest. */
  readonly manifestChecksum: number;
}

/** The answer of the thread. */
export type LoadResult =
  | { readonly kind: 'loaded'; readonly arrays: NamedArrays }
  | { readonly kind: 'failed'; readonly error: StorageErrorKind; readonly message: string };
