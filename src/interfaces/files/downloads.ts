/** The download of all Organizations of the current edition. */
import type { Download } from '../../fhir/service/interaction.ts';
import { ByteWriter } from '../answer/byte-writer.ts';
import { keepGzip } from '../answer/downloads.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { exportMatches, findMatches } from '../faces/export-matches.ts';
import type { RenderedEdition } from '../faces/rendered-edition.ts';
import { ndjsonFormat } from './export-formats.ts';

/** An Organization in FHIR JSON on each line. `current` throws if there is no edition. */
export function currentEditionDownload(
  url: string,
  current: () => RenderedEdition,
  longAnswers: LongAnswers,
): Download {
  const gzipOf = keepGzip((rendered: RenderedEdition) => piecesOf(rendered));
  return {
    url,
    name: 'currentEdition',
    type: 'Organization',
    documentation:
      'All organisations of the current edition in the order of their codes, as FHIR JSON, ' +
      'one on each line.',
    // The media type of FHIR's bulk data export. Older FHIR versions have none.
    contentType: 'application/fhir+ndjson',
    open: () => {
      const rendered = current();
      let writer: ByteWriter | undefined;
      return {
        etag: `W/"${rendered.fingerprint.slice(0, 16)}-ndjson"`,
        lastModified: rendered.publishedDate,
        pieces: longAnswers.pieces({
          kind: 'the whole edition',
          make: () => {
            writer = new ByteWriter(SLABS);
            return piecesOf(rendered, writer);
          },
          gzip: () => gzipOf(rendered),
        }),
        // New memory for each slab would make the garbage collector busy.
        release: (piece) => writer?.release(piece),
      };
    },
  };
}

/** The pieces keep the edition that they began with in memory until they end. */
function piecesOf(
  rendered: RenderedEdition,
  writer?: ByteWriter,
): Generator<Buffer, void, undefined> {
  const matches = findMatches(rendered.edition, { criteria: [] }, false);
  // The file states all relationships with their dates, so it is the same on every day.
  const day = rendered.edition.publishedAt.slice(0, 10);
  return exportMatches(rendered, matches, ndjsonFormat, undefined, day, writer);
}

/** One is written while the pieces of the other are sent. */
const SLABS = 2;
