/** The repository in `orders.db`: runs many calls in one transaction, with one sync of the disk. */
import type { DatabaseSync } from 'node:sqlite';
import { StorageError, storageError } from '../files/storage-error.ts';
import {
  type Batch,
  type BatchFailure,
  type BatchOutcome,
  BatchRunner,
  type BatchSteps,
  batchFailure,
} from '../repository/batch-runner.ts';
import { OperationRunner } from '../repository/operation-runner.ts';
import { appendRefusals } from '../repository/refusal-counter.ts';
import type { RepositoryOperation, RepositoryResult } from '../repository/repository-operation.ts';
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
  readonly #batches: BatchRunner;
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
    this.#batches = new BatchRunner({ now, onFault });
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
    return this.#run(this.#batches.run(operations));
  }

  /** Records the counted refusals if it is time or `isLast`. If that fails, they stay counted. */
  recordRefusals(options: { readonly isLast?: boolean } = {}): void {
    this.#run(this.#batches.recordRefusals(options));
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
      this.#options.onFault(this.#failureOf(fault).error);
      return 0;
    }
  }

  close(): void {
    this.recordRefusals({ isLast: true });
    try {
      fillAuditIndex(this.#database);
    } catch (fault) {
      // The next start adds the entries.
      this.#options.onFault(this.#failureOf(fault).error);
    }
    this.#database.close();
  }

  #run<Result>(steps: BatchSteps<Result>): Result {
    let next = steps.next([]);
    while (!next.done) next = steps.next(this.#outcomeOf(next.value));
    return next.value;
  }

  #outcomeOf(batch: Batch): BatchOutcome {
    this.#endTransaction();
    try {
      return this.#commit(batch);
    } catch (fault) {
      return this.#failureOf(fault);
    }
  }

  /**
   * Ends a transaction that could not be undone. Throws if that fails again, because later
   * operations would become part of it.
   */
  #endTransaction(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  #commit({ operations, refusals }: Batch): readonly RepositoryResult[] {
    const nowMs = this.#options.now().getTime();
    this.#commits++;
    return inTransaction(this.#database, () => {
      this.#tables.begin();
      appendRefusals(this.#tables, refusals, nowMs);
      return operations.map((operation) => this.#runner.run(operation, nowMs));
    });
  }

  #failureOf(fault: unknown): BatchFailure {
    const known = storageError(fault, 'orders.db');
    return batchFailure(known instanceof StorageError ? this.#options.explain(known) : known);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Erasing this number takes a few milliseconds, for which writes wait. */
const EXPIRED_MAX = 50;
