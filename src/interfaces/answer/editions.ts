/** The editions that a thread can read now, and the errors of requests for those that it cannot. */

import type { NamedArrays } from '../../directory/arrays/arrays.ts';
import type { StoredTable } from '../../directory/arrays/stored-table.ts';
import {
  type Edition,
  type EditionIdentity,
  openEdition,
} from '../../directory/edition/edition.ts';
import type { PostcodeFile } from '../../directory/places/postcodes.ts';
import { openPostcodes, type StoredPostcodes } from '../../directory/places/stored-postcodes.ts';
import type { Practitioners } from '../../directory/practitioners/practitioners.ts';
import {
  openPractitioners,
  type StoredPractitioners,
} from '../../directory/practitioners/stored-practitioners.ts';
import { FhirError, RepeatableError } from '../../fhir/request/fhir-error.ts';
import { createLongAnswers, type LongAnswerSettings, type LongAnswers } from './long-answers.ts';
import { withKeptRows } from './result-cache.ts';

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
  /** The long answers of the thread, which keeps some of them as long as their edition. */
  readonly longAnswers?: LongAnswers | undefined;
}

/** The limits of a thread that has no settings. */
const DEFAULT_LIMITS: LongAnswerSettings = {
  places: { inAll: 16, ofKind: 12, ofClient: 8 },
  waitMs: 5000,
  keptBytesMax: 32 * 1024 ** 2,
};

/** The long answers that are made of these editions: those of the thread. */
export function longAnswersOf(editions: Editions): LongAnswers {
  if (editions.longAnswers !== undefined) return editions.longAnswers;
  let answers = withoutSettings.get(editions);
  if (answers === undefined) {
    answers = createLongAnswers(DEFAULT_LIMITS);
    withoutSettings.set(editions, answers);
  }
  return answers;
}

const withoutSettings = new WeakMap<Editions, LongAnswers>();

/** Throws if there is no edition that can be read. */
export function currentOf(editions: Editions): Edition {
  const edition = editions.current();
  if (edition !== undefined) return edition;
  const problem = editions.problem?.();
  throw problem === undefined ? NO_EDITION_YET : noReadableEdition(problem);
}

/**
 * The edition with this number, or the current one. Throws if it cannot be read, or is not yet in memory.
 * `parameters` are those by which the interface selects a page of an edition.
 */
export function numberedOf(
  editions: Editions,
  number: number | undefined,
  parameters: string,
): Edition {
  if (number === undefined) return currentOf(editions);
  const edition = editions.byNumber(number);
  if (edition === undefined) throw editionGone(number, currentOf(editions), parameters);
  if (edition !== 'on disk') return edition;
  const error = editionOnDisk(number);
  const ready = editions.whenRead?.(number);
  throw ready === undefined ? error : new RepeatableError(error, ready);
}

const SOON = ['Retry-After', '5'];

const NO_EDITION_YET = noEdition(
  'The directory has no edition yet. Import one with "gazetteer import FILE".',
);

function noReadableEdition(problem: string): FhirError {
  return noEdition(`The directory has no edition that this server can read. ${problem}`);
}

/** `problem` ends with what to do. */
function noEdition(problem: string): FhirError {
  return FhirError.of('unavailable', `${problem} The server then loads it.`, { headers: SOON });
}

function editionGone(number: number, newest: Edition, parameters: string): FhirError {
  const what =
    number >= 1 && number <= newest.number
      ? `Edition ${number} of the directory is no longer kept.`
      : `The directory has no edition with this number: the newest is ${newest.number}.`;
  const diagnostics = `${what} Repeat the search without ${parameters}.`;
  return FhirError.of('gone', diagnostics, { location: 'http._edition' });
}

function editionOnDisk(number: number): FhirError {
  const diagnostics = `Edition ${number} of the directory is being read from the disk. Repeat the request.`;
  return FhirError.of('unavailable', diagnostics, { location: 'http._edition', headers: SOON });
}

export interface EditionInMemory extends EditionIdentity {
  readonly arrays: NamedArrays;
}

/** The editions that can be read at the same time. */
export interface ReadableEditions {
  readonly current: EditionInMemory;
  /** Replaced editions in their grace period. */
  readonly replaced: readonly EditionInMemory[];
  /**
   * The numbers of replaced editions in their grace period that the server must read from the
   * disk first.
   */
  readonly onDisk: readonly number[];
  /** The arrays of the editions have the places that these give. Absent if none were imported. */
  readonly postcodes?: StoredPostcodes | undefined;
  /** Absent if none were imported. */
  readonly practitioners?: StoredPractitioners | undefined;
}

export interface LoadedEditions extends Editions {
  /**
   * Applies an update between two requests, and releases the editions that it does not contain. With
   * other postcodes or practitioners, all editions are opened again, so that nothing that was kept of them is used.
   */
  take(readable: ReadableEditions): void;
  /** Notes why the current edition cannot be opened, until the next update. */
  reportProblem(problem: string): void;
  /** Ends the waits for an edition, because the store has no edition with this number. */
  reportUnknown(number: number): void;
}

export interface LoadedEditionsOptions {
  /** Called when an edition is released. */
  readonly onDrop?: (edition: Edition) => void;
  /**
   * Called, at most once between two updates, when a request needs an edition that is only on
   * disk, or that can be newer than those of the last update.
   */
  readonly onWanted?: (number: number) => void;
  /**
   * How long a request waits for such an edition. 0, the default: it does not wait, and no edition
   * is newer.
   */
  readonly waitMs?: number;
  readonly longAnswers?: LongAnswers;
}

/** A link cannot be further ahead of this server. */
const NEWER_MAX = 100;

export function createLoadedEditions({
  onDrop = () => {},
  onWanted = () => {},
  waitMs = 0,
  longAnswers,
}: LoadedEditionsOptions = {}): LoadedEditions {
  let newest: Edition | undefined;
  let problem: string | undefined;
  let inMemory = new Map<number, Edition>();
  let onDisk: ReadonlySet<number> = new Set();
  const wanted = new Set<number>();
  const unknown = new Set<number>();
  const waiting = createWaiting(waitMs);
  let postcodes: PostcodeFile | undefined;
  let practitioners: Practitioners | undefined;

  /** Whether another server can have answered with this edition before this one knows it. */
  const mayBeNewer = (number: number) =>
    waitMs > 0 && isSomewhatNewer(number, newest) && !unknown.has(number);
  const isAwaited = (number: number) =>
    !inMemory.has(number) && (onDisk.has(number) || mayBeNewer(number));

  return {
    current: () => newest,
    longAnswers,
    problem: () => problem,
    reportProblem: (reported) => {
      problem = reported;
    },
    byNumber: (number) => {
      const edition = inMemory.get(number);
      if (edition !== undefined || !isAwaited(number)) return edition;
      if (!wanted.has(number)) onWanted(number);
      wanted.add(number);
      return 'on disk';
    },
    whenRead: (number) => (waitMs === 0 ? undefined : waiting.wait(number)),
    reportUnknown: (number) => {
      wanted.delete(number);
      unknown.add(number);
      waiting.wake(isAwaited);
      // The requests run again before this. A later one asks again: the edition may exist then.
      setImmediate(() => unknown.delete(number));
    },
    take: (readable) => {
      const before = inMemory;
      const places = reopened(postcodes, readable.postcodes, openPostcodes);
      const people = reopened(practitioners, readable.practitioners, openPractitioners);
      const isOther = places !== postcodes || people !== practitioners;
      [postcodes, practitioners] = [places, people];
      inMemory = new Map(
        [readable.current, ...readable.replaced].map(({ number, publishedAt, arrays }) => {
          const known = isOther ? undefined : before.get(number);
          const open = () => openEdition({ number, publishedAt }, arrays, postcodes, practitioners);
          return [number, known ?? withKeptRows(open())];
        }),
      );
      newest = inMemory.get(readable.current.number);
      onDisk = new Set(readable.onDisk);
      problem = undefined;
      wanted.clear();
      waiting.wake(isAwaited);
      longAnswers?.kept.retain(new Set(inMemory.values()));
      for (const [number, edition] of before) if (!inMemory.has(number)) onDrop(edition);
    },
  };
}

function isSomewhatNewer(number: number, newest: Edition | undefined): boolean {
  return newest !== undefined && number > newest.number && number <= newest.number + NEWER_MAX;
}

/** The open table, or the stored one if it has another version. */
function reopened<Open extends { readonly version: string }, Stored extends StoredTable>(
  known: Open | undefined,
  stored: Stored | undefined,
  open: (stored: Stored) => Open,
): Open | undefined {
  if (stored?.about.version === known?.version) return known;
  return stored && open(stored);
}

/** The requests that wait for an edition. */
function createWaiting(waitMs: number) {
  let waiting: { readonly number: number; readonly wake: () => void }[] = [];
  return {
    wait: (number: number) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          waiting = waiting.filter((each) => each.wake !== wake);
          resolve();
        };
        const timer = setTimeout(wake, waitMs);
        waiting.push({ number, wake });
      }),
    /** Ends the waits for editions that are no longer awaited. */
    wake: (isAwaited: (number: number) => boolean) => {
      for (const { number, wake } of waiting) if (!isAwaited(number)) wake();
    },
  };
}
