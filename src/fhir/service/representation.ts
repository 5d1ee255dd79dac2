/** A resource or a Bundle that can be the answer to a request: its validators, and its body. */

export interface Representation {
  /** As the header has it: `W/"…"`. */
  readonly etag: string;
  /** An HTTP date. */
  readonly lastModified?: string;
  /** The `meta.lastUpdated` of a stored version. */
  readonly lastUpdated?: string;
  /** Another state may have the same date, so that only the entity tag identifies this one. */
  readonly isDateAmbiguous?: boolean;
  /** The address of the resource, if it is not the address of the request. */
  readonly contentLocation?: string;
  /** `handling=lenient`, if that preference changed the answer. */
  readonly preferenceApplied?: string;
  /** More headers of the answer: each name is followed by its value. */
  readonly headers?: readonly string[];
  /** Makes the body. It is not called for an answer without a body. */
  readonly body: () => Uint8Array | string;
  /** The same body in pieces, in place of `body`, if making it at once would keep others waiting. */
  readonly pieces?: OpenPieces;
  /** Called at most once for each result of `body`, after the last use of its bytes. */
  readonly release?: (body: Uint8Array) => void;
  /** The same body in gzip, if it is kept. */
  readonly gzipped?: () => Uint8Array;
}

/**
 * Makes bytes, or their gzip, while they are read. It may wait until there is a place for the work.
 * May throw a FhirError, or reject with one. The reader must read to the end, or call `return`
 * (`destroy` of a stream). `addressOf`: the address of the client. `left` aborts when the answer has
 * been sent or the client has left.
 */
export type OpenPieces = (
  isGzip: boolean,
  addressOf?: () => string,
  left?: AbortSignal,
) =>
  | Iterable<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Promise<Iterable<Uint8Array> | AsyncIterable<Uint8Array>>;
