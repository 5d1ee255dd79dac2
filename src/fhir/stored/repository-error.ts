/** The error of a store that is unavailable, and what its message says of a write. */

/**
 * The store is unavailable: the disk is full or read-only, or the store is restarting. The message
 * is for the client of a write: it has the reason, and one of the sentences below.
 */
export class RepositoryError extends Error {
  override readonly name = 'RepositoryError';

  /** For the client of a read. */
  get messageOfRead(): string {
    return this.message
      .replace(`${NOTHING_STORED} `, '')
      .replace(`${NOTHING_STORED_OF_ENTRY} `, '')
      .replace(MAYBE_STORED, 'Try again');
  }
}

/** What became of a write. */
export const NOTHING_STORED = 'Nothing was stored.';
/** For an entry of a Bundle, where other entries may be stored. */
export const NOTHING_STORED_OF_ENTRY = 'Nothing was stored for this request.';
export const MAYBE_STORED = 'This request may or may not be stored. Check before you try again';
