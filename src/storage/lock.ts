/** Exclusive locks on a data folder, which the operating system releases however a process ends. */
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FILE_MODE } from './data-folder.ts';
import { SQLITE_BUSY, StorageError, sqliteCodes, storageError } from './storage-error.ts';

/**
 * `serve` who answers requests from the folder; `import` who makes or chooses an edition; `sync`
 * who fetches what another directory has.
 */
export type LockName = 'serve' | 'import' | 'sync';

export interface Lock {
  /** Does nothing the second time. */
  release(): void;
}

/**
 * Takes the lock or throws a `StorageError` of kind `locked` that names the holder's process;
 * never waits. `folder` is the path of an existing data folder.
 *
 * Node has no file locks of its own, so the lock is an exclusive transaction on an empty SQLite
 * database: it excludes other processes and other threads, and dies with its process. (Nothing may
 * open that file but SQLite: closing any other handle would drop the POSIX lock.)
 */
export function acquireLock(folder: string, name: LockName): Lock {
  const path = join(folder, `${name}.lock`);
  const holderPath = join(folder, `${name}.pid`);
  const database = lockDatabase(path, folder, holderPath, name);
  let isHeld = true;
  writeHolder(holderPath);
  return {
    release() {
      if (isHeld) {
        isHeld = false;
        removeHolder(holderPath);
        database.close();
      }
    },
  };
}

function lockDatabase(path: string, folder: string, holderPath: string, name: LockName) {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    // Without a journal file: there is nothing to be undone, nor to be left behind.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    chmodSync(path, FILE_MODE);
    return database;
  } catch (fault) {
    database?.close();
    if (sqliteCodes(fault)?.primary === SQLITE_BUSY) {
      throw new StorageError('locked', lockedMessage(folder, holderPath, name));
    }
    throw storageError(fault, path);
  }
}

/** Renamed into place, so that nobody reads half a number. */
function writeHolder(path: string): void {
  const draft = `${path}.new`;
  try {
    writeFileSync(draft, `${process.pid}\n`, { mode: FILE_MODE });
    renameSync(draft, path);
  } catch {
    // The lock is held all the same, and a full disk must not keep a server from starting.
    removeHolder(draft);
    removeHolder(path);
  }
}

/** A name left behind does no harm: it is read only while somebody holds the lock. */
function removeHolder(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Whoever lets the lock go has done the work it was for; this must not look like its failure.
  }
}

function lockedMessage(folder: string, holderPath: string, name: LockName): string {
  const pid = readHolder(holderPath);
  const holder = pid === undefined ? 'another process' : `process ${pid}`;
  if (name === 'serve') {
    return `${folder}: in use by ${holder}; stop it first, or choose another data folder`;
  }
  const act = name === 'import' ? 'importing or rolling back' : 'syncing';
  return `${folder}: ${holder} is ${act}; try again when it has ended`;
}

/**
 * Undefined in the moment between taking the lock and naming oneself, when the file is missing or
 * names a former holder that died, and where the holder's process cannot be seen from here.
 */
function readHolder(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}
