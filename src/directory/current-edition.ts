/** The download of the whole current edition: an Organization in FHIR JSON on each line. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Download } from '../fhir/download.ts';
import { FhirError } from '../fhir/fhir-error.ts';
import { gzipPieces } from '../fhir/gzip.ts';
import { keepPieces } from '../fhir/kept-pieces.ts';
import { ByteWriter } from './byte-writer.ts';
import type { RenderedEdition } from './rendered-edition.ts';

/** `current` throws if there is no edition. */
export function currentEditionDownload(url: string, current: () => RenderedEdition): Download {
  const zipped = new WeakMap<RenderedEdition, () => AsyncIterable<Uint8Array>>();
  const gzipOf = (edition: RenderedEdition): AsyncIterable<Uint8Array> => {
    const known = zipped.get(edition);
    if (known !== undefined) return known();
    const kept = keepPieces(() => gzipPieces(linesOf(edition)));
    zipped.set(edition, kept);
    return kept();
  };
  let downloads = 0;
  const admit = (
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): AsyncIterable<Uint8Array> => {
    if (downloads === DOWNLOADS_MAX) throw TOO_MANY_DOWNLOADS;
    downloads += 1;
    return inTurns(pieces, () => {
      downloads -= 1;
    });
  };

  return {
    url,
    name: 'currentEdition',
    type: 'Organization',
    documentation:
      'All organisations of the current edition in the order of their codes, as FHIR JSON, ' +
      'one on each line.',
    contentType: CONTENT_TYPE,
    open: () => {
      const edition = current();
      return {
        etag: `W/"${edition.fingerprint.slice(0, 16)}-ndjson"`,
        lastModified: edition.publishedDate,
        pieces: (isGzip) => admit(isGzip ? gzipOf(edition) : linesOf(edition)),
      };
    },
  };
}

/** The media type of FHIR's bulk data export. Older FHIR versions have none. */
const CONTENT_TYPE = 'application/fhir+ndjson';

/**
 * The most downloads at a time in one thread. Each download sends a piece in every turn of the
 * event loop. This number of downloads delays a turn by some milliseconds.
 */
const DOWNLOADS_MAX = 4;

const TOO_MANY_DOWNLOADS = new FhirError(
  [
    {
      kind: 'unavailable',
      diagnostics: 'Too many clients are downloading the whole edition. Try again in a moment.',
    },
  ],
  ['Retry-After', '5'],
);

/**
 * Yields one piece in each turn of the event loop, so that a fast client does not block the
 * others. Calls `onEnd` once, at the end of the pieces or when the reader stops.
 */
function inTurns(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  onEnd: () => void,
): AsyncIterable<Uint8Array> {
  const iterator =
    Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  let hasEnded = false;
  const end = (): void => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  return {
    // Not a generator, because a generator that never started does not run its `finally`.
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        try {
          await nextTurn();
          const result = await iterator.next();
          if (result.done) end();
          return result;
        } catch (error) {
          end();
          throw error;
        }
      },
      return: async () => {
        end();
        await iterator.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}

/** Keeps the edition that it began with in memory until it ends. */
function* linesOf({
  edition: { index },
  standardJson,
}: RenderedEdition): Generator<Uint8Array, void, undefined> {
  const writer = new ByteWriter();
  for (let start = 0; start < index.count; start += ROWS_AT_ONCE) {
    const end = Math.min(start + ROWS_AT_ONCE, index.count);
    writer.start();
    for (let row = start; row < end; row++) {
      writer.template(standardJson, row);
      writer.text('\n');
    }
    yield writer.finish();
  }
}

/** About 64 KB: quick to make between two requests, and few enough writes. */
const ROWS_AT_ONCE = 32;
