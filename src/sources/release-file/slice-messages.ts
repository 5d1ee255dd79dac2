/** The messages of the threads that read slices of a release. */
import type { LeftOutReason, WarningKind } from '../../directory/import/source.ts';
import type { EncodedRecords } from '../../directory/record/record-batches.ts';
import type { ReadCounts } from './parse/release-reading.ts';

/** The data that a thread gets at its start. */
export interface SliceThreadData {
  /** The name of the file, for messages. */
  readonly name: string;
  /** The file up to its first Organisation. */
  readonly head: Uint8Array;
}

/** A slice of the file, with whole Organisation elements, at the start of shared memory. */
export interface SliceRequest {
  readonly memory: SharedArrayBuffer;
  readonly bytes: number;
}

export type FromSliceThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly slice: ReadSlice }
  /** The slice has a fault, or does not begin and end between records. */
  | { readonly kind: 'unread' };

export interface ReadSlice {
  readonly counts: ReadCounts;
  readonly records: EncodedRecords;
  /** In the order of the file. */
  readonly leftOut: readonly (readonly [
    LeftOutReason,
    code: string,
    detail?: string | undefined,
  ])[];
  readonly warnings: readonly (readonly [WarningKind, code: string, detail?: string | undefined])[];
}
