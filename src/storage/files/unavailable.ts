/** The diagnostics for clients when order responses cannot be stored or read, by reason. */
import type { StorageErrorKind } from './storage-error.ts';

const REMEDY = 'Nothing was stored. Try again later, and tell the operator if this continues.';

export const UNAVAILABLE: Readonly<Record<StorageErrorKind, string>> = {
  full: `There is no space left on the disk of the order responses. ${REMEDY}`,
  'read-only': `The disk that keeps order responses is read-only. ${REMEDY}`,
  disk: `The disk that keeps order responses reports an error. ${REMEDY}`,
  unusable: `Order responses cannot be stored now. ${REMEDY}`,
  denied: `Order responses cannot be stored now. ${REMEDY}`,
  locked: `Another program or other writes have locked the order responses. ${REMEDY}`,
  damaged: `The database of order responses is damaged. ${REMEDY}`,
  'wrong-key': `The key of the audit log of order responses is missing or wrong. ${REMEDY}`,
  newer: `The database of order responses belongs to a newer version of the server. ${REMEDY}`,
  refused: `Order responses cannot be stored now. ${REMEDY}`,
  unreachable: `The database of order responses cannot be reached now. ${REMEDY}`,
  // After a failed sync, the commit may or may not be on the disk after a crash.
  unsynced:
    'The disk that keeps order responses reports an error. This request may or may not be ' +
    'stored. Check before you try again, and tell the operator.',
};

/** The storage thread died before it answered. */
export const UNKNOWN =
  'The store of order responses restarted. This request may or may not be stored. ' +
  'Check before you try again.';

/** The connection to the database was lost in a commit, and the database did not come back in time. */
export const OUTCOME_UNKNOWN =
  'The connection to the database of order responses was lost. This request may or may not be ' +
  'stored. Check before you try again.';

/** Another server of the database took over between a search and its audit entry. */
export const MOVED = `The database of order responses failed over to another server. ${REMEDY}`;

export const STARTING =
  'The store of order responses is starting. Nothing was stored. Try again in a moment.';
