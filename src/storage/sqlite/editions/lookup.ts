/** Queries a database, also on a full or read-only disk, where SQLite cannot open it as usual. */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { unwritableReason } from '../../files/probe-disk.ts';
import { type StorageError, withStorageErrors } from '../../files/storage-error.ts';

export interface LookupOptions<Statements> {
  readonly path: string;
  /** Opens the database as usual: SQLite then creates files beside it. */
  readonly open: () => DatabaseSync;
  /** Opens it without creating files. */
  readonly openToRead: () => DatabaseSync;
  readonly over: (database: DatabaseSync) => Statements;
  /** Called after each attempt that found the disk not writable. */
  readonly onUnwritable?: (reason: StorageError) => void;
}

/** While the disk cannot be written, `open` is tried again after this time. */
const TRY_AGAIN_MS = 5_000;

export interface Lookup<Statements> {
  query<Result>(ask: (statements: Statements) => Result): Result;
  close(): void;
}

/** Throws at once if the database cannot be used for a reason other than the disk. */
export function createLookup<Statements>(options: LookupOptions<Statements>): Lookup<Statements> {
  const { path, open, openToRead, over, onUnwritable } = options;
  let opened: { readonly database: DatabaseSync; readonly statements: Statements } | undefined;
  let nextTryMs = Number.NEGATIVE_INFINITY;

  const tryOpen = () => {
    if (performance.now() < nextTryMs) return undefined;
    let database: DatabaseSync | undefined;
    try {
      database = open();
      return { database, statements: over(database) };
    } catch (fault) {
      database?.close();
      const reason = existsSync(path) ? unwritableReason(path) : undefined;
      if (reason === undefined) throw fault;
      nextTryMs = performance.now() + TRY_AGAIN_MS;
      onUnwritable?.(reason);
      return undefined;
    }
  };

  const query = <Result>(ask: (statements: Statements) => Result): Result =>
    withStorageErrors(path, () => {
      opened ??= tryOpen();
      if (opened !== undefined) return ask(opened.statements);
      using database = openToRead();
      return ask(over(database));
    });

  query(() => {});
  return { query, close: () => opened?.database.close() };
}
