/** Opens a SQLite database for reading, also on a disk that is full, or that cannot be written. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { fileLength } from '../../files/file-length.ts';
import {
  SQLITE_CANTOPEN,
  SQLITE_FULL,
  SQLITE_IOERR,
  SQLITE_READONLY,
  sqliteCodes,
} from '../../files/storage-error.ts';
import { BUSY_TIMEOUT_MS } from './database.ts';

/**
 * Reads what was committed, and changes no data. Throws the error of SQLite.
 *
 * SQLite reads a write-ahead log by an index of it, the file that ends with `-shm`. To read, it must
 * usually write this file. If it cannot, the index is made in the memory of this process: with the
 * locks of the file if there is one, and otherwise only where this process cannot write the folder.
 */
export function openToRead(path: string): DatabaseSync {
  try {
    return openFirst(path);
  } catch (fault) {
    if (!isUnwritable(fault)) throw fault;
    if (!hasIndex(path) && canWriteBeside(path)) throw fault;
    try {
      return openWithoutWriting(path);
    } catch (second) {
      // The first one says why the usual way failed.
      throw isUnwritable(second) ? fault : second;
    }
  }
}

/** Whether SQLite cannot write or create a file beside the database. */
function isUnwritable(fault: unknown): boolean {
  return UNWRITABLE.has(sqliteCodes(fault)?.primary ?? 0);
}

const UNWRITABLE: ReadonlySet<number> = new Set([
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
]);

/**
 * The same, where it is known that SQLite cannot make a file: makes none. Where this process can
 * write the folder, close it soon, because another program could change what is read.
 */
export function openWithoutWriting(path: string): DatabaseSync {
  // With this parameter, SQLite uses the index of a program that has the database open, and
  // otherwise makes one in memory (https://sqlite.org/walformat.html#shm). It needs both files.
  if (hasIndex(path)) return openFirst(`${uriOf(path)}?readonly_shm=1`);
  // Each program that has the database open has made these files. So no locks are needed now.
  if (fileLength(logOf(path)) === 0) return openFirst(`${uriOf(path)}?immutable=1`);
  // Without locks, SQLite takes itself for the last program that uses the log. When it closes a log
  // without a commit, it removes the file, though another program may have written to it since.
  if (canWriteBeside(path)) return openFirst(path);
  // Alone with the database, SQLite makes the index in memory (https://sqlite.org/wal.html#noshm).
  // A connection for reading has no right to the exclusive lock that this otherwise takes.
  return openFirst(`${uriOf(path)}?vfs=${WITHOUT_LOCKS}`, 'PRAGMA locking_mode = EXCLUSIVE');
}

const WITHOUT_LOCKS = process.platform === 'win32' ? 'win32-none' : 'unix-none';

/**
 * Returns a function that tells whether a database changed since, if it is read without locks: by a
 * program that can write the folder in another way. With locks, SQLite reads one state of it.
 */
export function watchUnlocked(path: string): () => boolean {
  if (hasIndex(path) || canWriteBeside(path)) return () => false;
  const before = stateOf(path);
  return () => stateOf(path) !== before;
}

/** Changes with each write to the database or its log, and when a program opens it. */
function stateOf(path: string): string {
  const files = [path, logOf(path), indexOf(path)].map((file) => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && `${found.ino} ${found.size} ${found.mtimeNs}`;
  });
  return files.join();
}

const logOf = (path: string) => `${path}-wal`;
const indexOf = (path: string) => `${path}-shm`;

/** Whether the log of a database has an index: both files are there. */
function hasIndex(path: string): boolean {
  return existsSync(logOf(path)) && existsSync(indexOf(path));
}

/** Whether this process may make and remove files beside the database, also if the disk is full. */
function canWriteBeside(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

/** SQLite opens its files with the first read. */
function openFirst(location: string, before = ''): DatabaseSync {
  const database = new DatabaseSync(location, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec(before);
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (fault) {
    database.close();
    throw fault;
  }
}
