/** The editions that a thread can read: the newest, and replaced ones during their grace period. */
import type { NamedArrays } from './arrays.ts';
import { type Edition, type EditionIdentity, openEdition } from './edition.ts';
import type { Editions } from './service.ts';
import type { DirectorySettings } from './settings.ts';

export interface LoadedEditions extends Editions {
  /** Makes it the newest between two requests. */
  add(identity: EditionIdentity, arrays: NamedArrays): void;
}

export interface LoadedEditionsOptions {
  /** As `openEdition` has them. */
  readonly surroundings?: string;
  /** Told when an edition has been let go. */
  readonly onDrop?: (edition: Edition) => void;
}

export function createLoadedEditions(
  settings: DirectorySettings,
  { surroundings = '', onDrop = () => {} }: LoadedEditionsOptions = {},
): LoadedEditions {
  let newest: Edition | undefined;
  const replaced = new Map<number, Replaced>();
  const graceMs = settings.graceMinutes * 60_000;

  const drop = (number: number): void => {
    const known = replaced.get(number);
    if (known === undefined) return;
    replaced.delete(number);
    clearTimeout(known.timer);
    onDrop(known.edition);
  };

  return {
    current: () => newest,
    byNumber: (number) => (newest?.number === number ? newest : replaced.get(number)?.edition),
    add: (identity, arrays) => {
      const previous = newest;
      newest = openEdition(identity, arrays, settings, surroundings);
      // A rollback has brought it back, in memory of its own.
      drop(identity.number);
      if (previous === undefined || previous.number === identity.number) return;
      const { number } = previous;
      const timer = setTimeout(() => drop(number), graceMs).unref();
      replaced.set(number, { edition: previous, timer });
    },
  };
}

interface Replaced {
  readonly edition: Edition;
  /** Drops it at the end of its grace period. */
  readonly timer: NodeJS.Timeout;
}
