/** The repository in `orders.db`: runs many calls in one transaction, with one sync of the disk. */
import type { DatabaseSync } from 'node:sqlite';
import { StorageError, storageError } from '../files/storage-error.ts';
import { UNAVAILABLE } from '../files/unavailable.ts';
import { OperationRunner } from '../repository/operation-runner.ts';
import {
  createRefusalCounter,
  refusalCountRecord,
  withoutCounted,
} from '../repository/refusal-counter.ts';
import type { RepositoryOperation, RepositoryResult } from '../repository/repository-operation.ts';
import { instantText } from '../repository/stored-version.ts';
import { eraseWrittenBefore } from '../sql/erasure.ts';
import { type AuditIndexProgress, fillAuditIndex } from './audit-index.ts';
import { AuditLog } from './audit-log.ts';
import { inTransaction } from './database/database.ts';
import { fillSearchIndex, type IndexProgress } from './entry-index.ts';
import type { RepositoryDatabase } from './repository-database.ts';
import { SqliteSession } from './session.ts';
import { SqliteTables } from './sqlite-tables.ts';

export interface RepositoryOptions {
  readonly now?: () => Date;
  /** Called with the reason of each failure, for the log. */
  readonly onFault?: (fault: Error) => void;
  /** Called while an index is filled, which can take minutes. */
  readonly onIndexing?: (progress: IndexProgress | AuditIndexProgress) => void;
  /** Returns a more exact reason for a failed batch; see `write-health.ts`. */
  readonly explain?: (error: StorageError) => StorageError;
}

/** Closes the database that it is given. Only one thread of one process can have it at a time. */
export class SqliteRepository {
  readonly #database: DatabaseSync;
  readonly #audit: AuditLog;
  readonly #tables: SqliteTables;
  readonly #runner: OperationRunner;
  readonly #refusals = createRefusalCounter();
  readonly #options: Required<Pick<RepositoryOptions, 'now' | 'onFault' | 'explain'>>;
  #commits = 0;

  constructor({ database, auditKey }: RepositoryDatabase, options: RepositoryOptions = {}) {
    this.#database = database;
    this.#audit = new AuditLog(database, auditKey);
    fillSearchIndex(database, options.onIndexing);
    fillAuditIndex(database, options.onIndexing);
    this.#tables = new SqliteTables(database, this.#audit);
    this.#runner = new OperationRunner(this.#tables);
    const { now = () => new Date(), onFault = () => {}, explain = (error) => error } = options;
    this.#options = { now, onFault, explain };
  }

  /** The number of transactions so far, failed ones included. */
  get commits(): number {
    return this.#commits;
  }

  /**
   * Returns a result for each operation, in their order. Each operation sees the changes of those
   * before it. When this returns, everything is on the disk except the operations that failed.
   */
  runBatch(operations: readonly RepositoryOperation[]): readonly RepositoryResult[] {
    const nowMs = this.#options.now().getTime();
    const { rest, resultsOf } = withoutCounted(operations, this.#refusals, nowMs);
    return resultsOf(rest.length === 0 ? [] : this.#runOrFail(rest, nowMs));
  }

  /** Records the counted refusals if it is time or `isLast`. If that fails, they stay counted. */
  recordRefusals({ isLast = false } = {}): void {
    const nowMs = this.#options.now().getTime();
    if (!this.#refusals.isDue(nowMs) && !(isLast && this.#refusals.counts.length > 0)) return;
    this.#endTransaction();
    try {
      this.#commit([], nowMs, true);
    } catch (fault) {
      this.#failureOf(fault);
    }
  }

  /**
   * Erases a few resources that were not written for `days` days, and parameters of searches of that
   * age. Returns the number of both: 0 if none are left, or while the disk cannot be written.
   */
  eraseExpired(days: number): number {
    const nowMs = this.#options.now().getTime();
    const limits = { beforeMs: nowMs - days * DAY_MS, limit: EXPIRED_MAX };
    this.#endTransaction();
    try {
      return inTransaction(this.#database, () => {
        const session = new SqliteSession(this.#database);
        return session.run(eraseWrittenBefore(this.#audit.transaction(nowMs), limits));
      });
    } catch (fault) {
      this.#failureOf(fault);
      return 0;
    }
  }

  close(): void {
    this.recordRefusals({ isLast: true });
    try {
      fillAuditIndex(this.#database);
    } catch (fault) {
      // The next start adds the entries.
      this.#failureOf(fault);
    }
    this.#database.close();
  }

  #runOrFail(operations: readonly RepositoryOperation[], nowMs: number): RepositoryResult[] {
    this.#endTransaction();
    try {
      return this.#commit(operations, nowMs, this.#refusals.isDue(nowMs));
    } catch (fault) {
      if (operations.length > 1 && !isOfStorage(fault)) {
        // One of them is at fault: the others succeed on their own.
        return operations.flatMap((operation) => this.#runOrFail([operation], nowMs));
      }
      const failure = this.#failureOf(fault);
      return operations.map(() => failure);
    }
  }

  /**
   * Ends a transaction that could not be undone. Throws if that fails again, because later
   * operations would become part of it.
   */
  #endTransaction(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  #commit(operations: readonly RepositoryOperation[], nowMs: number, withRefusals: boolean) {
    this.#commits++;
    const answers = inTransaction(this.#database, () => {
      this.#tables.begin();
      if (withRefusals) this.#appendRefusals(nowMs);
      return operations.map((operation) => this.#runner.run(operation, nowMs));
    });
    if (withRefusals) this.#refusals.clear();
    return answers;
  }

  #appendRefusals(nowMs: number): void {
    for (const count of this.#refusals.counts) {
      this.#audit.append(instantText(nowMs), refusalCountRecord(count));
    }
  }

  #failureOf(fault: unknown): RepositoryResult {
    const known = storageError(fault, 'orders.db');
    const error = known instanceof StorageError ? this.#options.explain(known) : faultOf(known);
    this.#options.onFault(error);
    return error instanceof StorageError
      ? { kind: 'unavailable', message: UNAVAILABLE[error.kind] }
      : { kind: 'fault', message: error.message };
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Erasing this number takes a few milliseconds, for which writes wait. */
const EXPIRED_MAX = 50;

function isOfStorage(fault: unknown): boolean {
  return storageError(fault, '') instanceof StorageError;
}

function faultOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
