/**
 * Loads each edition that becomes current, and hands it to the server threads. Logs what is wrong
 * with the stored editions: damaged rows, a disk or a database that fails.
 */

import { SOFTWARE } from '../../../config/version.ts';
import type { NamedArrays } from '../../../directory/arrays/arrays.ts';
import { buildPlacesInThread } from '../../../directory/edition/build-places.ts';
import { EditionFormatError, LINKS_UNKNOWN_TEXT } from '../../../directory/edition/edition.ts';
import type { EditionInfo, EditionReader } from '../../../directory/edition/edition-store.ts';
import { restoredFrom } from '../../../directory/edition/restored-edition.ts';
import type { StoredPostcodes } from '../../../directory/places/stored-postcodes.ts';
import type { StoredPractitioners } from '../../../directory/practitioners/stored-practitioners.ts';
import type { DirectorySettings } from '../../../interfaces/answer/settings.ts';
import { describeError, type Log } from '../../../server/monitoring/log.ts';
import type { LogDetails } from '../../../server/monitoring/log-fields.ts';
import type { Threads } from '../../../server/threads.ts';
import { shareArrays } from '../../../storage/editions/shared-arrays.ts';
import type { StorageError } from '../../../storage/files/storage-error.ts';
import { FilesMaker, type WantedFile } from '../threads/files-maker.ts';
import type { EditionsUpdate, ThreadUpdate } from '../threads/serve-thread-data.ts';
import { EditionMemory } from './edition-memory.ts';

export interface EditionWatchOptions {
  readonly store: EditionReader;
  readonly settings: Pick<DirectorySettings, 'graceMinutes' | 'editionsInMemory'>;
  readonly threads: Pick<Threads<ThreadUpdate>, 'update'>;
  /** The data folder as the setting names it. */
  readonly data: string;
  /** The folder of the files for analysis and the one of the release. */
  readonly filesFolder: string;
  /** Absent if the editions are in the data folder. */
  readonly database?: { readonly isAway: () => boolean };
  readonly log: Log;
  /** Called each time the threads get another edition. */
  readonly onServed?: () => void;
}

/** An edition that could not be loaded is not read again at once: it is large. */
const RETRY_MS = 30_000;

export class EditionWatch {
  readonly #options: EditionWatchOptions;
  readonly #memory: EditionMemory;
  readonly #files: FilesMaker;
  #served: EditionInfo | undefined;
  /** The edition that should be served. */
  #latest: EditionInfo | undefined;
  /** The last edition that this program cannot open. The format of an edition never changes. */
  #unreadable: { readonly number: number; readonly problem: string } | undefined;
  #newestNumber = 0;
  #hasWarned = false;
  #lastProblem = '';
  #retry: NodeJS.Timeout | undefined;
  #endWatch = (): void => {};
  /** Numbers that another server may know. */
  readonly #sought = new Set<number>();
  #isSeeking = false;

  constructor(options: EditionWatchOptions) {
    const { store, settings, threads, filesFolder: folder, log } = options;
    this.#options = options;
    const { update: answer } = threads;
    const files = new FilesMaker({ folder, programVersion: SOFTWARE.version, answer, log });
    this.#files = files;
    const onChange = (update: EditionsUpdate): void => {
      files.take(update.current, update.postcodes);
      threads.update(update);
    };
    this.#memory = new EditionMemory({ store, settings, placesOf, onChange, log });
  }

  /** The edition that the threads were given last. */
  get served(): EditionInfo | undefined {
    return this.#served;
  }

  /** Why no edition is served although there is one, and what to do. */
  get problem(): string | undefined {
    return this.#served === undefined ? this.#unreadable?.problem : undefined;
  }

  /**
   * Serves the current edition, and then every edition that replaces it. Rejects if the
   * current one cannot be loaded, unless another version of the program made it: the server then
   * waits for the next edition.
   */
  async start(): Promise<void> {
    const { store, data, database, log } = this.#options;
    const edition = await store.current();
    if (edition !== undefined) {
      this.#latest = edition;
      await this.#serve(edition).catch((error) => this.#noteUnreadable(edition, error));
    } else if (database?.isAway() !== true) {
      this.#hasWarned = true;
      const place = database === undefined ? `--data ${data}` : '--database-url URL';
      log.report(
        'GZ201',
        { data },
        `there is no edition yet: run "gazetteer import FILE ${place}", and the server loads it`,
      );
    }
    this.#endWatch = store.watch(
      (newest) => void this.#follow(newest),
      (error) => this.#report(error),
    );
  }

  /** Requests an edition that is not in memory: a replaced one, or one of another server. */
  want(number: number): void {
    if (this.#memory.want(number)) return;
    this.#sought.add(number);
    if (!this.#isSeeking) void this.#lookForSought();
  }

  /** Gives the threads these postcodes, with the places that they give the editions in memory. */
  takePostcodes(stored: StoredPostcodes): Promise<void> {
    return this.#memory.takePostcodes(stored);
  }

  /** Gives the threads these practitioners. */
  takePractitioners(stored: StoredPractitioners): Promise<void> {
    return this.#memory.takePractitioners(stored);
  }

  /** Makes a file of the edition. The threads get the answer. */
  wantFile(wanted: WantedFile): void {
    void this.#files.want(wanted);
  }

  stop(): void {
    this.#endWatch();
    this.#files.stop();
    this.#latest = undefined;
    clearTimeout(this.#retry);
    this.#memory.stop();
  }

  /** While the store is unavailable, no number is known to be wrong. Requests then end after their wait. */
  async #lookForSought(): Promise<void> {
    const { store, threads, database } = this.#options;
    this.#isSeeking = true;
    while (this.#sought.size > 0) {
      // A number that is added from now on may be of an edition that this query does not see.
      const sought = new Set(this.#sought);
      this.#sought.clear();
      try {
        const current = await store.current();
        if (current !== undefined && sought.has(current.number)) await this.#follow(current);
        await this.#memory.lookForReplaced();
        for (const number of sought) {
          if (number === this.#served?.number || this.#memory.want(number)) continue;
          if (database?.isAway() !== true) threads.update({ kind: 'edition-unknown', number });
        }
      } catch (error) {
        this.#report(error);
      }
    }
    this.#isSeeking = false;
  }

  /** Serves an edition that became current. Where that fails, it tries again later. */
  async #follow(edition: EditionInfo): Promise<void> {
    clearTimeout(this.#retry);
    this.#latest = edition;
    if (edition.number === this.#unreadable?.number) return;
    try {
      await this.#serve(edition).catch((error) => this.#noteUnreadable(edition, error));
    } catch (error) {
      // Another edition is served, or none is because the server stops.
      if (this.#latest !== edition) return;
      this.#report(error);
      this.#retry = setTimeout(() => void this.#follow(edition), RETRY_MS);
    }
  }

  /** The edition that was served before, if there is one, stays. Throws any other error. */
  #noteUnreadable(edition: EditionInfo, error: unknown): void {
    if (!(error instanceof EditionFormatError)) throw error;
    if (this.#latest !== edition) return;
    const { number } = edition;
    const problem = error.message;
    this.#unreadable = { number, problem };
    this.#options.log.report('GZ202', { edition: number, problem });
    if (this.#served === undefined) {
      this.#options.threads.update({ kind: 'edition-problem', problem });
    }
  }

  async #serve(edition: EditionInfo): Promise<void> {
    const { number, publishedAt, records, publicationDate } = edition;
    const startMs = performance.now();
    await this.#memory.serve({ number, publishedAt });
    if (number === this.#served?.number) return;
    const isNewest = number > this.#newestNumber;
    const isFirst = this.#served === undefined && !this.#hasWarned;
    const isRollback = !isNewest || restoredFrom(edition) !== undefined;
    const reason = isFirst ? 'start' : isRollback ? 'rollback' : 'import';
    this.#served = edition;
    this.#unreadable = undefined;
    this.#newestNumber = Math.max(this.#newestNumber, number);
    this.#lastProblem = '';
    const ms = Math.round(performance.now() - startMs);
    this.#options.log.info(
      { edition: number, reason, publicationDate, records, ms },
      'serving edition',
    );
    this.#options.onServed?.();
    if (!(await this.#options.store.knowsLinks(number))) {
      this.#options.log.report('GZ206', { edition: number }, LINKS_UNKNOWN_TEXT);
    }
  }

  /** Logs each problem once until an edition is served. */
  #report(error: unknown): void {
    if (String(error) === this.#lastProblem) return;
    this.#lastProblem = String(error);
    this.#options.log.report('GZ203', { err: describeError(error) });
  }
}

/**
 * Checks at once and then every minute, and logs each finding once. Returns a function that
 * stops the checks.
 */
export function logEditionFindings(store: Pick<EditionReader, 'findings'>, log: Log): () => void {
  const logged = new Set<string>();
  const report = (finding: string, details: LogDetails) => {
    if (logged.has(finding)) return;
    logged.add(finding);
    log.report('GZ205', details);
  };
  const look = async () => {
    try {
      for (const finding of await store.findings()) report(finding, { finding });
    } catch (error) {
      report(String(error), { err: describeError(error) });
    }
  };
  void look();
  const timer = setInterval(() => void look(), LOOK_MS);
  return () => clearInterval(timer);
}

/** A check reads every row, which takes a few milliseconds. */
const LOOK_MS = 60_000;

export interface StoreProblems {
  /** Why the database cannot be reached; undefined if it can be, or if there is none. */
  readonly current: string | undefined;
  report(reason: StorageError | undefined): void;
}

/** Logs a line when the reason changes. */
export function followStoreProblems(log: Log, hasDatabase: boolean): StoreProblems {
  let known: string | undefined;
  return {
    get current() {
      return hasDatabase ? known : undefined;
    },
    report: (reason) => {
      if (reason?.message === known) return;
      known = reason?.message;
      if (known === undefined) log.info({}, 'the database can be reached again');
      else log.report(hasDatabase ? 'GZ211' : 'GZ210', { problem: known });
    },
  };
}

/**
 * If the thread dies, for example because memory is short, there are no arrays: each server thread then
 * builds its own when a search needs them.
 */
async function placesOf(arrays: NamedArrays, stored: StoredPostcodes): Promise<NamedArrays> {
  const places = await buildPlacesInThread(arrays, stored).catch(() => ({}));
  return shareArrays(places);
}
