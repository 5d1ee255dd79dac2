/** Puts a backup of order responses into a data folder that has none. */
import { randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { decryptFile, isAgeFile } from '../files/age-file.ts';
import { type DataFolder, FILE_MODE, syncFolder } from '../files/data-folder.ts';
import { fileLength } from '../files/file-length.ts';
import { readKeyFile, writeKeyFile } from '../files/key-file.ts';
import { StorageError, storageError, withStorageErrors } from '../files/storage-error.ts';
import type { OrdersVerdict } from '../sql/verify.ts';
import { BACKUP_APPLICATION_ID, makePrivateFile, syncFile } from './backup-repository.ts';
import { openDatabase, overwriteRemoved, refuseNewer } from './database/database.ts';
import { isOfEarlierVersion, openSnapshot, REPOSITORY_MIGRATIONS } from './repository-database.ts';
import { verifyRepository } from './verify-repository.ts';

/**
 * Only for the holder of the lock 'serve'. The backup is checked before anything is put in place,
 * and what the folder holds is never overwritten.
 */
export function restoreRepository(folder: DataFolder, file: string): OrdersVerdict {
  const path = resolve(file);
  requireBackup(path);
  requireEmpty(folder);
  const draft = draftIn(folder);
  try {
    return withStorageErrors(folder.ordersDatabase, () => {
      copyFileSync(path, draft);
      chmodSync(draft, FILE_MODE);
      return putInPlace(folder, draft, path);
    });
  } finally {
    removeDraft(draft);
  }
}

export interface Decryption {
  readonly identities: readonly string[];
  readonly stopped?: AbortSignal | undefined;
}

/** As `restoreRepository`, for a backup in the age format. */
export async function restoreEncrypted(
  folder: DataFolder,
  file: string,
  decryption: Decryption,
): Promise<OrdersVerdict> {
  const path = resolve(file);
  requireEmpty(folder);
  const draft = draftIn(folder);
  try {
    makePrivateFile(draft);
    await decryptFile({ ...decryption, from: path, to: draft });
    requireBackup(draft, path);
    return putInPlace(folder, draft, path);
  } catch (fault) {
    throw storageError(fault, folder.ordersDatabase);
  } finally {
    removeDraft(draft);
  }
}

function draftIn({ ordersDatabase }: DataFolder): string {
  return `${ordersDatabase}.${randomUUID()}.draft`;
}

function removeDraft(draft: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true });
}

/** The database comes last, so that a restore that was killed before that can be repeated. */
function putInPlace(folder: DataFolder, copy: string, path: string): OrdersVerdict {
  const draft = draftIn(folder);
  try {
    return putPreparedInPlace(folder, { copy, draft, path });
  } finally {
    removeDraft(draft);
  }
}

/** The copy of a backup, the database that is made of it, and the name of the backup for people. */
interface Restored {
  readonly copy: string;
  readonly draft: string;
  readonly path: string;
}

function putPreparedInPlace(folder: DataFolder, restored: Restored): OrdersVerdict {
  const { draft } = restored;
  const { verdict, keys } = prepared(restored);
  requireSameKeys(folder, keys);
  requireNoWrites(folder);
  putKeys(folder, keys);
  // SQLite would use the remaining files of an empty database as part of this one.
  for (const end of ['-wal', '-shm']) rmSync(`${folder.ordersDatabase}${end}`, { force: true });
  renameSync(draft, folder.ordersDatabase);
  syncFolder(folder.path);
  return verdict;
}

type Keys = ReadonlyMap<string, Uint8Array>;

/**
 * Throws a `StorageError` if the file is not a backup, or not one that this version reads. `path` is its
 * name for people.
 */
export function requireBackup(file: string, path: string = file): void {
  if (!existsSync(file)) throw new StorageError('unusable', `${path}: there is no such file`);
  if (withStorageErrors(path, () => isAgeFile(file))) {
    throw new StorageError(
      'refused',
      `${path}: this backup is encrypted; name the file of its identity with --identity`,
    );
  }
  const none = `${path}: this is not a backup of order responses, or it was cut short; use another one`;
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    const id = database.prepare('PRAGMA application_id').get()?.application_id;
    if (id !== BACKUP_APPLICATION_ID) throw new StorageError('refused', none);
    refuseNewer(database, path, REPOSITORY_MIGRATIONS.length);
  } catch (fault) {
    const error = storageError(fault, path);
    const isDamaged = error instanceof StorageError && error.kind === 'damaged';
    throw isDamaged ? new StorageError('refused', none, fault) : error;
  }
}

function requireEmpty(folder: DataFolder): void {
  const { ordersDatabase: path } = folder;
  if (fileLength(path) > 0) {
    // Read first, because opening it migrates it.
    if (isOfEarlierVersion(folder)) requireNoRows(openSnapshot(path), path);
    requireNoRows(openDatabase(path, REPOSITORY_MIGRATIONS), path);
  }
  requireNoWrites(folder);
}

/** Closes the database. This removes its write-ahead log, unless another program has it open. */
function requireNoRows(opened: DatabaseSync, path: string): void {
  using database = opened;
  const select = 'SELECT 1 FROM resource UNION ALL SELECT 1 FROM audit_entry LIMIT 1';
  if (database.prepare(select).get() === undefined) return;
  throw new StorageError(
    'refused',
    `${path}: there are order responses or audit entries here already; ${REMEDY}`,
  );
}

/** The log may hold all that was written, and may belong to a database that was moved away. */
function requireNoWrites({ ordersDatabase }: DataFolder): void {
  const log = `${ordersDatabase}-wal`;
  if (fileLength(log) === 0) return;
  throw new StorageError(
    'refused',
    `${log}: it may hold order responses or audit entries, and nothing else has them; ${REMEDY}`,
  );
}

const REMEDY =
  'restore into another data folder, or move orders.db, orders.db-wal, orders.db-shm and ' +
  'audit.key away together first, those of them that are there';

/** As `prepare`. What SQLite finds damaged in the copy is damaged in the backup. */
function prepared({ copy, draft, path }: Restored): ReturnType<typeof prepare> {
  try {
    return prepare({ copy, draft, path });
  } catch (fault) {
    const error = storageError(fault, copy);
    if (!(error instanceof StorageError) || error.kind !== 'damaged') throw fault;
    throw error.message.startsWith(copy) ? damaged(path, 'the backup is damaged', fault) : error;
  }
}

/** Checks all of a copy of a backup, and makes a database with the newest schema of it. */
function prepare({ copy, draft, path }: Restored): { verdict: OrdersVerdict; keys: Keys } {
  const keys = takeKeys(copy);
  const auditKey = keys.get('audit.key');
  if (auditKey === undefined) throw damaged(path, 'the key of the audit log is missing');
  // Checked before it is migrated, so that the findings are about what the backup contains.
  const verdict = verify(copy, auditKey, path);
  const [first] = verdict.findings;
  if (first !== undefined) throw damaged(path, first);
  rewrite(copy, draft);
  syncFile(draft);
  return { verdict, keys };
}

/**
 * Copies the rows alone: backups of earlier versions of the program have copies of rows in their free
 * space. Then migrates the database.
 */
function rewrite(copy: string, draft: string): void {
  makePrivateFile(draft);
  {
    using database = new DatabaseSync(copy, { readOnly: true });
    overwriteRemoved(database);
    database.prepare('VACUUM INTO ?').run(draft);
  }
  openDatabase(draft, REPOSITORY_MIGRATIONS).close();
}

function verify(draft: string, auditKey: Uint8Array, path: string): OrdersVerdict {
  using database = openSnapshot(draft);
  try {
    return verifyRepository({ database, auditKey });
  } catch (fault) {
    throw fault instanceof StorageError ? damaged(path, fault.message, fault) : fault;
  }
}

/** Out of the copy, so that no key is left behind in the database. */
function takeKeys(draft: string): Keys {
  using database = new DatabaseSync(draft);
  const rows = database.prepare('SELECT name, content FROM backup_file').all();
  const keys = rows.flatMap(({ name, content }): [string, Uint8Array][] =>
    content instanceof Uint8Array ? [[String(name), content]] : [],
  );
  overwriteRemoved(database);
  database.exec('DROP TABLE backup_file; PRAGMA application_id = 0');
  return new Map(keys);
}

function requireSameKeys({ auditKey, tokenKey }: DataFolder, keys: Keys): void {
  for (const [path, remedy] of [
    [auditKey, ', perhaps the only one of a log that was moved away; move it away too'],
    [tokenKey, '; move it away (tokens made with it then no longer hold)'],
  ] as const) {
    const [present, ours] = [readKeyFile(path), keys.get(basename(path))];
    if (ours === undefined || isMissing(present) || isSame(present, ours)) continue;
    throw new StorageError(
      'refused',
      `${path}: another key is here already${remedy} and restore again`,
    );
  }
}

function putKeys({ auditKey, tokenKey }: DataFolder, keys: Keys): void {
  for (const path of [auditKey, tokenKey]) {
    const [present, ours] = [readKeyFile(path), keys.get(basename(path))];
    if (ours === undefined || isSame(present, ours)) continue;
    rmSync(path, { force: true }); // an empty file
    writeKeyFile(path, ours);
  }
}

/** An empty file is one whose maker was killed. */
function isMissing(key: Uint8Array | undefined): boolean {
  return key === undefined || key.length === 0;
}

function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && Buffer.compare(one, other) === 0;
}

function damaged(path: string, what: string, cause?: unknown): StorageError {
  return new StorageError('damaged', `${path}: ${what}; use another backup`, cause);
}
