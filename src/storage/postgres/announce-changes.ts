/** Announces to waiting readers what other servers of the database have written. */
import type { CommitSignal } from '../threads/commit-signal.ts';

/** A reader learns of a change within about this time. */
export const LOOK_FOR_CHANGES_MS = 250;

/**
 * Returns a function to call every `LOOK_FOR_CHANGES_MS`. While a reader waits, it asks for the
 * newest version that pages of changes can have, and announces each new one. A version of this
 * server is announced too: while an older transaction ran, its first announcement came too early.
 */
export function createChangeLook(
  signal: CommitSignal,
  newestPosition: () => Promise<string>,
): () => Promise<void> {
  let last: string | undefined;
  let isLooking = false;
  return async () => {
    if (!signal.isAwaited) last = undefined;
    if (!signal.isAwaited || isLooking) return;
    isLooking = true;
    try {
      const newest = await newestPosition();
      if (newest !== last) signal.announce();
      last = newest;
    } finally {
      isLooking = false;
    }
  };
}
