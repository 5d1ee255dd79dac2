/** The download of the current edition in the form of the national release. */
import { hash } from 'node:crypto';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Edition, LINKS_UNKNOWN_TEXT } from '../../directory/edition/edition.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { Download } from '../../fhir/service/interaction.ts';
import type { LongAnswer, LongAnswers } from '../answer/long-answers.ts';
import type { RenderedEdition } from '../faces/rendered-edition.ts';
import type { EditionFiles } from './edition-files.ts';
import { answerMadeFile, type MadeFile, openMadeFile } from './made-file.ts';
import { releasePieces } from './release-xml.ts';

/**
 * `current` throws if there is no edition. The gzip form is a file that is made once. A client that
 * takes no gzip gets it unpacked, which costs less than to keep a file of ten times the size.
 */
export function currentReleaseDownload(
  url: string,
  current: () => RenderedEdition,
  longAnswers: LongAnswers,
  files: EditionFiles | undefined,
): Download {
  return {
    url,
    name: 'currentRelease',
    type: 'Organization',
    documentation:
      'All records of the current edition with their relationships, in the form of the national ' +
      'release. The answer is 404 if the edition has no relationship data.',
    contentType: 'application/xml',
    open: () => {
      let sent: MadeFile | undefined;
      const { edition, publishedDate } = current();
      if (!edition.hasLinks) throw NO_LINKS;
      const { number, publishedAt } = edition;
      return {
        etag: `W/"${hash('sha1', `${number} ${publishedAt}`).slice(0, 16)}-release"`,
        lastModified: publishedDate,
        pieces: async (...asked) => {
          const file = files && (await openRelease(files, edition));
          if (file === undefined) return longAnswers.pieces(writtenAnswer(edition))(...asked);
          sent = file;
          const make = () =>
            pipeline(file.pieces(), createGunzip({ chunkSize: PIECE_BYTES }), () => {});
          const answer = { kind: KIND, make, gzip: () => file.pieces() };
          return answerMadeFile(file, answer, longAnswers, asked);
        },
        // Only of the gzip: the unpacked pieces are not the memory of the file.
        release: (piece) => sent?.release(piece),
      };
    },
  };
}

const KIND = 'the whole edition';

const PIECE_BYTES = 64 * 1024;

/** A file without relationships would look as if there were none. */
export const NO_LINKS = FhirError.of('unknown-path', LINKS_UNKNOWN_TEXT);

/** Undefined if it cannot be made now. */
async function openRelease(files: EditionFiles, edition: Edition) {
  for (let step = 0; step < STEPS_MAX; step++) {
    const path = files.pathOf(edition, 'release');
    if (typeof path !== 'string') {
      await path;
      continue;
    }
    const file = openMadeFile(path);
    if (file !== undefined) return file;
    files.forget('release');
  }
  return undefined;
}

/** It waits for the file, finds that somebody has removed it, waits for a new one, and opens it. */
const STEPS_MAX = 4;

/** Without a file: on a full disk, and for a client that the edition changes under. */
function writtenAnswer(edition: Edition): LongAnswer {
  const rows = () => Array.from({ length: edition.links.rowCount }, (_, row) => row);
  return { kind: KIND, make: () => releasePieces(edition, rows()) };
}
