/** The content of a file that an administrator may change while the server runs. */
import { readFileSync, statSync } from 'node:fs';
import { systemReason } from '../fhir/request/system-reason.ts';
import { AuthError, messageOf } from './settings.ts';

export interface WatchOptions {
  readonly now: () => number;
  /** Receives one line if the changed file cannot be used. */
  readonly onProblem: (problem: string) => void;
}

export interface WatchedFile<T> {
  /** The content. Reads the file again first if it has changed, at most once a second. */
  current(): T;
  /** Reads the file again if it has changed. */
  reload(): void;
}

/**
 * `read` makes the content from the file, or throws. At the start, its error is thrown. Later, the
 * known content stays.
 */
export function watchFile<T>(
  file: string,
  read: (file: string) => T,
  { now, onProblem }: WatchOptions,
): WatchedFile<T> {
  let stamp = stampOf(file);
  let content = read(file);
  let checkedAt = now();
  const reload = (): void => {
    checkedAt = now();
    const found = stampOf(file);
    if (found === stamp) return;
    stamp = found;
    try {
      content = read(file);
    } catch (error) {
      onProblem(`${messageOf(error)} The server keeps the keys that it has.`);
    }
  };
  return {
    current: () => {
      if (now() - checkedAt >= CHECK_EVERY_MS) reload();
      return content;
    },
    reload,
  };
}

/** Throws an `AuthError` if the file cannot be read. */
export function textOfFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AuthError(
      `Cannot read ${file}: ${systemReason(error)}. Check the path and the permissions.`,
    );
  }
}

/** A text that changes with the content of the file; empty while there is no file. */
function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** The shortest time between two checks of the file. */
const CHECK_EVERY_MS = 1000;
