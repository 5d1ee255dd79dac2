/** Bodies in pieces, and their compression for clients that accept gzip (RFC 9110, section 12.5.3). */
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { parseHeaderList, weightOf } from './headers.ts';

/** Whether the client accepts gzip, and prefers it at least as much as an uncompressed body. */
export function acceptsGzip(acceptEncoding: string): boolean {
  return acceptsCoding(acceptEncoding, 'gzip');
}

/** The same for any coding. */
export function acceptsCoding(acceptEncoding: string, coding: string): boolean {
  const weights = new Map(
    parseHeaderList(acceptEncoding).map((element) => [
      // `x-gzip` is the same as `gzip`.
      element.text.toLowerCase().replace(/^x-/, ''),
      // An invalid weight counts as a refusal, because every client understands the body as it is.
      weightOf(element, 0),
    ]),
  );
  const weight = weights.get(coding) ?? weights.get('*') ?? 0;
  return weight > 0 && weight >= (weights.get('identity') ?? 0);
}

export function gzip(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: LEVEL });
}

/**
 * Compresses outside of the event loop, and only as fast as the caller reads the result. One compressed
 * piece can need many pieces. The caller cannot end the loop in between, but `left` can.
 */
export async function* gzipPieces(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  left?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const compressor = createGzip({ level: LEVEL, chunkSize: PIECE_BYTES });
  // An error on either side destroys both streams, and ends the loop below with that error.
  pipeline(Readable.from(inTurns(pieces, left)), compressor, () => {});
  for await (const piece of compressor) yield piece;
}

/**
 * Yields one piece in each turn of the event loop: a stream reads several at its beginning. Ends when
 * `left` aborts.
 */
export async function* inTurns(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  left?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    if (left?.aborted) return;
    yield piece;
    await nextTurn();
  }
}

/**
 * Up to this size, compressing in the event loop is cheaper than leaving it: it takes at most 300
 * µs.
 */
export const GZIP_AT_ONCE_BYTES_MAX = 64 * 1024;

/** The size of the pieces that the compressor returns. */
const PIECE_BYTES = 64 * 1024;

/** Takes half the time of the default level 6, and makes bodies a fifth larger. */
const LEVEL = 3;

/** Produces the pieces when the first reader needs them, and keeps them for later readers. */
export function keepPieces(
  make: () => AsyncIterator<Uint8Array>,
): () => AsyncGenerator<Uint8Array, void, undefined> {
  const made: Promise<IteratorResult<Uint8Array>>[] = [];
  let source: AsyncIterator<Uint8Array> | undefined;
  return async function* () {
    source ??= make();
    for (let i = 0; ; i++) {
      made[i] ??= source.next();
      const { done, value } = await made[i]!;
      if (done) return;
      yield value;
    }
  };
}
