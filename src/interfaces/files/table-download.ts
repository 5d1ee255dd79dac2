/** The downloads of the current edition as files for analysis. */
import { createReadStream, openSync } from 'node:fs';
import type { EditionIdentity } from '../../directory/edition/edition.ts';
import { FhirError, RepeatableError } from '../../fhir/request/fhir-error.ts';
import type { Download, OpenDownload } from '../../fhir/service/interaction.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import type { RenderedEdition } from '../faces/rendered-edition.ts';
import { NO_LINKS } from './downloads.ts';
import { TABLE_FORM_NAMES, TABLE_FORMS, type TableFiles } from './tables/table-forms.ts';

/** `url` is the address without the ends of the names. `current` throws if there is no edition. */
export function currentTablesDownloads(
  url: string,
  current: () => RenderedEdition,
  files: TableFiles,
  longAnswers: LongAnswers,
): Download[] {
  return TABLE_FORM_NAMES.map((form) => {
    const { ending, ...texts } = TABLE_FORMS[form];
    /** The main thread answers after its other messages, so this thread then knows which edition is current. */
    const whenMadeAgain = async (before: EditionIdentity) => {
      files.forget(form);
      await files.pathOf(before, form);
      const { edition } = current();
      if (edition.hasLinks) await files.pathOf(edition, form);
    };
    const open = () => {
      const { edition, fingerprint, publishedDate } = current();
      if (!edition.hasLinks) throw NO_LINKS;
      return {
        etag: `W/"${fingerprint.slice(0, 16)}-${form}"`,
        lastModified: publishedDate,
        pieces: async (...asked: Parameters<OpenDownload['pieces']>) => {
          const path = files.pathOf(edition, form);
          if (typeof path !== 'string') throw new RepeatableError(UNAVAILABLE, path);
          const fd = openFile(path);
          if (fd === undefined) throw new RepeatableError(UNAVAILABLE, whenMadeAgain(edition));
          const file = createReadStream(path, { fd });
          try {
            const answer = { kind: 'the files for analysis', make: () => file };
            const [, , left] = asked;
            left?.addEventListener('abort', () => file.destroy());
            return await longAnswers.pieces(answer)(...asked);
          } catch (error) {
            file.destroy();
            throw error;
          }
        },
      };
    };
    return { ...texts, url: url + ending, type: 'Organization', open };
  });
}

/** Opens it at once: it is removed when another edition becomes the current one. */
function openFile(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

const UNAVAILABLE = FhirError.of(
  'unavailable',
  'The file for analysis cannot be made now. Try again in a moment.',
  { headers: ['Retry-After', '30'] },
);
