/** Exclusive locks on a data folder, which the operating system releases however a process ends. */
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type DataFolder, FILE_MODE } from './data-folder.ts';
import { diskProblem } from './probe-disk.ts';
import { SQLITE_BUSY, StorageError, sqliteCodes, storageError } from './storage-error.ts';

/**
 * `serve`: answers requests from the folder. `import`: makes or chooses an edition. `sync`:
 * fetches records from another directory. `backup`: encrypts a backup.
 */
export type LockName = 'serve' | 'import' | 'sync' | 'backup';

export interface Lock extends Disposable {
  /** Does nothing the second time. A lock that is declared with `using` is released at the end. */
  release(): void;
}

/**
 * Takes the lock, or throws a `StorageError` of kind `locked` that names the process that holds it.
 * It never waits. `folder` is the path of an existing data folder.
 *
 * Node has no file locks, so the lock is an exclusive transaction on an empty SQLite database. It
 * excludes other processes and other threads, and ends with its process. Only SQLite may open the
 * file: closing any other handle would release the POSIX lock.
 */
export function acquireLock(folder: string, name: LockName): Lock {
  const path = join(folder, `${name}.lock`);
  const holderPath = join(folder, `${name}.pid`);
  const database = lockDatabase(path, folder, holderPath, name);
  let isHeld = true;
  writeHolder(holderPath);
  const release = () => {
    if (isHeld) {
      isHeld = false;
      removeHolder(holderPath);
      database.close();
    }
  };
  return { release, [Symbol.dispose]: release };
}

/**
 * Removes a folder that a failed command created, and the folders above it down from `first`.
 * Returns false if the folder stays, because it has data, or because another process uses it.
 */
export function removeNewFolder(folder: DataFolder, first: string): boolean {
  const { path } = folder;
  try {
    using locks = new DisposableStack();
    for (const name of REMOVAL_LOCKS) locks.use(acquireLock(path, name));
    const files = new Set([
      ...REMOVAL_LOCKS.flatMap((name) => [`${name}.lock`, `${name}.pid`]),
      ...['', '-wal', '-shm'].map((end) => basename(folder.directoryDatabase) + end),
    ]);
    const folders = [folder.editions, folder.temporary, folder.cache, folder.sync, folder.fetch];
    const names = readdirSync(path).filter((name) => !files.has(name));
    const isEmpty = (each: string) => folders.includes(each) && readdirSync(each).length === 0;
    // These folders contain the editions, and the states of syncs and fetches.
    if (!names.every((name) => isEmpty(join(path, name)))) return false;
    for (const name of names) rmdirSync(join(path, name));
    for (const name of files) rmSync(join(path, name), { force: true });
    for (let last = path; last.length >= first.length; last = dirname(last)) rmdirSync(last);
  } catch {
    // The folder stays if another process uses it, or if the program cannot write to the disk.
  }
  return !existsSync(path);
}

/** The locks of all processes that write to the folder. A backup needs data, so it has none here. */
const REMOVAL_LOCKS: readonly LockName[] = ['serve', 'import', 'sync'];

function lockDatabase(path: string, folder: string, holderPath: string, name: LockName) {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    // The transaction changes nothing, so it needs no journal file.
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

/** Renames a finished file, so that other processes never read a part of the number. */
function writeHolder(path: string): void {
  const draft = `${path}.new`;
  try {
    writeFileSync(draft, `${process.pid}\n`, { mode: FILE_MODE });
    renameSync(draft, path);
  } catch {
    // The process holds the lock anyway, and a full disk must not prevent a start.
    removeHolder(draft);
    removeHolder(path);
  }
}

/** A remaining file does no harm: it is read only while a process holds the lock. */
function removeHolder(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The work under the lock is done, and must not fail because of this file.
  }
}

function lockedMessage(folder: string, holderPath: string, name: LockName): string {
  const pid = readHolder(holderPath);
  const holder = pid === undefined ? 'another process' : `process ${pid}`;
  if (name === 'serve') {
    return `${folder}: in use by ${holder}; stop it first, or choose another data folder`;
  }
  return `${folder}: ${holder} is ${ACTS[name]}; try again when it has ended`;
}

/** What the holder of a lock does. */
const ACTS = {
  import: 'importing or rolling back',
  sync: 'syncing',
  backup: 'encrypting a backup',
} as const;

/**
 * Undefined if the holder has not written its number yet, if the file names a process that died,
 * or if the process is not visible to this one.
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

export interface ServeLock {
  /** Takes the lock if this server does not hold it yet; throws if another server holds it. */
  readonly claim: () => void;
  readonly release: () => void;
}

/**
 * Takes the lock. On a disk that cannot be written the server starts without the lock, because no
 * process can change anything there. Before its first write, the server calls `claim`.
 */
export function openServeLock(
  folder: DataFolder,
  onUnwritable: (reason: StorageError) => void,
): ServeLock {
  let lock: Lock | undefined;
  const claim = () => {
    lock ??= acquireLock(folder.path, 'serve');
  };
  try {
    claim();
  } catch (error) {
    const isLocked = error instanceof StorageError && error.kind === 'locked';
    const reason = isLocked ? undefined : diskProblem(folder.directoryDatabase);
    if (reason === undefined) throw error;
    onUnwritable(reason);
  }
  return { claim, release: () => lock?.release() };
}
