/** The whole current edition as one document: an Organization in FHIR JSON on each line. */

import type { Document } from '../fhir/service.ts';
import { ByteWriter } from './byte-writer.ts';
import type { Edition } from './edition.ts';

/** `current` throws where there is no edition. */
export function currentEditionDocument(serverUrl: string, current: () => Edition): Document {
  return {
    url: `${serverUrl}/editions/current.ndjson`,
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
        pieces: () => linesOf(edition),
      };
    },
  };
}

/** What FHIR's bulk data export calls it; STU3 has no name. */
const CONTENT_TYPE = 'application/fhir+ndjson';

/** Holds on to the edition that it began with until it is done. */
function* linesOf(edition: Edition): Generator<Uint8Array, void, undefined> {
  const { index, fhirJson } = edition;
  const writer = new ByteWriter();
  for (let start = 0; start < index.count; start += ROWS_AT_ONCE) {
    const end = Math.min(start + ROWS_AT_ONCE, index.count);
    writer.start();
    for (let row = start; row < end; row++) {
      writer.template(fhirJson, row);
      writer.text('\n');
    }
    yield writer.finish();
  }
}

/** Some 64 KB: quick to make between two requests, and few enough writes. */
const ROWS_AT_ONCE = 32;
