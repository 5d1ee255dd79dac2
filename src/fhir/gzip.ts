/** Bodies in gzip for clients that take it (RFC 9110, section 12.5.3). */
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { remembered } from './remembered.ts';

/** Whether gzip is welcome, and no less than the body as it is. */
export const acceptsGzip: (acceptEncoding: string) => boolean = remembered(prefersGzip);

export function gzip(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: LEVEL });
}

/** Compressed outside of the event loop, as fast as the result is taken. */
export async function* gzipPieces(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const compressor = createGzip({ level: LEVEL, chunkSize: PIECE_BYTES });
  // What goes wrong on either side destroys both, and ends the loop below with the error.
  pipeline(Readable.from(inTurns(pieces)), compressor, () => {});
  for await (const piece of compressor) yield piece;
}

/** A piece in each turn of the event loop: the stream takes several at its beginning. */
async function* inTurns(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}

/**
 * Up to this size compressing in the event loop is cheaper than leaving it: some 300 µs at the
 * most.
 */
export const GZIP_AT_ONCE_BYTES_MAX = 64 * 1024;

/** The size of the pieces that the compressor returns. */
const PIECE_BYTES = 64 * 1024;

/** Half the time of the usual level 6, for bodies that are a fifth larger. */
const LEVEL = 3;

function prefersGzip(acceptEncoding: string): boolean {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = q === undefined ? 1 : Number(q);
    // A weight that is none is taken for a refusal: the body as it is always does.
    if (coding !== '') weights.set(coding, Number.isNaN(weight) ? 0 : weight);
  }
  const asGzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return asGzip > 0 && asGzip >= (weights.get('identity') ?? 0);
}
