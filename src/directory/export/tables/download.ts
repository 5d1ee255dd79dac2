/** The downloads of the current edition as files for analysis. */
import { type FileHandle, open } from 'node:fs/promises';
import { gzipPieces } from '../../../fhir/http/gzip.ts';
import { FhirError } from '../../../fhir/service/fhir-error.ts';
import type { Download } from '../../../fhir/service/interaction.ts';
import { createPieceLimit } from '../../answer/downloads.ts';
import type { RenderedEdition } from '../../answer/rendered-edition.ts';
import { NO_RELATIONS } from '../downloads.ts';
import { TABLE_FORM_NAMES, TABLE_FORMS, type TableFiles } from './table-forms.ts';

/** `url` is the address without the ends of the names. `current` throws if there is no edition. */
export function currentTablesDownloads(
  url: string,
  current: () => RenderedEdition,
  files: TableFiles,
): Download[] {
  const limit = createPieceLimit('the files for analysis');
  return TABLE_FORM_NAMES.map((form) => {
    const { ending, ...texts } = TABLE_FORMS[form];
    return {
      ...texts,
      url: url + ending,
      type: 'Organization',
      open: () => {
        const { edition, fingerprint, publishedDate } = current();
        if (!edition.hasRelations) throw NO_RELATIONS;
        return {
          etag: `W/"${fingerprint.slice(0, 16)}-${form}"`,
          lastModified: publishedDate,
          pieces: async (isGzip, addressOf) => {
            const file = await openFile(await files.pathOf(edition, form));
            try {
              const pieces = file.createReadStream();
              const sent = limit(isGzip ? gzipPieces(pieces) : pieces, addressOf);
              return sent.once('close', () => void file.close());
            } catch (error) {
              await file.close();
              throw error;
            }
          },
        };
      },
    };
  });
}

/** The file is removed when another edition becomes the current one. */
async function openFile(path: string | undefined): Promise<FileHandle> {
  const file = path === undefined ? undefined : await open(path).catch(() => undefined);
  if (file === undefined) throw UNAVAILABLE;
  return file;
}

const UNAVAILABLE = new FhirError(
  [
    {
      kind: 'unavailable',
      diagnostics: 'The file for analysis cannot be made now. Try again in a moment.',
    },
  ],
  ['Retry-After', '30'],
);
