/** Opens a SQLite database: durable, private, and with the newest schema. */
import { chmodSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { FILE_MODE } from '../../files/data-folder.ts';
import {
  SQLITE_BUSY,
  SQLITE_CONSTRAINT,
  SQLITE_ERROR,
  StorageError,
  sqliteCodes,
  storageError,
} from '../../files/storage-error.ts';

/**
 * Migrates the schema from one version to the next, with SQL or with a function. A released
 * migration never changes.
 */
export type Migration = string | ((database: DatabaseSync) => void);

/** Writers are few and quick, so a longer wait means that something hangs. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens, or makes, the database and brings its schema to version `migrations.length`.
 * Throws a `StorageError` of kind `newer` when its schema is beyond that, before anything is changed.
 */
export function openDatabase(path: string, migrations: readonly Migration[]): DatabaseSync {
  const open = () =>
    new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  return openWith(path, open, (database) => {
    refuseNewer(database, path, migrations.length);
    chmodSync(path, FILE_MODE); // SQLite gives its other files the same mode
    overwriteRemoved(database);
    useWriteAheadLog(database);
    // A commit survives a power loss, and not only a crash of the program.
    database.exec('PRAGMA synchronous = FULL');
    migrate(database, path, migrations);
  });
}

/**
 * SQLite then overwrites what is removed, and most of what it moves to another page. A migration, and
 * a copy of the database, otherwise leave rows in the free space of pages.
 */
export function overwriteRemoved(database: DatabaseSync): void {
  database.exec('PRAGMA secure_delete = ON');
}

/** Opens a database. If `prepare` throws, closes it, and throws a `StorageError`. */
export function openWith(
  path: string,
  open: () => DatabaseSync,
  prepare: (database: DatabaseSync) => void,
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = open();
    prepare(database);
    return database;
  } catch (fault) {
    database?.close();
    throw storageError(fault, path);
  }
}

/** Runs `action` in one write transaction, and commits it. An error of `action` rolls it back. */
export function inTransaction<Result>(database: DatabaseSync, action: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = action();
    database.exec('COMMIT');
    return result;
  } catch (fault) {
    if (database.isTransaction) {
      database.exec('ROLLBACK'); // SQLite has already rolled back where the disk is full
    }
    throw fault;
  }
}

/** Prepares statements by their names. */
export function prepareAll<Name extends string>(
  database: DatabaseSync,
  texts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, StatementSync>> {
  const statements = Object.entries<string>(texts).map(
    ([name, text]) => [name, database.prepare(text)] as const,
  );
  return Object.fromEntries(statements) as Record<Name, StatementSync>;
}

/** Runs `action` within a transaction, and undoes its changes if it is not done. */
export function inSavepoint<Result extends { readonly kind: string }>(
  database: DatabaseSync,
  action: () => Result,
): Result {
  database.exec('SAVEPOINT part');
  const result = action();
  if (result.kind !== 'done') database.exec('ROLLBACK TO part');
  database.exec('RELEASE part');
  return result;
}

/** Runs SQLite's own check of a database. Throws the first finding. */
export function requireIntegrity(database: DatabaseSync): void {
  const verdict = integrityOf(database);
  if (verdict !== 'ok') throw new StorageError('damaged', verdict);
}

/** The first finding, or `ok`. */
function integrityOf(database: DatabaseSync): string {
  const [first] = database.prepare('PRAGMA integrity_check(1)').all();
  return String(first?.integrity_check);
}

/**
 * When two processes change the journal of a new database at the same time, each holds a lock that
 * the other needs. SQLite then does not wait, and reports to one of them that it is busy. That one
 * tries again.
 */
function useWriteAheadLog(database: DatabaseSync): void {
  const deadlineMs = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (fault) {
      const isBusy = sqliteCodes(fault)?.primary === SQLITE_BUSY;
      if (!isBusy || performance.now() > deadlineMs) throw fault;
      Atomics.wait(NOTHING, 0, 0, BUSY_PAUSE_MS);
    }
  }
}

const BUSY_PAUSE_MS = 10;

/** Nothing changes this value, so waiting for a change is sleeping. */
const NOTHING = new Int32Array(new SharedArrayBuffer(4));

function migrate(database: DatabaseSync, path: string, migrations: readonly Migration[]): void {
  if (schemaVersion(database) === migrations.length) {
    return;
  }
  try {
    inTransaction(database, () => {
      // Another process can have migrated the database before this transaction began.
      refuseNewer(database, path, migrations.length);
      applyMigrations(database, migrations.slice(schemaVersion(database)));
      database.exec(`PRAGMA user_version = ${migrations.length}`);
    });
  } catch (fault) {
    const isRefused =
      fault instanceof Error && UNMIGRATABLE.includes(sqliteCodes(fault)?.primary ?? 0);
    throw isRefused ? unmigratable(database, path, fault) : fault;
  }
}

/** A constraint fails, or a table that a migration makes or changes is already there, or missing. */
const UNMIGRATABLE: readonly number[] = [SQLITE_CONSTRAINT, SQLITE_ERROR];

/** A migration that is wrong fails with the same error as one of damaged rows. */
function unmigratable(database: DatabaseSync, path: string, cause: Error): StorageError {
  const isDamaged =
    integrityOf(database) !== 'ok' ||
    database.prepare('PRAGMA foreign_key_check').get() !== undefined;
  return new StorageError(
    isDamaged ? 'damaged' : 'unusable',
    `${path}: written by an older version of Gazetteer, and cannot be migrated ` +
      `(${cause.message}); nothing was changed. ` +
      (isDamaged
        ? 'Rows are missing or were changed: run `gazetteer verify` to see which, and restore a backup'
        : 'Run `gazetteer verify`: if it finds damage, restore a backup; otherwise use the older ' +
          'version, and report this message'),
    cause,
  );
}

export function applyMigrations(database: DatabaseSync, migrations: readonly Migration[]): void {
  for (const migration of migrations) {
    if (typeof migration === 'string') database.exec(migration);
    else migration(database);
  }
}

/** Throws if the schema is newer than this version of the program. */
export function refuseNewer(database: DatabaseSync, path: string, versionMax: number): void {
  const version = schemaVersion(database);
  if (version > versionMax) {
    throw new StorageError(
      'newer',
      `${path}: written by a newer version of Gazetteer (schema ${version}, this one knows ` +
        `${versionMax}); use that version, or another data folder`,
    );
  }
}

/** Throws if the schema does not belong to this version of the program. Changes nothing. */
export function requireSchema(database: DatabaseSync, path: string, version: number): void {
  refuseNewer(database, path, version);
  const found = schemaVersion(database);
  if (found === version) return;
  throw new StorageError(
    'unusable',
    found === 0
      ? `${path}: this is not a database of Gazetteer, or it was never used`
      : `${path}: written by an older version of Gazetteer (schema ${found}); ` +
          'start `gazetteer serve` once to migrate it',
  );
}

/** How many migrations were applied. */
export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** Missing, changed and unexpected tables, indexes and triggers. */
export function schemaFindings(
  database: DatabaseSync,
  migrations: readonly Migration[],
): readonly string[] {
  using fresh = new DatabaseSync(':memory:');
  applyMigrations(fresh, migrations);
  const expected = schemaOf(fresh);
  const found = schemaOf(database);
  return [
    ...[...expected]
      .filter(([name, sql]) => found.get(name) !== sql)
      .map(([name]) => `${name} of the schema was changed or removed`),
    ...[...found.keys()]
      .filter((name) => !expected.has(name))
      .map((name) => `${name} is not part of the schema`),
  ];
}

/** The SQL statement of each table, index and trigger, by type and name. */
function schemaOf(database: DatabaseSync): Map<string, string> {
  const parts = database.prepare(`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL`);
  return new Map(
    parts
      .all()
      .filter(({ name }) => !String(name).startsWith('sqlite_'))
      .map(({ type, name, sql }) => [`the ${type} ${name}`, String(sql)]),
  );
}
