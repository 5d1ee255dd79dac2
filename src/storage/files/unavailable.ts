/** The diagnostics for clients when order responses cannot be stored or read, by reason. */
import { MAYBE_STORED, NOTHING_STORED } from '../../fhir/stored/repository-error.ts';
import type { StorageErrorKind } from './storage-error.ts';

const REMEDY = `${NOTHING_STORED} Try again later, and tell the operator if this continues.`;

export const UNAVAILABLE: Readonly<Record<StorageErrorKind, string>> = {
  full: `There is no space left on the disk of the order responses. ${REMEDY}`,
  'read-only': `The disk that keeps order responses is read-only. ${REMEDY}`,
  disk: `The disk that keeps order responses reports an error. ${REMEDY}`,
  unusable: `Order responses cannot be stored or read now. ${REMEDY}`,
  denied: `Order responses cannot be stored or read now. ${REMEDY}`,
  locked: `Another program or other writes have locked the order responses. ${REMEDY}`,
  damaged: `The database of order responses is damaged. ${REMEDY}`,
  'wrong-key': `The key of the audit log of order responses is missing or wrong. ${REMEDY}`,
  newer: `The database of order responses belongs to a newer version of the server. ${REMEDY}`,
  refused: `Order responses cannot be stored or read now. ${REMEDY}`,
  unreachable: `The database of order responses cannot be reached now. ${REMEDY}`,
  // After a failed sync, the commit may or may not be on the disk after a crash.
  unsynced: `The disk that keeps order responses reports an error. ${MAYBE_STORED}, and tell the operator.`,
};

/** The storage thread died before it answered. */
export const UNKNOWN = `The store of order responses restarted. ${MAYBE_STORED}.`;

/** The connection to the database was lost in a commit, and the database did not come back in time. */
export const OUTCOME_UNKNOWN = `The connection to the database of order responses was lost. ${MAYBE_STORED}.`;

/** Another server of the database took over between a search and its audit entry. */
export const MOVED = `The database of order responses failed over to another server. ${REMEDY}`;

export const STARTING = `The store of order responses is starting. ${NOTHING_STORED} Try again in a moment.`;
