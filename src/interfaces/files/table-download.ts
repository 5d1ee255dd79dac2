/** The downloads of the current edition as files for analysis. */
import type { EditionIdentity } from '../../directory/edition/edition.ts';
import { FhirError, RepeatableError } from '../../fhir/request/fhir-error.ts';
import type { Download, OpenDownload } from '../../fhir/service/interaction.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import type { RenderedEdition } from '../faces/rendered-edition.ts';
import type { EditionFiles } from './edition-files.ts';
import { answerMadeFile, type MadeFile, openMadeFile } from './made-file.ts';
import { NO_LINKS } from './release-download.ts';
import { TABLE_FORM_NAMES, TABLE_FORMS } from './tables/table-forms.ts';

/** `url` is the address without the ends of the names. `current` throws if there is no edition. */
export function currentTablesDownloads(
  url: string,
  current: () => RenderedEdition,
  files: EditionFiles,
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
    const open = (): OpenDownload => {
      let file: MadeFile | undefined;
      const { edition, fingerprint, publishedDate } = current();
      if (!edition.hasLinks) throw NO_LINKS;
      return {
        etag: `W/"${fingerprint.slice(0, 16)}-${form}"`,
        lastModified: publishedDate,
        pieces: async (...asked) => {
          const path = files.pathOf(edition, form);
          if (typeof path !== 'string') throw new RepeatableError(UNAVAILABLE, path);
          const opened = openMadeFile(path);
          if (opened === undefined) throw new RepeatableError(UNAVAILABLE, whenMadeAgain(edition));
          file = opened;
          const answer = { kind: 'the files for analysis', make: () => opened.pieces() };
          return answerMadeFile(opened, answer, longAnswers, asked);
        },
        release: (piece) => file?.release(piece),
      };
    };
    return { ...texts, url: url + ending, type: 'Organization', open };
  });
}

const UNAVAILABLE = FhirError.of(
  'unavailable',
  'The file for analysis cannot be made now. Try again in a moment.',
  { headers: ['Retry-After', '30'] },
);
