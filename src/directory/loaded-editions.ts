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
  readonly onDrop?: () => void;
}

export function createLoadedEditions(
  settings: DirectorySettings,
  { surroundings = '', onDrop = () => {} }: LoadedEditionsOptions = {},
): LoadedEditions {
  let newest: Edition | undefined;
  const replaced = new Map<number, Edition>();
  const graceMs = settings.graceMinutes * 60_000;

  return {
    current: () => newest,
    byNumber: (number) => (newest?.number === number ? newest : replaced.get(number)),
    add: (identity, arrays) => {
      const previous = newest;
      newest = openEdition(identity, arrays, settings, surroundings);
      replaced.delete(identity.number);
      if (previous === undefined || previous.number === identity.number) return;
      replaced.set(previous.number, previous);
      setTimeout(() => {
        // A rollback may have made it the newest again, or replaced it anew.
        if (replaced.get(previous.number) === previous) replaced.delete(previous.number);
        onDrop();
      }, graceMs).unref();
    },
  };
}
