/** Tells damage of a database from what only looks like it: errors of its disk, and changes meanwhile. */

import { readThrough } from '../../files/probe-disk.ts';
import { StorageError, systemCode } from '../../files/storage-error.ts';
import type { CheckedPart } from '../../repository/verification.ts';
import { failedCheck } from '../../repository/verification.ts';

/** The part; or, if its database changed while it was read without locks, only that. */
export function unlessChanged(part: CheckedPart, path: string, hasChanged: boolean): CheckedPart {
  if (!hasChanged) return part;
  const finding = `${path}: changed while it was read; try again`;
  return { name: part.name, findings: [finding], isUnchecked: true };
}

/**
 * The part; if it has findings and the disk cannot read its database, with the error of the disk.
 * This replaces the findings if SQLite reported them, as it also does for errors of the disk. Call
 * it when the database is closed: it closes the file, and then the process has no locks of it.
 */
export function unlessUnread(part: CheckedPart, path: string, isOfSqlite: boolean): CheckedPart {
  if (part.findings.length === 0 || part.isUnchecked === true) return part;
  const error = diskError(path) ?? diskError(`${path}-wal`);
  if (error === undefined) return part;
  if (isOfSqlite) return { name: part.name, ...failedCheck(error) };
  return { ...part, findings: [...part.findings, error.message] };
}

/** Why the disk cannot read a file; undefined if it can, or if there is none. */
function diskError(path: string): StorageError | undefined {
  try {
    readThrough(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return systemCode(error.cause) === 'ENOENT' ? undefined : error;
  }
}
