/** Opens a SQLite database for reading, also on a disk that is full, or that cannot be written. */
import { existsSync } from 'node:fs';
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
 * usually write this file. If it cannot, the index is made in the memory of this process.
 */
export function openToRead(path: string): DatabaseSync {
  try {
    return openFirst(path);
  } catch (fault) {
    if (!UNWRITABLE.has(sqliteCodes(fault)?.primary ?? 0)) throw fault;
    try {
      return openWithoutWriting(path);
    } catch (second) {
      // The first one says why the usual way failed.
      throw UNWRITABLE.has(sqliteCodes(second)?.primary ?? 0) ? fault : second;
    }
  }
}

/** The codes of SQLite when it cannot write or create a file beside the database. */
const UNWRITABLE: ReadonlySet<number> = new Set([
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
]);

/**
 * The same, where it is known that nothing can be written: makes no file. On a disk that can be
 * written, another program could change what is read.
 */
export function openWithoutWriting(path: string): DatabaseSync {
  const log = `${path}-wal`;
  // With this parameter, SQLite uses the index of a program that has the database open, and
  // otherwise makes one in memory (https://sqlite.org/walformat.html#shm). It needs both files.
  const hasIndex = existsSync(log) && existsSync(`${path}-shm`);
  if (hasIndex) return openFirst(`${uriOf(path)}?readonly_shm=1`);
  // No program has the database open, because each makes these files. So no locks are needed.
  if (fileLength(log) === 0) return openFirst(`${uriOf(path)}?immutable=1`);
  // Alone with the database, SQLite makes the index in memory (https://sqlite.org/wal.html#noshm).
  // A connection for reading has no right to the exclusive lock that this otherwise takes.
  return openFirst(`${uriOf(path)}?vfs=${WITHOUT_LOCKS}`, 'PRAGMA locking_mode = EXCLUSIVE');
}

const WITHOUT_LOCKS = process.platform === 'win32' ? 'win32-none' : 'unix-none';

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
