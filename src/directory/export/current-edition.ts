/** The download of the whole current edition: an Organization in FHIR JSON on each line. */
import type { Download } from '../../fhir/service/download.ts';
import { ByteWriter } from '../answer/byte-writer.ts';
import { createPieceLimit, keepGzip } from '../answer/downloads.ts';
import type { RenderedEdition } from '../answer/rendered-edition.ts';

/** `current` throws if there is no edition. */
export function currentEditionDownload(url: string, current: () => RenderedEdition): Download {
  const gzipOf = keepGzip(linesOf);
  const limit = createPieceLimit('the whole edition');

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
        pieces: (isGzip, addressOf) =>
          limit(isGzip ? gzipOf(edition) : linesOf(edition), addressOf),
      };
    },
  };
}

/** The media type of FHIR's bulk data export. Older FHIR versions have none. */
const CONTENT_TYPE = 'application/fhir+ndjson';

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
