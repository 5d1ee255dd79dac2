/** The download of the whole current edition in the form of the national release. */
import { hash } from 'node:crypto';
import type { Download } from '../../fhir/service/download.ts';
import { FhirError } from '../../fhir/service/fhir-error.ts';
import { createPieceLimit, keepGzip } from '../answer/downloads.ts';
import type { RenderedEdition } from '../answer/rendered-edition.ts';
import { RELATIONS_UNKNOWN_TEXT } from '../edition/require-relations.ts';
import { exportMatches, findMatches } from './export-matches.ts';
import { releaseXmlFormat } from './release-xml.ts';

/** `current` throws if there is no edition. */
export function currentReleaseDownload(url: string, current: () => RenderedEdition): Download {
  const gzipOf = keepGzip(piecesOf);
  const limit = createPieceLimit('the whole edition');
  return {
    url,
    name: 'currentRelease',
    type: 'Organization',
    documentation:
      'All records of the current edition with their relationships, in the form of the national ' +
      'release. The answer is 404 if the edition has no relationship data.',
    contentType: 'application/xml',
    open: () => {
      const rendered = current();
      const { number, publishedAt, hasRelations } = rendered.edition;
      if (!hasRelations) throw NO_RELEASE;
      return {
        etag: `W/"${hash('sha1', `${number} ${publishedAt}`).slice(0, 16)}-release"`,
        lastModified: rendered.publishedDate,
        pieces: (isGzip, addressOf) =>
          limit(isGzip ? gzipOf(rendered) : piecesOf(rendered), addressOf),
      };
    },
  };
}

/** A release without relationships would look as if there were none. */
const NO_RELEASE = new FhirError([{ kind: 'unknown-path', diagnostics: RELATIONS_UNKNOWN_TEXT }]);

function piecesOf(rendered: RenderedEdition): Iterable<Uint8Array> {
  const matches = findMatches(rendered.edition, { criteria: [] }, true);
  // The file states all relationships with their dates, so it is the same on every day.
  const day = rendered.edition.publishedAt.slice(0, 10);
  return exportMatches(rendered, matches, releaseXmlFormat, undefined, day);
}
