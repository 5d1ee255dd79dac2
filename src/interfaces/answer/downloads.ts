/** Answers in pieces: the maximum number at the same time, their rate, and the gzip form that is kept. */
import { Readable } from 'node:stream';
import { networkOf } from '../../fhir/http/client-network.ts';
import { gzipPieces, inTurns, keepPieces } from '../../fhir/http/gzip.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { OpenDownload } from '../../fhir/service/interaction.ts';

export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Creates a function that admits answers until there are too many, and then throws. It yields one
 * piece of each answer in each turn of the event loop, so that a fast client does not block the
 * others. It cuts an answer that its client reads too slowly. `what` is what clients download: `the
 * whole edition`.
 */
export function createPieceLimit(
  what: string,
  { inThread, ofClient } = DOWNLOADS_AT_ONCE,
): (pieces: Pieces, addressOf?: () => string) => Readable {
  const clients = new Map<Readable, string | undefined>();
  return (pieces, addressOf) => {
    if (clients.size >= inThread) throw busy(`Too many clients are downloading ${what}.`);
    const client = addressOf === undefined ? undefined : networkOf(addressOf());
    const own = [...clients.values()].filter((each) => each !== undefined && each === client);
    if (own.length >= ofClient) {
      throw busy(`Your network address is already downloading ${what} ${own.length} times.`);
    }
    const source = limitRate(pieces);
    clients.set(source, client);
    return source.once('close', () => clients.delete(source));
  };
}

function busy(reason: string): FhirError {
  const headers = ['Retry-After', '5'];
  return FhirError.of('unavailable', `${reason} Try again in a moment.`, { headers });
}

/** Yields the pieces, and stops if some wait and the reader has taken too few in a whole minute. */
function limitRate(pieces: Pieces): Readable {
  let bytes = 0;
  const counted = async function* () {
    for await (const piece of inTurns(pieces)) {
      bytes += piece.length;
      yield piece;
    }
  };
  const source = Readable.from(counted(), { objectMode: false });
  const everyMinute = setInterval(() => {
    if (bytes < BYTES_PER_MINUTE_MIN && source.readableLength > 0) source.destroy();
    bytes = 0;
  }, 60_000);
  everyMinute.unref();
  return source.once('close', () => clearInterval(everyMinute));
}

/**
 * The most downloads at a time in one thread, and those of one client, so that it cannot keep all
 * others from downloading. Each download sends a piece in every turn of the event loop. This number
 * delays a turn by a few milliseconds.
 */
const DOWNLOADS_AT_ONCE = { inThread: 4, ofClient: 2 };

/**
 * Creates a function that sends texts in pieces, as slowly as the client reads. An answer of more
 * than `smallMax` objects needs a place of the limit. `what` is what clients download.
 */
export function createTextLimit(
  what: string,
  smallMax: number,
  atOnce: typeof DOWNLOADS_AT_ONCE,
): (texts: Texts, count: number) => OpenDownload['pieces'] {
  const limit = createPieceLimit(what, atOnce);
  return (texts, count) => (isGzip, addressOf, left) => {
    const pieces = isGzip ? gzipPieces(textPieces(texts), left) : textPieces(texts);
    return count > smallMax ? limit(pieces, addressOf) : inTurns(pieces);
  };
}

export type Texts = Iterable<string> | AsyncIterable<string>;

/** Joins the texts to pieces that take a few milliseconds to make at most, apart from a slow text. */
async function* textPieces(texts: Texts): AsyncGenerator<Buffer, void, undefined> {
  let piece = '';
  let sliceEnd = performance.now() + SLICE_MS;
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH && performance.now() < sliceEnd) continue;
    yield Buffer.from(piece);
    piece = '';
    sliceEnd = performance.now() + SLICE_MS;
  }
  if (piece !== '') yield Buffer.from(piece);
}

const PIECE_LENGTH = 32 * 1024;
const SLICE_MS = 5;

/** 64 KiB each second. */
const BYTES_PER_MINUTE_MIN = 60 * 64 * 1024;

/** The gzip form of a download: made for the first reader, and kept with the object it was made from. */
export function keepGzip<T extends object>(
  piecesOf: (from: T) => Iterable<Uint8Array>,
): (from: T) => AsyncIterable<Uint8Array> {
  const kept = new WeakMap<T, () => AsyncIterable<Uint8Array>>();
  return (from) => {
    const known = kept.get(from) ?? keepPieces(() => gzipPieces(piecesOf(from)));
    kept.set(from, known);
    return known();
  };
}
