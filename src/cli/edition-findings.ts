/** Logs what is wrong with the stored editions: damaged rows, and a disk that cannot be written. */
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
    log.error(details, 'directory.db is damaged: the server does not use the damaged row');
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

/** Logs a line when the reason changes. */
export function createUnwritableLog(log: Log): (reason: StorageError) => void {
  let logged = '';
  return ({ message }) => {
    if (message === logged) return;
    logged = message;
    log.error(
      { problem: message },
      'the disk cannot be written: the server serves the stored directory',
    );
  };
}
