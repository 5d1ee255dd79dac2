/** The editions that can be read now, and the errors of requests for those that cannot. */
import { FhirError, RepeatableError } from '../../fhir/service/fhir-error.ts';
import type { Edition } from './edition.ts';

export interface Editions {
  /** The newest, or undefined before the first import and while the server cannot open it. */
  current(): Edition | undefined;
  /** Why the server cannot open the newest edition, and what to do. */
  readonly problem?: () => string | undefined;
  /**
   * The current edition, or a replaced one in its grace period. `on disk` for a replaced
   * edition that is not in memory: the server then reads it, and a later request finds it.
   */
  byNumber(number: number): Edition | 'on disk' | undefined;
  /**
   * Resolves when the edition may be in memory, or after a while. Undefined if the server
   * does not wait.
   */
  readonly whenRead?: (number: number) => Promise<void> | undefined;
}

/** Throws if there is no edition that can be read. */
export function currentOf(editions: Editions): Edition {
  const edition = editions.current();
  if (edition !== undefined) return edition;
  const problem = editions.problem?.();
  throw problem === undefined ? NO_EDITION_YET : noReadableEdition(problem);
}

/**
 * The edition with this number, or the current one. Throws if it cannot be read, or is not yet in memory.
 * `pageParameter` is the parameter by which the interface selects a page.
 */
export function numberedOf(
  editions: Editions,
  number: number | undefined,
  pageParameter: string,
): Edition {
  if (number === undefined) return currentOf(editions);
  const edition = editions.byNumber(number);
  if (edition === undefined) throw editionGone(number, currentOf(editions), pageParameter);
  if (edition !== 'on disk') return edition;
  const error = editionOnDisk(number);
  const ready = editions.whenRead?.(number);
  throw ready === undefined ? error : new RepeatableError(error, ready);
}

const RETRY_AFTER_SECONDS = '5';

const NO_EDITION_YET = noEdition(
  'The directory has no edition yet. Import one with "gazetteer import FILE".',
);

function noReadableEdition(problem: string): FhirError {
  return noEdition(`The directory has no edition that this server can read. ${problem}`);
}

/** `problem` ends with what to do. */
function noEdition(problem: string): FhirError {
  return new FhirError(
    [{ kind: 'unavailable', diagnostics: `${problem} The server then loads it.` }],
    ['Retry-After', RETRY_AFTER_SECONDS],
  );
}

function editionGone(number: number, newest: Edition, pageParameter: string): FhirError {
  const what =
    number >= 1 && number <= newest.number
      ? `Edition ${number} of the directory is no longer kept.`
      : `The directory has no edition with this number: the newest is ${newest.number}.`;
  return new FhirError([
    {
      kind: 'gone',
      diagnostics: `${what} Repeat the search without _edition and ${pageParameter}.`,
      location: 'http._edition',
    },
  ]);
}

function editionOnDisk(number: number): FhirError {
  return new FhirError(
    [
      {
        kind: 'unavailable',
        diagnostics: `Edition ${number} of the directory is being read from the disk. Repeat the request.`,
        location: 'http._edition',
      },
    ],
    ['Retry-After', RETRY_AFTER_SECONDS],
  );
}
