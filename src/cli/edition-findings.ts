/** Logs what is wrong with the stored editions: damaged rows, a disk or a database that fails. */
import type { EditionReader } from '../directory/edition-store.ts';
import { describeError, type Log } from '../server/log.ts';
import type { StorageError } from '../storage/storage-error.ts';

/**
 * Checks at once and then every minute, and logs each finding once. Returns a function that
 * stops the checks.
 */
export function logEditionFindings(store: Pick<EditionReader, 'findings'>, log: Log): () => void {
  const logged = new Set<string>();
  const report = (finding: string, details: object) => {
    if (logged.has(finding)) return;
    logged.add(finding);
    log.error(details, 'the list of editions is damaged: the server does not use the damaged row');
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
      else log.error({ problem: known }, hasDatabase ? DATABASE_AWAY : DISK_UNWRITABLE);
    },
  };
}

const DISK_UNWRITABLE = 'the disk cannot be written: the server serves the stored directory';
const DATABASE_AWAY = 'the database cannot be reached: the server serves the editions that it has';
