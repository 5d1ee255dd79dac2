/** Logs what is wrong with the stored editions: damaged rows, a disk or a database that fails. */
import type { EditionReader } from '../../directory/edition/edition-store.ts';
import { describeError, type Log } from '../../server/operations/log.ts';
import type { LogDetails } from '../../server/operations/log-fields.ts';
import type { StorageError } from '../../storage/storage-error.ts';

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
