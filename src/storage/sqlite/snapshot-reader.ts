/** Answers searches and reads changes over a separate connection, so that no write waits for them. */
import { DatabaseSync } from 'node:sqlite';
import { withStorageErrors } from '../files/storage-error.ts';
import type { ReaderAnswer, ReaderCall } from '../repository/reader-answers.ts';
import { answerCall } from '../sql/answer-call.ts';
import { FieldKeys } from '../sql/search.ts';
import { BUSY_TIMEOUT_MS } from './database/database.ts';
import { SqliteSession } from './session.ts';
import { SQLITE } from './sqlite-dialect.ts';

export class SnapshotReader {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #session: SqliteSession;
  readonly #fields = new FieldKeys();

  /** `path`: a database with the newest schema. */
  constructor(path: string) {
    this.#path = path;
    this.#database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    this.#session = new SqliteSession(this.#database);
  }

  /**
   * All parts of the answer are of one state of the database. It has everything that was committed
   * before the call. Throws a `StorageError` if the disk fails.
   */
  answer(call: ReaderCall, nowMs: number): ReaderAnswer {
    return withStorageErrors(this.#path, () => {
      this.#database.exec('BEGIN');
      try {
        return this.#session.run<ReaderAnswer>(answerCall(SQLITE, this.#fields, call, nowMs));
      } finally {
        // After some errors of the disk, SQLite has already ended the transaction.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      }
    });
  }

  close(): void {
    this.#database.close();
  }
}
