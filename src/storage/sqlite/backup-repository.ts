/** Backups of order responses: one SQLite file with the tables, and the keys that go with them. */
import { randomUUID } from 'node:crypto';
import { existsSync, fchmodSync, fsyncSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { encryptFile } from '../files/age-file.ts';
import { type DataFolder, FILE_MODE, withFile } from '../files/data-folder.ts';
import { publishFile } from '../files/key-file.ts';
import { acquireLock } from '../files/lock.ts';
import { StorageError, storageError, withStorageErrors } from '../files/storage-error.ts';
import { type StoredCounts, storedCounts } from '../sql/stored-counts.ts';
import { overwriteRemoved } from './database/database.ts';
import { openRepositorySnapshot, openSnapshot } from './repository-database.ts';
import { SqliteSession } from './session.ts';

/** Marks a backup: `GZBK`, as SQLite's application id. */
export const BACKUP_APPLICATION_ID = 0x475a424b;

/**
 * Writes what was committed at its start. A server can continue to run. Writes the file completely
 * or not at all, and never changes an existing file. `record` gets the number of versions in
 * the backup before the file gets its name; where `record` throws, no backup is written.
 */
export function backupRepository(
  folder: DataFolder,
  file: string,
  record: (versions: number) => void = () => {},
): StoredCounts {
  const path = requireAbsence(file);
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    const counts = writeCopy(folder, draft, path);
    withStorageErrors(path, () => publish(draft, path, () => record(counts.versions)));
    return counts;
  } finally {
    removeDatabase(draft);
  }
}

export interface Encryption {
  readonly recipients: readonly string[];
  readonly stopped?: AbortSignal | undefined;
}

/** As `backupRepository`, in the age format. The copy to encrypt is in the data folder. */
export async function backupEncrypted(
  folder: DataFolder,
  file: string,
  encryption: Encryption,
  record: (versions: number) => void,
): Promise<StoredCounts> {
  const path = requireAbsence(file);
  const draft = `${path}.${randomUUID()}.draft`;
  using _lock = acquireLock(folder.path, 'backup');
  const copy = join(folder.path, 'backup.draft');
  try {
    removeDatabase(copy); // of a backup that was killed
    withStorageErrors(path, () => makePrivateFile(draft));
    const counts = writeCopy(folder, copy, copy);
    await encryptFile({ ...encryption, from: copy, to: draft });
    withStorageErrors(path, () => publish(draft, path, () => record(counts.versions)));
    return counts;
  } catch (fault) {
    throw storageError(fault, path);
  } finally {
    removeDatabase(copy);
    rmSync(draft, { force: true });
  }
}

function requireAbsence(file: string): string {
  const path = resolve(file);
  const found = withStorageErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (found !== undefined) throw alreadyThere(path);
  return path;
}

/** Returns what is in the copy. An error names `path`. */
function writeCopy(folder: DataFolder, copy: string, path: string): StoredCounts {
  using database = openRepositorySnapshot(folder).database;
  return withStorageErrors(path, () => {
    makePrivateFile(copy);
    copyInto(copy, database, folder);
    addKeys(copy, [folder.auditKey, folder.tokenKey]);
    return countsIn(copy);
  });
}

/** `record` is called when the draft is on the disk. */
function publish(draft: string, path: string, record: () => void): void {
  syncFile(draft);
  record();
  try {
    publishFile(draft, path);
  } catch (fault) {
    throw existsSync(path) ? alreadyThere(path) : fault;
  }
}

/** An error of damaged data here is about the source, and not about the backup. */
function copyInto(draft: string, database: DatabaseSync, folder: DataFolder): void {
  try {
    database.exec('ROLLBACK'); // VACUUM begins a new snapshot
    overwriteRemoved(database); // also in the copy
    database.prepare('VACUUM INTO ?').run(draft);
  } catch (fault) {
    const error = storageError(fault, folder.ordersDatabase);
    throw error instanceof StorageError && error.kind === 'damaged' ? error : fault;
  }
}

function countsIn(draft: string): StoredCounts {
  using database = openSnapshot(draft);
  return new SqliteSession(database).run(storedCounts());
}

function alreadyThere(path: string): StorageError {
  return new StorageError('refused', `${path} already exists: choose another name`);
}

export function makePrivateFile(path: string): void {
  withFile(path, 'wx', (file) => fchmodSync(file, FILE_MODE)); // independent of the umask
}

function addKeys(draft: string, keys: readonly string[]): void {
  using database = new DatabaseSync(draft);
  overwriteRemoved(database);
  database.exec(`
    PRAGMA application_id = ${BACKUP_APPLICATION_ID};
    CREATE TABLE backup_file (name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;`);
  const insert = database.prepare('INSERT INTO backup_file (name, content) VALUES (?, ?)');
  for (const key of keys) {
    if (existsSync(key)) insert.run(basename(key), readFileSync(key));
  }
}

function removeDatabase(path: string): void {
  for (const end of ['', '-journal']) rmSync(`${path}${end}`, { force: true });
}

export function syncFile(path: string): void {
  withFile(path, 'r+', fsyncSync);
}
