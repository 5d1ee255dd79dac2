/** What clients are told when order responses cannot be stored or read: by reason. */
import type { StorageErrorKind } from './storage-error.ts';

const REMEDY = 'Nothing was stored; try again later, and tell the operator if it stays so.';

export const UNAVAILABLE: Readonly<Record<StorageErrorKind, string>> = {
  full: `There is no space left where order responses are kept. ${REMEDY}`,
  'read-only': `The disk that keeps order responses is read-only. ${REMEDY}`,
  disk: `The disk that keeps order responses reports an error. ${REMEDY}`,
  unusable: `Order responses cannot be written at present. ${REMEDY}`,
  locked: `Another program keeps the order responses from being written. ${REMEDY}`,
  damaged: `The database of order responses is damaged. ${REMEDY}`,
  newer: `The database of order responses belongs to a newer version of the server. ${REMEDY}`,
  refused: `Order responses cannot be written at present. ${REMEDY}`,
  // A commit whose sync failed may be on the disk, and be found there after a crash.
  unsynced:
    'The disk that keeps order responses reports an error, and whether this was stored is not ' +
    'known: look before trying again, and tell the operator.',
};

/** The storage thread died before it answered. */
export const UNKNOWN =
  'The store of order responses had to start again, and whether this was stored is not known: ' +
  'look before trying again.';

export const STARTING =
  'The store of order responses is starting. Nothing was stored; try again in a moment.';
