/** What the thread that loads an edition gets and answers. */
import type { NamedArrays } from '../../directory/arrays.ts';
import type { StorageErrorKind } from '../storage-error.ts';

/** What the thread is started with. */
export interface LoadRequest {
  readonly path: string;
  /** CRC-32 of the manifest. */
  readonly manifestChecksum: number;
}

/** What the thread answers. */
export type LoadResult =
  | { readonly kind: 'loaded'; readonly arrays: NamedArrays }
  | { readonly kind: 'failed'; readonly error: StorageErrorKind; readonly message: string };
