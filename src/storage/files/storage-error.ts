/** Errors of the data folder: each message is one line that names the remedy. */
import { accessSync, constants as fileConstants, statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';

/**
 * `unusable`: the folder cannot be used as it is. `denied`: this user may not write there.
 * `locked`: another process holds its lock.
 * `full`: no space is left. `read-only`: the file system is read-only. `disk`: reading or
 * writing failed, and nothing was written. `unsynced`: a sync failed, so the data may or may not
 * be on the disk after a crash. `damaged`: the stored data differs from the written data.
 * `wrong-key`: the key is not the key of this audit log. `newer`: a newer version of the program
 * wrote it. `refused`: the store works, but cannot do this. `unreachable`: the database server is unavailable, or does not accept writes now.
 */
export type StorageErrorKind =
  | 'unusable'
  | 'denied'
  | 'locked'
  | 'full'
  | 'read-only'
  | 'disk'
  | 'unsynced'
  | 'damaged'
  | 'wrong-key'
  | 'newer'
  | 'refused'
  | 'unreachable';

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** Turns a fault of the file system or of SQLite into a `StorageError`; others are returned as is. */
export function storageError(fault: unknown, path: string): unknown {
  if (!(fault instanceof Error) || fault instanceof StorageError) {
    return fault;
  }
  const reason = reasonOf(fault, path);
  return reason === undefined
    ? fault
    : new StorageError(reason.kind, `${path}: ${reason.text}`, fault);
}

/** Runs `action` and throws its faults as `storageError` has them. */
export function withStorageErrors<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (fault) {
    throw storageError(fault, path);
  }
}

/** The code of a fault of the file system: `ENOENT`. */
export function systemCode(fault: unknown): string | undefined {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : undefined;
}

/** The primary result code of SQLite in an error of `node:sqlite`, and the extended one. */
export function sqliteCodes(fault: unknown): { primary: number; extended: number } | undefined {
  if (!(fault instanceof Error) || !('errcode' in fault) || typeof fault.errcode !== 'number') {
    return undefined;
  }
  return { primary: fault.errcode & 0xff, extended: fault.errcode };
}

/** Whether the writes of a failed transaction may still be on the disk. */
export function isUnsynced(fault: unknown): boolean {
  return UNSYNCED_BY_SQLITE.has(sqliteCodes(fault)?.extended ?? 0);
}

export const SQLITE_ERROR = 1;
export const SQLITE_BUSY = 5;
export const SQLITE_READONLY = 8;
export const SQLITE_IOERR = 10;
const SQLITE_NOMEM = 7;
const SQLITE_CORRUPT = 11;
export const SQLITE_FULL = 13;
export const SQLITE_CANTOPEN = 14;
export const SQLITE_CONSTRAINT = 19;
const SQLITE_NOTADB = 26;

/**
 * `SQLITE_IOERR_FSYNC` and `SQLITE_IOERR_DIR_FSYNC`. After any other error nothing of the
 * transaction is on the disk.
 */
const UNSYNCED_BY_SQLITE: ReadonlySet<number> = new Set([1034, 1290]);

interface Reason {
  readonly kind: StorageErrorKind;
  readonly text: string;
}

const FULL: Reason = {
  kind: 'full',
  text: 'there is no space left (disk, quota or file size limit); free some space and try again',
};
const DENIED: Reason = {
  kind: 'denied',
  text: 'this user may not write here; change the owner of the folder (chown) or choose another one',
};
const READ_ONLY: Reason = {
  kind: 'read-only',
  text: 'the file system is read-only; mount it for writing, or choose another folder',
};
const NOT_A_FOLDER: Reason = {
  kind: 'unusable',
  text: 'the path is a file, or lies inside one; choose another folder',
};
const DAMAGED: Reason = {
  kind: 'damaged',
  text: 'the database is damaged; restore a backup',
};

const UNSYNCED: Reason = {
  kind: 'unsynced',
  text: 'the disk reports an error, and the last write may or may not be stored; check the disk',
};

const REASONS_BY_ERRNO: Readonly<Record<string, Reason>> = {
  ENOSPC: FULL,
  EFBIG: FULL,
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: READ_ONLY,
  ENOENT: { kind: 'unusable', text: 'cannot be created, or was removed; choose another folder' },
  ENAMETOOLONG: { kind: 'unusable', text: 'the name is too long; choose a shorter one' },
  EEXIST: NOT_A_FOLDER,
  ENOTDIR: NOT_A_FOLDER,
  EISDIR: { kind: 'unusable', text: 'the path is a folder; name a file' },
  EIO: { kind: 'disk', text: 'the disk reports an error; check it' },
  EMFILE: { kind: 'refused', text: 'too many files are open; raise `ulimit -n`' },
};

const REASONS_BY_SQLITE: Readonly<Record<number, Reason>> = {
  [SQLITE_BUSY]: { kind: 'locked', text: 'another process is writing to it; try again' },
  [SQLITE_NOMEM]: {
    kind: 'refused',
    text: 'there is not enough memory to read it; end other programs, or raise a limit of memory',
  },
  [SQLITE_READONLY]: DENIED,
  [SQLITE_IOERR]: {
    kind: 'disk',
    text: 'cannot be read or written; check the disk, its free space, quota and limits',
  },
  [SQLITE_CORRUPT]: DAMAGED,
  [SQLITE_FULL]: FULL,
  [SQLITE_CANTOPEN]: DENIED,
  [SQLITE_NOTADB]: DAMAGED,
};

function reasonOf(fault: Error, path: string): Reason | undefined {
  const codes = sqliteCodes(fault);
  if (codes !== undefined) {
    if (isUnsynced(fault)) return UNSYNCED;
    const reason = REASONS_BY_SQLITE[codes.primary] ?? reasonOfSchema(fault);
    if (codes.primary === SQLITE_IOERR && isFull(path)) return FULL;
    return reason === DENIED ? whyNotWritable(path) : reason;
  }
  // Node has no name for the error of a quota.
  if ('errno' in fault && fault.errno === -constants.errno.EDQUOT) return FULL;
  return REASONS_BY_ERRNO[systemCode(fault) ?? ''];
}

/** Errors in the SQL of the program have the same code, but other messages. */
function reasonOfSchema({ message }: Error): Reason | undefined {
  if (!/^no such (?:table|column): /.test(message)) return undefined;
  return {
    kind: 'damaged',
    text: `its tables are not those of its version of the schema (${message}); restore a backup`,
  };
}

/**
 * SQLite has the same codes for a read-only file system, a missing folder and a user without
 * permission; the file system tells them apart. (SQLite may have to write even to read: a `-wal`
 * without its `-shm` needs a new one.)
 */
function whyNotWritable(path: string): Reason {
  const problem = writeProblem(path);
  const code = problem === 'ENOENT' ? writeProblem(dirname(path)) : problem;
  const reason = code === undefined ? undefined : REASONS_BY_ERRNO[code];
  return reason ?? (isFull(path) ? FULL : DENIED);
}

/**
 * SQLite reports a full disk in other ways if it cannot make the index of its log. A disk can also
 * have no room for another file. An image that is read-only has no free space, and needs none.
 */
function isFull(path: string): boolean {
  const folder = dirname(path);
  if (writeProblem(folder) === 'EROFS') return false;
  try {
    const { bavail, files, ffree } = statfsSync(folder);
    // Some file systems have no limit of files, and report zero for both.
    return bavail === 0 || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

/** The system's code for why a path cannot be written; undefined if it can be. */
function writeProblem(path: string): string | undefined {
  try {
    accessSync(path, fileConstants.W_OK);
    return undefined;
  } catch (fault) {
    return systemCode(fault);
  }
}
