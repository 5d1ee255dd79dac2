/** The downloads of the whole current edition: its Organizations, or its records as a release. */
import { hash } from 'node:crypto';
import { LINKS_UNKNOWN_TEXT } from '../../directory/edition/edition.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { Download } from '../../fhir/service/interaction.ts';
import { keepGzip } from '../answer/downloads.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { exportMatches, findMatches, type MakeExportFormat } from '../faces/export-matches.ts';
import type { RenderedEdition } from '../faces/rendered-edition.ts';
import { ndjsonFormat } from './export-formats.ts';
import { releaseXmlFormat } from './release-xml.ts';

/** An Organization in FHIR JSON on each line. `current` throws if there is no edition. */
export function currentEditionDownload(
  url: string,
  current: () => RenderedEdition,
  longAnswers: LongAnswers,
): Download {
  return {
    url,
    name: 'currentEdition',
    type: 'Organization',
    documentation:
      'All organisations of the current edition in the order of their codes, as FHIR JSON, ' +
      'one on each line.',
    // The media type of FHIR's bulk data export. Older FHIR versions have none.
    contentType: 'application/fhir+ndjson',
    open: openWhole(
      current,
      ({ fingerprint }) => `${fingerprint.slice(0, 16)}-ndjson`,
      ndjsonFormat,
      { hasReferences: false, longAnswers },
    ),
  };
}

/** The form of the national release. */
export function currentReleaseDownload(
  url: string,
  current: () => RenderedEdition,
  longAnswers: LongAnswers,
): Download {
  return {
    url,
    name: 'currentRelease',
    type: 'Organization',
    documentation:
      'All records of the current edition with their relationships, in the form of the national ' +
      'release. The answer is 404 if the edition has no relationship data.',
    contentType: 'application/xml',
    open: openWhole(
      current,
      ({ edition: { number, publishedAt, hasLinks } }) => {
        if (!hasLinks) throw NO_LINKS;
        return `${hash('sha1', `${number} ${publishedAt}`).slice(0, 16)}-release`;
      },
      releaseXmlFormat,
      { hasReferences: true, longAnswers },
    ),
  };
}

/** A file without relationships would look as if there were none. */
export const NO_LINKS = FhirError.of('unknown-path', LINKS_UNKNOWN_TEXT);

/** The pieces keep the edition that they began with in memory until they end. */
function openWhole(
  current: () => RenderedEdition,
  tagOf: (rendered: RenderedEdition) => string,
  makeFormat: MakeExportFormat,
  { hasReferences, longAnswers }: { hasReferences: boolean; longAnswers: LongAnswers },
): Download['open'] {
  const piecesOf = (rendered: RenderedEdition) => {
    const matches = findMatches(rendered.edition, { criteria: [] }, hasReferences);
    // The file states all relationships with their dates, so it is the same on every day.
    const day = rendered.edition.publishedAt.slice(0, 10);
    return exportMatches(rendered, matches, makeFormat, undefined, day);
  };
  const gzipOf = keepGzip(piecesOf);
  return () => {
    const rendered = current();
    return {
      etag: `W/"${tagOf(rendered)}"`,
      lastModified: rendered.publishedDate,
      pieces: longAnswers.pieces({
        kind: 'the whole edition',
        make: () => piecesOf(rendered),
        gzip: () => gzipOf(rendered),
      }),
    };
  };
}
